import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf } from "@trellis/kernel/page.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import Type from "typebox";
import { type RecordingNeeds, recordRequests } from "./record-requests.js";
import { RequestRecord, toWireRequest } from "./request-record.js";
import { filteredOutcomes, listRequests as findRequests } from "./request-store.js";

/** Everything recorded before a request. */
const place = cursor("q1", { before: int8 });

/** Gap 218. */
export const listRequests = endpoint(
  {
    operation: "listRequests",
    summary: "List the tenant's latest requests",
    description:
      "Requests of the last day that were refused or failed, and those that succeeded and were not GET, the newest first: of all " +
      "environments that the key opens, and those of none. Neither bodies nor values of parameters are kept.",
    tag: "Requests",
    method: "GET",
    path: "/api/service/v1/requests",
    scope: "audit:read",
    environment: "none",
    query: Type.Object({
      status: Type.Optional(
        Type.Enum([...filteredOutcomes], {
          description: "`refused`: answered with a status from 400 to 499. `failed`: with one from 500.",
        }),
      ),
      api_key_id: Type.Optional(Type.String({ maxLength: 64, description: "Only those of this key." })),
      code: Type.Optional(
        Type.String({ maxLength: 64, description: "Only those with this error code; with neither of the two above." }),
      ),
      request_id: Type.Optional(
        Type.String({ maxLength: 64, description: "Only those with this id; with none of the three above." }),
      ),
      environment: Type.Optional(
        Type.Enum([...environmentNames], { description: "Only requests of this environment, and those of none." }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.requestPageMax, default: limits.requestPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(RequestRecord) },
    errors: ["invalid_cursor"],
  },
  async (needs: RecordingNeeds, { query, caller }) => {
    const { status: outcome, api_key_id: apiKeyId, code, request_id: requestId } = query;
    if (requestId !== undefined && (code ?? apiKeyId ?? outcome) !== undefined) refuse("request_id");
    if (code !== undefined && (apiKeyId ?? outcome) !== undefined) refuse("code");
    const before = query.cursor === undefined ? undefined : place.decode(query.cursor).before;
    const limit = query.limit ?? limits.requestPageDefault;
    const environments = caller.environments.filter(
      (name) => query.environment === undefined || name === query.environment,
    );
    await recordRequests(needs);
    const rows = await findRequests(
      needs.db,
      { tenantId: caller.tenantId, environments },
      { outcome, apiKeyId, code, requestId },
      { before, limit: limit + 1 },
    );
    const page = pageOf(rows, limit, ({ number }) => place.encode({ before: number }));
    return listAnswer(page.rows.map(toWireRequest), page.cursor);
  },
);

/** No index has both in the order of the list. */
function refuse(field: string): never {
  throw new TrellisError("invalid_request", {
    field,
    message: `The list cannot be narrowed by ${field} and by another field at once.`,
    suggestion: "Leave out the others.",
  });
}
