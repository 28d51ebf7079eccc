import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { virtualAccountQuery } from "../rails/list-virtual-accounts.js";
import { openVirtualAccount, type RequestNeeds, requestBody, requestErrors } from "../rails/request-virtual-account.js";
import { LegacyVirtualAccount, showLegacyVirtualAccount } from "../rails/virtual-account.js";
import { listVirtualAccounts } from "../rails/virtual-account-store.js";

const path = "/api/v0/service/smart-accounts/{smart_account_address}/virtual-accounts";
const params = Type.Object({ smart_account_address: addressText() });

/** Interface 2.14 and 4.16. */
export const requestLegacyVirtualAccount = endpoint(
  {
    operation: "requestLegacyVirtualAccount",
    summary: "Request a virtual account (v0)",
    description: "The older form of POST /api/service/v1/accounts/{address}/virtual-account.",
    tag: "Legacy",
    method: "POST",
    path,
    scope: "virtual-accounts:write",
    environment: "optional",
    params,
    body: requestBody,
    response: { status: 201, envelope: false, schema: LegacyVirtualAccount },
    errors: [...requestErrors],
  },
  async (needs: RequestNeeds, { params: { smart_account_address: address }, body, network, caller, operationId }) => {
    const row = await openVirtualAccount(needs, network, {
      tenantId: caller.tenantId,
      address,
      currency: body.currency,
      userId: body.grid_user_id,
      askedAs: operationId,
    });
    return { data: showLegacyVirtualAccount(needs.keyring, row) };
  },
);

/** Gap 44. A bare array. */
export const listLegacyVirtualAccounts = endpoint(
  {
    operation: "listLegacyVirtualAccounts",
    summary: "List virtual accounts (v0)",
    description: "The older form of GET /api/service/v1/accounts/{address}/virtual-accounts.",
    tag: "Legacy",
    method: "GET",
    path,
    scope: "virtual-accounts:read",
    environment: "optional",
    params,
    query: virtualAccountQuery,
    response: { status: 200, envelope: false, schema: Type.Array(LegacyVirtualAccount) },
    errors: ["account_not_found"],
  },
  async (
    needs: { readonly db: Db; readonly keyring: Keyring },
    { params: { smart_account_address }, query, ...call },
  ) => {
    const { db, keyring } = needs;
    const owner = { tenantId: call.caller.tenantId, environment: call.network.name };
    const { address } = await getAccountRow(db, { ...owner, address: smart_account_address });
    const rows = await listVirtualAccounts(
      db,
      { ...owner, address },
      {
        currency: query.source_currency?.toLowerCase(),
        coin: query.destination_currency?.toLowerCase(),
        status: query.status,
      },
    );
    return { data: rows.map((row) => showLegacyVirtualAccount(keyring, row)) };
  },
);
