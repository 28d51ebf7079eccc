import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Transaction } from "kysely";
import type { CustodianDb, CustodianSchema } from "./custodian-db.js";
import type { WalletPolicies } from "./policy/create-policy.js";
import { noteRestore } from "./restore-mark.js";
import type { PolicyWallet } from "./signing-policy.js";
import type { TermsStore } from "./wallet-terms.js";

/** A grant lives no longer than this, so that all that were ended before a restore are over some day. */
export const grantLifeMaxMs = limits.sessionMaxMs;

/** Throws CustodyRefusal for a grant that may have been ended before the database was put back, and for one that lives too long. */
export function requireGrantable(
  { clock, grantsFrom }: { readonly clock: Clock; readonly grantsFrom: number },
  expiresAt: number,
  now: number,
): void {
  if (clock.now() < grantsFrom) {
    const text = "The custodian's database was restored: it takes no grant while one that was ended before may live.";
    throw new CustodyRefusal("not_granted", text);
  }
  if (expiresAt > now + grantLifeMaxMs) {
    throw new CustodyRefusal("invalid_payload", "A key is granted for 30 days at most.");
  }
}

/**
 * Ends what a database may have forgotten the end of: keys that were granted or registered, open places for a first passkey, and changes
 * that wait. It may be repeated, and is where it was broken off.
 */
export async function endAfterRestore(parts: {
  readonly db: CustodianDb;
  readonly terms: TermsStore;
  readonly policies: WalletPolicies;
  readonly directory: string;
  readonly clock: Clock;
}): Promise<void> {
  const { db, terms, policies, directory, clock } = parts;
  const now = clock.now();
  const knownUntil = await readLatest(db);
  for (const wallet of await readWallets(db)) {
    const { environment, sandboxNow } = wallet;
    const time = environment === "sandbox" ? { now: sandboxNow, knownUntil: sandboxNow } : { now, knownUntil };
    await policies.restart({ wallet, ...time });
  }
  await db.transaction().execute(async (trx) => {
    await endKeys(trx, now);
    await terms.closeFirstPasskeys(trx);
    // Last: the custodian does not start before this.
    await noteRestore(trx, directory, now);
  });
}

/**
 * The latest request that the database knows of, by the custodian's clock: the service makes one every ten seconds. What happened since is
 * forgotten. 0: there is none.
 */
async function readLatest(db: CustodianDb): Promise<number> {
  const { latest } = await db
    .selectFrom("custodian_nonce")
    .select(({ fn }) => fn.max("received_at").as("latest"))
    .executeTakeFirstOrThrow();
  return Number(latest ?? 0);
}

async function endKeys(trx: Transaction<CustodianSchema>, now: number): Promise<void> {
  await trx
    .updateTable("kms_authorization_key")
    .set({ revoked_at: BigInt(now) })
    .where("revoked_at", "is", null)
    .execute();
}

async function readWallets(db: CustodianDb): Promise<readonly (PolicyWallet & { readonly sandboxNow: number })[]> {
  const rows = await db
    .selectFrom("custodian_wallet")
    .innerJoin("kms_wallet", "kms_wallet.id", "custodian_wallet.wallet_id")
    .select(["wallet_id", "address", "custodian_wallet.environment", "kind", "sandbox_now"])
    .execute();
  return rows.map(({ wallet_id: id, sandbox_now, ...row }) => {
    // As the custodian wrote them: what others wrote is refused where the wallet is locked.
    const wallet = { id, ...row } as PolicyWallet;
    return { ...wallet, sandboxNow: Number(sandbox_now) };
  });
}
