import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { listAnswer, type Page, pageOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { type FoundIntent, findTenantIntents } from "./intent-store.js";
import { cursorOfIntent, intentListQuery, intentPlace, listIntents } from "./list-payment-intents.js";
import { PaymentIntent, showIntent } from "./payment-intent.js";

const listQuery = Type.Object({
  ...intentListQuery.properties,
  account: Type.Optional(addressText({ description: "Those of this account alone." })),
});

/** The payment intents of a tenant (gap 206). */
export const listAllPaymentIntents = endpoint(
  {
    operation: "listAllPaymentIntents",
    summary: "List payment intents of all accounts",
    description: "The payment intents of all accounts of the tenant, newest first.",
    tag: "Payments",
    method: "GET",
    path: "/api/service/v1/payment-intents",
    scope: "payments:read",
    environment: "optional",
    query: listQuery,
    response: { status: 200, envelope: true, schema: Type.Array(PaymentIntent) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async (needs: { readonly db: Db; readonly keyring: Keyring }, { query, network, caller }) => {
    const page = await readPage(needs.db, network, caller.tenantId, query);
    return listAnswer(
      page.rows.map((found) => showIntent(found, needs.keyring)),
      page.cursor,
    );
  },
);

async function readPage(
  db: Db,
  network: Network,
  tenantId: string,
  { account, ...query }: Static<typeof listQuery>,
): Promise<Page<FoundIntent>> {
  if (account !== undefined) return listIntents(db, network, tenantId, account, query);
  const before = query.cursor === undefined ? undefined : intentPlace.decode(query.cursor);
  const limit = query.limit ?? limits.intentPageDefault;
  if (limit === 0) return { rows: [], cursor: undefined };
  const found = await findTenantIntents(
    db,
    { tenantId, environment: network.name },
    { states: query.state ?? [], ...(before === undefined ? {} : { before }), limit: limit + 1 },
  );
  return pageOf(found, limit, cursorOfIntent);
}
