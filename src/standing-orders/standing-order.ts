import { TrellisError } from "@trellis/kernel/errors.js";
import { formatUnits } from "@trellis/kernel/money.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, amountText, decimalText, isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { preparedFields } from "../transactions/prepared-transaction.js";
import { WireDestination, WireSource } from "./endpoint-object.js";
import { mandateStates, orderStates } from "./order-states.js";
import { dueOf, frequencies } from "./schedule.js";
import { findOrder, type StandingOrder, scheduleOf } from "./standing-order-store.js";

const dateTime = (description?: string) =>
  Type.String({ format: "date-time", ...(description === undefined ? {} : { description }) });

/** A standing order as every response shows it (interface 2.12, gap 68). */
export const viewOrder = {
  id: uuidText(),
  account: addressText({ description: "The smart account." }),
  status: Type.Enum([...orderStates.all]),
  reason: Type.Optional(Type.String({ description: "Why it is inactive, or was cancelled." })),
  mandate: Type.Enum([...mandateStates.all], {
    description: "What stands on chain: no limit yet, one, one whose removal was asked for, none any more.",
  }),
  amount: amountText({ description: "Of one payment." }),
  ui_amount: decimalText({ description: "The same in whole units." }),
  currency: Type.String(),
  frequency: Type.Enum([...frequencies]),
  period: Type.Enum([...frequencies], { description: "The same as frequency." }),
  payment_rail: Type.String(),
  source: WireSource,
  destination: WireDestination,
  destinations: Type.Array(addressText(), { description: "Who is paid: one owner." }),
  start_date: dateTime("The first due date, in UTC."),
  end_date: Type.Optional(dateTime("Inclusive. Absent: without end.")),
  occurrences: Type.Optional(Type.Integer({ description: "How many due dates there are, where there is an end." })),
  next_execution_date: dateTime("The next due date; the last one known where the order has ended."),
  last_execution_date: Type.Optional(dateTime("When it last paid.")),
  remaining_amount: Type.Optional(
    decimalText({ description: "Base units of all payments that are left, where there is an end." }),
  ),
  spending_limit_address: addressText({ description: "The limit on chain that it is paid out of." }),
  executor_address: addressText({ description: "The only key that may draw on that limit." }),
  proposal_address: Type.Optional(addressText({ description: "Where the limit has to be voted on." })),
  valid_until: dateTime("Until when a pending order waits for its limit."),
  created_at: dateTime(),
  updated_at: dateTime(),
};

const { transaction, transaction_signers, kms_payloads, expires_at, summary, fee } = preparedFields;

/** What is to be signed, where anything is. */
const maybePreparedFields = {
  transaction: Type.Optional(transaction),
  transaction_signers: Type.Optional(transaction_signers),
  kms_payloads: Type.Optional(kms_payloads),
  expires_at: Type.Optional(expires_at),
  summary: Type.Optional(summary),
  fee: Type.Optional(fee),
  transaction_index: Type.Optional(Type.Integer({ description: "Of the proposal." })),
  renewal_limit_address: Type.Optional(addressText({ description: "The limit that takes the old one's place." })),
};

export const WireOrder = Type.Object(viewOrder, { $id: "StandingOrder" });
type WireOrder = Static<typeof WireOrder>;

/** An order as a change of it answers: with what is to be signed, where anything is. */
export const ChangedOrder = Type.Object({ ...viewOrder, ...maybePreparedFields }, { $id: "StandingOrderChange" });

/** The wire form of an order. */
export function showOrder(network: Pick<Network, "currencies">, order: StandingOrder): WireOrder {
  const currency = network.currencies.find(({ mint }) => mint === order.mint);
  const schedule = scheduleOf(order);
  const last = order.occurrences === null ? undefined : dueOf(schedule, order.occurrences - 1);
  const next = Number(order.next_due_at ?? last?.dueAt ?? order.start_at);
  const left = order.next_index === null ? 0 : (order.occurrences ?? 0) - order.next_index;
  return {
    id: order.id,
    account: order.account_address,
    status: order.status,
    ...(order.reason === null ? {} : { reason: order.reason }),
    mandate: order.mandate,
    amount: order.amount,
    ui_amount: currency === undefined ? order.amount : formatUnits(BigInt(order.amount), currency.decimals),
    currency: order.currency,
    frequency: order.frequency,
    period: order.frequency,
    payment_rail: "solana",
    source: JSON.parse(order.source),
    destination: JSON.parse(order.destination),
    destinations: [order.payee],
    start_date: toDateTime(order.start_at),
    ...(order.end_at === null ? {} : { end_date: toDateTime(order.end_at) }),
    ...(order.occurrences === null
      ? {}
      : { occurrences: order.occurrences, remaining_amount: (BigInt(order.amount) * BigInt(left)).toString() }),
    next_execution_date: toDateTime(next),
    ...(order.last_paid_at === null ? {} : { last_execution_date: toDateTime(order.last_paid_at) }),
    spending_limit_address: order.spending_limit_address,
    executor_address: order.executor_address,
    ...(order.proposal_address === null ? {} : { proposal_address: order.proposal_address }),
    valid_until: toDateTime(order.valid_until),
    created_at: toDateTime(order.created_at),
    updated_at: toDateTime(order.updated_at),
  };
}

/** RFC 3339 of an instant in Unix milliseconds. */
export const toDateTime = (instant: bigint | number): string => new Date(Number(instant)).toISOString();

/** Whose an order is, as a prepared transaction has it. */
export const ownerOf = (order: StandingOrder) => ({
  tenantId: order.tenant_id,
  environment: order.environment,
  accountAddress: order.account_address,
});

/** One order of an account of the caller's. Throws `account_not_found`, `standing_order_not_found`. */
export async function getOwnOrder(
  db: Db,
  network: Network,
  tenantId: string,
  { address, id }: { readonly address: string; readonly id: string },
): Promise<StandingOrder> {
  const row = await getAccountRow(db, { tenantId, environment: network.name, address });
  const order = isUuid(id) ? await findOrder(db, network, { tenantId, accountAddress: row.address }, id) : undefined;
  if (order === undefined) throw new TrellisError("standing_order_not_found");
  return order;
}
