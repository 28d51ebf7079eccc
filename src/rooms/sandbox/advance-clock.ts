import Type from "typebox";
import { endpoint } from "../../endpoint.js";
import { assertOurs, TrellisError } from "../../errors.js";
import { limits } from "../../limits.js";

/** Moves the sandbox's one clock, which the service and the chain share (gap 49, gap 50). */
export const advanceClock = endpoint(
  {
    operation: "sandboxAdvanceClock",
    summary: "Advance the clock",
    description:
      "Moves the environment clock forward, for the service and the chain alike: codes, sessions, time locks and " +
      "blockhashes expire as they would. Open prepared transactions expire after 60 seconds.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/clock/advance",
    scope: "sandbox:clock",
    environment: "sandbox",
    body: Type.Object({
      seconds: Type.Integer({ minimum: 1, description: "Forward only, at most 400 days a call.", examples: [900] }),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        now: Type.String({ format: "date-time", description: "Environment time after the move." }),
        slot: Type.Integer({ description: "The chain's slot after the move." }),
      }),
    },
    errors: ["advance_too_far"],
  },
  async (_needs: unknown, { body, network }) => {
    assertOurs(network.sandbox, "the sandbox rule lets only the sandbox in");
    if (body.seconds > limits.clockAdvanceMaxSeconds) throw new TrellisError("advance_too_far", { field: "seconds" });
    if (network.clock.now() + body.seconds * 1000 > limits.clockLatestMs) {
      throw new TrellisError("advance_too_far", {
        field: "seconds",
        message: "The sandbox's clock ends with the year 9000: later dates have no form that every client reads.",
      });
    }
    const { now, slot } = await network.sandbox.advanceClock(body.seconds);
    return { data: { now: new Date(now).toISOString(), slot: Number(slot) } };
  },
);
