import { DataDirectoryInUseError } from "./adapters/db/data-directory-lock.js";
import { createLogger } from "./adapters/log/pino-log.js";
import { ConfigError, parseConfig } from "./config.js";
import { startService } from "./service.js";

/** Ends by itself if a clean shutdown hangs: a supervisor's next step is SIGKILL anyway. */
const shutdownMs = 15_000;

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const logger = createLogger(config.logLevel);
  const service = await startService(config, logger);
  process.stdout.write(`${greeting(service.url, service.firstApiKey)}\n`);

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, "shutting down");
    setTimeout(() => process.exit(1), shutdownMs).unref();
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error }, "the shutdown failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
}

function greeting(url: string, firstApiKey: string | undefined): string {
  const lines = ["", `  Trellis answers at   ${url}`, `  Documentation        ${url}/docs`];
  if (firstApiKey !== undefined) {
    lines.push(
      `  Your API key         ${firstApiKey}`,
      "                       (shown this once; it is stored as a hash only)",
    );
  }
  lines.push("");
  return lines.join("\n");
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof DataDirectoryInUseError;
  process.stderr.write(`${expected && error instanceof Error ? error.message : (error as Error).stack}\n`);
  process.exit(1);
});
