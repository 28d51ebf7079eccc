import { createHash } from "node:crypto";
import { address } from "@solana/kit";
import { type Selectable, sql } from "kysely";
import { assertOurs } from "../../../kernel/errors.js";
import { limits } from "../../../kernel/limits.js";
import type { SimulatedDepositTable, SimulatedVirtualAccountTable, Trx } from "../../../ports/database.js";
import type {
  BankRail,
  Coin,
  Deposit,
  DepositState,
  Fiat,
  PartnerAnswer,
  PartnerRef,
  PartnerVirtualAccount,
  PayIn,
  RailsPartner,
  RailsSimulator,
  Refusal,
} from "../../../ports/rails.js";
import {
  convert,
  formatCents,
  instructionsOf,
  parseCents,
  restOf,
  type Step,
  simulatedFeePercent,
  simulatedPayIns,
  stepsOf,
} from "./bank-details.js";
import { type News, tellNews } from "./news.js";
import type { SimulatorParts } from "./parts.js";
import { takeBack } from "./take-back.js";
import { findSimulatedCustomer } from "./verifications.js";

type Account = Selectable<SimulatedVirtualAccountTable>;
type Money = Selectable<SimulatedDepositTable>;

/** The part of the simulated partner that takes money in under bank details. */
export interface SimulatedAccounts {
  readonly partner: Pick<
    RailsPartner,
    "payIns" | "openVirtualAccount" | "findVirtualAccount" | "readVirtualAccount" | "listDeposits"
  >;
  readonly simulator: Pick<RailsSimulator, "deposit" | "setVirtualAccountActive">;
  /** Lets happen what is due by the environment's clock. */
  play(): Promise<void>;
}

const pageSize = 50;
const depositsInOnePlay = 200;

