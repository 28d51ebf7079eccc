import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { address, cursor, int8, listAnswer, pageOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { Label, parseLabelAddress, toWireLabel } from "./label.js";
import { type Book, findLabels, listLabels as listRows } from "./label-store.js";

const query = {
  address: Type.Optional(
    Type.Array(addressText(), {
      minItems: 1,
      maxItems: limits.labelAddressesMax,
      description: "What is to be shown for these, instead of a list. Repeat it for several.",
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.labelPageMax, default: limits.labelPageDefault })),
  cursor: Type.Optional(Type.String({ description: "From the page before." })),
};

const contract = {
  tag: "Labels",
  method: "GET",
  scope: "accounts:read",
  environment: "optional",
  response: { status: 200, envelope: true, schema: Type.Array(Label) },
  errors: ["account_not_found", "invalid_address", "invalid_cursor"],
} as const;

/** Gap 213. */
export const listLabels = endpoint(
  {
    ...contract,
    operation: "listLabels",
    summary: "List labels",
    description:
      "The tenant's labels, or those of one account, newest first. With `address`: what is to be shown for these addresses, in " +
      "their order, without those that have no label; an account's label goes before the tenant's.",
    path: "/api/service/v1/labels",
    query: Type.Object({
      ...query,
      account: Type.Optional(addressText({ description: "Those of this account, or as this account is shown them." })),
    }),
  },
  async ({ db }: { readonly db: Db }, { query, caller, network }) => {
    const book = { tenantId: caller.tenantId, environment: network.name, account: query.account };
    if (query.account !== undefined) await getAccountRow(db, { ...book, address: query.account });
    return answer(db, book, query, caller);
  },
);

/** Gap 213. */
export const listAccountLabels = endpoint(
  {
    ...contract,
    operation: "listAccountLabels",
    summary: "List an account's labels",
    description:
      "The account's own labels, newest first. With `address`: what is to be shown for these addresses, in their order, without " +
      "those that have no label; the account's label goes before the tenant's.",
    path: "/api/service/v1/accounts/{address}/labels",
    publishable: "session",
    params: Type.Object({ address: addressText() }),
    query: Type.Object(query),
  },
  async ({ db }: { readonly db: Db }, { params, query, caller, network }) => {
    const { address: account } = params;
    const book = { tenantId: caller.tenantId, environment: network.name, account };
    await getAccountRow(db, { ...book, address: account });
    return answer(db, book, query, caller);
  },
);

/** Everything older than a label. */
const place = cursor("b1", { createdAt: int8, address });

async function answer(
  db: Db,
  book: Book,
  query: { readonly address?: readonly string[]; readonly limit?: number; readonly cursor?: string },
  caller: Caller,
) {
  const show = { isForPage: caller.isPublishable === true };
  if (query.address !== undefined) {
    if (query.cursor !== undefined || query.limit !== undefined) {
      throw new TrellisError("invalid_request", {
        field: query.cursor === undefined ? "limit" : "cursor",
        message: "What is shown for addresses is one answer: there are no pages of it.",
      });
    }
    const addresses = query.address.map((each) => parseLabelAddress(each, "address"));
    return { data: (await findLabels(db, book, addresses)).map((row) => toWireLabel(row, show)) };
  }
  const limit = query.limit ?? limits.labelPageDefault;
  const behind = query.cursor === undefined ? undefined : place.decode(query.cursor);
  if (limit === 0) return { data: [] };
  const rows = await listRows(db, book, { behind, limit: limit + 1 });
  const page = pageOf(rows, limit, (row) => place.encode({ createdAt: row.created_at, address: row.address }));
  return listAnswer(
    page.rows.map((row) => toWireLabel(row, show)),
    page.cursor,
  );
}
