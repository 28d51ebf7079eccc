import type { Address } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import { Period, SMART_ACCOUNT_PROGRAM_ADDRESS, type SpendingLimit } from "@trellis/program-client";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import Type from "typebox";
import type { RailNeeds } from "../rails/rail-needs.js";
import { adminQuery, DecisionBody } from "../spending-limits/limit-change.js";
import { isOpenSubmission } from "../submissions/submission-states.js";
import { findSubmission } from "../submissions/submission-store.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { mayBeSent } from "../transactions/overtaking.js";
import { toPreparedFields } from "../transactions/prepared-transaction.js";
import { refuseForGood } from "../transactions/record-submission.js";
import { requireBankPayee } from "./bank-payee.js";
import { mandateOf, settleRenewal } from "./mandate.js";
import { addressOfLimit, limitFor, prepareMandateChange, requireExecutor } from "./order-mandate.js";
import { requireOwnSigners } from "./own-signers.js";
import { expirationOf } from "./parse-dates.js";
import { firstDueFrom } from "./schedule.js";
import { ChangedOrder, getOwnOrder, ownerOf, showOrder } from "./standing-order.js";
import {
  freePlaceLeft,
  isRenewalOf,
  noteRenewal,
  resumeOrder,
  type StandingOrder,
  scheduleOf,
  suspended,
} from "./standing-order-store.js";

/** Gaps 71 and 230. */
export const resumeStandingOrder = endpoint(
  {
    operation: "resumeStandingOrder",
    summary: "Resume a standing order",
    description:
      "Resumes an inactive order at its next due date; due dates that passed meanwhile are not paid any more. Where its " +
      "limit was removed, has expired or names another executor, the answer holds the transaction that gives a new one and " +
      "removes the old, and the order resumes when that is confirmed. With a publishable key it always does, so that a signature " +
      "is needed, the payee is on chain, and `transaction_signers` names wallets of the session, of which one may propose.",
    tag: "Standing orders",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/standing-order/{id}/resume",
    scope: "payments:write",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), id: uuidText() }),
    query: adminQuery,
    body: DecisionBody,
    bodyMayBeAbsent: true,
    refusesNearMisses: true,
    preparesOnly: true,
    response: { status: 200, envelope: true, schema: ChangedOrder },
    errors: [
      "account_not_found",
      "secret_key_required",
      "standing_order_not_found",
      "standing_orders_not_available",
      "invalid_standing_order_status",
      "standing_order_limit_exceeded",
      "submission_in_progress",
      "invalid_amount",
      "kyc_required",
      "external_account_not_found",
      "rail_not_available",
      "partner_refused",
      "partner_unavailable",
      "forbidden_account",
      "admin_required",
      "account_has_no_admin",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_index_conflict",
      "rent_not_sponsored",
      "sponsorship_limit_exceeded",
      "unsupported_fee_config",
      "transaction_failed",
      "chain_unavailable",
    ],
  },
  async (needs: RailNeeds, { params, query, body, network, caller }) => {
    const found = await getOwnOrder(needs.db, network, caller.tenantId, params);
    // A caller that repeats it because the answer was lost gets how it stands.
    if (isGoingOn(found)) return { data: showOrder(network, found) };
    requireInactive(found);
    const executor = requireExecutor(network);
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const asAdmin = query.admin === true;
    if (caller.isPublishable) {
      if (found.payout_address_id !== null) {
        throw new TrellisError("secret_key_required", {
          message: "With a publishable key a standing order pays an address on chain.",
        });
      }
      await requireOwnSigners(needs.db, network, caller, account, { asAdmin, named: body?.transaction_signers });
    }
    const order = await endFormerRenewal(needs, network, account, found);
    if (isGoingOn(order)) return { data: showOrder(network, order) };
    requireInactive(order);
    await requireBankPayee(needs, network, account, order);
    const now = network.clock.now();
    const [held] = await readAccounts(network, [order.spending_limit_address as Address], { leastSlot: account.slot });
    const limit = mandateOf(order, executor.address, held);
    const next = firstDueFrom(scheduleOf(order), now);
    // What shows a session's token and signs nothing starts no payments (gap 230).
    const mayDoWithout = !caller.isPublishable;
    const isGood =
      mayDoWithout && limit !== undefined && next !== undefined && pays(limit, BigInt(order.amount), next.dueAt);
    if (isGood || next === undefined) {
      const mandate = limit === undefined ? {} : ({ mandate: "active" } as const);
      const resumed = await resumeOrder(needs.db, order, { ...mandate, renewal_limit_address: null }, now, now);
      if (!resumed) throw await whyNot(needs.db, order);
      return { data: showOrder(network, await getOwnOrder(needs.db, network, caller.tenantId, params)) };
    }
    if (!(await freePlaceLeft(needs.db, order))) throw tooMany();
    const left = order.occurrences === null ? null : order.occurrences - next.index;
    const add = limitFor(needs.random, {
      executor: executor.address,
      payee: order.payee as Address,
      mint: order.mint as Address | null,
      amountBaseUnits: BigInt(order.amount),
      frequency: order.frequency,
      bounds:
        left === null || order.occurrences === null
          ? null
          : { occurrences: left, expiration: expirationOf(scheduleOf(order), order.occurrences) },
    });
    const isHeld = held?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS;
    const { prepared, proposalAddress, transactionIndex } = await prepareMandateChange(
      needs,
      network,
      account,
      { asAdmin, body },
      { add, ...(isHeld ? { remove: held.address } : {}) },
      ({ createdAt }, votedOnAt) =>
        noteRenewal(
          order,
          { limitAddress: addressOfLimit(account, add), proposalAddress: votedOnAt },
          createdAt,
          createdAt + limits.mandateChecksApartLeastMs,
        ),
    );
    // Stopped meanwhile, or offered another limit: this one must not land beside it.
    if (!(await isRenewalOf(needs.db, order.id, prepared.id))) {
      await refuseForGood(needs.db, ownerOf(order), prepared.id, network.clock.now());
      throw changedMeanwhile();
    }
    return {
      data: {
        ...showOrder(network, order),
        renewal_limit_address: addressOfLimit(account, add),
        ...toPreparedFields(prepared),
        ...(proposalAddress === undefined ? {} : { proposal_address: proposalAddress }),
        ...(transactionIndex === undefined ? {} : { transaction_index: Number(transactionIndex) }),
      },
    };
  },
);

