import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import Type from "typebox";

/** What time it is where the clock can be moved (gap 229). Who reads dates there needs it, so it takes no scope of the sandbox. */
export const readClock = endpoint(
  {
    operation: "sandboxReadClock",
    summary: "Read the clock",
    description:
      "The environment time of the sandbox, which `POST /sandbox/clock/advance` moves ahead of other clocks.",
    tag: "Sandbox",
    method: "GET",
    path: "/api/service/v1/sandbox/clock",
    scope: "accounts:read",
    environment: "sandbox",
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        { now: Type.String({ format: "date-time", description: "Environment time." }) },
        { $id: "SandboxClock" },
      ),
    },
    errors: [],
  },
  async (_needs: unknown, { network }) => {
    assertOurs(network.sandbox, "the sandbox rule lets only the sandbox in");
    return { data: { now: new Date(network.clock.now()).toISOString() } };
  },
);
