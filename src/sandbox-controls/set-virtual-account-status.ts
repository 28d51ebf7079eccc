import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import type { RailNeeds } from "../rails/rail-needs.js";
import { showVirtualAccount, VirtualAccount } from "../rails/virtual-account.js";
import { virtualAccountStates } from "../rails/virtual-account-states.js";
import { isOpened, readVirtualAccountRow } from "../rails/virtual-account-store.js";
import { getSimulated, playOn } from "./simulated-account.js";

/** What a partner decides, in the sandbox (gap 100). */
export const setVirtualAccountStatus = endpoint(
  {
    operation: "sandboxSetVirtualAccountStatus",
    summary: "Activate or deactivate a virtual account",
    description: "As its partner would. A deactivated one takes no money, and what was on its way goes back.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/virtual-accounts/{virtual_account_id}",
    scope: "sandbox:use",
    environment: "sandbox",
    params: Type.Object({ virtual_account_id: uuidText() }),
    body: Type.Object({ status: Type.Enum([...virtualAccountStates.all]) }),
    response: { status: 200, envelope: true, schema: VirtualAccount },
    errors: ["virtual_account_not_found", "rail_not_available", "partner_unavailable"],
  },
  async (needs: RailNeeds, { params, body, network, caller }) => {
    const { simulator, row } = await getSimulated(needs, network, caller.tenantId, params.virtual_account_id);
    await simulator.setVirtualAccountActive(row.partner_ref as PartnerRef, body.status === "activated");
    await playOn(needs, network, row);
    const settled = await readVirtualAccountRow(needs.db, row.id);
    assertOurs(settled !== undefined && isOpened(settled), "what was opened stays opened");
    return { data: showVirtualAccount(needs.keyring, settled) };
  },
);
