import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getRails, orUnavailable } from "../rails/ask-partner.js";
import { payoutAddressStates } from "../rails/payout-address-states.js";
import { payoutAddressKind } from "../rails/payout-addresses.js";
import type { RailNeeds } from "../rails/rail-needs.js";

/** What a partner decides, in the sandbox (gap 133). */
export const closePayoutAddresses = endpoint(
  {
    operation: "sandboxClosePayoutAddresses",
    summary: "Close the payout addresses of a bank account",
    description:
      "As its partner would: standing orders that pay there become inactive, and the next one to the bank account has another " +
      "address opened. What is sent to a closed one goes back. Closed ones stay closed.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/external-accounts/{external_account_id}/payout-addresses",
    scope: "sandbox:use",
    environment: "sandbox",
    params: Type.Object({ external_account_id: uuidText() }),
    body: Type.Object({ status: Type.Enum(["deactivated"]) }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Array(
        Type.Object(
          { address: addressText(), status: Type.Enum([...payoutAddressStates.all]) },
          { $id: "PayoutAddress", description: "Where standing orders to a bank account pay on chain." },
        ),
      ),
    },
    errors: ["external_account_not_found", "rail_not_available", "partner_unavailable"],
  },
  async (needs: RailNeeds, { params: { external_account_id: id }, network, caller }) => {
    const rails = getRails(needs, network);
    const { partner, simulator } = rails;
    if (simulator === undefined) throw new TrellisError("rail_not_available");
    const isKnown = /^[0-9a-f-]{36}$/.test(id)
      ? await needs.db
          .selectFrom("rail_external_account")
          .select("id")
          .where("id", "=", id)
          .where("tenant_id", "=", caller.tenantId)
          .where("environment", "=", network.name)
          .where("partner", "=", partner.name)
          .where("partner_ref", "is not", null)
          .where("removed_at", "is", null)
          .executeTakeFirst()
      : undefined;
    if (isKnown === undefined) throw new TrellisError("external_account_not_found");
    const find = () =>
      needs.db
        .selectFrom("rail_payout_address")
        .select(["id", "partner_ref", "address", "status"])
        .where("external_account_id", "=", id)
        .where("partner_ref", "is not", null)
        .orderBy("created_at")
        // The one in force has no end, and comes last.
        .orderBy("retired_at")
        .orderBy("id")
        .execute();
    for (const place of await find()) {
      await simulator.closePayoutAddress(place.partner_ref as PartnerRef);
      // Its news may have been followed in vain by an attempt that broke off, or not be followed yet.
      await orUnavailable(payoutAddressKind.poll(needs, network, rails, place.id));
    }
    const data = (await find()).flatMap(({ address, status }) =>
      address === null || status === null ? [] : [{ address, status }],
    );
    return { data };
  },
);
