import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { emailText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { parseEmailAddress } from "../people/email-address.js";
import { toWireUser, User } from "./user.js";
import { listKnownUsers } from "./user-list-store.js";

/** Everything older than a user. */
const place = cursor("u1", { createdAt: int8, id: uuid });

/** Gap 205. */
export const listUsers = endpoint(
  {
    operation: "listUsers",
    summary: "List users",
    description: "Who has proven an e-mail address to the tenant, or was named as a signer by it: newest first.",
    tag: "Users",
    method: "GET",
    path: "/api/service/v1/users",
    scope: "accounts:read",
    environment: "optional",
    query: Type.Object({
      email: Type.Optional(emailText({ description: "The user with this address." })),
      limit: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.userPageMax, default: limits.userPageDefault })),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(User) },
    errors: ["invalid_email", "invalid_cursor"],
  },
  async ({ db }: { readonly db: Db }, { query, caller, network }) => {
    const limit = query.limit ?? limits.userPageDefault;
    const behind = query.cursor === undefined ? undefined : place.decode(query.cursor);
    const email = query.email === undefined ? undefined : parseEmailAddress(query.email);
    if (limit === 0) return { data: [] };
    const filter = { tenantId: caller.tenantId, environment: network.name, email };
    const found = await listKnownUsers(db, filter, network.clock.now(), { limit: limit + 1, behind });
    const page = pageOf(found, limit, ({ created_at, id }) => place.encode({ createdAt: created_at, id }));
    return listAnswer(page.rows.map(toWireUser), page.cursor);
  },
);
