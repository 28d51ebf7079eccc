import { createHash } from "node:crypto";
import { assertOurs } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, SimulatedDepositTable } from "@trellis/kernel/ports/database.js";
import type {
  BankRail,
  Coin,
  Deposit,
  Fiat,
  PartnerAnswer,
  PartnerRef,
  PartnerVirtualAccount,
  RailsPartner,
  RailsSimulator,
  Refusal,
} from "@trellis/kernel/ports/rails.js";
import type { Selectable } from "kysely";
import {
  formatCents,
  instructionsOf,
  parseCents,
  simulatedFeePercent,
  simulatedPayIns,
  stepsOf,
} from "./bank-details.js";
import { findRefusal, findSimulatedAccount, playDeposits, type SimulatedAccount, showDeposit } from "./deposits.js";
import { reportNews } from "./news.js";
import type { SimulatorParts } from "./parts.js";

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

/** Makes it. */
export const createSimulatedAccounts = (parts: SimulatorParts): SimulatedAccounts => ({
  partner: {
    payIns: simulatedPayIns,
    openVirtualAccount: (request) => openVirtualAccount(parts, request),
    findVirtualAccount: (request) => findVirtualAccount(parts, request),
    readVirtualAccount: (request) => readVirtualAccount(parts, request),
    listDeposits: (request) => listDeposits(parts, request),
  },
  simulator: {
    deposit: (account, amount, more = {}) => deposit(parts, account, amount, more),
    setVirtualAccountActive: (account, active) => setVirtualAccountActive(parts, account, active),
  },
  play: () => playDeposits(parts),
});

async function openVirtualAccount(
  { db, random, network }: SimulatorParts,
  { idempotencyKey, customer, from, to, address: owner }: Parameters<RailsPartner["openVirtualAccount"]>[0],
): Promise<PartnerAnswer<PartnerVirtualAccount>> {
  const before = await db
    .selectFrom("simulated_virtual_account")
    .selectAll()
    .where("operation_key", "=", idempotencyKey)
    .executeTakeFirst();
  if (before !== undefined) return { ok: true, value: showAccount(before) };
  const refused = await findRefusal(db, customer, from, to);
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
      created_at: BigInt(Math.floor(network.clock.now())),
    })
    .onConflict((conflict) => conflict.column("operation_key").doNothing())
    .execute();
  const made = await db
    .selectFrom("simulated_virtual_account")
    .selectAll()
    .where("operation_key", "=", idempotencyKey)
    .executeTakeFirstOrThrow();
  return { ok: true, value: showAccount(made) };
}

async function findVirtualAccount(
  { db }: SimulatorParts,
  { customer, from, address: owner }: Parameters<RailsPartner["findVirtualAccount"]>[0],
): Promise<PartnerAnswer<PartnerVirtualAccount | null>> {
  const found = await db
    .selectFrom("simulated_virtual_account")
    .selectAll()
    .where("customer_ref", "=", customer)
    .where("currency", "=", from)
    .where("address", "=", owner)
    .orderBy("number")
    .executeTakeFirst();
  return { ok: true, value: found === undefined ? null : showAccount(found) };
}

async function readVirtualAccount(
  { db }: SimulatorParts,
  { customer, ref }: Parameters<RailsPartner["readVirtualAccount"]>[0],
): Promise<PartnerAnswer<PartnerVirtualAccount>> {
  const found = await findSimulatedAccount(db, ref);
  return found?.customer_ref === customer ? { ok: true, value: showAccount(found) } : noAccount;
}

async function listDeposits(
  { db }: SimulatorParts,
  { customer, account: ref, after }: Parameters<RailsPartner["listDeposits"]>[0],
): ReturnType<RailsPartner["listDeposits"]> {
  const account = await findSimulatedAccount(db, ref);
  if (account?.customer_ref !== customer) return noAccount;
  let query = db.selectFrom("simulated_deposit").selectAll().where("account_ref", "=", ref);
  if (after !== null) query = query.where("changed", "<", BigInt(after));
  const rows = await query.orderBy("changed", "desc").limit(pageSize).execute();
  const next = rows.length < pageSize ? null : (rows.at(-1)?.changed.toString() ?? null);
  return { ok: true, value: { deposits: rows.map((row) => showDeposit(account, row)), next } };
}