/** Makes it. */
export function createSimulatedAccounts(parts: SimulatorParts): SimulatedAccounts {
  const { db, random, log, network, pace } = parts;
  const now = () => Math.floor(network.clock.now());
  const findAccount = (ref: string): Promise<Account | undefined> =>
    db.selectFrom("simulated_virtual_account").selectAll().where("ref", "=", ref).executeTakeFirst();

  /** Moves a deposit one step on, if no other process has; the payment comes before the step that reports it. */
  const advance = async (money: Money): Promise<void> => {
    const account = await findAccount(money.account_ref);
    assertOurs(account, "a deposit has an account");
    let steps = JSON.parse(money.steps) as readonly Step[];
    let step = steps[money.step];
    assertOurs(step, "what is due has a step to come to");
    let signature = money.signature;
    let isPaying = money.is_paying;
    if (!isPaying && (step.state === "received" || step.state === "submitted") && !(await mayBePaid(account, money))) {
      step = { state: "refunded", afterMs: 0 };
      steps = [...steps.slice(0, money.step), step];
    }
    if (step.state === "submitted") {
      // From here on it is not sent back: it may have been paid.
      isPaying = true;
      if (!(await beginPaying(money))) return;
      signature =
        money.tries < limits.simulatedPaymentTries
          ? await pay(account, money)
          : ((await takeBack(network, currencyOf(account).mint, nameOf(money))) ?? null);
      if (signature === null) {
        step = { state: "refunded", afterMs: 0 };
        steps = [...steps.slice(0, money.step), step];
      }
    }
    const at = now();
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
      if (numUpdatedRows > 0n) await tell(trx, money, steps.length, at);
    });
  };

  /** Written down before the payment; false: another process has moved the deposit elsewhere. */
  const beginPaying = async ({ ref, step }: Money): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable("simulated_deposit")
      .set({ is_paying: true })
      .where("ref", "=", ref)
      .where("step", "=", step)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  /** The money of those who may no longer be paid goes back to where it came from. */
  const mayBePaid = async (account: Account, money: Money): Promise<boolean> => {
    if (account.status !== "activated" || moneyOf(account, money).net <= 0n) return false;
    return (await findRefusal(account.customer_ref, account.currency as Fiat, account.coin as Coin)) === undefined;
  };

  /** Once, however often it is asked for: the chain knows the deposit's name. */
  const pay = async (account: Account, money: Money): Promise<string> => {
    const currency = currencyOf(account);
    assertOurs(network.sandbox, "play money is paid in the sandbox");
    const units = moneyOf(account, money).net * 10n ** BigInt(currency.decimals - 2);
    return network.sandbox.mintTo(address(account.address), currency.mint, units, nameOf(money));
  };
  const nameOf = ({ ref }: Money): string => `deposit ${ref}`;
  const currencyOf = (account: Account) => {
    const currency = network.currencies.find(({ symbol }) => symbol === account.coin);
    assertOurs(currency?.mint, "play money is paid in a token of the sandbox");
    return { ...currency, mint: currency.mint };
  };

  /** .06 is reported twice, .07 in reverse when all has happened; everything else as it happens. */
  const tell = async (trx: Trx, money: Money, count: number, at: number): Promise<void> => {
    const news = (step: number): News => ({
      eventId: `${money.ref}/${step}`,
      kind: "deposit",
      ref: money.account_ref,
      at,
    });
    const cents = (parseCents(money.amount) ?? 0n) % 100n;
    const all = Array.from({ length: count }, (_, i) => news(i + 1));
    if (cents === 7n) {
      if (money.step + 1 === count) await tellNews(trx, network.name, all.reverse());
      return;
    }
    const one = news(money.step + 1);
    await tellNews(trx, network.name, cents === 6n ? [one, one] : [one]);
  };

  /** Why a customer may not be paid so; undefined: he may. */
  const findRefusal = async (customer: string, from: Fiat, to: Coin): Promise<Refusal | undefined> => {
    const payIn: PayIn | undefined = simulatedPayIns.find((one) => one.from === from);
    if (!payIn?.to.includes(to)) return { reason: "unsupported_pair", forOperator: `${from} is not turned into ${to}` };
    const known = await findSimulatedCustomer(db, customer);
    if (known === null) return { reason: "not_found", forOperator: "there is no such customer" };
    if (known.status !== "approved") return { reason: "verification_required", forOperator: `it is ${known.status}` };
    if (known.terms !== "approved") return { reason: "terms_required", forOperator: "the terms are not accepted" };
    const { [payIn.endorsement]: endorsement } = known.endorsements;
    if (endorsement === "approved") return undefined;
    return { reason: "endorsement_required", forOperator: `${payIn.endorsement} is ${endorsement ?? "not asked for"}` };
  };

  const partner: SimulatedAccounts["partner"] = {
    payIns: simulatedPayIns,
    openVirtualAccount: async ({ idempotencyKey, customer, from, to, address: owner }) => {
      const before = await db
        .selectFrom("simulated_virtual_account")
        .selectAll()
        .where("operation_key", "=", idempotencyKey)
        .executeTakeFirst();
      if (before !== undefined) return { ok: true, value: showAccount(before) };
      const refused = await findRefusal(customer, from, to);
      if (refused !== undefined) return { ok: false, refused };
      await db
        .insertInto("simulated_virtual_account")
        .values({
          ref: random.uuid(),
          customer_ref: customer,
          operation_key: idempotencyKey,
          currency: from,
          coin: to,
          address: owner,
          status: "activated",
          created_at: BigInt(now()),
        })
        .onConflict((conflict) => conflict.column("operation_key").doNothing())
        .execute();
      const made = await db
        .selectFrom("simulated_virtual_account")
        .selectAll()
        .where("operation_key", "=", idempotencyKey)
        .executeTakeFirstOrThrow();
      return { ok: true, value: showAccount(made) };
    },
    findVirtualAccount: async ({ customer, from, address: owner }) => {
      const found = await db
        .selectFrom("simulated_virtual_account")
        .selectAll()
        .where("customer_ref", "=", customer)
        .where("currency", "=", from)
        .where("address", "=", owner)
        .orderBy("number")
        .executeTakeFirst();
      return { ok: true, value: found === undefined ? null : showAccount(found) };
    },
    readVirtualAccount: async ({ customer, ref }) => {
      const found = await findAccount(ref);
      return found?.customer_ref === customer ? { ok: true, value: showAccount(found) } : noAccount;
    },
    listDeposits: async ({ customer, account: ref, after }) => {
      const account = await findAccount(ref);
      if (account?.customer_ref !== customer) return noAccount;
      let query = db.selectFrom("simulated_deposit").selectAll().where("account_ref", "=", ref);
      if (after !== null) query = query.where("changed", "<", BigInt(after));
      const rows = await query.orderBy("changed", "desc").limit(pageSize).execute();
      const next = rows.length < pageSize ? null : (rows.at(-1)?.changed.toString() ?? null);
      return { ok: true, value: { deposits: rows.map((row) => showDeposit(account, row)), next } };
    },
  };

  const simulator: SimulatedAccounts["simulator"] = {
    deposit: async (ref, amount, { rail, askedAs } = {}) => {
      const account = await findAccount(ref);
      if (account === undefined) return noAccount;
      const payIn = simulatedPayIns.find(({ from }) => from === account.currency);
      assertOurs(payIn, "an account is opened in a currency that is taken");
      const by = rail ?? payIn.rails[0];
      const cents = parseCents(amount);
      if (cents === undefined || cents === 0n || cents > limits.simulatedPaymentMaxCents) {
        return refuse("amount_out_of_range", "the amount is not a decimal above zero, or too much");
      }
      if (by === undefined || !payIn.rails.includes(by)) {
        return refuse("unsupported_pair", `${account.currency} does not come by ${by}`);
      }
      const known = async () =>
        askedAs === undefined
          ? undefined
          : db
              .selectFrom("simulated_deposit")
              .selectAll()
              .where("account_ref", "=", ref)
              .where("asked_as", "=", askedAs)
              .executeTakeFirst();
      const before = await known();
      if (before !== undefined) return { ok: true, value: showDeposit(account, before) };
      if (account.status !== "activated") return refuse("wrong_state", "the account is deactivated");
      const at = now();
      const id = random.uuid();
      const steps = stepsOf(cents, by, pace, shareOf(id));
      const made = await db.transaction().execute(async (trx) => {
        const row = await trx
          .insertInto("simulated_deposit")
          .values({
            ref: id,
            account_ref: ref,
            asked_as: askedAs ?? null,
            amount: formatCents(cents),
            rail: by,
            state: "scheduled",
            steps: JSON.stringify(steps),
            step: 0,
            due_at: BigInt(at + (steps[0]?.afterMs ?? 0)),
            environment: network.name,
            created_at: BigInt(at),
            updated_at: BigInt(at),
          })
          .onConflict((conflict) =>
            conflict.columns(["account_ref", "asked_as"]).where("asked_as", "is not", null).doNothing(),
          )
          .returningAll()
          .executeTakeFirst();
        if (row !== undefined) await tellNews(trx, network.name, [{ eventId: `${id}/0`, kind: "deposit", ref, at }]);
        return row;
      });
      const stands = made ?? (await known());
      assertOurs(stands, "a deposit is there when it could not be made a second time");
      return { ok: true, value: showDeposit(account, stands) };
    },
    setVirtualAccountActive: async (ref, active) => {
      const status = active ? "activated" : "deactivated";
      await db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("simulated_virtual_account")
          .set({ status })
          .where("ref", "=", ref)
          .where("status", "<>", status)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        await tellNews(trx, network.name, [{ eventId: random.uuid(), kind: "virtual_account", ref, at: now() }]);
      });
    },
  };

  const play = async (): Promise<void> => {
    for (let played = 0; played < depositsInOnePlay; ) {
      const due = await db
        .selectFrom("simulated_deposit")
        .selectAll()
        .where("environment", "=", network.name)
        .where("due_at", "<=", BigInt(now()))
        .orderBy("due_at")
        .limit(20)
        .execute();
      if (due.length === 0) break;
      played += due.length;
      for (const money of due) {
        try {
          await advance(money);
        } catch (error) {
          // The others are not kept waiting for it.
          log.warn({ error, deposit: money.ref }, "the sandbox's chain does not take a deposit");
          await db
            .updateTable("simulated_deposit")
            .set({
              due_at: BigInt(now() + restOf(now() - Number(money.created_at))),
              tries: sql<number>`tries + 1`,
            })
            .where("ref", "=", money.ref)
            .where("step", "=", money.step)
            .where("due_at", "is not", null)
            .execute();
        }
      }
    }
  };

  return { partner, simulator, play };
}

const refuse = (reason: Refusal["reason"], forOperator: string): PartnerAnswer<never> => ({
  ok: false,
  refused: { reason, forOperator },
});
const noAccount = refuse("not_found", "there is no such virtual account");

const moneyOf = (account: Account, { amount }: Money) =>
  convert(parseCents(amount) ?? 0n, account.currency as Fiat, account.coin as Coin);

/** The same for a deposit at every time. */
const shareOf = (id: string): number => createHash("sha256").update(id).digest().readUInt32BE(0) / 2 ** 32;

function showAccount(row: Account): PartnerVirtualAccount {
  const currency = row.currency as Fiat;
  return {
    ref: row.ref as PartnerRef,
    customer: row.customer_ref as PartnerRef,
    status: row.status,
    currency,
    rails: simulatedPayIns.find(({ from }) => from === currency)?.rails ?? [],
    instructions: instructionsOf(currency, row.number),
    destination: { address: row.address, coin: row.coin as Coin },
    feePercent: simulatedFeePercent,
    createdAt: Number(row.created_at),
  };
}

function showDeposit(account: Account, row: Money): Deposit {
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
