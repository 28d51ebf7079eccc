import { type ErrorCode, errorCatalogue } from "@trellis/kernel/errors.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import Type, { type Static } from "typebox";
import type { RequestRow } from "./request-store.js";

/** A request that was answered. Nothing that its caller wrote is in it but its id, the account, and where it came from. */
export const RequestRecord = Type.Object(
  {
    request_id: Type.String({ description: "As the answer's `x-request-id` has it." }),
    at: Type.String({ format: "date-time", description: "When it was received." }),
    method: Type.String({ examples: ["POST"] }),
    path: Type.String({
      description: "The path of the operation, with the names of its parameters.",
      examples: ["/api/service/v1/accounts/{address}/submit"],
    }),
    account: Type.Optional(Type.String({ description: "The account in the path, where it is one of the tenant's." })),
    status: Type.Integer({ description: "The HTTP status of the answer.", examples: [422] }),
    error_code: Type.Optional(Type.String({ examples: ["insufficient_scope"] })),
    error_message: Type.Optional(
      Type.String({
        description: "The catalogue's text of the code. The answer may have said more: that is not kept.",
      }),
    ),
    duration_ms: Type.Integer({ minimum: 0 }),
    api_key_id: Type.String({ description: "The key that called." }),
    environment: Type.Optional(
      Type.Enum([...environmentNames], {
        description: "Absent: the operation has none, or the request was refused before it was known.",
      }),
    ),
    remote_address: Type.Optional(Type.String({ description: "Where it came from.", examples: ["203.0.113.7"] })),
  },
  { $id: "RequestRecord" },
);

export function toWireRequest(row: RequestRow): Static<typeof RequestRecord> {
  return {
    request_id: row.request_id,
    at: new Date(Number(row.at)).toISOString(),
    method: row.method,
    path: row.path,
    ...(row.account === null ? {} : { account: row.account }),
    status: row.status,
    ...(row.code === null ? {} : { error_code: row.code, ...messageOf(row.code) }),
    duration_ms: row.duration_ms,
    api_key_id: row.api_key_id,
    ...(row.environment === null ? {} : { environment: row.environment as (typeof environmentNames)[number] }),
    ...(row.remote_address === null ? {} : { remote_address: row.remote_address }),
  };
}

/** What was answered may quote the request; the catalogue's text does not. A code of another release may be unknown. */
function messageOf(code: string): { error_message?: string } {
  return Object.hasOwn(errorCatalogue, code) ? { error_message: errorCatalogue[code as ErrorCode][1] } : {};
}
