import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type PartnerRef, railTransferStates } from "@trellis/kernel/ports/rails.js";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getRails, orUnavailable } from "../rails/ask-partner.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { transferKind } from "../rails/transfers.js";

/** Has the simulated partner move a transfer (gaps 49, 104). */
export const moveSandboxTransfer = endpoint(
  {
    operation: "sandboxMoveTransfer",
    summary: "Move a transfer of the simulated partner",
    description:
      "Lets the money of a payment from a bank arrive (`funds_received`), or the bank decide about one. It takes the states " +
      "in between, and really pays, or gives back, on the sandbox's chain.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/transfers/{id}",
    scope: "sandbox:use",
    environment: "sandbox",
    params: Type.Object({ id: uuidText({ description: "Of the payment intent." }) }),
    body: Type.Object({ state: Type.Enum([...railTransferStates]) }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({ id: uuidText(), state: Type.Enum([...railTransferStates]) }),
    },
    errors: ["rail_not_available", "rail_transfer_not_found", "partner_unavailable"],
  },
  async (needs: RailNeeds, { params: { id }, body, network, caller }) => {
    const rails = getRails(needs, network);
    const { partner, simulator } = rails;
    if (simulator === undefined) throw new TrellisError("rail_not_available");
    const find = () =>
      needs.db
        .selectFrom("rail_transfer")
        .select(["partner_ref", "state"])
        .where("id", "=", id)
        .where("tenant_id", "=", caller.tenantId)
        .where("environment", "=", network.name)
        .where("partner", "=", partner.name)
        .executeTakeFirst();
    const row = /^[0-9a-f-]{36}$/.test(id) ? await find() : undefined;
    if (row === undefined || row.partner_ref === null) throw new TrellisError("rail_transfer_not_found");
    if (!(await simulator.setTransfer(row.partner_ref as PartnerRef, body.state))) {
      throw new TrellisError("invalid_request", {
        field: "state",
        message: `It cannot become ${body.state} from its present state.`,
        suggestion: "The money of a payment to a bank has to be on chain first, and what is final stays so.",
      });
    }
    // Its news may have been followed in vain by an attempt that broke off, or not be followed yet.
    await orUnavailable(transferKind.poll(needs, network, rails, id));
    const { state } = (await find()) ?? row;
    return { data: { id, state: state as (typeof railTransferStates)[number] } };
  },
);
