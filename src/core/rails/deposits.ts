import type { DbOrTrx } from "../../ports/database.js";
import type { Network } from "../../ports/network.js";
import { type Deposit, depositStates, type PartnerRef, type Rails } from "../../ports/rails.js";
import { wakeHistories } from "../history-index/history-store.js";
import { askPartner } from "./ask-partner.js";
import { creditDeposits, findNewsOf, foldDeposits, readStanding } from "./deposit-store.js";
import { nextLookAt, type RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import type { OpenedVirtualAccount } from "./virtual-account-store.js";

/** Pages of deposits that one look reads: the rest comes with the next. */
const pagesMax = 100;
/** How long a payment that a partner tells of may take to be seen, before somebody is told. */
const unseenMs = 3_600_000;

const decimalForm = /^\d{1,20}(\.\d{1,18})?$/;

/**
 * Reads the deposits of a virtual account that are new or moved, and folds them into what is known: a state only ever
 * rises, in whatever order news come. One counts as credited when its payment is seen on chain, final, whatever the partner
 * says. Throws PartnerUnavailable.
 */
export async function readDeposits(
  needs: RailNeeds,
  network: Network,
  { partner }: Rails,
  row: OpenedVirtualAccount,
): Promise<void> {
  const { db, log } = needs;
  const facts = { environment: row.environment, partner: row.partner, id: row.id };
  const pages: (readonly Deposit[])[] = [];
  let after: string | null = null;
  do {
    const from: string | null = after;
    const answer: Awaited<ReturnType<typeof partner.listDeposits>> = await askPartner((signal) =>
      partner.listDeposits(
        { customer: row.customer_ref as PartnerRef, account: row.partner_ref as PartnerRef, after: from },
        signal,
      ),
    );
    if (!answer.ok) {
      log.warn({ ...facts, reason: answer.refused.forOperator }, "a partner does not tell of deposits");
      break;
    }
    const told = answer.value.deposits.filter((deposit) => isSound(deposit, row));
    if (told.length < answer.value.deposits.length) log.error(facts, "a partner tells of deposits that make no sense");
    pages.push(told);
    // What changed last comes first: behind a page that tells nothing new there is nothing new.
    if ((await findNewsOf(db, row.id, told)) === 0) break;
    after = answer.value.next;
  } while (after !== null && pages.length < pagesMax);
  let changed = 0;
  // The oldest first, so that a process that dies leaves nothing behind a page that is known.
  for (const page of pages.reverse()) changed += await foldDeposits(needs, network, row, page);
  await creditDeposits(db, network, row.id);
  const standing = await readStanding(db, row.id, network.clock.now() - unseenMs);
  if (standing.awaitsChain) {
    await wakeHistories(db, network.name, [row.account_address], Math.floor(network.clock.now()));
  }
  if (standing.unseen > 0) {
    log.warn({ ...facts, deposits: standing.unseen }, "a partner says it has paid deposits that are not seen on chain");
  }
  await planLookAt(needs, row.id, { isSettled: !standing.isOpen, changed: changed > 0 });
}

function isSound(deposit: Deposit, row: OpenedVirtualAccount): boolean {
  const { fees } = deposit;
  const amounts = [deposit.amount, ...(fees === null ? [] : [fees.developer, fees.exchange, fees.gas])];
  return (
    deposit.account === row.partner_ref &&
    deposit.currency === row.currency &&
    depositStates.includes(deposit.state) &&
    amounts.every((amount) => decimalForm.test(amount)) &&
    (deposit.signature === null || /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(deposit.signature))
  );
}

/** Says when a virtual account is looked at again that nobody tells about. */
export async function planLookAt(
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
    .set({ active_since: BigInt(activeSince), look_at: BigInt(nextLookAt({ activeSince, isSettled }, realNow)) })
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
    .where("rail_deposit.state", "in", ["scheduled", "received", "in_review", "submitted"])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
