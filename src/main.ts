import { createLogger } from "./adapters/log/pino-log.js";
import { endInError } from "./cli/end-in-error.js";
import { stopOnSignals } from "./cli/stop-on-signals.js";
import { parseConfig } from "./config/config.js";
import { type RunningService, startService } from "./service.js";

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const logger = createLogger(config.logLevel);
  const service = await startService(config, logger);
  stopOnSignals(logger, () => service.close());
  // Last: whoever reads this may send a signal at once.
  process.stdout.write(`${greeting(service)}\n`);
}

function greeting({ url, metricsUrl, firstApiKey }: RunningService): string {
  const lines = ["", `  Trellis answers at   ${url}`, `  Documentation        ${url}/docs`];
  if (metricsUrl !== undefined) lines.push(`  Metrics              ${metricsUrl}`);
  if (firstApiKey !== undefined) {
    lines.push(
      `  Your API key         ${firstApiKey}`,
      "                       (shown this once; it is stored as a hash only)",
    );
  }
  lines.push("");
  return lines.join("\n");
}

main().catch(endInError);
