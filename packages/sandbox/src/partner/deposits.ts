import { address } from "@solana/kit";
import { assertOurs } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, SimulatedDepositTable, SimulatedVirtualAccountTable, Trx } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type {
  BankRail,
  Coin,
  Deposit,
  DepositState,
  Fiat,
  PartnerRef,
  PayIn,
  Refusal,
} from "@trellis/kernel/ports/rails.js";
import { type Selectable, sql } from "kysely";
import { convert, formatCents, parseCents, restOf, type Step, simulatedPayIns } from "./bank-details.js";
import { magicOfDeposit } from "./magic-cents.js";
import { type News, reportNews } from "./news.js";
import type { SimulatorParts } from "./parts.js";
import { takeBack } from "./take-back.js";
import { findSimulatedCustomer } from "./verifications.js";

export type SimulatedAccount = Selectable<SimulatedVirtualAccountTable>;
type Money = Selectable<SimulatedDepositTable>;

const depositsInOnePlay = 200;

export const findSimulatedAccount = (db: Db, ref: string): Promise<SimulatedAccount | undefined> =>
  db.selectFrom("simulated_virtual_account").selectAll().where("ref", "=", ref).executeTakeFirst();

/** Lets happen what is due by the environment's clock. */
export async function playDeposits(parts: SimulatorParts): Promise<void> {
  const { db, log, network } = parts;
  for (let played = 0; played < depositsInOnePlay; ) {
    const due = await db
      .selectFrom("simulated_deposit")
      .selectAll()
      .where("environment", "=", network.name)
      .where("due_at", "<=", BigInt(Math.floor(network.clock.now())))
      .orderBy("due_at")
      .limit(20)
      .execute();
    if (due.length === 0) break;
    played += due.length;
    for (const money of due) {
      try {
        await advance(parts, money);
      } catch (error) {
        // The others are not kept waiting for it.
        log.warn(
          { event: "sandbox_deposit_refused", err: error, deposit: money.ref },
          "sandbox chain refused a deposit",
        );
        await postpone(parts, money);
      }
    }
  }
}

async function postpone({ db, network }: SimulatorParts, { ref, step, created_at }: Money): Promise<void> {
  const now = Math.floor(network.clock.now());
  await db
    .updateTable("simulated_deposit")
    .set({ due_at: BigInt(now + restOf(now - Number(created_at))), tries: sql<number>`tries + 1` })
    .where("ref", "=", ref)
    .where("step", "=", step)
    .where("due_at", "is not", null)
    .execute();
}

/** Moves a deposit one step on, if no other process has; the payment precedes the step that reports it. */
async function advance(parts: SimulatorParts, money: Money): Promise<void> {
  const { db, network } = parts;
  const account = await findSimulatedAccount(db, money.account_ref);
  assertOurs(account, "a deposit has an account");
  let steps = JSON.parse(money.steps) as readonly Step[];
  let step = steps[money.step];
  assertOurs(step, "a due deposit has a next step");
  let signature = money.signature;
  let isPaying = money.is_paying;
  if (
    !isPaying &&
    (step.state === "received" || step.state === "submitted") &&
    !(await mayBePaid(db, account, money))
  ) {
    step = { state: "refunded", afterMs: 0 };
    steps = [...steps.slice(0, money.step), step];
  }
  if (step.state === "submitted") {
    // From here on no process sends it back: it may have been paid.
    isPaying = true;
    if (!(await beginPaying(db, money))) return;
    signature =
      money.tries < limits.simulatedPaymentTries
        ? await pay(network, account, money)
        : ((await takeBack(network, currencyOf(network, account).mint, nameOf(money))) ?? null);
    if (signature === null) {
      step = { state: "refunded", afterMs: 0 };
      steps = [...steps.slice(0, money.step), step];
    }
  }
  const at = Math.floor(network.clock.now());
  const next = steps[money.step + 1];
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("simulated_deposit")
      .set({
        state: step.state,
        step: money.step + 1,
        steps: JSON.stringify(steps),
        due_at: next === undefined ? null : money.created_at + BigInt(next.afterMs),
        signature,
        changed: sql<bigint>`default`,
        updated_at: BigInt(at),
      })
      .where("ref", "=", money.ref)
      .where("step", "=", money.step)
      .where("is_paying", "=", isPaying)
      .where("due_at", "is not", null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await report(trx, network.name, money, steps.length, at);
  });
}

