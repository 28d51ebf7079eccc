import type { TrellisClient } from "./client.js";
import { generateEncryptionKeyPair } from "./key-pair.js";
import { openSession } from "./session.js";
import type { SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { ImportedAccount, Permission } from "./wire.js";

/** An account on its way from a service that closes to this one. */
export type AccountMove = {
  /** The service it comes to. */
  readonly trellis: TrellisClient;
  /** The service it leaves; see `fetchInOldNames`. */
  readonly old: TrellisClient;
  /** Whose wallets become its signers, and who signs in at the old service. */
  readonly email: string;
  /** The account's settings, or its own address where it sent something lately. */
  readonly settingsAddress?: string;
  readonly address?: string;
  /** Asked for the code that the old service has sent. */
  readonly readCode: (email: string) => string | Promise<string>;
  /** Where to keep what was signed until the outcome is known; see `SubmitOptions`. */
  readonly onSigned?: SubmitOptions["onSigned"];
};

/** Where a move has come to. */
export type MovedAccount = ImportedAccount & {
  /** Where the change of signers waits for votes or a time lock at the old service: move again once it is executed. */
  readonly proposal?: { readonly proposalAddress: string; readonly transactionIndex: number };
};

const everyPermission: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/**
 * Moves an account: wallets are made for its owner here, the owner signs in at the old service, and the signers that one
 * held are exchanged for the wallets. Signers whose keys are somebody's own stay, and so do threshold and time lock. The
 * bytes that the old service prepares are signed only when they make exactly this change. Afterwards the chain says whose
 * wallets decide, which activates the account here.
 *
 * Called again after it was cut short it goes on where the account stands; a moved account stays as it is. Rejects with
 * `TransactionMismatchError`, before anything is signed, where the old service prepared something else or signs somebody
 * else in, and with what `accounts.update` rejects with.
 */
export async function moveAccount(move: AccountMove): Promise<MovedAccount> {
  const { trellis, old, email } = move;
  const before = await trellis.accounts.import({
    email,
    ...(move.address === undefined ? {} : { address: move.address }),
    ...(move.settingsAddress === undefined ? {} : { settings_address: move.settingsAddress }),
  });
  const { address: account, settings_address } = before;
  const again = () => trellis.accounts.import({ email, settings_address });
  const members = new Set(before.policies.signers.map((signer) => signer.address));
  if (before.wallets.every((wallet) => members.has(wallet.address))) return before;

  await old.auth.start({ email });
  const keyPair = generateEncryptionKeyPair();
  const verified = await old.auth.verify({
    email,
    otp_code: await move.readCode(email),
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  if (verified.address !== account) {
    throw new TransactionMismatchError("source", "the old service signed in to another account", {
      expected: account,
      actual: verified.address,
    });
  }
  const session = await openSession(verified.authentication[0], keyPair);
  const { policies } = await old.accounts.get(account);
  const kept = policies.signers.filter(({ provider }) => provider === "external" || provider === "passkey");
  const { proposal } = await old.accounts.update(
    {
      account,
      session,
      changes: {
        signers: [
          ...before.wallets.map((wallet) => ({ address: wallet.address, permissions: everyPermission })),
          ...kept.map(({ address, permissions }) => ({ address, permissions })),
        ],
      },
    },
    move.onSigned === undefined ? {} : { onSigned: move.onSigned },
  );
  const after = await again();
  return proposal === undefined ? after : { ...after, proposal };
}