/** Money arrives; what becomes of it, its cents say. */
async function deposit(
  parts: SimulatorParts,
  ref: string,
  amount: string,
  { rail, askedAs }: NonNullable<Parameters<RailsSimulator["deposit"]>[2]>,
): Promise<PartnerAnswer<Deposit>> {
  const { db } = parts;
  const account = await findSimulatedAccount(db, ref);
  if (account === undefined) return noAccount;
  const payIn = simulatedPayIns.find(({ from }) => from === account.currency);
  assertOurs(payIn, "an account is opened in a supported currency");
  const by = rail ?? payIn.rails[0];
  const cents = parseCents(amount);
  if (cents === undefined || cents === 0n || cents > limits.simulatedPaymentMaxCents) {
    return refuse("amount_out_of_range", "the amount is not a decimal above zero, or too much");
  }
  if (by === undefined || !payIn.rails.includes(by)) {
    return refuse("unsupported_pair", `${account.currency} does not arrive by ${by}`);
  }
  const before = await findAsked(db, ref, askedAs);
  if (before !== undefined) return { ok: true, value: showDeposit(account, before) };
  if (account.status !== "activated") return refuse("wrong_state", "the account is deactivated");
  const made = await insertDeposit(parts, ref, { cents, rail: by, askedAs });
  const stands = made ?? (await findAsked(db, ref, askedAs));
  assertOurs(stands, "a deposit is there when it could not be made a second time");
  return { ok: true, value: showDeposit(account, stands) };
}

/** The deposit that an earlier request of the same name made. */
async function findAsked(db: Db, account: string, askedAs: string | undefined): Promise<Money | undefined> {
  if (askedAs === undefined) return undefined;
  return db
    .selectFrom("simulated_deposit")
    .selectAll()
    .where("account_ref", "=", account)
    .where("asked_as", "=", askedAs)
    .executeTakeFirst();
}

/** Undefined: another request of the same name was faster. */
async function insertDeposit(
  { db, random, network, pace }: SimulatorParts,
  ref: string,
  { cents, rail, askedAs }: { readonly cents: bigint; readonly rail: BankRail; readonly askedAs: string | undefined },
): Promise<Money | undefined> {
  const at = Math.floor(network.clock.now());
  const id = random.uuid();
  const steps = stepsOf(cents, rail, pace, shareOf(id));
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto("simulated_deposit")
      .values({
        ref: id,
        account_ref: ref,
        asked_as: askedAs ?? null,
        amount: formatCents(cents),
        rail,
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
    if (row !== undefined) await reportNews(trx, network.name, [{ eventId: `${id}/0`, kind: "deposit", ref, at }]);
    return row;
  });
}

async function setVirtualAccountActive(
  { db, random, network }: SimulatorParts,
  ref: string,
  active: boolean,
): Promise<void> {
  const status = active ? "activated" : "deactivated";
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("simulated_virtual_account")
      .set({ status })
      .where("ref", "=", ref)
      .where("status", "<>", status)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await reportNews(trx, network.name, [
      { eventId: random.uuid(), kind: "virtual_account", ref, at: Math.floor(network.clock.now()) },
    ]);
  });
}

const refuse = (reason: Refusal["reason"], forOperator: string): PartnerAnswer<never> => ({
  ok: false,
  refused: { reason, forOperator },
});
const noAccount = refuse("not_found", "there is no such virtual account");

/** The same for a deposit at every time. */
const shareOf = (id: string): number => createHash("sha256").update(id).digest().readUInt32BE(0) / 2 ** 32;

function showAccount(row: SimulatedAccount): PartnerVirtualAccount {
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
