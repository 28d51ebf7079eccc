import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, RailPayoutTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  type PartnerRef,
  PartnerUnavailable,
  type Payout,
  type Rails,
  railTransferStates,
} from "@trellis/kernel/ports/rails.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type Selectable, sql } from "kysely";
import { waitingStates } from "../submissions/intent-states.js";
import { askPartner } from "./ask-partner.js";
import { partnerNameMax } from "./notice-store.js";
import type { OpenedPayoutAddress } from "./payout-address-store.js";
import { nextRefreshAt } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { backStates, endedStates, movingStates } from "./transfer-states.js";

/** Pages that one refresh reads at most. */
const pagesMax = 50;
/** What is settled can still be returned for so long, and what the partner never reports is waited for as long. */
const returnsForMs = 30 * 86_400_000;
/** How long the partner may take to report a payment before the operator is notified. */
const silentMs = 3_600_000;

const decimalForm = /^\d{1,20}(\.\d{1,18})?$/;

const open = sql`state in ${anyOf([...waitingStates, ...movingStates, ...backStates])}`;

/** What a bank returned and could not be given back: gap 132. */
const stuck = sql`state = 'error' and (sealed_return_reason is not null or return_reason is not null)`;

/** What its partner ended without moving its coins on: only what was paid on chain is a payout. */
const brokenOff = sql`excluded.state in ${anyOf(endedStates)}
  and coalesce(excluded.sealed_return_reason, known.sealed_return_reason) is null and known.return_reason is null`;

/** What the sealed columns of a row are bound to. */
export const payoutReceiptContext = (payoutAddressId: string, partnerRef: string): string =>
  `rail_payout/${payoutAddressId}/${partnerRef}/receipt`;

export const payoutReasonContext = (payoutAddressId: string, partnerRef: string): string =>
  `rail_payout/${payoutAddressId}/${partnerRef}/return_reason`;

/** Why a bank gave it back, in its words; null: it did not. Personal data. */
export function openPayoutReason(
  keyring: Keyring,
  row: Pick<
    Selectable<RailPayoutTable>,
    "payout_address_id" | "partner_ref" | "return_reason" | "sealed_return_reason"
  >,
): string | null {
  const { sealed_return_reason: sealed } = row;
  if (sealed === null) return row.return_reason;
  const text = keyring.unwrap(sealed, payoutReasonContext(row.payout_address_id, row.partner_ref));
  return Buffer.from(text).toString("utf8");
}

/** Seals the reasons that earlier releases kept in clear, so many in one pass; says how many rows that were. */
export async function sealOldPayouts({ db, keyring }: Pick<RailNeeds, "db" | "keyring">): Promise<number> {
  const batch = 250;
  for (let sealed = 0; ; ) {
    const { rows } = await sql<{ id: string; payout_address_id: string; partner_ref: string; return_reason: string }>`
      select id, payout_address_id, partner_ref, return_reason from rail_payout where return_reason is not null
      order by id limit ${batch}::int4`.execute(db);
    for (const { id, payout_address_id, partner_ref, return_reason: reason } of rows) {
      const wrapped = keyring.wrap(Buffer.from(reason), payoutReasonContext(payout_address_id, partner_ref));
      await sql`update rail_payout set return_reason = null,
          sealed_return_reason = coalesce(sealed_return_reason, ${wrapped}::bytea)
        where id = ${id} and return_reason = ${reason}`.execute(db);
    }
    sealed += rows.length;
    if (rows.length < batch || sealed >= 5_000) return sealed;
  }
}

/** What the partner says that happened, by the names of interface 2.15. */
export function openPayoutReceipt(
  keyring: Keyring,
  { payout_address_id, partner_ref, receipt }: Selectable<RailPayoutTable>,
): Record<string, string> | null {
  if (receipt === null) return null;
  const text = keyring.unwrap(receipt, payoutReceiptContext(payout_address_id, partner_ref));
  return JSON.parse(Buffer.from(text).toString("utf8")) as Record<string, string>;
}

/**
 * Reads what became of the payments to an address, and folds it into what is known: a state only ever rises, in whatever
 * order it is reported. Only payments of the account's own orders are kept, by their signatures on chain. Throws
 * PartnerUnavailable, and has kept what was read before.
 */
