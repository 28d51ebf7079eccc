import type { Address } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { parseBaseUnits } from "@trellis/kernel/money.js";
import type { StandingOrderTable } from "@trellis/kernel/ports/database.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import { addressText, amountText } from "@trellis/kernel/wire-texts.js";
import { getCurrency } from "@trellis/solana/currency.js";
import Type from "typebox";
import { obstacleCodes } from "../payees/obstacle.js";
import { getRails } from "../rails/ask-partner.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { adminQuery, decisionFields } from "../spending-limits/limit-change.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { memoWordsRefused } from "../transactions/payment-memo.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { trustOf } from "../transactions/require-payable.js";
import { openBankPayee } from "./bank-payee.js";
import { checkPayee } from "./check-payee.js";
import {
  parseDestination,
  parseSource,
  RequestedDestination,
  type RequestedPayee,
  RequestedSource,
  showBank,
  showDestination,
  showSource,
} from "./endpoint-object.js";
import { addressOfLimit, limitFor, prepareMandateChange, requireExecutor } from "./order-mandate.js";
import { requireOwnSigners } from "./own-signers.js";
import { expirationOf, frequencyNames, parseDates } from "./parse-dates.js";
import { dueOf, type Schedule } from "./schedule.js";
import { showOrder, toDateTime, viewOrder } from "./standing-order.js";
import {
  insertOrder,
  isOutOfPlaces,
  isPayeeForgotten,
  type NewStandingOrder,
  takingPlace,
} from "./standing-order-store.js";

/** How many due dates the answer names. */
const datesView = 5;

/** Interface 4.8, gaps 42 and 66. */
export const createStandingOrder = endpoint(
  {
    operation: "createStandingOrder",
    summary: "Create a standing order",
    description:
      "Prepares the spending limit on chain within which the service's executor pays one payee, and no other. The order " +
      "is active once the limit is there. Where the payee is a bank account, the partner opens an address that passes coins " +
      "on to it, and the limit names that one. Where the account's signers cannot act at once, the limit is prepared as a " +
      "proposal, and the order is pending until that is executed. With a publishable key the payee is on chain, and " +
      "`transaction_signers` names wallets of the session.",
    tag: "Standing orders",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/standing-order-intent",
    scope: "payments:write",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: adminQuery,
    body: Type.Object({
      amount: amountText({ description: "Of one payment." }),
      frequency: Type.Enum([...frequencyNames]),
      source: RequestedSource,
      destination: RequestedDestination,
      start_date: Type.Optional(
        Type.String({
          description: "The first due date: a date-time with its zone. Absent: now.",
          format: "date-time",
        }),
      ),
      end_date: Type.Optional(
        Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
          description: "A due date exactly then is still paid. Absent: without end.",
        }),
      ),
      grid_user_id: Type.Optional(Type.String()),
      ...decisionFields,
    }),
    refusesNearMisses: true,
    refusesFields: memoWordsRefused("a standing order pays out of a spending limit, which carries no memo"),
    preparesOnly: true,
    response: {
      status: 201,
      envelope: true,
      schema: Type.Object({
        ...viewOrder,
        next_execution_dates: Type.Array(Type.String({ format: "date-time" }), { description: "The first due dates." }),
        transaction_index: Type.Optional(Type.Integer({ description: "Of the proposal." })),
        ...preparedFields,
      }),
    },
    errors: [
      "account_not_found",
      "secret_key_required",
      "standing_orders_not_available",
      "standing_order_limit_exceeded",
      "start_date_in_past",
      "invalid_amount",
      ...obstacleCodes,
      "rail_not_available",
      "kyc_required",
      "external_account_not_found",
      "partner_refused",
      "partner_unavailable",
      "admin_required",
      "account_has_no_admin",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_index_conflict",
      "rent_not_sponsored",
      "sponsorship_limit_exceeded",
      "unsupported_fee_config",
      "transaction_too_large",
      "transaction_failed",
      "chain_unavailable",
    ],
  },
  async (needs: RailNeeds, { params, query, body, network, caller }) => {
    const executor = requireExecutor(network);
    const now = network.clock.now();
    const amountBaseUnits = parseBaseUnits(body.amount, "amount");
    const symbol = parseSource(body.source, params.address);
    const destination = parseDestination(body.destination);
    if (caller.isPublishable && destination.bank !== undefined) {
      throw new TrellisError("secret_key_required", {
        field: "destination",
        message: "With a publishable key a standing order pays an address on chain.",
      });
    }
    if (destination.bank === undefined) requireCurrency(network, symbol, destination.currency);
    else getRails(needs, network);
    const { schedule, occurrences } = parseDates(body, now);
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const asAdmin = query.admin === true;
    if (caller.isPublishable) {
      await requireOwnSigners(needs.db, network, caller, account, { asAdmin, named: body.transaction_signers });
    }
    const payee = await getPayee(needs, network, account, { symbol, destination, amountBaseUnits });
    const { currency } = payee;

    const bounds = occurrences === null ? null : { occurrences, expiration: expirationOf(schedule, occurrences) };
    const { mint } = currency;
    const { frequency } = schedule;
    const add = limitFor(needs.random, {
      executor: executor.address,
      payee: payee.address,
      mint,
      amountBaseUnits,
      frequency,
      bounds,
    });
    const base = {
      id: needs.random.uuid(),
      tenant_id: caller.tenantId,
      environment: network.name,
      account_address: account.row.address,
      settings_address: account.row.settings_address,
      amount: amountBaseUnits.toString(),
      currency: currency.symbol,
      mint,
      frequency,
      source: JSON.stringify(showSource(account.row.address, currency.symbol)),
      destination: JSON.stringify(payee.wire),
      payee: payee.address,
      payout_address_id: payee.payoutAddressId,
      start_at: BigInt(schedule.startAt),
      end_at: schedule.endAt === null ? null : BigInt(schedule.endAt),
      occurrences,
      executor_address: executor.address,
      spending_limit_address: addressOfLimit(account, add),
      limit_expires_at: bounds?.expiration ?? null,
    };
    let made = undefined as NewStandingOrder | undefined;
    const change = await takingPlace(() =>
      prepareMandateChange(
        needs,
        network,
        account,
        { asAdmin, body },
        { add },
        ({ createdAt, expiresAt }, proposalAddress) => {
          const voted = Math.min(
            createdAt + limits.standingOrderProposalWaitMs,
            schedule.endAt ?? Number.POSITIVE_INFINITY,
          );
          made = {
            ...base,
            proposal_address: proposalAddress ?? null,
            valid_until: BigInt(proposalAddress === undefined ? expiresAt : voted),
            created_at: BigInt(createdAt),
          };
          return insertOrder(made, createdAt + limits.mandateChecksApartLeastMs);
        },
      ),
    ).catch((error: unknown) => {
      if (isPayeeForgotten(error)) {
        throw new TrellisError("external_account_not_found", { field: "destination.external_account_id" });
      }
      throw isOutOfPlaces(error) ? tooMany() : error;
    });
    const { prepared, transactionIndex } = change;
    assertOurs(made, "an order is remembered with its transaction");
    return {
      data: {
        ...showOrder(network, asPending(made, prepared.id)),
        next_execution_dates: firstDates(schedule),
        ...(transactionIndex === undefined ? {} : { transaction_index: Number(transactionIndex) }),
        ...toPreparedFields(prepared),
      },
    };
  },
);

