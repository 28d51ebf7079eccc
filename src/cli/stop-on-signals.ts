import type { Logger } from "pino";

/** Ends the process if a clean shutdown hangs: a supervisor's next step is SIGKILL anyway. */
const shutdownMs = 15_000;

/** On SIGTERM or SIGINT closes what runs, once, and ends the process: with 0, or with 1 when that fails or hangs. */
export function stopOnSignals(logger: Logger, close: () => Promise<void>): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ event: "shutdown_started", signal }, "shutdown started");
    setTimeout(() => process.exit(1), shutdownMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ event: "shutdown_failed", err: error }, "shutdown failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
}
