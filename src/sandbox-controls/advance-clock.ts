import { documented, endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import Type from "typebox";
import { settleRails } from "../rails/follow-rails.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { advanceTime, type PlayingNeeds } from "../standing-orders/play-time.js";

/** Moves the sandbox's one clock, which the service and the chain share (gap 49, gap 50). */
export const advanceClock = endpoint(
  {
    operation: "sandboxAdvanceClock",
    summary: "Advance the clock",
    description:
      "Moves the environment clock forward, for the service and the chain alike: codes, sessions, time locks and " +
      "blockhashes expire as they would. Open prepared transactions expire after 60 seconds. Standing orders are paid on " +
      "the way, at their due dates and in the order of time, up to 5,000 due dates a call; what is left then is paid " +
      "afterwards. What the simulated partner of bank rails does until then has happened when this answers.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/clock/advance",
    scope: "sandbox:clock",
    environment: "sandbox",
    body: Type.Object({
      seconds: Type.Integer({
        minimum: 1,
        description: "Forward only, at most 400 days a call.",
        examples: [900],
        ...documented({ maximum: limits.clockAdvanceMaxSeconds }),
      }),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        now: Type.String({ format: "date-time", description: "Environment time after the move." }),
        slot: Type.Integer({ description: "The chain's slot after the move." }),
        standing_order_runs: Type.Object(
          {
            paid: Type.Integer({ description: "Due dates that were paid." }),
            missed: Type.Integer({ description: "Due dates that were given up." }),
            left: Type.Integer({ description: "Orders that are due and were not reached any more, 10,000 at most." }),
          },
          { description: "What became of the standing orders of all accounts on the way." },
        ),
      }),
    },
    errors: ["advance_too_far"],
  },
  async (needs: PlayingNeeds & RailNeeds, { body, network, operationId }) => {
    assertOurs(network.sandbox, "the sandbox rule lets only the sandbox in");
    if (body.seconds > limits.clockAdvanceMaxSeconds) throw new TrellisError("advance_too_far", { field: "seconds" });
    if (network.clock.now() + body.seconds * 1000 > limits.clockLatestMs) {
      throw new TrellisError("advance_too_far", {
        field: "seconds",
        message: "The sandbox's clock ends with the year 9000: later dates have no form that every client reads.",
      });
    }
    const { now, slot, paid, missed, left } = await advanceTime(needs, network, body.seconds, operationId);
    await settleRails(needs, network);
    return {
      data: { now: new Date(now).toISOString(), slot: Number(slot), standing_order_runs: { paid, missed, left } },
    };
  },
);
