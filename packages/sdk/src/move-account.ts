import type { Address } from "@solana/addresses";
import type { TrellisClient } from "./client.js";
import { generateEncryptionKeyPair } from "./key-pair.js";
import { MoveRefusedError } from "./move-refused-error.js";
import { wait } from "./request-sender.js";
import { openSession, type SigningSession } from "./session.js";
import { addressOfKey, type SignerKey } from "./sign-transaction.js";
import type { SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import { TrellisApiError } from "./trellis-api-error.js";
import { drawWalletNonce, isProven } from "./wallet-proof.js";
import type { ImportedAccount, Permission, Policies, PolicySigner } from "./wire.js";

/** An account on its way from a service that closes to this one. */
export type AccountMove = {
  /** The service that receives it. It is believed about the chain; the old one is not. */
  readonly trellis: TrellisClient;
  /** The service it leaves; see `fetchInOldNames`. */
  readonly old: TrellisClient;
  /** Whose wallets become its signers, and who signs in at the old service. */
  readonly email: string;
  /** The account's settings, or its own address where it sent something lately. */
  readonly settingsAddress?: string;
  readonly address?: string;
  /**
   * Who is to stay, the owner's own keys: signers, and the admin. Any other signer whom the old service does not hold, and any
   * other admin, ends the move.
   */
  readonly keep?: readonly string[];
  /** Keys of the owner's own that sign the change too, where the old service's wallets are not enough. */
  readonly keys?: readonly SignerKey[];
  /**
   * True: a change that waits for votes or a time lock is put to a vote at the old service. Default: it is refused,
   * because the calls which that service answers to the end neither vote nor execute.
   */
  readonly mayPropose?: boolean;
  /** True: spending limits of the signers who leave stay. Default: they go in the same transaction. */
  readonly keepSpendingLimits?: boolean;
  /** Asked for the code that the old service has sent. */
  readonly readCode: (email: string) => string | Promise<string>;
  /** Where to keep what was signed until the outcome is known; see `SubmitOptions`. */
  readonly onSigned?: SubmitOptions["onSigned"];
  /** Waits the given milliseconds, for the chain to show the change. */
  readonly pause?: (milliseconds: number) => Promise<void>;
};

/** The state of a move. */
export type MovedAccount = ImportedAccount & {
  /** True once the account's signers are the wallets made here, and those that were to stay, and no other key rules over it. */
  readonly isMoved: boolean;
  /**
   * Spending limits that a signer who left can still use, as the old service says. Absent where it was not asked: the account
   * was found moved, or the answer was lost. `trellis doctor` finds them on the chain.
   */
  readonly remainingSpendingLimits?: readonly string[];
  /** Where the change of signers waits for votes or a time lock at the old service: move again once it is executed. */
  readonly proposal?: { readonly proposalAddress: string; readonly transactionIndex: number };
};

const everyPermission: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const refreshes = 20;
const pauseBetweenRefreshesMs = 1_500;

/**
 * Moves an account: wallets are made for its owner here, the owner signs in at the old service, and the signers that one
 * held are exchanged for the wallets, in one transaction. Threshold and time lock stay. The bytes that the old service
 * prepares are signed only when they make exactly this change to the policy that the chain has. Afterwards the chain says
 * whose wallets decide, which activates the account here.
 *
 * Called again after an interruption it resumes where the chain says the account stands; a moved account stays as it is.
 * Nothing is signed when it rejects with `MoveRefusedError`: the account cannot be moved like this; or with
 * `TransactionMismatchError`: the old service prepared something else or signed another user in. Rejects otherwise with
 * what `accounts.update` rejects with, and then only where the chain does not show the change.
 */
export async function moveAccount(move: AccountMove): Promise<MovedAccount> {
  const { trellis, old, email, keep = [] } = move;
  const before = await trellis.accounts.import({
    email,
    ...(move.address === undefined ? {} : { address: move.address }),
    ...(move.settingsAddress === undefined ? {} : { settings_address: move.settingsAddress }),
  });
  const isMoved = (account: ImportedAccount) => account.status === "active" && hasOnly(account, keep);
  if (isMoved(before)) return { ...before, isMoved: true };
  const { address: account, settings_address, policies } = before;
  assertMovable(move, before);
  await proveWallets(trellis, before, email);

  const session = await signInThere(move, account);
  const leaving = await findLeaving(move, before, session);
  const signers = signersAfter(before, leaving);
  assertReachable(signers, policies);
  if (move.mayPropose !== true) assertEnoughVotes(move, policies, session);

  const refresh = async (times: number): Promise<ImportedAccount> => {
    for (let left = times; ; left -= 1) {
      const now = await trellis.accounts.import({ email, settings_address });
      if (isMoved(now) || left <= 1) return now;
      await (move.pause ?? wait)(pauseBetweenRefreshesMs);
    }
  };
  let isSigned = false;
  const onSigned: SubmitOptions["onSigned"] = async (signed) => {
    await move.onSigned?.(signed);
    isSigned = true;
  };
  try {
    const { proposal, remainingSpendingLimits } = await old.accounts.update(
      {
        account,
        session,
        ...(move.keys === undefined ? {} : { keys: move.keys }),
        changes: { signers: signers.map(({ address, permissions }) => ({ address, permissions })) },
        current: policies,
        removeSpendingLimits: move.keepSpendingLimits !== true,
        limits: { settings: settings_address as Address },
      },
      { onSigned },
    );
    if (proposal !== undefined) return { ...before, isMoved: false, remainingSpendingLimits, proposal };
    const after = await refresh(refreshes);
    return { ...after, isMoved: isMoved(after), remainingSpendingLimits };
  } catch (error) {
    // What was signed may have landed, whatever became of the answer: the chain knows.
    if (!isSigned) throw error;
    const after = await refresh(error instanceof TrellisApiError ? 1 : refreshes).catch(() => undefined);
    if (after === undefined || !isMoved(after)) throw error;
    return { ...after, isMoved: true };
  }
}

/** Whether all wallets sign for the account, and no others sign for it or rule over it but those that were to stay. */
function hasOnly({ policies, wallets }: ImportedAccount, keep: readonly string[]): boolean {
  const members = new Set(policies.signers.map(({ address }) => address));
  const wanted = new Set([...wallets.map(({ address }) => address), ...keep]);
  const rulers = policies.admin_address === null ? [] : [policies.admin_address];
  return (
    wallets.every(({ address }) => members.has(address)) && [...members, ...rulers].every((one) => wanted.has(one))
  );
}

function assertMovable({ mayPropose }: AccountMove, { policies }: ImportedAccount): void {
  if (policies.admin_address !== null) {
    throw new MoveRefusedError("has_admin", "The account has an admin, who alone changes its signers:", [
      policies.admin_address,
    ]);
  }
  if (policies.time_lock > 0 && mayPropose !== true) {
    throw new MoveRefusedError(
      "needs_proposal",
      `The account has a time lock of ${policies.time_lock} seconds: the change has to be proposed, and executed after it.`,
    );
  }
}

/** Has every new wallet sign a text that was drawn here: before the old signers go, the new ones must be able to act. */
async function proveWallets(
  trellis: TrellisClient,
  { settings_address, wallets: made }: ImportedAccount,
  email: string,
): Promise<void> {
  const nonce = drawWalletNonce();
  const { wallets } = await trellis.accounts
    .import({ email, settings_address, wallet_nonce: nonce })
    .catch((error: unknown) => {
      if (!(error instanceof TrellisApiError && error.code === "account_served_elsewhere")) throw error;
      throw new MoveRefusedError(
        "served_elsewhere",
        "Another tenant of the new service has the account already: its new wallets could do nothing with it there.",
      );
    });
  const proven = new Set(wallets.filter((wallet) => isProven(wallet, nonce)).map(({ address }) => address));
  const unproven = made.map(({ address }) => address).filter((address) => !proven.has(address));
  if (made.length > 0 && unproven.length === 0) return;
  throw new MoveRefusedError("unproven_wallets", "The new wallets did not prove that they can sign:", unproven);
}

async function signInThere({ old, email, readCode }: AccountMove, account: string): Promise<SigningSession> {
  await old.auth.start({ email });
  const keyPair = generateEncryptionKeyPair();
  const verified = await old.auth.verify({
    email,
    otp_code: await readCode(email),
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  if (verified.address !== account) {
    throw new TransactionMismatchError("source", "the old service signed in to another account", {
      expected: account,
      actual: verified.address,
    });
  }
  return openSession(verified.authentication[0], keyPair);
}

/**
 * Who leaves: the signers whom the old service holds, by what it says itself. A wallet that it calls a user's own does
 * not stay for that: it has to be named.
 */
async function findLeaving(
  { old, keep = [] }: AccountMove,
  { address: account, policies, wallets }: ImportedAccount,
  session: SigningSession,
): Promise<ReadonlySet<string>> {
  const reported = await old.accounts.get(account);
  const held = new Set([
    ...session.wallets.map(({ address }) => address),
    ...reported.policies.signers.filter(({ provider }) => !isOwn(provider)).map(({ address }) => address),
  ]);
  const others = policies.signers
    .map(({ address }) => address)
    .filter((address) => !wallets.some((wallet) => wallet.address === address) && !keep.includes(address));
  const unknown = others.filter((address) => !held.has(address));
  if (unknown.length > 0) {
    throw new MoveRefusedError(
      "unknown_signers",
      "The account has signers that the old service does not hold. Name those who are to stay:",
      unknown,
    );
  }
  if (!session.wallets.some(({ address }) => policies.signers.some((signer) => signer.address === address))) {
    throw new MoveRefusedError("no_signer_there", "The old service's wallets do not sign for this account.");
  }
  return new Set(others);
}

const isOwn = (provider: string | undefined) => provider === "external" || provider === "passkey";

type NewSigner = Pick<PolicySigner, "address" | "permissions">;

function signersAfter({ policies, wallets }: ImportedAccount, leaving: ReadonlySet<string>): readonly NewSigner[] {
  const made = new Set(wallets.map(({ address }) => address));
  const staying = policies.signers.filter(({ address }) => !leaving.has(address) && !made.has(address));
  return [...wallets.map(({ address }) => ({ address, permissions: everyPermission })), ...staying];
}

function assertReachable(signers: readonly NewSigner[], { threshold }: Policies): void {
  const voters = signers.filter(({ permissions }) => permissions.includes("CAN_VOTE"));
  if (voters.length >= threshold) return;
  throw new MoveRefusedError(
    "locked_out",
    `The threshold is ${threshold}, and after the change only ${voters.length} could vote. Lower it first.`,
  );
}

function assertEnoughVotes({ keys = [] }: AccountMove, policies: Policies, session: SigningSession): void {
  const present = new Set([...session.wallets.map(({ address }) => address), ...keys.map((key) => addressOfKey(key))]);
  const voters = policies.signers.filter(
    ({ address, permissions }) => present.has(address) && permissions.includes("CAN_VOTE"),
  );
  if (voters.length >= policies.threshold) return;
  throw new MoveRefusedError(
    "needs_proposal",
    `The change takes ${policies.threshold} votes, and ${voters.length} can be given at once.`,
  );
}
