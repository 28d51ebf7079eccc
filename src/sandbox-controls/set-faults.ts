import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import Type from "typebox";
import { faultFields, faultsSchema, showFaults } from "./faults.js";

/** Has the sandbox chain fail on purpose, or no longer (gap 126). Everybody who uses the chain meets it, as with the clock. */
export const setFaults = endpoint(
  {
    operation: "sandboxSetFaults",
    summary: "Have things go wrong on purpose",
    description:
      "The named faults apply from now on to every caller of the sandbox chain's JSON-RPC; the others end, so that `{}` " +
      "ends all of them. Counts start again. They end with the process that runs the chain.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/faults",
    scope: "sandbox:clock",
    environment: "sandbox",
    body: Type.Partial(Type.Object(faultFields)),
    response: { status: 200, envelope: true, schema: faultsSchema },
    errors: [],
  },
  async (_needs: unknown, { body, network: { sandbox } }) => {
    assertOurs(sandbox, "the sandbox rule lets only the sandbox in");
    const { drop = 0, price = 0, fork = 0, lag = 0 } = body;
    const { blockhash_not_found: blockhashNotFound = 0, full_blocks: fullBlocks = 0 } = body;
    await sandbox.setFaults({ drop, blockhashNotFound, fullBlocks, price, fork, lag });
    return { data: showFaults(await sandbox.readFaults()) };
  },
);
