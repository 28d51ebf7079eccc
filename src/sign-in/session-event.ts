import { type EventObjects, eventShape, example } from "@trellis/kernel/event-objects.js";
import Type, { type Static } from "typebox";
import { SignedInSession } from "./list-sessions.js";

const { at, id, primaryCustodian, wallet } = example;

const shape = eventShape(SignedInSession, {
  id: "RevokedSession",
  without: { current: "it depends on who asks", ends_at: "it is over" },
  own: {
    reason: {
      schema: Type.Enum([
        "refresh_token_reused",
        "signed_out",
        "ended_by_holder",
        "ended_by_tenant",
        "ended_by_operator",
        "replaced",
        "idle",
      ]),
      why: "the list has open sessions only",
    },
  },
});

const session: Static<typeof shape.schema> = {
  id,
  grid_user_id: id,
  provider: primaryCustodian,
  signer: wallet,
  created_at: at,
  last_active_at: at,
  expires_at: at,
  reason: "signed_out",
};

/** What events about sessions carry. */
export const sessionEvents = {
  "session.revoked": { ...shape, example: session },
} as const satisfies EventObjects;
