import { beginTraces } from "./adapters/traces.js";
import type { RunningService } from "./service.js";

// What is to be traced must not be loaded before the traces have begun: everything else follows them.
const traces = await beginTraces(process.env);
const { createLogger } = await import("./adapters/log/pino-log.js");
const { endInError } = await import("./cli/end-in-error.js");
const { stopOnSignals } = await import("./cli/stop-on-signals.js");
const { parseConfig } = await import("./config/config.js");
const { startService } = await import("./service.js");

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const logger = createLogger(config.logLevel);
  // operator: read `reason`; [operations](operations.md#metrics) has what to install
  if (traces.kind === "failed") logger.warn({ event: "traces_off", reason: traces.reason }, "traces are off");
  if (traces.kind === "begun") logger.info({ event: "traces_on" }, "traces are made by OpenTelemetry");
  // What is no terminal may be a log, which is no place for a secret.
  const service = await startService(config, logger, { isInteractive: process.stdout.isTTY === true });
  stopOnSignals(logger, () => service.close());
  if (Number.parseInt(process.versions.node, 10) < 22) {
    process.stderr.write(
      `Node.js ${process.versions.node} is past its end of life and gets no more fixes. Trellis runs, but use 22 or 24.\n`,
    );
  }
  // Last: a reader of this may send a signal at once.
  process.stdout.write(`${greeting(service)}\n`);
}

const usualUrl = "http://127.0.0.1:8080";

function greeting({ url, metricsUrl, firstApiKey, signInLink, guardian, networks }: RunningService): string {
  const lines = ["", `  Trellis answers at   ${url}`, `  Documentation        ${url}/docs/`];
  if (metricsUrl !== undefined) lines.push(`  Metrics              ${metricsUrl}`);
  if (signInLink !== undefined) {
    lines.push(
      `  Console              ${signInLink}`,
      "                       (signs you in as the owner: once, within 15 minutes; each start prints another)",
    );
  }
  // The demo tries where a service usually is.
  const elsewhere = url === usualUrl ? "" : `TRELLIS_URL=${url} `;
  if (firstApiKey !== undefined) {
    lines.push(
      `  Your API key         ${firstApiKey}`,
      "                       (printed this once; it is stored as a hash only)",
    );
    if (networks.has("sandbox")) {
      lines.push(`  Try it               ${url}/docs/#key=${firstApiKey}`);
      lines.push(`  See it work          ${elsewhere}TRELLIS_API_KEY=${firstApiKey} npm run demo`);
    }
  } else lines.push("  No API key yet?      npm run trellis -- api-key create --help");
  if (guardian !== undefined) {
    lines.push(`  Guardian beside it   ${guardian}   try it: ${elsewhere}npm run demo -- guarded ${guardian}`);
  }
  lines.push("");
  return lines.join("\n");
}

await main().catch(endInError);
