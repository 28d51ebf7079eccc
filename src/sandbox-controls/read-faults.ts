import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { faultsSchema, showFaults } from "./faults.js";

/** What goes wrong on purpose (gap 126). */
export const readFaults = endpoint(
  {
    operation: "sandboxReadFaults",
    summary: "See what goes wrong on purpose",
    description: "What `POST /sandbox/faults` or `TRELLIS_SANDBOX_FAULTS` has the sandbox chain do wrong at present.",
    tag: "Sandbox",
    method: "GET",
    path: "/api/service/v1/sandbox/faults",
    scope: "sandbox:use",
    environment: "sandbox",
    response: { status: 200, envelope: true, schema: faultsSchema },
    errors: [],
  },
  async (_needs: unknown, { network: { sandbox } }) => {
    assertOurs(sandbox, "the sandbox rule lets only the sandbox in");
    return { data: showFaults(await sandbox.readFaults()) };
  },
);