export async function readPayouts(
  needs: RailNeeds,
  network: Network,
  { partner }: Rails,
  row: OpenedPayoutAddress,
): Promise<void> {
  const { db, log, realClock } = needs;
  const facts = { environment: row.environment, partner: row.partner, id: row.id };
  const until = realClock.now() + limits.railReadMs;
  const wanted = await findWanted(db, row.id, network.clock.now() - returnsForMs);
  const seen = new Set<string>();
  let after: string | null = null;
  let changed = 0;
  let failure: PartnerUnavailable | undefined;
  for (let page = 0; page < pagesMax && realClock.now() < until; page += 1) {
    const from: string | null = after;
    const request = { customer: row.customer_ref as PartnerRef, payoutAddress: row.partner_ref as PartnerRef };
    let answer: Awaited<ReturnType<Rails["partner"]["listPayouts"]>>;
    try {
      const forMs = Math.min(limits.partnerCallMs, Math.max(1, until - realClock.now()));
      answer = await askPartner((signal) => partner.listPayouts({ ...request, after: from }, signal), forMs);
    } catch (error) {
      if (!(error instanceof PartnerUnavailable)) throw error;
      failure = error;
      break;
    }
    if (!answer.ok) {
      log.warn(
        { event: "rail_payouts_refused", ...facts, reason: answer.refused.forOperator },
        "partner refuses to list payouts",
      );
      break;
    }
    const reported = answer.value.payouts.filter((payout) => isSound(payout, row));
    if (reported.length < answer.value.payouts.length)
      log.error({ event: "rail_payouts_invalid", ...facts }, "partner reports payouts that are invalid");
    changed += await foldPayouts(needs, network, row, reported);
    for (const { ref, signature } of reported) {
      wanted.refs.delete(ref);
      if (signature !== null) wanted.signatures.delete(signature);
    }
    after = answer.value.next;
    // Behind what is waited for there is nothing new; and a partner may go round in circles.
    if (after === null || seen.has(after) || wanted.refs.size + wanted.signatures.size === 0) break;
    seen.add(after);
  }
  await noteLeftThere(needs, network, row);
  const standing = await readStanding(db, row.id, network.clock.now());
  if (standing.silent > 0) {
    log.warn(
      { event: "rail_payouts_unseen", ...facts, payments: standing.silent },
      "payments to a payout address are not reported by the partner",
    );
  }
  await planRefresh(needs, row, standing, changed > 0);
  if (failure !== undefined) throw failure;
}

/** Notes what a bank has not accepted, and the partner has had the time to give back. */
async function noteLeftThere(
  { db, log }: Pick<RailNeeds, "db" | "log">,
  network: Network,
  { id, environment, partner }: OpenedPayoutAddress,
): Promise<void> {
  const now = Math.floor(network.clock.now());
  const { rows } = await sql<{ id: string; partner_ref: string }>`update rail_payout set astray_since = ${now}::int8
    where payout_address_id = ${id} and state = 'undeliverable' and updated_at <= ${now - returnsForMs}::int8
      and astray_since is null
    returning id, partner_ref`.execute(db);
  for (const { id: payout, partner_ref: ref } of rows) {
    log.error(
      { event: "rail_coins_astray", environment, partner, payout, ref, reason: "not given back in 30 days" },
      "coins are astray: the partner does not move the money of a payment on",
    );
  }
}

function isSound(payout: Payout, row: OpenedPayoutAddress): boolean {
  return (
    payout.payoutAddress === row.partner_ref &&
    payout.ref.length <= partnerNameMax &&
    payout.coin === row.coin &&
    railTransferStates.includes(payout.state) &&
    decimalForm.test(payout.amount) &&
    (payout.signature === null || /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(payout.signature))
  );
}

/** Payments of orders to an address that no partner reported, since an instant by environment time. */
const awaitedRuns = (payoutAddressId: string, since: number) => sql`
  select run.signature, run.paid_at from standing_order as mine
  join standing_order_run as run on run.order_id = mine.id and (run.state = 'sending' or run.paid_at > ${Math.floor(since)}::int8)
  where mine.payout_address_id = ${payoutAddressId} and run.signature is not null and run.state in ('sending', 'paid')
    and not exists (select from rail_payout as known where known.order_id = run.order_id and known.due_at = run.due_at)`;

/** What a reading has to have found before it ends. */
async function findWanted(
  db: Db,
  id: string,
  since: number,
): Promise<{ readonly refs: Set<string>; readonly signatures: Set<string> }> {
  const known = await sql<{ partner_ref: string }>`
    select partner_ref from rail_payout where payout_address_id = ${id} and ${open}
    union all
    select partner_ref from rail_payout where payout_address_id = ${id} and updated_at > ${Math.floor(since)}::int8
      and (state = 'payment_processed' or (${stuck}))`.execute(db);
  const awaited = await sql<{ signature: string }>`${awaitedRuns(id, since)}`.execute(db);
  return {
    refs: new Set(known.rows.map(({ partner_ref }) => partner_ref)),
    signatures: new Set(awaited.rows.map(({ signature }) => signature)),
  };
}

