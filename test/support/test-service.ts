import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { createTrellisClient } from "@trellis/sdk";
import { createLogger } from "../../src/adapters/log/pino-log.js";
import { parseConfig } from "../../src/config/config.js";
import { type ServiceParts, startService } from "../../src/service.js";
import { actionsOf, networkOf, type RunningTest } from "./service-actions.js";
import { createMigratedLocation, unpackSnapshot } from "./test-database.js";

/** The whole service on a real socket, with a client of its own, and what tests do at it. */
export interface TestService extends RunningTest, ReturnType<typeof actionsOf> {
  readonly url: string;
  readonly apiKey: string;
  /** The sandbox's network inside it. */
  readonly network: Network;
  /** Who pays its fees. */
  readonly feePayer: Address;
  close(): Promise<void>;
}

/**
 * Starts it on an empty, migrated database in a temporary directory, or on one that is fresh on PostgreSQL. Its sandbox runs the program
 * in TRELLIS_SANDBOX_PROGRAM, where that is set.
 */
export async function startTestService(
  variables: Record<string, string> = {},
  parts: ServiceParts = {},
): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), "trellis-test-"));
  const place = await createMigratedLocation();
  const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const program = process.env.TRELLIS_SANDBOX_PROGRAM;
  if (place.url === undefined) await unpackSnapshot(join(directory, "postgres"));
  const config = parseConfig({
    ...(program === undefined ? {} : { TRELLIS_SANDBOX_PROGRAM: program }),
    PORT: "0",
    TRELLIS_DATA_DIR: directory,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_LOG_LEVEL: "fatal",
    TRELLIS_LOCAL_GUARDIAN: "off",
    TRELLIS_RATE_LIMIT: "0",
    TRELLIS_TENANT_RATE_LIMIT: "0",
    ...(place.url === undefined
      ? {}
      : { DATABASE_URL: place.url, TRELLIS_MASTER_KEY: randomBytes(32).toString("base64") }),
    ...variables,
  });
  const service = await startService(config, createLogger(config.logLevel), { checkResponses: true, ...parts });
  const running: RunningTest = {
    service,
    client: createTrellisClient({ baseUrl: service.url, apiKey, environment: "sandbox" }),
    request: async (method, path, body, headers = {}) => {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          "x-service-environment": "sandbox",
          "content-type": "application/json",
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };
  return {
    ...running,
    ...actionsOf(running),
    url: service.url,
    apiKey,
    get network() {
      return networkOf(running);
    },
    get feePayer() {
      return networkOf(running).feePayer.address;
    },
    close: async () => {
      await service.close();
      await place.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
