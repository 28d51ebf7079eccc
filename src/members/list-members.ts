import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import Type from "typebox";
import { sightOf } from "./member-powers.js";
import { listMembers as findMembers } from "./member-store.js";
import { Member, toWireMember } from "./wire-member.js";

/** Everybody who was invited before a member. */
const place = cursor("mb1", { createdAt: int8, id: uuid });

/** Gap 215. */
export const listMembers = endpoint(
  {
    operation: "listMembers",
    summary: "List members",
    description:
      "The tenant's members, the newest first. A member who reaches an environment that the caller does not reach is listed where the role has no scope that the caller lacks.",
    tag: "Members",
    method: "GET",
    path: "/api/service/v1/members",
    scope: "admin:members",
    environment: "none",
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.memberPageMax, default: limits.memberPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(Member) },
    errors: ["invalid_cursor"],
  },
  async ({ db, served }: { readonly db: Db; readonly served: readonly EnvironmentName[] }, { query, caller }) => {
    const limit = query.limit ?? limits.memberPageDefault;
    const rows = await findMembers(db, {
      tenantId: caller.tenantId,
      sight: sightOf(caller, served),
      behind: query.cursor === undefined ? undefined : place.decode(query.cursor),
      limit: limit + 1,
    });
    const page = pageOf(rows, limit, ({ created_at, id }) => place.encode({ createdAt: created_at, id }));
    return listAnswer(page.rows.map(toWireMember), page.cursor);
  },
);
