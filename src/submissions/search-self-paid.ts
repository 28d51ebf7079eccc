import type { Address, Signature } from "@solana/kit";
import { eachOf } from "@trellis/kernel/each-of.js";
import { AssertionFailed } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable, type Db, type PaymentIntentTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { chooseInTurns } from "@trellis/kernel/tenant-turns.js";
import { sql } from "kysely";
import { changedMessage, type SoughtTransaction } from "./changed-message.js";
import { findMessage, type MessageStanding } from "./find-message.js";
import { cancelIfOverdue } from "./intent-states.js";
import { recordFound } from "./record-found.js";

interface Needs {
  readonly db: Db;
  readonly log: Log;
}

/** Claims in one pass at most, and payments searched for at the same time. */
const claimsMax = 4;
const atOnce = 8;

/** An intent whose transaction others can complete and send, with what is needed to find it. */
interface SelfPaid
  extends Pick<
    PaymentIntentTable,
    "id" | "tenant_id" | "environment" | "account_address" | "prepared_slot" | "created_at"
  > {
  readonly prepared_id: string;
  readonly open_until_height: bigint;
  readonly searched_to: string | null;
  readonly settings_address: string;
  /** Base64 of what was prepared. */
  readonly transaction: string | null;
}

/**
 * The pass over payments whose fee payer is a key of their holder's: once signed, a wallet can send them alone, so that no
 * clock ends them (gap 134). The history of the account's settings is searched for their message: it has to be named by
 * every call of the account, and unlike the account's own address no payer pays to it. What is found is recorded as a
 * submission, also where the wallet has changed the bytes (gap 143); what provably is not there and cannot land any more is
 * canceled. Where nodes prove neither, the intent stays open, and an alarm says so. Returns how many were decided. Any
 * number of processes may do this at once.
 */
export async function searchSelfPaid(needs: Needs, network: Network): Promise<number> {
  let decided = 0;
  for (let claim = 0; claim < claimsMax; claim += 1) {
    const rows = await claimSelfPaid(needs.db, network);
    await eachOf(rows, atOnce, async (row) => {
      try {
        if (await decide(needs, network, row)) decided += 1;
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        needs.log.error(
          { event: "self_paid_search_failed", err: error, intent: row.id },
          "payment that its holder can send could not be searched for",
        );
      }
    });
    if (rows.length < limits.selfPaidInOneClaim) break;
  }
  return decided;
}

/** Claims those that are due, for as long as the lease. What was submitted or has ended meanwhile leaves the queue. */
async function claimSelfPaid(db: Db, { name, clock }: Network): Promise<readonly SelfPaid[]> {
  const now = clock.now();
  const { rows } = await sql<SelfPaid & { readonly is_over: boolean }>`
    with recursive ${chooseInTurns({
      table: "payment_intent",
      turnsKey: `self_paid.turn.${name}`,
      environment: name,
      open: sql`attempt_at is not null`,
      since: "attempt_at",
      due: sql`attempt_at <= ${now}::int8`,
      limit: limits.selfPaidInOneClaim,
    })}, judged as (
      select intent.id, account.settings_address, prepared.transaction, intent.open_until_height is null
        or exists (select from submission where submission.id = intent.prepared_id) as is_over
      from chosen join payment_intent as intent on intent.id = chosen.id
      join account on account.address = intent.account_address and account.environment = intent.environment
      left join prepared_transaction as prepared on prepared.id = intent.prepared_id
    )
    update payment_intent as intent
    set attempt_at = case when judged.is_over then null else ${now + limits.selfPaidLeaseMs}::int8 end
    from judged where intent.id = judged.id
    returning intent.id, tenant_id, environment, account_address, prepared_id, prepared_slot, created_at, open_until_height,
      searched_to, judged.settings_address, judged.transaction, judged.is_over`.execute(db);
  return rows.filter(({ is_over }) => !is_over);
}

