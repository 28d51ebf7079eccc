import { Buffer } from "node:buffer";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import type { Keyring } from "../kernel/crypto/envelope.js";
import { endpoint } from "../kernel/endpoint.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import { addressText } from "../kernel/wire-texts.js";
import type { AccountTable, Db } from "../ports/database.js";
import type { Network } from "../ports/network.js";
import { type PaymentIntentState, paymentIntentStates } from "../submissions/intent-states.js";
import { type FoundIntent, findIntents, type IntentPlace } from "./intent-store.js";
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
    const data = page.intents.map((found) => showIntent(found, keyring));
    if (page.cursor === undefined) return { data };
    return { data, headers: { "x-next-cursor": page.cursor }, metadata: { next_cursor: page.cursor } };
  },
);

/** One page; without `cursor` it is the last. */
interface IntentPage {
  readonly account: AccountTable;
  readonly intents: readonly FoundIntent[];
  readonly cursor?: string;
}

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
): Promise<IntentPage> {
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const account = await getAccountRow(db, { tenantId, environment: network.name, address: accountAddress });
  const limit = query.limit ?? limits.intentPageDefault;
  if (limit === 0) return { account, intents: [] };
  const owner = { tenantId, accountAddress };
  const found = await findIntents(db, network, owner, {
    states: query.state ?? [],
    ...(before === undefined ? {} : { before }),
    // One more than the page tells whether there is another.
    limit: limit + 1,
  });
  const intents = found.slice(0, limit);
  const last = intents.at(-1)?.intent;
  if (found.length <= limit || last === undefined) return { account, intents };
  return { account, intents, cursor: encodeCursor({ createdAt: last.created_at, id: last.id }) };
}

const cursorForm = /^i1_(0|[1-9][0-9]{0,17})_([0-9a-f-]{36})$/;

/** A place in the list: everything behind this intent. */
function encodeCursor({ createdAt, id }: IntentPlace): string {
  return Buffer.from(`i1_${createdAt}_${id}`).toString("base64url");
}

function decodeCursor(cursor: string): IntentPlace {
  const [, createdAt, id] = cursorForm.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (createdAt === undefined || id === undefined || encodeCursor({ createdAt: BigInt(createdAt), id }) !== cursor) {
    throw new TrellisError("invalid_cursor", { field: "cursor" });
  }
  return { createdAt: BigInt(createdAt), id };
}
