import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { getRails, orUnavailable } from "./ask-partner.js";
import { ExternalAccount, NewExternalAccount, parseDetails, showExternalAccount } from "./external-account.js";
import { type ExternalAccountRow, recordExternalAccount } from "./external-account-store.js";
import { addExternalAccount as addAtPartner, removeExternalAccount } from "./external-accounts.js";
import { requireCustomer } from "./rail-customer.js";
import type { RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";

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
    params: Type.Object({ address: addressText() }),
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
    let recorded = await recordExternalAccount(needs, network, wanted);
    if (recorded.customer_ref !== customer && !(await isStillCustomer(needs, network, account, offer, recorded))) {
      // It was added under a name at the partner that is good no more: it is added anew under the one that is.
      await orUnavailable(removeExternalAccount(needs, network, rails, recorded.id)).catch((error: unknown) => {
        // The removal is noted, and a pass brings it to its end.
        if (!(error instanceof TrellisError)) throw error;
      });
      recorded = await recordExternalAccount(needs, network, wanted);
    }
    const row = await orUnavailable(addAtPartner(needs, network, rails, recorded.id));
    return { data: showExternalAccount(row, needs.keyring) };
  },
);

/** Whether the person under whose name at the partner it was added may still use it. */
async function isStillCustomer(
  needs: RailNeeds,
  network: Network,
  account: RailAccount,
  { endorsement }: { readonly endorsement: string },
  { customer_ref: customer }: ExternalAccountRow,
): Promise<boolean> {
  try {
    await requireCustomer(needs, network, account, { endorsement, customer });
    return true;
  } catch (error) {
    if (error instanceof TrellisError && error.code === "kyc_required") return false;
    throw error;
  }
}
