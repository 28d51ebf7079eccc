import { frame } from "../custody/protocol/frame.js";
import type { CustodianDb } from "./custodian-db.js";

/** Notes a nonce, and says whether it is a new one. Stored, so that a restart forgets none. */
export async function claimNonce(db: CustodianDb, nonce: string, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("custodian_nonce")
    .values({ nonce, received_at: BigInt(now) })
    .onConflict((conflict) => conflict.column("nonce").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Forgets those of requests that are too old to be taken. */
export async function forgetNonces(db: CustodianDb, now: number): Promise<void> {
  await db
    .deleteFrom("custodian_nonce")
    .where("received_at", "<", BigInt(now - frame.nonceKeptMs))
    .execute();
}
