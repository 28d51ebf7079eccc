import type { Deposit, DepositState, PartnerRef, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { type BridgeNeeds, dataOf, lastIdOf, refused } from "./bridge-needs.js";
import { decimal, field, instant, isJson, type Json, text } from "./read-json.js";
import { bankRail, depositRank, depositState, fiat } from "./states.js";

/** An activity of an account that says something about a deposit. */
interface Activity {
  readonly id: string;
  readonly state: DepositState;
  readonly at: number;
  readonly event: Json;
}

/**
 * Deposits out of the activities of an account. A page holds a hundred activities, the newest first; where those of one
 * deposit lie on both sides of a page's end it is on both pages, as each of them knows it: a caller that keeps deposits
 * folds them by rank as well.
 */
export function deposits(needs: BridgeNeeds): Pick<RailsPartner, "listDeposits"> {
  return {
    listDeposits: async ({ customer, account, after }, signal) => {
      const answer = await needs.ask({
        method: "GET",
        path: ["customers", customer, "virtual_accounts", account, "history"],
        query: { limit: "100", starting_after: after ?? undefined },
        signal,
      });
      if (!answer.ok) return refused(answer, "not_found");
      const page = dataOf(answer.body);
      const last = lastIdOf(page);
      return {
        ok: true,
        value: {
          deposits: foldDeposits(needs, account, page),
          next: last === undefined || last === after ? null : last,
        },
      };
    },
  };
}

/** Each deposit once, where its activities together say that it stands, the most recently changed first. */
export function foldDeposits(
  needs: Pick<BridgeNeeds, "alarm">,
  account: PartnerRef,
  page: readonly unknown[],
): readonly Deposit[] {
  const byDeposit = new Map<string, Activity[]>();
  const unnamed: Activity[] = [];
  for (const event of page) {
    const activity = isJson(event) ? activityOf(needs, event) : undefined;
    if (activity === undefined) continue;
    const deposit = text(activity.event, "deposit_id");
    if (deposit === undefined) unnamed.push(activity);
    else byDeposit.set(deposit, [...(byDeposit.get(deposit) ?? []), activity]);
  }
  for (const activity of unnamed) {
    const deposit = activity.state === "refunded" ? depositRefunded(byDeposit, activity) : undefined;
    if (deposit === undefined) byDeposit.set(`activity:${activity.id}`, [activity]);
    else byDeposit.set(deposit, [...(byDeposit.get(deposit) ?? []), activity]);
  }
  return [...byDeposit]
    .flatMap(([ref, activities]) => depositOf(needs, account, ref, activities) ?? [])
    .sort((one, other) => other.at - one.at || (one.ref < other.ref ? -1 : 1));
}

function activityOf({ alarm }: Pick<BridgeNeeds, "alarm">, event: Json): Activity | undefined {
  const type = text(event, "type") ?? text(event, "event_type") ?? "";
  const known = depositState(type);
  if (known === null) return undefined;
  if (known === undefined) {
    alarm("virtual account activity", type);
    // Of a deposit: held, as what is not understood. Of none: nothing that could be returned.
    if (text(event, "deposit_id") === undefined) return undefined;
  }
  const id = text(event, "id") ?? text(event, "deposit_id");
  if (id === undefined) return undefined;
  return { id, state: known ?? "in_review", at: instant(event, "created_at") ?? 0, event };
}

/**
 * A refund that names no deposit belongs to the one like it, if there is exactly one. Money that was sent to the chain is
 * considered sent back only where a trace of the bank's says so.
 */
function depositRefunded(byDeposit: ReadonlyMap<string, readonly Activity[]>, refund: Activity): string | undefined {
  const amount = decimal(refund.event, "amount");
  const like = [...byDeposit].filter(([, activities]) => {
    const states = activities.map(({ state }) => state);
    if (states.includes("refunded") || states.includes("not_credited")) return false;
    if (!activities.some(({ event }) => decimal(event, "amount") === amount)) return false;
    const traced = activities.map(({ event }) => traceOf(event, refund.event));
    if (traced.includes("same")) return true;
    return traced.includes("untold") && !states.includes("processed") && !states.includes("submitted");
  });
  return like.length === 1 ? like[0]?.[0] : undefined;
}

const traces = ["trace_number", "imad", "uetr", "tracking_number", "reference"];

/** Whether two activities name the same movement between banks. */
function traceOf(one: Json, other: Json): "same" | "other" | "untold" {
  const mine = field(one, "source");
  const theirs = field(other, "source");
  const reported = traces.filter((name) => text(theirs, name) !== undefined && text(mine, name) !== undefined);
  if (reported.length === 0) return "untold";
  return reported.some((name) => text(mine, name) === text(theirs, name)) ? "same" : "other";
}

function depositOf(
  { alarm }: Pick<BridgeNeeds, "alarm">,
  account: PartnerRef,
  ref: string,
  activities: readonly Activity[],
): Deposit | undefined {
  const byRank = [...activities].sort(
    (one, other) => depositRank[one.state] - depositRank[other.state] || one.at - other.at,
  );
  const latest = byRank.at(-1);
  // What arrived is in the first of them: later ones may speak of what was left of it.
  const arrival = byRank.find(
    ({ event }) => decimal(event, "amount") !== undefined && fiat(text(event, "currency")) !== undefined,
  );
  if (latest === undefined) return undefined;
  const amount = arrival === undefined ? undefined : decimal(arrival.event, "amount");
  const currency = arrival === undefined ? undefined : fiat(text(arrival.event, "currency"));
  if (amount === undefined || currency === undefined) {
    alarm("deposit without an amount", latest.state);
    return undefined;
  }
  const newestFirst = byRank.map(({ event }) => event).reverse();
  const source = newestFirst.map((event) => field(event, "source")).find(isJson);
  return {
    ref: ref as PartnerRef,
    account,
    state: latest.state,
    amount,
    currency,
    fees: feesOf(newestFirst),
    senderName: text(source, "sender_name") ?? text(source, "originator_name") ?? null,
    rail: bankRail(text(source, "payment_rail") ?? text(source, "payment_scheme")) ?? null,
    signature: firstOf(newestFirst, "destination_tx_hash") ?? null,
    at: Math.max(...activities.map(({ at }) => at)),
  };
}

/** A field of the newest activity that has it, or whose receipt does. */
function firstOf(events: readonly Json[], name: string): string | undefined {
  for (const event of events) {
    const found = text(event, name) ?? text(field(event, "receipt"), name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function feesOf(events: readonly Json[]): Deposit["fees"] {
  const amountOf = (name: string, inReceipt: string) => {
    for (const event of events) {
      const found = decimal(event, name) ?? decimal(field(event, "receipt"), inReceipt);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const developer = amountOf("developer_fee_amount", "developer_fee");
  const exchange = amountOf("exchange_fee_amount", "exchange_fee");
  const gas = amountOf("gas_fee", "gas_fee");
  if (developer === undefined && exchange === undefined && gas === undefined) return null;
  return { developer: developer ?? "0", exchange: exchange ?? "0", gas: gas ?? "0" };
}
