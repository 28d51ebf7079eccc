import { type Custodian, CustodianUnavailable, CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";

/** A guardian's wallet that exists. */
export interface GuardianWallet {
  readonly id: string;
  readonly address: string;
  readonly number: number;
  /** Environment time, Unix milliseconds. */
  readonly created_at: bigint;
}

/** A user's wallets at the guardian, the newest first. */
export function findGuardianWallets(
  db: Db,
  { provider }: Custodian,
  { userId, environment }: { readonly userId: string | null; readonly environment: string },
): Promise<readonly GuardianWallet[]> {
  return db
    .selectFrom("wallet")
    .select(["id", "address", "number", "created_at"])
    .where("owner_id", "=", userId)
    .where("provider", "=", provider)
    .where("environment", "=", environment)
    .orderBy("number", "desc")
    .execute();
}

/**
 * What the guardian says of a wallet: it takes its first passkey, has some, or is dead: nothing commands it, and a guardian that was
 * restored takes no first passkey for it. Unknown: the guardian does not know it. Unavailable: the guardian cannot say.
 */
export async function readGuardianWallet(
  guardian: Custodian,
  { id: walletId }: GuardianWallet,
): Promise<"unused" | "commanded" | "dead" | "unknown" | "unavailable"> {
  try {
    // Before the list is read: a first passkey that is added in between is then in it.
    const takesFirst = await guardian.takesFirstPasskey?.({ walletId });
    if (takesFirst === true) return "unused";
    if ((await guardian.listPasskeys({ walletId })).length > 0) return "commanded";
    return takesFirst === false ? "dead" : "unused";
  } catch (error) {
    if (error instanceof CustodyRefusal) return "unknown";
    if (error instanceof CustodianUnavailable) return "unavailable";
    throw error;
  }
}

/**
 * The number of the wallet at the guardian that a new account of a user gets: its newest there, which an account that was not made has left.
 * Another one where that is dead: no passkey would ever command it.
 */
export async function chooseNewGuardianWallet(
  db: Db,
  guardian: Custodian,
  owner: Parameters<typeof findGuardianWallets>[2],
): Promise<number> {
  const [newest] = await findGuardianWallets(db, guardian, owner);
  if (newest === undefined) return 1;
  return (await readGuardianWallet(guardian, newest)) === "dead" ? newest.number + 1 : newest.number;
}
