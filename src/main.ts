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
  if (Number.parseInt(process.versions.node, 10) < 22) {
    process.stderr.write(
      `Node.js ${process.versions.node} is past its end of life and gets no more fixes. Trellis runs, but use 22 or 24.\n`,
    );
  }
  // Last: whoever reads this may send a signal at once.
  process.stdout.write(`${greeting(service)}\n`);
}

const usualUrl = "http://127.0.0.1:8080";

function greeting({ url, metricsUrl, firstApiKey, networks }: RunningService): string {
  const lines = ["", `  Trellis answers at   ${url}`, `  Documentation        ${url}/docs/`];
  if (metricsUrl !== undefined) lines.push(`  Metrics              ${metricsUrl}`);
  if (firstApiKey !== undefined) {
    lines.push(
      `  Your API key         ${firstApiKey}`,
      "                       (shown this once; it is stored as a hash only)",
    );
    // The demo looks where a service usually is.
    const elsewhere = url === usualUrl ? "" : `TRELLIS_URL=${url} `;
    if (networks.has("sandbox")) {
      lines.push(`  Try it               ${url}/docs/#key=${firstApiKey}`);
      lines.push(`  See it work          ${elsewhere}TRELLIS_API_KEY=${firstApiKey} npm run demo`);
    }
  }
  lines.push("");
  return lines.join("\n");
}

main().catch(endInError);
