import type { Address } from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { decodeSpendingLimit, SMART_ACCOUNT_PROGRAM_ADDRESS, type SpendingLimit } from "@trellis/program-client";
import { type ChainAccount, type Freshness, readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { isNewerThan, isNewerThanLimit } from "./limit-absence.js";
import {
  apartFrom,
  awaitedUntil,
  begun,
  checkedFrom,
  isRemovalAwaited,
  isRenewalAwaited,
  isUnwanted,
  lastAwaitedAt,
  lastRefreshAt,
  nextRefreshAt,
} from "./mandate-dates.js";
import { attempt, isOpen, isRefused, proposalIn } from "./mandate-proposal.js";
import {
  changeOrder,
  findMandated,
  findOrder,
  isMandateUnderWay,
  refreshAgain,
  resumeOrder,
  type StandingOrder,
  suspended,
} from "./standing-order-store.js";

interface MandateNeeds {
  readonly db: Db;
  readonly log: Log;
}

/** What the chain shows of an order's mandate at one moment. */
export interface Seen {
  /** The slot the node had reached. */
  readonly slot: bigint;
  readonly limit: ChainAccount | undefined;
  readonly renewal: ChainAccount | undefined;
  readonly proposal: ChainAccount | undefined;
}

/** How many orders one question to a node is about: three accounts each, of the hundred it takes. */
const ordersAtOnce = 33;

/** How limits are checked. */
export interface RefreshOptions {
  /** Before this nothing outside changes, and only what time itself ends is checked: environment time, Unix milliseconds. */
  readonly stillUntil?: number | undefined;
  /** What the chain shows of the order, where it is asked about several together (`lookTogether`). */
  readonly refresh?: (order: StandingOrder) => Promise<Seen | undefined>;
}

/**
 * Checks the limit of an order that is not paid at present, and records what became of it: a pending order becomes active, or is
 * cancelled once its limit can no longer land; a cancelled one is revoked once its limit is removed, and reported where its limit
 * lands after all; an inactive one that was offered a new limit uses it. Sets when to check next, `attempt_at`. Repeating it does no
 * harm, and of several at once one writes. Leaves active orders alone: the pass that pays one reads its limit anyway.
 *
 * Throws `chain_unavailable`, and has changed nothing then.
 */
export async function activateIfMandated(
  needs: MandateNeeds,
  network: Network,
  order: StandingOrder,
  { stillUntil = 0, refresh = refreshTogether(network, [order]) }: RefreshOptions = {},
): Promise<void> {
  if (order.status === "active") return;
  const seen = await refresh(order);
  if (seen) await settle(needs, network, order, seen, { isSure: false, stillUntil });
}

/**
 * Asks the chain about these orders, many in one question, each question when the first of its orders is asked for. What
 * it answers rejects with `chain_unavailable`, and for an order that is none of these is undefined.
 */
export function refreshTogether(
  network: Network,
  orders: readonly StandingOrder[],
): (order: StandingOrder) => Promise<Seen | undefined> {
  const places = new Map(orders.map(({ id }, place) => [id, place]));
  const questions = new Map<number, Promise<readonly Seen[]>>();
  return async ({ id }) => {
    const place = places.get(id);
    if (place === undefined) return undefined;
    const first = place - (place % ordersAtOnce);
    const question = questions.get(first) ?? refreshAt(network, orders.slice(first, first + ordersAtOnce), {});
    questions.set(first, question);
    return (await question)[place - first];
  };
}

/** What is known of an account's settings before its orders are checked. */
export interface KnownSettings {
  /** A read is as new as this. */
  readonly leastSlot: bigint;
  /** Votes up to this one can no longer be executed. */
  readonly staleTransactionIndex: bigint;
}

/**
 * Checks the new limit that an order was offered, at `leastSlot` or after it, and records it where it has landed. Returns how
 * the order stands then, and whether a vote that would give the limit is still open. What was submitted and has not ended is
 * not asked about here. Throws `chain_unavailable`.
 */
export async function settleRenewal(
  needs: MandateNeeds,
  network: Network,
  order: StandingOrder,
  { leastSlot, staleTransactionIndex }: KnownSettings,
): Promise<{ readonly order: StandingOrder; readonly isVoteOpen: boolean }> {
  const [seen] = await refreshAt(network, [order], { leastSlot });
  if (seen) await settle(needs, network, order, seen, { isSure: false, stillUntil: 0 });
  const owner = { tenantId: order.tenant_id, accountAddress: order.account_address };
  const present = (await findOrder(needs.db, network, owner, order.id)) ?? order;
  const vote = proposalIn(seen?.proposal);
  const isVoteOpen = vote !== undefined && isOpen(vote) && vote.transactionIndex > staleTransactionIndex;
  return { order: present, isVoteOpen };
}

/**
 * Checks the limits of all orders of an account whose settings have just changed, at `leastSlot` or after it, so that
 * what is not there counts as removed. Throws `chain_unavailable`; what was not noticed, the scheduler's checks find.
 */
export async function noticeMandates(
  needs: MandateNeeds,
  network: Network,
  accountAddress: string,
  leastSlot: bigint,
): Promise<void> {
  const orders = await findMandated(needs.db, network, accountAddress);
  for (let at = 0; at < orders.length; at += ordersAtOnce) {
    const some = orders.slice(at, at + ordersAtOnce);
    const refreshes = await refreshAt(network, some, { leastSlot });
    for (const [i, order] of some.entries()) {
      const seen = refreshes[i];
      if (seen) await settle(needs, network, order, seen, { isSure: true, stillUntil: 0 });
    }
  }
}

/** The limit, where this account on chain is one that lets `executor` pay the order's payee out of the order's account. */
export function mandateOf(
  order: Pick<StandingOrder, "settings_address" | "mint" | "payee">,
  executor: string,
  account: ChainAccount | undefined,
): SpendingLimit | undefined {
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  const limit = attempt(() => decodeSpendingLimit(account.data));
  if (limit === undefined) return undefined;
  const isFor =
    limit.settings === order.settings_address &&
    limit.mint === order.mint &&
    limit.signers.some((signer) => signer === executor) &&
    limit.destinations.some((owner) => owner === order.payee);
  return isFor ? limit : undefined;
}

async function refreshAt(
  network: Network,
  orders: readonly StandingOrder[],
  freshness: Freshness,
): Promise<readonly Seen[]> {
  const named = (order: StandingOrder) => [
    order.spending_limit_address,
    order.renewal_limit_address,
    order.mandate === "awaited" || order.renewal_limit_address !== null ? order.proposal_address : null,
  ];
  const addresses = [...new Set(orders.flatMap(named).filter((address) => address !== null))] as Address[];
  const { slot, accounts } = await readAccountsAtSlot(network, addresses, freshness);
  const found = new Map<string, ChainAccount>();
  for (const account of accounts) if (account) found.set(account.address, account);
  return orders.map((order) => {
    const [limit, renewal, proposal] = named(order).map((address) =>
      address === null ? undefined : found.get(address),
    );
    return { slot, limit, renewal, proposal };
  });
}

interface Refresh {
  /** What is not seen is not there, because the read is newer than whatever could have changed it. */
  readonly isSure: boolean;
  /** Nothing outside changes before this: environment time, Unix milliseconds. */
  readonly stillUntil: number;
}

async function settle(
  needs: MandateNeeds,
  network: Network,
  order: StandingOrder,
  seen: Seen,
  refresh: Refresh,
): Promise<void> {
  const { db } = needs;
  const { isSure } = refresh;
  const now = network.clock.now();
  const executor = network.executor?.address;
  const renewal = executor === undefined ? undefined : mandateOf(order, executor, seen.renewal);
  if (renewal && executor !== undefined && order.renewal_limit_address !== null) {
    const isTaken = await renew(db, order, order.renewal_limit_address, executor, renewal, now);
    if (isTaken) reportUnwanted(needs.log, { ...order, spending_limit_address: order.renewal_limit_address });
    return;
  }
  const limit = mandateOf(order, order.executor_address, seen.limit);
  if (order.mandate === "awaited") {
    if (limit) {
      if (await changeOrder(db, order, begun(order, limit, now), now)) reportUnwanted(needs.log, order);
    } else if (order.status === "pending") await awaitFurther(db, order, seen, now, refresh);
    else await endAwaited(db, network, order, seen, now, refresh);
    return;
  }
  if (seen.limit !== undefined) {
    const isAwaited = isRemovalAwaited(order, now) || isRenewalAwaited(order, now);
    if (isAwaited || isUnwanted(order)) await refreshLater(db, order, now, refresh);
    return;
  }
  if (order.mandate === "revocation_pending" || isUnwanted(order)) {
    // A node that is behind shows a limit that stands as absent.
    if (isSure || (await isNewerThanLimit(network, order, seen.slot))) {
      await changeOrder(db, order, { mandate: "revoked", attempt_at: null }, now);
    } else await refreshLater(db, order, now, refresh);
  } else if (order.mandate === "active" && isSure) {
    const paused = order.status === "active" ? ({ status: "inactive", reason: "spending_limit_missing" } as const) : {};
    await changeOrder(db, order, { mandate: "revoked", attempt_at: null, ...paused }, now);
  } else if (isRenewalAwaited(order, now)) await refreshLater(db, order, now, refresh);
}

/** Says that a limit landed after its order was cancelled. It pays no one, and only its account's people can remove it. */
function reportUnwanted(log: Log, order: StandingOrder): void {
  if (order.status !== "cancelled") return;
  const { id, environment, account_address: account, spending_limit_address: spending_limit } = order;
  // operator: inform the tenant, whose `DELETE` of the order prepares the removal of the limit
  log.error(
    { event: "standing_order_limit_unwanted", environment, order: id, account, spending_limit },
    "limit of a standing order was confirmed after its cancellation: it pays nothing, and its account should remove it",
  );
}

/** A check that was not made for its time's sake leaves the next one where it is. */
async function refreshLater(db: Db, order: StandingOrder, now: number, { isSure, stillUntil }: Refresh): Promise<void> {
  if (isSure && order.attempt_at !== null) return;
  const next = Math.max(nextRefreshAt(order, now), stillUntil);
  // A pending order is given up at a time of its own, and an order with an end ends at it.
  const own =
    order.mandate === "awaited" ? lastAwaitedAt(order) : order.end_at === null ? null : Number(order.end_at) + 1;
  const isOwnFirst = own !== null && own > now && own < next;
  await refreshAgain(db, order.id, apartFrom(order, isOwnFirst ? own : next));
}

/**
 * An order that was cancelled or suspended before it had its limit. It is followed until none can land: its transaction is long dead, by
 * the chain's own time as well, and no vote can give the limit any more.
 */
async function endAwaited(
  db: Db,
  network: Network,
  order: StandingOrder,
  seen: Seen,
  now: number,
  refresh: Refresh,
): Promise<void> {
  if (now < awaitedUntil(order)) return refreshLater(db, order, now, refresh);
  if (await isMandateUnderWay(db, order.prepared_id)) return refreshLater(db, order, now, refresh);
  // By the chain's own time its transaction is dead as well: a chain that stood still resumes where it was.
  if (!(await isNewerThan(network, lastRefreshAt(order), seen.slot))) return refreshLater(db, order, now, refresh);
  const vote = proposalIn(seen.proposal);
  if (vote === undefined || !isOpen(vote)) {
    await changeOrder(db, order, { mandate: "revoked", attempt_at: null }, now);
  } else await refreshLater(db, order, now, refresh);
}

/** An order has a new limit in place of its old one. An inactive one resumes with it. Returns whether it was noted. */
async function renew(
  db: Db,
  order: StandingOrder,
  address: string,
  executor: string,
  limit: SpendingLimit,
  now: number,
): Promise<boolean> {
  const mandatedAt = Number(limit.lastReset) * 1000;
  const to = {
    spending_limit_address: address,
    renewal_limit_address: null,
    executor_address: executor,
    limit_expires_at: limit.expiration,
    mandate: "active",
    mandated_at: BigInt(mandatedAt),
  } as const;
  if (order.status !== "inactive" || order.reason === suspended) {
    const next = order.status === "cancelled" ? { attempt_at: checkedFrom(now) } : {};
    return changeOrder(db, order, { ...to, ...next }, now);
  }
  if (await resumeOrder(db, order, to, mandatedAt, now)) return true;
  // A payment is under way, or the account has no place for one more open order: both may be over later.
  await refreshAgain(db, order.id, apartFrom(order, nextRefreshAt(order, now)));
  return false;
}

/** Continues to wait for a limit, or gives the order up once it can no longer land. */
async function awaitFurther(db: Db, order: StandingOrder, seen: Seen, now: number, refresh: Refresh): Promise<void> {
  const isOver =
    now >= lastRefreshAt(order) || (order.proposal_address !== null && isRefused(order, seen.proposal, now));
  if (isOver && !(await isMandateUnderWay(db, order.prepared_id))) {
    const to = { status: "cancelled", reason: "not_authorised" } as const;
    await changeOrder(db, order, { ...to, attempt_at: BigInt(nextRefreshAt({ ...order, ...to }, now)) }, now);
    return;
  }
  await refreshLater(db, order, now, refresh);
}
