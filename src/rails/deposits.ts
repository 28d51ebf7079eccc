import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type Deposit, type PartnerRef, PartnerUnavailable, type Rails } from "@trellis/kernel/ports/rails.js";
import { wakeHistories } from "../following/history-subscriptions.js";
import { askPartner } from "./ask-partner.js";
import { depositStates, unpaidStates } from "./deposit-states.js";
import { creditDeposits, findNewsOf, foldDeposits, readStanding } from "./deposit-store.js";
import { partnerNameMax } from "./notice-store.js";
import { nextRefreshAt, type RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import type { OpenedVirtualAccount } from "./virtual-account-store.js";

/** Pages of deposits that one refresh reads: the next one continues behind them. */
const pagesMax = 100;
/** How long a payment that a partner reports may take to be seen, before the operator is notified. */
const unseenMs = 3_600_000;

const decimalForm = /^\d{1,20}(\.\d{1,18})?$/;

/**
 * Reads the deposits of a virtual account that are new or moved, and folds them into what is known: a state only ever
 * rises, in whatever order news arrives. One counts as credited when its payment is seen on chain, final, whatever the partner
 * says. Throws PartnerUnavailable.
 */
export async function readDeposits(
  needs: RailNeeds,
  network: Network,
  { partner }: Rails,
  row: OpenedVirtualAccount,
): Promise<void> {
  const { db, log, realClock } = needs;
  const facts = { environment: row.environment, partner: row.partner, id: row.id };
  const budget = { pages: pagesMax, until: realClock.now() + limits.railReadMs };
  const ask: AskPage = (after) => {
    const request = { customer: row.customer_ref as PartnerRef, account: row.partner_ref as PartnerRef, after };
    const forMs = Math.min(limits.partnerCallMs, Math.max(1, budget.until - realClock.now()));
    return askPartner((signal) => partner.listDeposits(request, signal), forMs);
  };
  const parts = { needs, row, ask, budget, facts };
  // What changed last is listed first: behind a page that reports nothing new there is nothing new, but for what is left over.
  const head = await readPages(parts, null, true);
  let unread = row.deposits_after;
  if (head.isCut && head.next !== null) {
    unread = head.next;
    // Before what lies in front of it is known: a process that dies in between leaves nothing behind.
    await keepUnread(db, row, unread);
  }
  let changed = await foldPages(needs, network, row, head.pages);
  let cut = head;
  if (!head.isCut && unread !== null) {
    const tail = await readPages(parts, unread, false);
    cut = tail;
    changed += await foldPages(needs, network, row, tail.pages);
    // Where the partner cannot continue from there: from where the first pages end.
    const isLost = tail.refused && tail.pages.length === 0;
    await keepUnread(db, row, isLost ? head.next : tail.isCut ? tail.next : null, unread);
  }
  await creditDeposits(db, network, row.id);
  const standing = await readStanding(db, row.id, network.clock.now() - unseenMs);
  if (standing.awaitsChain) {
    await wakeHistories(db, network.name, [row.account_address], Math.floor(network.clock.now()));
  }
  if (standing.unseen > 0) {
    log.warn(
      { event: "rail_deposits_unseen", ...facts, deposits: standing.unseen },
      "deposits that a partner reports as paid are not seen on chain",
    );
  }
  if (cut.failure !== undefined) throw cut.failure;
  const continues = cut.isCut && !cut.refused;
  await planRefreshAt(needs, row.id, { isSettled: !standing.isOpen && !continues, changed: changed > 0 || continues });
}

type AskPage = (after: string | null) => ReturnType<Rails["partner"]["listDeposits"]>;

interface Reading {
  readonly pages: readonly (readonly Deposit[])[];
  /** Where it would go on; null: nowhere, or from the first page on. */
  readonly next: string | null;
  /** It ended before its end: by a refusal, a failure, or because a refresh takes no more. */
  readonly isCut: boolean;
  readonly refused: boolean;
  readonly failure?: PartnerUnavailable;
}

/** Reads pages from a place on, up to one that reports nothing new or to the last. Takes of the refresh's budget. */
async function readPages(
  parts: {
    readonly needs: RailNeeds;
    readonly row: OpenedVirtualAccount;
    readonly ask: AskPage;
    readonly budget: { pages: number; readonly until: number };
    readonly facts: object;
  },
  from: string | null,
  endsAtKnown: boolean,
): Promise<Reading> {
  const { needs, row, ask, budget, facts } = parts;
  const pages: (readonly Deposit[])[] = [];
  const seen = new Set<string>();
  let next = from;
  do {
    if (budget.pages <= 0 || needs.realClock.now() >= budget.until) return { pages, next, isCut: true, refused: false };
    budget.pages -= 1;
    let answer: Awaited<ReturnType<AskPage>>;
    try {
      answer = await ask(next);
    } catch (failure) {
      if (!(failure instanceof PartnerUnavailable)) throw failure;
      return { pages, next, isCut: true, refused: false, failure };
    }
    if (!answer.ok) {
      needs.log.warn(
        { event: "rail_deposits_refused", ...facts, reason: answer.refused.forOperator },
        "partner refuses to list deposits",
      );
      return { pages, next, isCut: true, refused: true };
    }
    const reported = answer.value.deposits.filter((deposit) => isSound(deposit, row));
    if (reported.length < answer.value.deposits.length) {
      needs.log.error({ event: "rail_deposits_invalid", ...facts }, "partner reports deposits that are invalid");
    }
    pages.push(reported);
    next = answer.value.next;
    if (endsAtKnown && reported.length > 0 && (await findNewsOf(needs.db, row.id, reported)) === 0) break;
    // A partner that goes round in circles.
    if (next !== null && seen.has(next)) next = null;
    else if (next !== null) seen.add(next);
  } while (next !== null);
  return { pages, next, isCut: false, refused: false };
}

/** The oldest first, so that a process that dies leaves nothing behind a page that is known. */
async function foldPages(
  needs: RailNeeds,
  network: Network,
  row: OpenedVirtualAccount,
  pages: Reading["pages"],
): Promise<number> {
  let changed = 0;
  for (const page of [...pages].reverse()) changed += await foldDeposits(needs, network, row, page);
  return changed;
}

/**
 * Writes down where the next refresh continues; null: nothing is left over. Behind that place everything is read again, so a
 * newer place may take the stead of any; an older one, or none, only that of the one it continued from.
 */
async function keepUnread(
  db: DbOrTrx,
  row: OpenedVirtualAccount,
  unread: string | null,
  wentOnFrom?: string,
): Promise<void> {
  let update = db.updateTable("rail_virtual_account").set({ deposits_after: unread }).where("id", "=", row.id);
  if (wentOnFrom !== undefined) update = update.where("deposits_after", "=", wentOnFrom);
  await update.execute();
}

function isSound(deposit: Deposit, row: OpenedVirtualAccount): boolean {
  const { fees } = deposit;
  const amounts = [deposit.amount, ...(fees === null ? [] : [fees.developer, fees.exchange, fees.gas])];
  return (
    deposit.account === row.partner_ref &&
    deposit.ref.length <= partnerNameMax &&
    deposit.currency === row.currency &&
    depositStates.all.includes(deposit.state) &&
    amounts.every((amount) => decimalForm.test(amount)) &&
    (deposit.signature === null || /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(deposit.signature))
  );
}

/** Says when a virtual account is refreshed again that no news reports. */
export async function planRefreshAt(
  { db, realClock }: Pick<RailNeeds, "db" | "realClock">,
  id: string,
  { isSettled, changed }: { readonly isSettled: boolean; readonly changed: boolean } = {
    isSettled: false,
    changed: false,
  },
): Promise<void> {
  const realNow = Math.floor(realClock.now());
  const row = await db
    .selectFrom("rail_virtual_account")
    .select("active_since")
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return;
  const activeSince = changed ? realNow : Number(row.active_since);
  await db
    .updateTable("rail_virtual_account")
    .set({ active_since: BigInt(activeSince), look_at: BigInt(nextRefreshAt({ activeSince, isSettled }, realNow)) })
    .where("id", "=", id)
    .execute();
}

/** Whether money is on its way that the partner has not brought to an end. */
export async function isMoneyMoving(trx: DbOrTrx, account: RailAccount): Promise<boolean> {
  const row = await trx
    .selectFrom("rail_deposit")
    .innerJoin("rail_virtual_account", "rail_virtual_account.id", "rail_deposit.virtual_account_id")
    .select("rail_deposit.id")
    .where("rail_virtual_account.environment", "=", account.environment)
    .where("rail_virtual_account.account_address", "=", account.address)
    .where("rail_virtual_account.tenant_id", "=", account.tenantId)
    .where("rail_deposit.state", "in", unpaidStates)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