/** Who is paid on chain, in what, and how the payee is displayed. */
interface Payee {
  readonly address: Address;
  readonly currency: Currency;
  readonly payoutAddressId: string | null;
  readonly wire: ReturnType<typeof showDestination>;
}

async function getPayee(
  needs: RailNeeds,
  network: Network,
  account: ActingAccount,
  wanted: {
    readonly symbol: string | undefined;
    readonly destination: RequestedPayee;
    readonly amountBaseUnits: bigint;
  },
): Promise<Payee> {
  const { symbol, destination, amountBaseUnits } = wanted;
  if (destination.bank !== undefined) {
    const bank = await openBankPayee(needs, network, account, { symbol, amountBaseUnits, bank: destination.bank });
    return { ...bank, wire: showBank(bank) };
  }
  const currency = requireCurrency(network, symbol, destination.currency);
  const { address, isConfirmed } = destination;
  const trust = trustOf(needs.db, network, isConfirmed, "destination.confirm_program_address");
  await checkPayee(network, account, address, currency, amountBaseUnits, trust);
  return { address, currency, payoutAddressId: null, wire: showDestination(address, currency.symbol) };
}

/** Both ends name the same currency, or one of them does. */
function requireCurrency(network: Network, source: string | undefined, destination: string | undefined) {
  const named = source ?? destination;
  if (named === undefined) {
    throw new TrellisError("invalid_request", { field: "source.currency", message: "Name the currency to pay in." });
  }
  const currency = getCurrency(network, named, source === undefined ? "destination.currency" : "source.currency");
  if (destination === undefined || getCurrency(network, destination, "destination.currency").mint === currency.mint) {
    return currency;
  }
  throw new TrellisError("unsupported_currency", {
    field: "destination.currency",
    message: "Currencies are not converted: the destination's currency must be the source's.",
  });
}

function tooMany(): TrellisError {
  return new TrellisError("standing_order_limit_exceeded", {
    message: `The account has ${limits.standingOrdersOpenMax} pending and active standing orders, as many as it may.`,
  });
}

/** The row as it was inserted. */
function asPending(order: NewStandingOrder, preparedId: string): StandingOrderTable {
  return {
    ...order,
    status: "pending",
    reason: null,
    suspended_for: null,
    suspended_from: null,
    mandate: "awaited",
    mandated_at: null,
    next_index: 0,
    next_due_at: order.start_at,
    attempt_at: null,
    leased_until: null,
    missed_in_a_row: 0,
    last_paid_at: null,
    removal_prepared_id: null,
    renewal_limit_address: null,
    place: 0,
    prepared_id: preparedId,
    updated_at: order.created_at,
  };
}

function firstDates(schedule: Schedule): string[] {
  return Array.from({ length: datesView }, (_, index) => dueOf(schedule, index)).flatMap((due) =>
    due === undefined ? [] : [toDateTime(due.dueAt)],
  );
}