/** Written down before the payment; false: another process has moved the deposit elsewhere. */
async function beginPaying(db: Db, { ref, step }: Money): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("simulated_deposit")
    .set({ is_paying: true })
    .where("ref", "=", ref)
    .where("step", "=", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The money of those who may no longer be paid goes back to where it came from. */
async function mayBePaid(db: Db, account: SimulatedAccount, money: Money): Promise<boolean> {
  if (account.status !== "activated" || moneyOf(account, money).net <= 0n) return false;
  return (await findRefusal(db, account.customer_ref, account.currency as Fiat, account.coin as Coin)) === undefined;
}

/** Once, however often it is asked for: the chain knows the deposit's name. */
async function pay(network: Network, account: SimulatedAccount, money: Money): Promise<string> {
  const currency = currencyOf(network, account);
  assertOurs(network.sandbox, "play money is paid in the sandbox");
  const units = moneyOf(account, money).net * 10n ** BigInt(currency.decimals - 2);
  return network.sandbox.mintTo(address(account.address), currency.mint, units, nameOf(money));
}

const nameOf = ({ ref }: Money): string => `deposit ${ref}`;

function currencyOf(network: Network, account: SimulatedAccount) {
  const currency = network.currencies.find(({ symbol }) => symbol === account.coin);
  assertOurs(currency?.mint, "play money is paid in a token of the sandbox");
  return { ...currency, mint: currency.mint };
}

/** Reports a step as the cents of the amount say: twice, in reverse when all has happened, or as it occurs. */
async function report(trx: Trx, environment: string, money: Money, count: number, at: number): Promise<void> {
  const news = (step: number): News => ({
    eventId: `${money.ref}/${step}`,
    kind: "deposit",
    ref: money.account_ref,
    at,
  });
  const how = magicOfDeposit(parseCents(money.amount) ?? 0n)?.news;
  if (how === "reversed") {
    const all = Array.from({ length: count }, (_, i) => news(i + 1));
    if (money.step + 1 === count) await reportNews(trx, environment, all.reverse());
    return;
  }
  const one = news(money.step + 1);
  await reportNews(trx, environment, how === "twice" ? [one, one] : [one]);
}

/** Why a customer may not be paid so; undefined: it is allowed. */
export async function findRefusal(db: Db, customer: string, from: Fiat, to: Coin): Promise<Refusal | undefined> {
  const payIn: PayIn | undefined = simulatedPayIns.find((one) => one.from === from);
  if (!payIn?.to.includes(to)) return { reason: "unsupported_pair", forOperator: `${from} is not turned into ${to}` };
  const known = await findSimulatedCustomer(db, customer);
  if (known === null) return { reason: "not_found", forOperator: "there is no such customer" };
  if (known.status !== "approved") return { reason: "verification_required", forOperator: `it is ${known.status}` };
  if (known.terms !== "approved") return { reason: "terms_required", forOperator: "the terms are not accepted" };
  const { [payIn.endorsement]: endorsement } = known.endorsements;
  if (endorsement === "approved") return undefined;
  return { reason: "endorsement_required", forOperator: `${payIn.endorsement} is ${endorsement ?? "not asked for"}` };
}

const moneyOf = (account: SimulatedAccount, { amount }: Money) =>
  convert(parseCents(amount) ?? 0n, account.currency as Fiat, account.coin as Coin);

/** A deposit as the partner reports it. */
export function showDeposit(account: SimulatedAccount, row: Money): Deposit {
  const isPaidOut = row.signature !== null;
  return {
    ref: row.ref as PartnerRef,
    account: row.account_ref as PartnerRef,
    state: row.state as DepositState,
    amount: row.amount,
    currency: account.currency as Fiat,
    fees: isPaidOut ? { developer: formatCents(moneyOf(account, row).fee), exchange: "0.00", gas: "0.00" } : null,
    senderName: "SANDBOX SENDER",
    rail: row.rail as BankRail,
    signature: row.signature,
    at: Number(row.updated_at),
  };
}
