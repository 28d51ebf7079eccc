import type { WebhookAttemptTable } from "@trellis/kernel/ports/database.js";
import type { Selectable } from "kysely";
import Type, { type Static } from "typebox";

/** One try at sending an event (gap 92). */
export const WebhookAttempt = Type.Object(
  {
    id: Type.String(),
    event_id: Type.String(),
    event_type: Type.String(),
    attempt: Type.Integer({ description: "Counted from one." }),
    status: Type.Enum(["delivered", "failed"]),
    response_status: Type.Optional(Type.Integer({ description: "Of the receiver's answer." })),
    error: Type.Optional(Type.String({ description: "In a word, why there was no answer." })),
    response_body: Type.Optional(Type.String({ description: "The beginning of the receiver's answer." })),
    duration_ms: Type.Integer(),
    attempted_at: Type.String({ format: "date-time" }),
  },
  { $id: "WebhookAttempt" },
);
export type WebhookAttempt = Static<typeof WebhookAttempt>;

/** The wire form of a row. */
export function showAttempt(row: Omit<Selectable<WebhookAttemptTable>, "environment" | "endpoint_id">): WebhookAttempt {
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    attempt: row.attempt,
    status: row.is_delivered ? "delivered" : "failed",
    ...(row.response_status === null ? {} : { response_status: row.response_status }),
    ...(row.fault === null ? {} : { error: row.fault }),
    ...(row.response_body === null ? {} : { response_body: row.response_body }),
    duration_ms: row.duration_ms,
    attempted_at: new Date(Number(row.attempted_at)).toISOString(),
  };
}
