import { randomBytes, randomUUID } from "node:crypto";
import { createKeyring, type Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network, SandboxControls } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { tenantsOwnScopes } from "@trellis/kernel/scope.js";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { createHttpServer, type HttpOptions } from "../../src/http/server.js";
import { type ApiKeyPlan, createApiKey, defaultTenantId, ensureTenant } from "../../src/tenants/api-key-store.js";
import { openTestDatabase } from "../support/test-database.js";
import { renderTestDocument, renderTestSite, testVersion } from "../support/test-site.js";
import { use } from "../support/use.js";

const random: Random = { bytes: (length) => new Uint8Array(randomBytes(length)), uuid: () => randomUUID() };

/** What the tests' own endpoints ask for. */
export interface FloorNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: { now(): number };
}

export interface Floor {
  readonly app: FastifyInstance;
  readonly db: Db;
  readonly keyring: Keyring;
  /** Real time; tests move it. */
  readonly clock: { at: number; now(): number };
  /** A key of the default tenant with every scope of a tenant's own for the sandbox. */
  readonly key: string;
  readonly keyId: string;
  /** Every line logged so far. */
  readonly logged: () => string;
  makeKey(plan: Partial<ApiKeyPlan>): Promise<{ id: string; value: string }>;
  close(): Promise<void>;
}

export interface FloorOptions {
  readonly endpoints?: readonly Endpoint<FloorNeeds>[];
  readonly environments?: readonly EnvironmentName[];
  readonly sandbox?: SandboxControls;
  /** Whether the documentation is there. Default: `/openapi.json` alone. */
  readonly pages?: boolean;
  readonly http?: Partial<HttpOptions<FloorNeeds>>;
}

/** The HTTP floor over a real database and keyring, with the endpoints a test defines. Rooms and chains are not needed. */
export async function openFloor(options: FloorOptions = {}): Promise<Floor> {
  const { db, close: closeDatabase } = await openTestDatabase();
  const keyring = createKeyring({ masterKeys: [{ id: "1", key: randomBytes(32) }], activeId: "1" });
  const clock = {
    at: Date.parse("2026-03-01T12:00:00Z"),
    now() {
      return this.at;
    },
  };
  const lines: string[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
  const networks = new Map<EnvironmentName, Network>();
  for (const name of options.environments ?? ["sandbox"])
    networks.set(name, networkNamed(name, clock, options.sandbox));

  await ensureTenant(db, { id: defaultTenantId, name: "Default", now: clock.at });
  const makeKey = (plan: Partial<ApiKeyPlan>) =>
    createApiKey(
      { db, secret: keyring.macs("api-key"), random, now: clock.at },
      {
        tenantId: defaultTenantId,
        name: "test",
        scopes: tenantsOwnScopes,
        environments: ["sandbox"],
        expiresAt: null,
        ...plan,
      },
    );
  const { id: keyId, value: key } = await makeKey({});
  const { endpoints = [] } = options;
  const app = await createHttpServer<FloorNeeds>({
    endpoints,
    site: options.pages
      ? await renderTestSite(endpoints, { sandbox: networks.has("sandbox") })
      : await renderTestDocument(endpoints),
    needs: { db, keyring, random, realClock: clock },
    networks,
    db,
    keyring,
    realClock: clock,
    random,
    corsOrigins: [],
    rateLimits: { perKeyPerMinute: 0, failedAuthenticationsPerAddressPerMinute: 0 },
    trustProxy: false,
    logger,
    readiness: async () => ({ ready: true, checks: {} }),
    version: testVersion,
    checkResponses: true,
    ...options.http,
  });
  return {
    app,
    db,
    keyring,
    clock,
    key,
    keyId,
    logged: () => lines.join(""),
    makeKey,
    close: async () => {
      await app.close();
      await closeDatabase();
    },
  };
}

/** The floor for all tests of a file. The options are asked for when it opens, so they may stand below the tests. */
export const useFloor = (options: () => FloorOptions = () => ({})): Floor => use(() => openFloor(options()));

/** A network as far as this floor looks at one: its name, its clock, and the sandbox's controls. */
function networkNamed(name: EnvironmentName, clock: { now(): number }, sandbox: SandboxControls | undefined): Network {
  const seen: Pick<Network, "name" | "clock" | "sandbox"> = {
    name,
    clock,
    ...(sandbox && name === "sandbox" ? { sandbox } : {}),
  };
  return seen as Network;
}
