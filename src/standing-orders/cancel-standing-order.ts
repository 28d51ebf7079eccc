import type { Address } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import Type from "typebox";
import { adminQuery, DecisionBody } from "../spending-limits/limit-change.js";
import { findSubmission } from "../submissions/submission-store.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { mayBeSent, needsServiceKey } from "../transactions/overtaking.js";
import { toPreparedFields } from "../transactions/prepared-transaction.js";
import { refuseForGood } from "../transactions/record-submission.js";
import { settleRenewal } from "./mandate.js";
import { prepareMandateChange } from "./order-mandate.js";
import { orderStates } from "./order-states.js";
import { requireOwnSigners } from "./own-signers.js";
import { ChangedOrder, getOwnOrder, ownerOf, showOrder } from "./standing-order.js";
import { changeOrder, endOrder, findOrder, noteRemoval, type StandingOrder } from "./standing-order-store.js";

interface Needs {
  readonly db: Db;
  readonly random: Random;
  readonly log: Log;
}

/** Gaps 42, 70 and 150. */
export const cancelStandingOrder = endpoint(
  {
    operation: "cancelStandingOrder",
    summary: "Cancel a standing order",
    description:
      "Stops the order at once: no new payment starts, and a payment under way gets the outcome that the chain gives it. Where its limit is on chain, " +
      "the answer holds the transaction that removes it, to be signed; until that is confirmed the mandate is " +
      "revocation_pending. Repeating the call prepares it again. Where the mandate is awaited, a vote or a wallet that sends " +
      "the transaction may still give the limit: then the mandate is active, and this endpoint offers the removal. With a " +
      "publishable key `transaction_signers` names wallets of the session, of which one may propose.",
    tag: "Standing orders",
    method: "DELETE",
    path: "/api/service/v1/accounts/{address}/standing-order/{id}",
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
      "forbidden_account",
      "admin_required",
      "account_has_no_admin",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_index_conflict",
      "sponsorship_limit_exceeded",
      "unsupported_fee_config",
      "submission_in_progress",
      "transaction_failed",
      "chain_unavailable",
    ],
  },
  async (needs: Needs, { params, query, body, network, caller }) => {
    const found = await getOwnOrder(needs.db, network, caller.tenantId, params);
    const asAdmin = query.admin === true;
    if (caller.isPublishable) {
      const acting = await getActingAccount(needs.db, network, caller.tenantId, params.address);
      await requireOwnSigners(needs.db, network, caller, acting, { asAdmin, named: body?.transaction_signers });
    }
    // First of all, and whatever becomes of the rest.
    const stopped = await releaseOffer(needs.db, network, await stop(needs.db, network, found));
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const order = await withConfirmedRenewal(needs, network, account, stopped);
    const limit = order.mandate === "revoked" ? undefined : await findLimit(network, account, order);
    if (limit === undefined) return { data: showOrder(network, await noteAbsence(needs.db, network, order)) };
    const { prepared, proposalAddress, transactionIndex } = await prepareMandateChange(
      needs,
      network,
      account,
      { asAdmin, body },
      { remove: limit },
      ({ createdAt }) => noteRemoval(order.id, createdAt, createdAt + limits.mandateChecksApartLeastMs),
    );
    return {
      data: {
        ...showOrder(network, { ...order, mandate: "revocation_pending", updated_at: BigInt(prepared.createdAt) }),
        ...toPreparedFields(prepared),
        ...(proposalAddress === undefined ? {} : { proposal_address: proposalAddress }),
        ...(transactionIndex === undefined ? {} : { transaction_index: Number(transactionIndex) }),
      },
    };
  },
);

/**
 * Keeps an order from paying anything new. The transaction that would give its limit is refused from now on where it cannot
 * land without the service. What has ended already stays as it ended.
 */
async function stop(db: Db, network: Network, order: StandingOrder): Promise<StandingOrder> {
  const now = network.clock.now();
  let present = order;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (orderStates.isFinal(present.status)) return present;
    if (present.status === "pending" && (await needsServiceKey(db, network, present.prepared_id))) {
      await refuseForGood(db, ownerOf(present), present.prepared_id, now);
    }
    const to = { status: "cancelled", reason: "cancelled_by_user" } as const;
    if (await endOrder(db, present, { ...to, attemptAt: now }, now)) {
      return { ...present, ...to, attempt_at: BigInt(now), updated_at: BigInt(now) };
    }
    // The scheduler was faster, or another request: read what it has become.
    const again = await findOrder(db, network, ownerOf(present), present.id);
    if (again === undefined) break;
    present = again;
  }
  throw new TrellisError("submission_in_progress", { message: "The order is being changed. Ask again shortly." });
}

/**
 * Keeps the limit that a stopped order was offered from being submitted, the first one or a new one. Where it was submitted
 * before, is voted on, or may be sent by a wallet, it may still land, and the order stays followed.
 */
async function releaseOffer(db: Db, network: Network, order: StandingOrder): Promise<StandingOrder> {
  // What was offered while the order was being stopped counts as well.
  const present = (await findOrder(db, network, ownerOf(order), order.id)) ?? order;
  const isFirst = present.mandate === "awaited";
  if (!isFirst && present.renewal_limit_address === null) return present;
  const now = network.clock.now();
  if (await mayBeSent(db, network, ownerOf(present), present.prepared_id)) return present;
  await refuseForGood(db, ownerOf(present), present.prepared_id, now);
  if (isFirst) return present;
  if ((await findSubmission(db, present.prepared_id)) !== undefined) return present;
  const to = { renewal_limit_address: null, proposal_address: null };
  return (await changeOrder(db, present, to, now)) ? { ...present, ...to, updated_at: BigInt(now) } : present;
}

/** The order with the new limit that it was offered, where that has landed and no process has noticed. */
async function withConfirmedRenewal(
  needs: Needs,
  network: Network,
  { slot, settings }: ActingAccount,
  order: StandingOrder,
): Promise<StandingOrder> {
  if (order.renewal_limit_address === null) return order;
  const known = { leastSlot: slot, staleTransactionIndex: settings.staleTransactionIndex };
  return (await settleRenewal(needs, network, order, known)).order;
}

/** The limit of the order, if it is there. */
async function findLimit(network: Network, account: ActingAccount, order: StandingOrder): Promise<Address | undefined> {
  const named = [order.spending_limit_address as Address];
  const [found] = await readAccounts(network, named, { leastSlot: account.slot });
  return found?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS ? found.address : undefined;
}

/** Nothing stands on chain. What never stood there may still land; what did is removed. */
async function noteAbsence(db: Db, network: Network, order: StandingOrder): Promise<StandingOrder> {
  if (order.mandate === "awaited" || order.mandate === "revoked") return order;
  const now = network.clock.now();
  const to = { mandate: "revoked", attempt_at: null } as const;
  await changeOrder(db, order, to, now);
  return { ...order, ...to, updated_at: BigInt(now) };
}
