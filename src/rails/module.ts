import { limits } from "@trellis/kernel/limits.js";
import type { Module, SealedColumn } from "@trellis/kernel/module.js";
import { depositEvents } from "./deposit-event.js";
import { depositStates } from "./deposit-states.js";
import { senderContext } from "./deposit-store.js";
import { externalAccountEvents } from "./external-account-event.js";
import { detailsContext, viewContext } from "./external-account-store.js";
import { followRails } from "./follow-rails.js";
import { kycEvents } from "./kyc-event.js";
import { payoutAddressStates } from "./payout-address-states.js";
import { payoutReasonContext, payoutReceiptContext, sealOldPayouts } from "./payouts.js";
import type { RailNeeds } from "./rail-needs.js";
import { transferStates } from "./transfer-states.js";
import {
  receiptContext,
  referenceContext,
  returnReasonContext,
  sealOldTransfers,
  instructionsContext as transferInstructionsContext,
} from "./transfer-store.js";
import { termsStates, verificationStates } from "./verification-states.js";
import { personContext, reportedContext } from "./verification-store.js";
import { virtualAccountEvents } from "./virtual-account-event.js";
import { virtualAccountStates } from "./virtual-account-states.js";
import { instructionsContext } from "./virtual-account-store.js";

const { kept } = limits;

const sealedById = (table: string, column: string, contextOf: (id: string) => string): SealedColumn => ({
  table,
  column,
  key: ["id"],
  contextOf: ({ id }) => contextOf(String(id)),
});

export const rails: Module<RailNeeds> = {
  name: "rails",
  events: { ...depositEvents, ...externalAccountEvents, ...kycEvents, ...virtualAccountEvents },
  passes: (needs, network) =>
    needs.rails.has(network.name)
      ? [{ name: "follow_rails", everyMs: limits.followRailsEveryMs, run: () => followRails(needs, network) }]
      : [],
  states: [
    { table: "rail_verification", column: "status", states: verificationStates },
    { table: "rail_verification", column: "terms", states: termsStates },
    { table: "rail_virtual_account", column: "status", states: virtualAccountStates },
    { table: "rail_deposit", column: "state", states: depositStates },
    { table: "rail_transfer", column: "state", states: transferStates },
    { table: "rail_payout_address", column: "status", states: payoutAddressStates },
    { table: "rail_payout", column: "state", states: transferStates },
  ],
  sealedColumns: [
    sealedById("rail_verification", "person", personContext),
    sealedById("rail_verification", "told", reportedContext),
    sealedById("rail_virtual_account", "instructions", instructionsContext),
    {
      table: "rail_deposit",
      column: "sender",
      key: ["virtual_account_id", "partner_ref"],
      contextOf: (row) => senderContext(String(row.virtual_account_id), String(row.partner_ref)),
    },
    sealedById("rail_external_account", "details", detailsContext),
    sealedById("rail_external_account", "shown", viewContext),
    sealedById("rail_transfer", "instructions", transferInstructionsContext),
    sealedById("rail_transfer", "sealed_receipt", receiptContext),
    sealedById("rail_transfer", "sealed_reference", referenceContext),
    sealedById("rail_transfer", "sealed_return_reason", returnReasonContext),
    {
      table: "rail_payout",
      column: "receipt",
      key: ["payout_address_id", "partner_ref"],
      contextOf: (row) => payoutReceiptContext(String(row.payout_address_id), String(row.partner_ref)),
    },
    {
      table: "rail_payout",
      column: "sealed_return_reason",
      key: ["payout_address_id", "partner_ref"],
      contextOf: (row) => payoutReasonContext(String(row.payout_address_id), String(row.partner_ref)),
    },
  ],
  retention: [
    // Done or not: what it is about is refreshed from time to time anyhow.
    { table: "rail_notice", since: "received_at", keptMs: kept.railNoticeMs, clock: "real" },
    ...(["rail_verification", "rail_virtual_account", "rail_payout_address"] as const).map((table) => ({
      table,
      since: "created_at",
      keptMs: kept.unansweredVerificationMs,
      clock: "environment" as const,
      only: "partner_ref is null",
    })),
    { table: "rail_payout", since: "created_at", keptMs: kept.railTransferMs, clock: "environment" },
    {
      table: "rail_external_account",
      since: "operation_begun_at",
      keptMs: kept.unansweredExternalAccountMs,
      clock: "real",
      only: "partner_ref is null",
    },
    { table: "rail_transfer", since: "created_at", keptMs: kept.railTransferMs, clock: "environment" },
  ],
  // What earlier releases kept in clear.
  sweep: async (needs) => {
    await sealOldTransfers(needs);
    await sealOldPayouts(needs);
  },
};