const isGoingOn = ({ status }: StandingOrder): boolean => status === "active" || status === "completed";

function requireInactive({ status, reason }: StandingOrder): void {
  if (status === "inactive" && reason === suspended) {
    throw new TrellisError("invalid_standing_order_status", {
      message:
        "The operator of this service has suspended the standing order. It can be cancelled; it resumes when the operator " +
        "has released it.",
      facts: { status, reason },
    });
  }
  if (status === "inactive") return;
  throw new TrellisError("invalid_standing_order_status", {
    message: `The standing order is ${status}; only an inactive one is resumed.`,
    facts: { status },
  });
}

/**
 * Makes sure that the limit an order was offered before can no longer land, so that there are never two; returns how the order
 * stands then, which resumes where that limit has landed already. What was not submitted by now never is.
 *
 * Throws `submission_in_progress` while it may still land, by a submission or by an open vote.
 */
async function endFormerRenewal(
  needs: Pick<RailNeeds, "db" | "log">,
  network: Network,
  { slot, settings }: ActingAccount,
  order: StandingOrder,
): Promise<StandingOrder> {
  const { db } = needs;
  if (order.renewal_limit_address === null) return order;
  if (await mayBeSent(db, network, ownerOf(order), order.prepared_id)) {
    throw new TrellisError("submission_in_progress", {
      message:
        "A wallet may have sent the transaction that gives the order's new limit, as its fee payer is yours. Ask again in some minutes.",
    });
  }
  await refuseForGood(db, ownerOf(order), order.prepared_id, network.clock.now());
  const submission = await findSubmission(db, order.prepared_id);
  if (isOpenSubmission(submission)) {
    throw new TrellisError("submission_in_progress", {
      message: "The order's new limit is being submitted. Ask again shortly.",
    });
  }
  const confirmedAt = submission?.slot ?? 0n;
  const known = {
    leastSlot: confirmedAt > slot ? confirmedAt : slot,
    staleTransactionIndex: settings.staleTransactionIndex,
  };
  const settled = await settleRenewal(needs, network, order, known);
  // A request at the same time has ended the same offer and made another, which this request has not ended.
  if (settled.order.prepared_id !== order.prepared_id) throw changedMeanwhile();
  if (settled.isVoteOpen && settled.order.status === "inactive") {
    throw new TrellisError("submission_in_progress", {
      message: "A vote on the order's new limit is open. Bring it to its end, or reject it, and ask again.",
    });
  }
  return settled.order;
}

/** Whether a limit is of use at `at`, Unix milliseconds, even if it has to be full again first. */
function pays(limit: SpendingLimit, amount: bigint, at: number): boolean {
  const holds = limit.period === Period.OneTime ? limit.remainingBaseUnits : limit.amountBaseUnits;
  return holds >= amount && (limit.expiration === null || Number(limit.expiration) * 1000 > at);
}

async function whyNot(db: Db, order: StandingOrder): Promise<TrellisError> {
  if (!(await freePlaceLeft(db, order))) return tooMany();
  return new TrellisError("submission_in_progress", {
    message: "A payment of this order is under way, or the order was changed just now. Ask again shortly.",
  });
}

function changedMeanwhile(): TrellisError {
  return new TrellisError("submission_in_progress", { message: "The order was changed just now. Ask again shortly." });
}

function tooMany(): TrellisError {
  return new TrellisError("standing_order_limit_exceeded");
}
