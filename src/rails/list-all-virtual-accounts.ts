import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { fiatCurrencies } from "@trellis/kernel/ports/rails.js";
import { addressText, isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { findVirtualAccounts } from "./rail-list-store.js";
import { showVirtualAccount, VirtualAccount } from "./virtual-account.js";
import { virtualAccountStates } from "./virtual-account-states.js";

/** Everything older than a virtual account. */
const place = cursor("va1", { createdAt: int8, id: uuid });

/** The virtual accounts of a tenant (gap 228). */
export const listAllVirtualAccounts = endpoint(
  {
    operation: "listAllVirtualAccounts",
    summary: "List virtual accounts of all accounts",
    description:
      "The virtual accounts of all accounts of the tenant with their bank details, newest first, as the partner last reported them. One " +
      "whose opening the partner has not answered yet is not among them.",
    tag: "Virtual accounts",
    method: "GET",
    path: "/api/service/v1/virtual-accounts",
    scope: "virtual-accounts:read",
    environment: "optional",
    query: Type.Object({
      status: Type.Optional(
        Type.Array(Type.Enum([...virtualAccountStates.all]), { description: "Repeat it for several." }),
      ),
      account: Type.Optional(addressText({ description: "Those of this account alone." })),
      source_currency: Type.Optional(Type.String({ description: "Of the bank.", examples: ["usd"] })),
      grid_user_id: Type.Optional(uuidText({ description: "Those whose money is this user's." })),
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.virtualAccountPageMax, default: limits.virtualAccountPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before, which had the same query." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(VirtualAccount) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async (needs: { readonly db: Db; readonly keyring: Keyring }, { query, network, caller: { tenantId } }) => {
    const { account, status: statuses = [], limit = limits.virtualAccountPageDefault } = query;
    const of = { tenantId, environment: network.name, account };
    const userId = query.grid_user_id;
    if (userId !== undefined && !isUuid(userId)) {
      throw new TrellisError("invalid_request", {
        field: "grid_user_id",
        message: "grid_user_id must be the id of a user.",
      });
    }
    const before = query.cursor === undefined ? undefined : place.decode(query.cursor);
    if (account !== undefined) await getAccountRow(needs.db, { ...of, address: account });
    if (limit === 0) return { data: [] };
    const currency = query.source_currency?.toLowerCase();
    const currencies = fiatCurrencies.filter((each) => (currency ?? each) === each);
    const found = await findVirtualAccounts(needs.db, of, { statuses, currencies, userId, before, limit: limit + 1 });
    const page = pageOf(found, limit, ({ created_at, id }) => place.encode({ createdAt: created_at, id }));
    return listAnswer(
      page.rows.map((row) => showVirtualAccount(needs.keyring, row)),
      page.cursor,
    );
  },
);
