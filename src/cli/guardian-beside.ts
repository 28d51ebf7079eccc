/**
 * The guardian that a service on a laptop starts beside itself: a custodian that ends with the process that started it. It is a program
 * of its own, as `trellis custodian` must not end for a channel that some supervisor closes.
 */

let stop: () => void = () => process.exit(0);
// First of all: from here on it cannot outlive the service, however that ends.
process.on("disconnect", () => stop());
process.on("SIGTERM", () => stop());
// A terminal sends it to both. The service ends this one when it needs it no more.
process.on("SIGINT", () => undefined);
if (process.connected !== true) {
  process.stderr.write("This program is started by the service. For a custodian by hand: trellis custodian --help\n");
  process.exit(1);
}

/** Given to what runs; then it ends anyway. */
const endMs = 4_000;

async function main(): Promise<void> {
  const [
    { createLogger, createPinoLog },
    { preparedExitCode },
    { parseCustodianConfig },
    { prepareCustodianDatabase },
    { startCustodian },
  ] = await Promise.all([
    import("../adapters/log/pino-log.js"),
    import("../adapters/kms/guardian-process.js"),
    import("../config/custodian.js"),
    import("../custodian/open-custodian-database.js"),
    import("../custodian/start-custodian.js"),
  ]);
  const config = parseCustodianConfig(process.env);
  if (await prepareCustodianDatabase(config)) process.exit(preparedExitCode);
  const custodian = await startCustodian(config, createPinoLog(createLogger(config.logLevel)), {
    ignoresRestores: true,
  });
  stop = () => {
    stop = () => undefined;
    setTimeout(() => process.exit(1), endMs);
    custodian.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // The service may have ended meanwhile, and nothing reports that twice.
  if (process.connected !== true) return stop();
  process.send?.({ url: custodian.url });
}

await main().catch(async (error: unknown) => {
  const { endInError } = await import("./end-in-error.js");
  endInError(error);
});
