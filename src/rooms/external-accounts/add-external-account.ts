import Type from "typebox";
import { getRails, orUnavailable } from "../../core/rails/ask-partner.js";
import { addExternalAccount as addAtPartner, recordExternalAccount } from "../../core/rails/external-accounts.js";
import { requireCustomer } from "../../core/rails/rail-customer.js";
import type { RailNeeds } from "../../core/rails/rail-needs.js";
import { endpoint } from "../../endpoint.js";
import { TrellisError } from "../../errors.js";
import { getAccountRow } from "../accounts/account-store.js";
import { ExternalAccount, NewExternalAccount, parseDetails, showExternalAccount } from "./external-account.js";

/** A bank account that payments can go to (gap 101). */
export const addExternalAccount = endpoint(
  {
    operation: "addExternalAccount",
    summary: "Add an external account",
    description:
      "Makes a bank account known that payments can go to. Its numbers go to the partner and are not kept; adding the same " +
      "account again answers the one there is.",
    tag: "Rails",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/external-accounts",
    scope: "payments:write",
    environment: "optional",
    params: Type.Object({ address: Type.String() }),
    body: NewExternalAccount,
    refusesNearMisses: true,
    response: { status: 201, envelope: true, schema: ExternalAccount },
    errors: ["account_not_found", "rail_not_available", "kyc_required", "partner_refused", "partner_unavailable"],
  },
  async (needs: RailNeeds, { params: { address }, body, network, caller }) => {
    const rails = getRails(needs, network);
    await getAccountRow(needs.db, { tenantId: caller.tenantId, environment: network.name, address });
    const account = { tenantId: caller.tenantId, environment: network.name, address };
    const { details, last4 } = parseDetails(body);
    const offer = rails.partner.payOuts.find(({ to }) => to === details.currency);
    if (offer === undefined) {
      throw new TrellisError("rail_not_available", {
        field: "currency",
        message: `Accounts in ${details.currency} cannot be paid here.`,
      });
    }
    const { customer, verificationId } = await requireCustomer(needs, network, account, {
      endorsement: offer.endorsement,
    });
    const wanted = { account, partner: rails.partner.name, customer, verificationId, details, last4 };
    const recorded = await recordExternalAccount(needs, network, wanted);
    const row = await orUnavailable(addAtPartner(needs, rails, recorded.id));
    return { data: showExternalAccount(row, needs.keyring) };
  },
);
