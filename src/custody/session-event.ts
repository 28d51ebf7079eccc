import { dateTime, type EventObjects, example } from "@trellis/kernel/event-objects.js";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";

const { at, id, primaryCustodian } = example;

/** What events about sessions carry. */
export const sessionEvents = {
  "session.revoked": {
    schema: Type.Object({
      id: Type.String(),
      grid_user_id: uuidText(),
      provider: Type.String(),
      reason: Type.Enum([
        "refresh_token_reused",
        "signed_out",
        "ended_by_holder",
        "ended_by_tenant",
        "ended_by_operator",
        "replaced",
        "idle",
      ]),
      revoked_at: dateTime,
    }),
    example: { id, grid_user_id: id, provider: primaryCustodian, reason: "signed_out", revoked_at: at },
  },
} as const satisfies EventObjects;
