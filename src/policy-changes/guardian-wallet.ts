import { Buffer } from "node:buffer";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type Custodian, CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { findGuardianWallets, type GuardianWallet, readGuardianWallet } from "../accounts/guardian-wallets.js";
import { askCustodian } from "../custody/custodians.js";
import { findPasskeysOfWallets } from "../custody/passkey/passkey-store.js";
import type { ActingAccount } from "../transactions/acting-account.js";

/**
 * As many wallets a user gets at the guardian within a week: each but the first takes the place of one that was lost. A thief's session can use
 * them up, and not for good.
 */
const guardianWalletsMax = 20;
const weekMs = 7 * 86_400_000;

/** Which of a user's wallets at the guardian a request means. */
interface WalletWish {
  /** The one at this address. */
  readonly guardian?: string | undefined;
  /** One that neither signs for the account nor ever had a passkey. */
  readonly replace_guardian?: boolean | undefined;
}

/**
 * The number of the wallet at the guardian that a request means, which need not exist yet: the one it names, a new one, the one that
 * signs for the account, or the newest, unless that is dead. Throws `invalid_request`, `provider_unavailable`.
 */
export async function chooseGuardianWallet(
  db: Db,
  guardian: Custodian,
  account: ActingAccount,
  wish: WalletWish,
  now: number,
): Promise<number> {
  const { row } = account;
  const known = await findGuardianWallets(db, guardian, { userId: row.user_id, environment: row.environment });
  const [newest] = known;
  const isSigner = ({ address }: GuardianWallet) =>
    account.settings.signers.some((signer) => signer.address === address);
  if (wish.guardian !== undefined) {
    const named = known.find(({ address }) => address === wish.guardian);
    if (named !== undefined && wish.replace_guardian !== true) return named.number;
    throw new TrellisError("invalid_request", {
      field: "guardian",
      message:
        named === undefined
          ? `${wish.guardian} is no wallet that the guardian holds for the user of this account.`
          : "Name a wallet of the guardian's or have another one made, not both.",
    });
  }
  const isReplaced = wish.replace_guardian === true;
  const signing = known.find(isSigner);
  if (!isReplaced && signing !== undefined) return signing.number;
  if (newest === undefined) return 1;
  const state = isSigner(newest) ? "commanded" : await readGuardianWallet(guardian, newest);
  if (isReplaced ? state === "unused" : state !== "dead") return newest.number;
  // It may be unused: another one would be made for nothing.
  if (state === "unavailable") throw new TrellisError("provider_unavailable");
  requireFewLately(known, now, isReplaced ? "replace_guardian" : "guardian");
  return newest.number + 1;
}

/** Throws `invalid_request`. */
function requireFewLately(known: readonly GuardianWallet[], now: number, field: string): void {
  const lately = known.filter(({ created_at: at }) => Math.abs(now - Number(at)) < weekMs);
  const oldest = lately[guardianWalletsMax - 1];
  if (oldest === undefined) return;
  throw new TrellisError("invalid_request", {
    field,
    message:
      `The user got ${guardianWalletsMax} wallets at the guardian within a week. Another one can be made from ` +
      `${new Date(Number(oldest.created_at) + weekMs).toISOString()} on.`,
  });
}

/**
 * How many passkeys command a guardian's wallet: those that the guardian has, and the service has recorded with their holder. A
 * guardian alone could name its own; of one that the service alone knows nothing could be signed. Throws `provider_unavailable`.
 */
export async function countPasskeys(db: Db, guardian: Custodian, walletId: string): Promise<number> {
  const [known, listed] = await Promise.all([
    findPasskeysOfWallets(db, [walletId]),
    askCustodian(guardian.listPasskeys({ walletId })).catch((error: unknown) => {
      // A guardian in the place of another one, which held this wallet.
      if (error instanceof CustodyRefusal) return [];
      throw error;
    }),
  ]);
  const isKnown = (credentialId: string, publicKey: Uint8Array) =>
    known.some((row) => row.credential_id === credentialId && Buffer.from(row.public_key).equals(publicKey));
  return listed.filter(({ credentialId, publicKey }) => isKnown(credentialId, publicKey)).length;
}
