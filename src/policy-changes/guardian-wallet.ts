import { Buffer } from "node:buffer";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type Custodian, CustodianUnavailable, CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { askCustodian } from "../custody/custodians.js";
import { findPasskeysOfWallets } from "../custody/passkey/passkey-store.js";
import type { ActingAccount } from "../transactions/acting-account.js";

/** As many wallets a user has at the guardian at most: each but the first takes the place of one that was lost. */
const guardianWalletsMax = 20;

/** A guardian's wallet that exists. */
interface GuardianWallet {
  readonly id: string;
  readonly address: string;
  readonly number: number;
}

/** Which of a user's wallets at the guardian a request means. */
interface WalletWish {
  /** The one at this address. */
  readonly guardian?: string | undefined;
  /** One that neither signs for the account nor ever had a passkey. */
  readonly replace_guardian?: boolean | undefined;
}

/**
 * The number of the wallet at the guardian that a request means, which need not exist yet: the one it names, a new one, the one that
 * signs for the account, or the newest, unless that is dead. Throws `invalid_request`.
 */
export async function chooseGuardianWallet(
  db: Db,
  guardian: Custodian,
  account: ActingAccount,
  wish: WalletWish,
): Promise<number> {
  const known = await findGuardianWallets(db, guardian, account);
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
  const state = isSigner(newest) ? "commanded" : await stateOf(guardian, newest);
  if (isReplaced ? state === "unused" : state !== "dead") return newest.number;
  if (newest.number < guardianWalletsMax) return newest.number + 1;
  throw new TrellisError("invalid_request", {
    field: isReplaced ? "replace_guardian" : "guardian",
    message: `The user has ${guardianWalletsMax} wallets at the guardian, and cannot have more.`,
  });
}

function findGuardianWallets(
  db: Db,
  { provider }: Custodian,
  { row }: ActingAccount,
): Promise<readonly GuardianWallet[]> {
  return db
    .selectFrom("wallet")
    .select(["id", "address", "number"])
    .where("owner_id", "=", row.user_id)
    .where("provider", "=", provider)
    .where("environment", "=", row.environment)
    .orderBy("number", "desc")
    .execute();
}

/**
 * What the guardian says of a wallet: it takes its first passkey, has some, or is dead: nothing commands it, and a guardian that was
 * restored takes no first passkey for it. Unknown: the guardian does not know it, or cannot say.
 */
async function stateOf(
  guardian: Custodian,
  { id: walletId }: GuardianWallet,
): Promise<"unused" | "commanded" | "dead" | "unknown"> {
  try {
    // Before the list is read: a first passkey that is added in between is then in it.
    const takesFirst = await guardian.takesFirstPasskey?.({ walletId });
    if (takesFirst === true) return "unused";
    if ((await guardian.listPasskeys({ walletId })).length > 0) return "commanded";
    return takesFirst === false ? "dead" : "unused";
  } catch (error) {
    if (error instanceof CustodianUnavailable || error instanceof CustodyRefusal) return "unknown";
    throw error;
  }
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