/** Returns whether it has ended. */
async function decide(needs: Needs, network: Network, row: SelfPaid): Promise<boolean> {
  const sought = soughtOf(row);
  const changed = sought && changedMessage(needs.db, sought);
  const standing = await findMessage(
    network,
    { id: row.prepared_id, ...(changed && { changed }) },
    {
      address: row.settings_address as Address,
      lastValidBlockHeight: row.open_until_height,
      recordedAt: Number(row.created_at),
      recordedSlot: row.prepared_slot,
      before: row.searched_to as Signature | null,
    },
  );
  switch (standing.kind) {
    case "found": {
      const isRecorded = await recordFound(
        needs.db,
        network,
        {
          id: row.prepared_id,
          tenant_id: row.tenant_id,
          environment: row.environment,
          account_address: row.account_address,
          last_valid_block_height: row.open_until_height,
          recorded_slot: row.prepared_slot,
          changesSettings: false,
        },
        standing,
      );
      if (!isRecorded) return false;
      needs.log.info(
        {
          event: "self_paid_found",
          intent: row.id,
          changed: standing.carried,
          transaction_signature: standing.signature,
          state: standing.outcome.state,
        },
        "payment that its holder sent was found on chain",
      );
      return true;
    }
    case "absent":
      await releaseToClock(needs.db, row);
      await cancelIfOverdue(needs.db, [row], network.clock.now());
      return true;
    default:
      await searchAgain(needs, network, row, standing);
      return false;
  }
}

/** What was prepared; undefined where a former release has removed it. */
function soughtOf({ prepared_id, transaction, ...row }: SelfPaid): SoughtTransaction | undefined {
  return transaction === null ? undefined : { ...row, id: prepared_id, transaction, simulated_slot: row.prepared_slot };
}

/** From now on it is ended like any other that was not submitted. */
async function releaseToClock(db: Db, { id }: SelfPaid): Promise<void> {
  await db
    .updateTable("payment_intent")
    .set({ open_until_height: null, attempt_at: null, searched_to: null })
    .where("id", "=", id)
    .execute();
}

type Undecided = Exclude<MessageStanding, { readonly kind: "found" | "absent" }>;

async function searchAgain(needs: Needs, network: Network, row: SelfPaid, standing: Undecided): Promise<void> {
  const now = network.clock.now();
  const isYoung = now - Number(row.created_at) < limits.selfPaidYoungMs;
  const isGoingOn = standing.kind === "unfinished";
  const apartMs = isGoingOn ? 0 : isYoung ? limits.selfPaidSearchEveryMs : limits.selfPaidSearchLaterEveryMs;
  await needs.db
    .updateTable("payment_intent")
    .set({ attempt_at: BigInt(now + apartMs), ...(isGoingOn ? { searched_to: standing.before } : {}) })
    .where("id", "=", row.id)
    .where("attempt_at", "is not", null)
    .execute();
  if (standing.kind === "unprovable") return alarm(needs, network, row, standing.reason);
  if (standing.kind !== "untold") return;
  if (standing.reason instanceof AssertionFailed) throw standing.reason;
  needs.log.warn(
    { event: "self_paid_chain_silent", err: standing.reason, intent: row.id },
    "chain did not report whether a payment was sent by its holder",
  );
  if (!isYoung) await alarm(needs, network, row, "the nodes do not answer");
}

/** Reports once that its outcome cannot be determined. */
async function alarm({ db, log }: Needs, { name, clock }: Network, row: SelfPaid, reason: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("payment_intent")
    .set({ alarmed_at: BigInt(clock.now()) })
    .where("id", "=", row.id)
    .where("alarmed_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const { id: intent, prepared_id: message, account_address: account, prepared_slot: since_slot } = row;
  // operator: add a URL whose node keeps those blocks, or remove the one that forgot them
  log.error(
    { event: "payment_unproven", environment: name, intent, account, message, since_slot, reason },
    "payment stays open: no node knows whether its holder has sent it",
  );
}
