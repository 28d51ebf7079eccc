import type { Signature } from "@solana/kit";
import { allOf, eachOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { gathered } from "@trellis/kernel/gathered.js";
import type { Db, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { anyOf } from "@trellis/kernel/states.js";
import { chooseInTurns } from "@trellis/kernel/tenant-turns.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { transactionQuestion } from "@trellis/solana/transaction-question.js";
import { sql } from "kysely";
import { isOpening, returnToBudgets } from "../sponsorship/sponsorship.js";
import { submissionStates } from "./submission-states.js";

/** Submissions settled in one statement, at most. */
const batch = 200;
/**
 * Batches in one pass, at most. A real cluster is asked about each submission over the network, and other work waits for
 * the pass to end.
 */
const batchesMax = (network: Network): number => (network.name === "sandbox" ? 10 : 1);

/** How long a write waits for more to settle, in milliseconds of real time: none of it is urgent, and each write has its price. */
const gatheredForMs = 50;

/**
 * Settles what the service paid: for every submission with a reservation whose outcome is known, records what its fee
 * payer really lost and gives the rest of the reservation back (gap 31). Each is settled once, however many processes do
 * this; one that the chain cannot report yet stays for the next pass, for a day, after which the reservation counts as
 * spent: nodes forget old transactions. Returns how many were settled.
 */
export async function settleSubmissions(
  db: Db,
  network: Network,
  pause: Pause = async () => undefined,
): Promise<number> {
  let settled = 0;
  for (let round = 0; round < batchesMax(network); round += 1) {
    const rows = await claimUnsettled(db, network);
    const settling: Promise<void>[] = [];
    const settleTogether = gathered<Spent>(
      async (some) => {
        settled += await settle(db, some);
      },
      () => pause(gatheredForMs),
    );
    await eachOf(rows, askedAtOnce, async (row) => {
      const spent = await findSpent(network, row);
      if (spent === undefined) return;
      const work = settleTogether(spent);
      // It is awaited below, whatever the others end in.
      work.catch(() => undefined);
      settling.push(work);
    }).finally(() => allOf(settling));
    if (rows.length < batch) break;
  }
  return settled;
}

/** Tenants take turns; of each those first whose last check is longest ago: what the chain does not report hides no other. */
async function claimUnsettled(
  db: Db,
  { name, clock }: Pick<Network, "name" | "clock">,
): Promise<readonly SubmissionTable[]> {
  const { rows } = await sql<SubmissionTable>`
    with recursive ${chooseInTurns({
      table: "submission",
      turnsKey: `settlements.turn.${name}`,
      environment: name,
      open: sql`state in ${anyOf(submissionStates.final)} and spent_lamports is null and reserved_lamports > 0`,
      since: "looked_at",
      due: sql`true`,
      limit: batch,
    })}
    update submission set looked_at = greatest(${clock.now()}::int8, looked_at + 1)
    from chosen where submission.id = chosen.id
    returning submission.*`.execute(db);
  return rows;
}

/** Questions to the chain at the same time. */
const askedAtOnce = 8;

/** What the fee payer lost by a submission. */
interface Spent {
  readonly id: string;
  readonly lamports: bigint;
  /** Of that the chain's fee; null where the chain does not report it any more. */
  readonly fee: bigint | null;
}

async function findSpent(network: Network, row: SubmissionTable): Promise<Spent | undefined> {
  if (row.state === "expired") return { id: row.id, lamports: 0n, fee: 0n };
  return readSpent(network, row);
}

/** How long the chain is asked, in milliseconds of environment time. */
const askedForMs = 86_400_000;

/** The fee payer is the first account of every transaction, and its loss is what was paid. */
async function readSpent(network: Network, row: SubmissionTable): Promise<Spent | undefined> {
  const { id } = row;
  try {
    const found = await askChain(network.rpc.getTransaction(row.signature as Signature, transactionQuestion));
    const before = found?.meta?.preBalances[0];
    const after = found?.meta?.postBalances[0];
    if (before !== undefined && after !== undefined) {
      return { id, lamports: before - after, fee: found?.meta?.fee ?? null };
    }
  } catch (error) {
    // A silent chain is asked again at the next pass.
    if (!(error instanceof TrellisError)) throw error;
  }
  const isForgotten = network.clock.now() - Number(row.updated_at) > askedForMs;
  return isForgotten ? { id, lamports: row.reserved_lamports, fee: null } : undefined;
}

/**
 * All or none, in one statement: the submissions, their costs in the ledger, the budgets, and the number of accounts that
 * were opened for others. Returns how many had not been settled before.
 */
async function settle(db: Db, reported: readonly Spent[]): Promise<number> {
  const ids = reported.map(({ id }) => id);
  const amounts = reported.map(({ lamports }) => lamports);
  const fees = reported.map(({ fee }) => fee);
  // Less than nothing left is taken from the budgets: what was paid counts, reserved or not. What the fee payer gained is
  // no reason for others to get more.
  const { rows } = await sql<{ count: number }>`
    with settled as (
      update submission set spent_lamports = spent.lamports
      from (
        -- Always in the same order, so that two passes never wait for each other's rows.
        select open.id, reported.lamports, reported.fee
        from unnest(${ids}::text[], ${amounts}::int8[], ${fees}::int8[]) as reported (id, lamports, fee)
        join submission as open on open.id = reported.id
        where open.spent_lamports is null
        order by open.id for update of open
      ) as spent
      where submission.id = spent.id and submission.spent_lamports is null
      returning submission.id, environment, tenant_id, account_address, reserved_on, reserved_lamports, spent.lamports,
        spent.fee
    ), shares as (
      -- Rent in the order of the ledger, as far as it goes: an account that was there already cost nothing.
      select cost.submission_id, cost.position, cost.account_address, cost.reserved_lamports,
        coalesce(cost.returned_lamports, 0) as returned, ${isOpening(sql`cost.kind`)} as is_opening,
        case when settled.fee is null then cost.reserved_lamports
          when cost.kind = 'fee' then settled.fee
          else least(cost.reserved_lamports, greatest(0, settled.lamports - settled.fee
            - (sum(cost.reserved_lamports) filter (where cost.kind <> 'fee')
              over (partition by cost.submission_id order by cost.position) - cost.reserved_lamports))) end::int8 as spent
      from settled join sponsored_cost as cost on cost.submission_id = settled.id
    ), costs as (
      update sponsored_cost as cost
      set spent_lamports = shares.spent,
        returned_lamports = case when cost.returned_at is not null then least(shares.returned, shares.spent) end
      from shares where (cost.submission_id, cost.position) = (shares.submission_id, shares.position)
    ), apart as (
      select submission_id, sum(reserved_lamports - spent) filter (where is_opening)::int8 as openings,
        sum(greatest(0, returned - spent))::int8 as returned
      from shares group by submission_id
    ), rests as (
      select environment, tenant_id, account_address, reserved_on, false as is_opening,
        reserved_lamports - greatest(0, settled.lamports) - coalesce(apart.openings, 0) - coalesce(apart.returned, 0)
          as rest
      from settled left join apart on apart.submission_id = settled.id
      union all
      select environment, tenant_id, account_address, reserved_on, true, apart.openings
      from settled join apart on apart.submission_id = settled.id where apart.openings is not null
    ), returned as (${returnToBudgets("rests")}),
    unopened as (
      update sponsored_opening as opening set opened = opening.opened - spared.count
      from (
        select settled.environment, shares.account_address, count(*)::int4 as count
        from shares join settled on settled.id = shares.submission_id
        -- Once the budgets' rows are held: no other transaction is at these then.
        where shares.is_opening and shares.spent = 0 and (select count(*) from returned) >= 0
        group by 1, 2
      ) as spared
      where (opening.environment, opening.account_address) = (spared.environment, spared.account_address)
    )
    select count(*)::int4 as count from settled`.execute(db);
  return rows[0]?.count ?? 0;
}
