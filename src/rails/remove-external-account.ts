import { endpoint } from "@trellis/kernel/endpoint.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { getRails, orUnavailable } from "./ask-partner.js";
import { ExternalAccount, showExternalAccount } from "./external-account.js";
import { getExternalAccount } from "./external-account-store.js";
import { removeExternalAccount as removeAtPartner } from "./external-accounts.js";
import type { RailNeeds } from "./rail-needs.js";

/** Gap 101. */
export const removeExternalAccount = endpoint(
  {
    operation: "removeExternalAccount",
    summary: "Remove an external account",
    description:
      "Forgets a bank account, here and at the partner, and answers it as it was. Payments that were submitted are not " +
      "affected.",
    tag: "Rails",
    method: "DELETE",
    path: "/api/service/v1/accounts/{address}/external-accounts/{id}",
    scope: "payments:write",
    environment: "optional",
    params: Type.Object({ address: addressText(), id: uuidText() }),
    response: { status: 200, envelope: true, schema: ExternalAccount },
    errors: [
      "account_not_found",
      "external_account_not_found",
      "rail_not_available",
      "partner_refused",
      "partner_unavailable",
    ],
  },
  async (needs: RailNeeds, { params: { address, id }, network, caller }) => {
    const rails = getRails(needs, network);
    const account = { tenantId: caller.tenantId, environment: network.name, address };
    await getAccountRow(needs.db, account);
    // A repetition after an answer that was lost finds one that is being removed.
    const row = await getExternalAccount(needs.db, account, id, { evenRemoved: true });
    await orUnavailable(removeAtPartner(needs, network, rails, row.id));
    return { data: { ...showExternalAccount(row, needs.keyring), active: false } };
  },
);
