import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { showVirtualAccount, VirtualAccount } from "./virtual-account.js";
import { virtualAccountStates } from "./virtual-account-states.js";
import { listVirtualAccounts as findVirtualAccounts } from "./virtual-account-store.js";

/** Gap 44. */
export const virtualAccountQuery = Type.Object({
  source_currency: Type.Optional(Type.String({ description: "Of the bank.", examples: ["usd"] })),
  destination_currency: Type.Optional(Type.String({ description: "What arrives on chain.", examples: ["usdc"] })),
  status: Type.Optional(Type.Enum([...virtualAccountStates.all])),
});

/** Interface 4.14, gap 44. */
export const listVirtualAccounts = endpoint(
  {
    operation: "listVirtualAccounts",
    summary: "List virtual accounts",
    description:
      "The account's virtual accounts with their bank details, the oldest first, as the partner last reported them. One whose opening " +
      "the partner has not answered yet is not among them.",
    tag: "Virtual accounts",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/virtual-accounts",
    scope: "virtual-accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: virtualAccountQuery,
    response: { status: 200, envelope: true, schema: Type.Array(VirtualAccount) },
    errors: ["account_not_found"],
  },
  async (needs: { readonly db: Db; readonly keyring: Keyring }, { params, query, network, caller }) => {
    const account = await getAccountRow(needs.db, {
      tenantId: caller.tenantId,
      environment: network.name,
      address: params.address,
    });
    const rows = await findVirtualAccounts(
      needs.db,
      { tenantId: caller.tenantId, environment: network.name, address: account.address },
      {
        currency: query.source_currency?.toLowerCase(),
        coin: query.destination_currency?.toLowerCase(),
        status: query.status,
      },
    );
    return { data: rows.map((row) => showVirtualAccount(needs.keyring, row)) };
  },
);
