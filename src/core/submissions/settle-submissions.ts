import type { Signature } from "@solana/kit";
import { sql } from "kysely";
import { TrellisError } from "../../errors.js";
import type { Db, SubmissionTable } from "../../ports/database.js";
import type { Network } from "../../ports/network.js";
import { askChain } from "../chain/ask-chain.js";
import { returnToBudgets } from "../sponsorship/sponsorship.js";

/** Submissions settled in one statement, at most. */
const batch = 200;
/**
 * Batches in one pass, at most. A real cluster is asked about each submission over the network, and other work waits for
 * the pass to end.
 */
const batchesMax = (network: Network): number => (network.name === "sandbox" ? 10 : 1);

/**
 * Settles what the service paid: for every submission with a reservation whose outcome is known, records what its fee
 * payer really lost and gives the rest of the reservation back (gap 31). Each is settled once, however many processes do
 * this; one that the chain cannot tell about yet stays for the next pass, for a day, after which the reservation counts as
 * spent: nodes forget old transactions. Returns how many were settled.
 */
export async function settleSubmissions(db: Db, network: Network): Promise<number> {
  let settled = 0;
  for (let round = 0; round < batchesMax(network); round += 1) {
    const rows = await db
      .selectFrom("submission")
      .selectAll()
      .where("environment", "=", network.name)
      .where("state", "in", ["landed", "failed", "expired"])
      .where("spent_lamports", "is", null)
      .where("reserved_lamports", ">", 0n)
      .orderBy("updated_at")
      .limit(batch)
      .execute();
    const told: Spent[] = [];
    for (let at = 0; at < rows.length; at += askedAtOnce) {
      const some = await Promise.all(rows.slice(at, at + askedAtOnce).map((row) => findSpent(network, row)));
      told.push(...some.filter((spent) => spent !== undefined));
    }
    if (told.length > 0) settled += await settle(db, told);
    // What the chain did not tell would come first again.
    if (told.length < batch) break;
  }
  return settled;
}

/** Questions to the chain at the same time. */
const askedAtOnce = 8;

/** What the fee payer lost by a submission. */
interface Spent {
  readonly id: string;
  readonly lamports: bigint;
}

async function findSpent(network: Network, row: SubmissionTable): Promise<Spent | undefined> {
  const lamports = row.state === "expired" ? 0n : await readSpent(network, row);
  return lamports === undefined ? undefined : { id: row.id, lamports };
}

/** How long the chain is asked, in milliseconds of environment time. */
const askedForMs = 86_400_000;

/** The fee payer is the first account of every transaction, and its loss is what was paid. */
async function readSpent(network: Network, row: SubmissionTable): Promise<bigint | undefined> {
  try {
    const found = await askChain(
      network.rpc.getTransaction(row.signature as Signature, {
        commitment: "confirmed",
        encoding: "base64",
        maxSupportedTransactionVersion: 0,
      }),
    );
    const before = found?.meta?.preBalances[0];
    const after = found?.meta?.postBalances[0];
    if (before !== undefined && after !== undefined) return before - after;
  } catch (error) {
    // A silent chain is asked again at the next pass.
    if (!(error instanceof TrellisError)) throw error;
  }
  return network.clock.now() - Number(row.updated_at) > askedForMs ? row.reserved_lamports : undefined;
}

/** All or none, in one statement. Returns how many had not been settled before. */
async function settle(db: Db, told: readonly Spent[]): Promise<number> {
  const ids = told.map(({ id }) => id);
  const amounts = told.map(({ lamports }) => lamports);
  // Less than nothing left is taken from the budgets: what was paid counts, reserved or not.
  const { rows } = await sql<{ count: number }>`
    with settled as (
      update submission set spent_lamports = spent.lamports
      from (
        -- Always in the same order, so that two passes never wait for each other's rows.
        select open.id, told.lamports
        from unnest(${ids}::text[], ${amounts}::int8[]) as told (id, lamports)
        join submission as open on open.id = told.id
        where open.spent_lamports is null
        order by open.id for update of open
      ) as spent
      where submission.id = spent.id and submission.spent_lamports is null
      returning environment, tenant_id, account_address, reserved_on, reserved_lamports - spent.lamports as rest
    ), returned as (${returnToBudgets("settled")})
    select count(*)::int4 as count from settled`.execute(db);
  return rows[0]?.count ?? 0;
}
