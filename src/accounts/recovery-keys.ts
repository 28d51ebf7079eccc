import type { Db } from "@trellis/kernel/ports/database.js";
import { CAN_VOTE_BIT } from "@trellis/program-client";
import { sql } from "kysely";

/**
 * Whether a key recovers an account that a guardian protects, or one that is being made: of any user and any tenant. A custodian here that
 * held it too would have two of the three signers. What was asked for and not begun is checked when it begins.
 */
export async function isRecoveryKey(db: Db, address: string): Promise<boolean> {
  const { rows } = await sql`select 1 from tenant where recovery_address = ${address}::text
    union all (select 1 from account_signer as own
      join account_signer as beside on beside.environment = own.environment and beside.account_address = own.account_address
      join wallet on wallet.id = beside.wallet_id and wallet.is_guarded
      where own.signer_address = ${address}::text limit 1)
    -- Word for word the conditions of the indexes by which passes find them.
    union all (select 1 from account_creation where state = 'pending' and (submission_id is not null or type = 'email')
      and ${isPlannedIn("plan", address)} limit 1)
    union all (select 1 from account_creation where state = 'pending' and submission_id is null and type <> 'email'
      and ${isPlannedIn("plan", address)} limit 1)
    limit 1`.execute(db);
  return rows.length > 0;
}

/** SQL: whether a plan has a guardian's wallet and the key. */
const isPlannedIn = (column: string, address: string) =>
  sql`position('"relyingParty"' in ${sql.ref(column)}) > 0 and position(${address}::text in ${sql.ref(column)}) > 0`;

/** Of the signers of an account that a guardian's wallet protects, a key that only votes and that a custodian here holds. */
export async function findHeldRecoveryKey(
  db: Db,
  signers: readonly { readonly address: string; readonly mask: number }[],
): Promise<string | undefined> {
  const voting = signers.flatMap(({ address, mask }) => (mask === CAN_VOTE_BIT ? [address] : []));
  if (voting.length === 0) return undefined;
  const { rows } = await sql<{ address: string }>`select held.address from wallet as held
    where held.address = any(${voting}::text[]) and exists (select from wallet as guardian
      where guardian.address = any(${signers.map(({ address }) => address)}::text[]) and guardian.is_guarded)
    limit 1`.execute(db);
  return rows[0]?.address;
}
