import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { loadSandbox } from "@trellis/sandbox/load-sandbox.js";
import { openDatabase } from "../adapters/db/open-database.js";
import { openKeyring } from "../adapters/keyring.js";
import { createLogger, createPinoLog } from "../adapters/log/pino-log.js";
import { createRealClock, systemPause, systemRandom } from "../adapters/system.js";
import { ConfigError, parseConfig } from "../config/config.js";
import { stopOnSignals } from "./stop-on-signals.js";

const usualPort = "8899";

/**
 * `trellis sandbox`: the sandbox chain alone, for services that reach it by TRELLIS_SANDBOX_RPC_URL (gap 1). Its key is
 * TRELLIS_API_KEY, else one that derives from the master key and so stays the same. Throws ConfigError, also when it is
 * given another environment's variables: a process with a native virtual machine must not hold such keys.
 */
export async function startSandbox(
  environment: Readonly<Record<string, string | undefined>>,
  portOption: string | undefined,
): Promise<void> {
  const config = parseConfig({ ...environment, PORT: portOption ?? (environment.PORT || usualPort) });
  if (config.clusters.length > 0 || config.sandbox.kind !== "embedded") {
    throw new ConfigError([
      "`trellis sandbox` runs the sandbox and nothing else: leave out TRELLIS_DEVNET_…, TRELLIS_MAINNET_…, " +
        "TRELLIS_SANDBOX and TRELLIS_SANDBOX_RPC_URL.",
    ]);
  }
  const logger = createLogger(config.logLevel);
  // The virtual machine is loaded by this command only, and before anything is opened.
  const { openSandboxNetwork } = await loadSandbox();
  const { createSandboxServer, createSocketServer } = await import("@trellis/sandbox/process/server.js");
  const database = await openDatabase(
    config.databaseUrl === null
      ? { kind: "embedded", directory: config.dataDirectory }
      : { kind: "postgres", url: config.databaseUrl, poolSize: config.databasePoolSize },
  );
  const keyring = await openKeyring(config, database.db);
  const sandbox = await openSandboxNetwork({
    database,
    keyring,
    realClock: createRealClock(),
    random: systemRandom,
    pause: systemPause,
    log: createPinoLog(logger),
    sponsorship: config.sponsorship.sandbox,
    programPath: config.sandboxProgramPath,
    signatureProgramPath: config.sandboxSignatureProgramPath,
    faults: config.sandboxFaults,
  });
  const key = config.apiKey?.value ?? Buffer.from(keyring.deriveSecret("sandbox/process-key")).toString("base64url");
  const server = await createSandboxServer(sandbox.network, key, logger);
  await server.listen({ host: config.host, port: config.port });
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const sockets = createSocketServer(sandbox.network, key);
  const aboveIsFree = await listens(sockets, config.host, port + 1);
  if (!aboveIsFree)
    logger.warn(
      { event: "sandbox_socket_port_taken", port: port + 1 },
      "sandbox WebSocket port is in use: WebSockets are on the port of JSON-RPC only",
    );
  stopOnSignals(logger, async () => {
    await server.close();
    sockets.close();
    await sandbox.close();
    await database.close();
  });
  process.stdout.write(
    `\n  The sandbox chain answers. Give services\n\n  TRELLIS_SANDBOX_RPC_URL=http://${host}:${port}/?api-key=${encodeURIComponent(key)}\n\n`,
  );
}

/** Whether a server could take a port. */
async function listens(server: Server, host: string, port: number): Promise<boolean> {
  if (port > 65_535) return false;
  server.listen({ host, port });
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  }
}
