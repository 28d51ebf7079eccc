import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, type Page, pageOf, uuid } from "@trellis/kernel/page.js";
import type { AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { type PaymentIntentState, paymentIntentStates } from "../submissions/intent-states.js";
import { type FoundIntent, findIntents } from "./intent-store.js";
import { PaymentIntent, showIntent } from "./payment-intent.js";

/** What a list of intents can be asked for. */
export const intentListQuery = Type.Object({
  state: Type.Optional(Type.Array(Type.Enum([...paymentIntentStates]), { description: "Repeat it for several." })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.intentPageMax, default: limits.intentPageDefault })),
  cursor: Type.Optional(Type.String({ description: "From the page before." })),
});

/** The payment intents of an account (gap 78). */
export const listPaymentIntents = endpoint(
  {
    operation: "listPaymentIntents",
    summary: "List payment intents",
    description: "The account's payment intents, newest first, by whichever path they were created.",
    tag: "Payments",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/payment-intents",
    scope: "payments:read",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: intentListQuery,
    response: { status: 200, envelope: true, schema: Type.Array(PaymentIntent) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async ({ db, keyring }: { readonly db: Db; readonly keyring: Keyring }, { params, query, network, caller }) => {
    const page = await listIntents(db, network, caller.tenantId, params.address, query);
    return listAnswer(
      page.rows.map((found) => showIntent(found, keyring)),
      page.cursor,
    );
  },
);

/** Everything older than an intent. */
export const intentPlace = cursor("i1", { createdAt: int8, id: uuid });

export const cursorOfIntent = ({ intent: { created_at, id } }: FoundIntent): string =>
  intentPlace.encode({ createdAt: created_at, id });

/** A page of an account's intents, and where the next one begins. Throws `account_not_found` and `invalid_cursor`. */
export async function listIntents(
  db: Db,
  network: Network,
  tenantId: string,
  accountAddress: string,
  query: {
    readonly state?: readonly PaymentIntentState[];
    readonly limit?: number;
    readonly cursor?: string;
  },
): Promise<Page<FoundIntent> & { readonly account: AccountTable }> {
  const before = query.cursor === undefined ? undefined : intentPlace.decode(query.cursor);
  const account = await getAccountRow(db, { tenantId, environment: network.name, address: accountAddress });
  const limit = query.limit ?? limits.intentPageDefault;
  if (limit === 0) return { account, rows: [], cursor: undefined };
  const owner = { tenantId, accountAddress };
  const found = await findIntents(db, network, owner, {
    states: query.state ?? [],
    ...(before === undefined ? {} : { before }),
    // One more than the page has shows whether there is another.
    limit: limit + 1,
  });
  return { account, ...pageOf(found, limit, cursorOfIntent) };
}