/** Writes down what a partner reported about payments of the account's orders, with its events; says how many that changed. */
async function foldPayouts(
  { db, random, keyring, log }: RailNeeds,
  network: Network,
  row: OpenedPayoutAddress,
  payouts: readonly Payout[],
): Promise<number> {
  const now = Math.floor(network.clock.now());
  const list = payouts.flatMap(({ ref, state, amount, signature, receipt, returned }) =>
    signature === null
      ? []
      : {
          id: random.uuid(),
          ref,
          state,
          amount,
          signature,
          receipt:
            receipt === null
              ? null
              : Buffer.from(
                  keyring.wrap(Buffer.from(JSON.stringify(receipt)), payoutReceiptContext(row.id, ref)),
                ).toString("hex"),
          reason:
            returned === null
              ? null
              : Buffer.from(keyring.wrap(Buffer.from(returned.reason), payoutReasonContext(row.id, ref))).toString(
                  "hex",
                ),
        },
  );
  if (list.length === 0) return 0;
  const facts = { environment: row.environment, partner: row.partner };
  for (const ref of await findSharedNames(db, row.id, list)) {
    log.error(
      { event: "rail_payout_name_shared", ...facts, id: row.id, ref },
      "partner gives one name to several payouts: only one of them is followed",
    );
  }
  const { rows } = await sql<{ id: string; partner_ref: string; state: string; stuck: boolean; astray: boolean }>`
    with reported as (
      select * from json_to_recordset(${JSON.stringify(list)}::json) as reported (id text, ref text, state text, amount text,
        signature text, receipt text, reason text)
    ), ours as (
      -- Of two that claim the same payment, the one that is known stays.
      select distinct on (run.order_id, run.due_at) reported.*, run.order_id, run.due_at, known.id is not null as is_known
      from reported
      join standing_order_run as run on run.signature = reported.signature and run.state in ('sending', 'paid')
      join standing_order as mine on mine.id = run.order_id and mine.payout_address_id = ${row.id}
      left join rail_payout as known on known.order_id = run.order_id and known.due_at = run.due_at
      where known.id is null or known.partner_ref = reported.ref
      order by run.order_id, run.due_at, payout_rank(reported.state) desc
    )
    insert into rail_payout as known (id, payout_address_id, tenant_id, environment, account_address, order_id, due_at,
      partner_ref, signature, state, amount, receipt, sealed_return_reason, astray_since, created_at, updated_at)
    select id, ${row.id}, ${row.tenant_id}, ${row.environment}, ${row.account_address}, order_id, due_at, ref, signature,
      state, amount, decode(receipt, 'hex'), decode(reason, 'hex'),
      case when state in ${anyOf(endedStates)} and reason is null then ${now}::int8 end, ${now}::int8, ${now}::int8
    -- One name given to two payments is that of the one that is known, or of the first one.
    from (select distinct on (ref) * from ours order by ref, is_known desc, order_id, due_at) as named
    order by order_id, due_at
    on conflict (payout_address_id, partner_ref) do update set
      state = excluded.state, receipt = coalesce(excluded.receipt, known.receipt),
      sealed_return_reason = coalesce(excluded.sealed_return_reason, known.sealed_return_reason),
      astray_since = case when ${brokenOff} then coalesce(known.astray_since, ${now}::int8)
        when excluded.state = 'undeliverable' and known.state = 'undeliverable' then known.astray_since end,
      return_reason = case when excluded.sealed_return_reason is null then known.return_reason end,
      -- Another bad end has to be settled anew, also where the former one was settled.
      acknowledged_at_real = case when excluded.state in ${anyOf([...endedStates, "undeliverable"])}
        and (excluded.state <> known.state or (excluded.sealed_return_reason is not null
          and known.sealed_return_reason is null and known.return_reason is null))
        then null else known.acknowledged_at_real end,
      updated_at = case when excluded.state = known.state then known.updated_at else excluded.updated_at end
    where known.signature = excluded.signature and (payout_follows(known.state,
        known.sealed_return_reason is not null or known.return_reason is not null, excluded.state,
        excluded.sealed_return_reason is not null)
      or (excluded.state = known.state and excluded.receipt is not null and known.receipt is null))
    returning id, partner_ref, state, ${stuck} as stuck, astray_since is not distinct from ${now}::int8 as astray`.execute(
    db,
  );
  for (const { id, partner_ref, state } of rows.filter((one) => one.astray)) {
    log.error(
      {
        event: "rail_coins_astray",
        ...facts,
        payout: id,
        ref: partner_ref,
        reason: `ended as ${state} after coins were sent`,
      },
      "coins are astray: the partner does not move the money of a payment on",
    );
  }
  for (const { id, partner_ref } of rows.filter((one) => one.stuck)) {
    log.error(
      { event: "rail_refund_failed", ...facts, payout: id, ref: partner_ref },
      "refund failed: a bank returned money and the partner could not give it back",
    );
  }
  return rows.length;
}

/** Names that stand for several payments, reported now or before. */
async function findSharedNames(
  db: Db,
  id: string,
  reported: readonly { readonly ref: string; readonly signature: string }[],
): Promise<readonly string[]> {
  const named = reported.map(({ ref, signature }) => ({ ref, signature }));
  const { rows } = await sql<{ ref: string }>`
    with reported as (select * from json_to_recordset(${JSON.stringify(named)}::json) as reported (ref text, signature text))
    select ref from (select ref, signature from reported
      union all select partner_ref, signature from rail_payout
        where payout_address_id = ${id} and partner_ref in (select ref from reported)) as named
    group by ref having min(signature) <> max(signature)`.execute(db);
  return rows.map(({ ref }) => ref);
}

interface Standing {
  /** Something is on its way, or the partner has not reported it. */
  readonly isOpen: boolean;
  /** Something may still be returned, or an order continues to pay there. */
  readonly isInUse: boolean;
  /** Payments that the partner should have reported long ago. */
  readonly silent: number;
}

async function readStanding(db: Db, id: string, now: number): Promise<Standing> {
  const since = Math.floor(now - returnsForMs);
  const { rows } = await sql<{ open: boolean; is_in_use: boolean; awaited: number; silent: number }>`
    select exists (select from rail_payout where payout_address_id = ${id} and ${open}) as open,
      exists (select from rail_payout where payout_address_id = ${id} and updated_at > ${since}::int8)
        or exists (select from standing_order where payout_address_id = ${id}
          and status in ('pending', 'active', 'inactive')) as is_in_use,
      count(*)::int4 as awaited,
      count(*) filter (where paid_at < ${Math.floor(now - silentMs)}::int8)::int4 as silent
    from (${awaitedRuns(id, since)}) as run`.execute(db);
  const [found] = rows;
  return {
    isOpen: found !== undefined && (found.open || found.awaited > 0),
    isInUse: found?.is_in_use ?? false,
    silent: found?.silent ?? 0,
  };
}

/** Plans the next refresh; never a later one than another process did since this one began, who knows more. */
async function planRefresh(
  { db, realClock }: RailNeeds,
  row: OpenedPayoutAddress,
  { isOpen, isInUse }: Standing,
  changed: boolean,
): Promise<void> {
  const realNow = Math.floor(realClock.now());
  const activeSince = changed || row.active_since === null ? realNow : Number(row.active_since);
  const next = isOpen || isInUse ? nextRefreshAt({ activeSince, isSettled: !isOpen }, realNow) : null;
  const isAlone = sql`wakes = ${row.wakes}::int8`;
  await sql`update rail_payout_address set wakes = wakes + 1,
      active_since = case when ${isAlone} then ${activeSince}::int8
        when active_since is not null then greatest(active_since, ${activeSince}::int8) end,
      look_at = case when ${isAlone} then ${next}::int8 else least(look_at, ${next}::int8) end
    where id = ${row.id}`.execute(db);
}

/**
 * Whether money is on its way there, or was paid in the last thirty days and its partner has not reported it. What a bank gave
 * back is waited for as long: some refunds are never reported. `now`: environment time, Unix milliseconds.
 */
export async function arePayoutsMoving(db: DbOrTrx, payoutAddressId: string, now: number): Promise<boolean> {
  const { rows } = await sql<{ moving: boolean }>`select
    exists (select from rail_payout where payout_address_id = ${payoutAddressId} and ${open}
      and (state not in ${anyOf(backStates)} or updated_at > ${Math.floor(now - returnsForMs)}::int8))
    or exists (select from rail_payout where payout_address_id = ${payoutAddressId}
      and state in ${anyOf(endedStates)} and astray_since > ${Math.floor(now - returnsForMs)}::int8)
    or exists (${awaitedRuns(payoutAddressId, now - returnsForMs)}) as moving`.execute(db);
  return rows[0]?.moving ?? false;
}
