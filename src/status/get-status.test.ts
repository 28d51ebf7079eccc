import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network, NodeStanding } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { useTestService } from "../../test/support/scene.js";
import { createRealClock } from "../adapters/system.js";
import { createStatusReader, type StatusParts } from "../composition/read-status.js";
import { createPassBook } from "../scheduler/pass-book.js";
import type { ServiceStatus } from "./service-status.js";

const test = useTestService();
const path = "/api/service/v1/status";

const read = async (): Promise<ServiceStatus> => {
  const { db } = test.service;
  const key = await db.selectFrom("api_key").select(["id", "scopes"]).executeTakeFirstOrThrow();
  const scopes = (names: string) => db.updateTable("api_key").set({ scopes: names }).where("id", "=", key.id).execute();
  await scopes('["admin:tenants"]');
  try {
    const { status, body } = await test.request("GET", path);
    expect(status).toBe(200);
    return (body as { data: ServiceStatus }).data;
  } finally {
    await scopes(key.scopes);
  }
};

/** A reader of the running service's database, with something else in its place. */
const readerOf = (other: Partial<StatusParts>) =>
  createStatusReader({
    version: "1",
    kind: "embedded",
    mail: "none",
    database: { db: test.service.db, findFaults: async () => [], connections: () => [] },
    networks: test.service.networks,
    passes: createPassBook(createRealClock()),
    custodianLogs: { faults: new Map() },
    realClock: createRealClock(),
    ...other,
  });

const of = (network: Partial<Network>): ReadonlyMap<EnvironmentName, Network> =>
  new Map([["sandbox", { ...test.network, ...network }]]);

describe("GET /status 200", () => {
  it("has the release, the database, the environment, its queues and the passes", async () => {
    const status = await read();
    expect(status).toMatchObject({
      version: expect.stringMatching(/^\d/),
      database: {
        answers: true,
        server_version: expect.stringMatching(/^\d/),
        migration: expect.stringMatching(/^\d{4}-/),
      },
      environments: [
        {
          environment: "sandbox",
          ok: true,
          poor: false,
          fee_payer: test.feePayer,
          nodes: [],
          websocket: "none",
          queues: {
            submissions_open: 0,
            creations_open: 0,
            mails_queued: 0,
            webhook_endpoints_due: 0,
            standing_orders_due: 0,
          },
        },
      ],
      event_deliveries_pending: 0,
      mail: "none",
      custodian_log_faults: [],
      unread: [],
    });
    expect(status.passes.map(({ pass }) => pass)).toEqual(
      expect.arrayContaining(["record_requests", "remove_outdated"]),
    );
    expect(status.passes.every(({ next_run_at }) => Date.parse(next_run_at) > Date.now() - 60_000)).toBe(true);
  });
});

describe("GET /status 403", () => {
  it("is the answer to a tenant's own key", async () => {
    const { status, body } = await test.request("GET", path);
    expect([status, (body as { code: string }).code]).toEqual([403, "insufficient_scope"]);
  });
});

describe("the reader of the status", () => {
  it("waits for nothing that hangs, and begins it once", async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let begun = 0;
    const health: Network["health"] = async () => {
      begun += 1;
      await opened;
      return { ok: true };
    };
    const readStatus = readerOf({ networks: of({ health }), patienceMs: 50 });
    for (const status of await Promise.all([readStatus(), readStatus()])) {
      expect(status.unread).toContain("sandbox.health");
      expect(status.environments).toMatchObject([{ ok: false, message: "does not answer" }]);
    }
    await readStatus();
    expect(begun).toBe(1);
    open();
  });

  it("says what fails, and nothing of why: the cause may name machines", async () => {
    const fails = () => Promise.reject(new Error("https://user:secret@node.example/key"));
    const database = { db: test.service.db, findFaults: fails, connections: () => [] };
    const status = await readerOf({ database, networks: of({ health: fails }) })();
    expect(status.unread.sort()).toEqual(["database.faults", "sandbox.health"]);
    expect(JSON.stringify(status)).not.toContain("secret");
  });

  it("shows nodes by their origin and height", async () => {
    const node = { standing: "agrees", comparedAt: 1_000 } as const;
    const nodes: readonly NodeStanding[] = [
      { ...node, number: 1, origin: "https://one.example", height: 90n },
      { ...node, number: 2, origin: "https://two.example", height: 100n },
      { ...node, number: 3, origin: "https://three.example", standing: "silent", height: undefined },
    ];
    const networks = of({ nodes: { list: () => nodes, compare: async () => nodes }, changesState: () => "lost" });
    const [environment] = (await readerOf({ networks })()).environments;
    const compared_at = "1970-01-01T00:00:01.000Z";
    expect(environment).toMatchObject({
      websocket: "lost",
      nodes: [
        {
          number: 1,
          origin: "https://one.example",
          standing: "agrees",
          answers: true,
          block_height: 90,
          blocks_behind: 10,
          compared_at,
        },
        { number: 2, origin: "https://two.example", answers: true, block_height: 100, blocks_behind: 0 },
        { number: 3, origin: "https://three.example", standing: "silent", answers: false },
      ],
    });
    expect(environment?.nodes[2]).not.toHaveProperty("block_height");
  });

  it("shows how a pass ran last, and when it runs next", async () => {
    let now = 10_000;
    const realClock = { now: () => now };
    const passes = createPassBook(realClock);
    passes.passMade({ pass: "sweep", environment: "all", everyMs: 1_000, at: 10 });
    const run = { pass: "sweep", environment: "all", seconds: 0.25 } as const;
    passes.passEnded({ ...run, isOk: true, endedAt: 11 });
    passes.passEnded({ ...run, isOk: false, endedAt: 12 });
    now = 12_500;
    expect((await readerOf({ passes, realClock })()).passes).toEqual([
      {
        pass: "sweep",
        environment: "all",
        every_seconds: 1,
        next_run_at: "1970-01-01T00:00:13.000Z",
        last_run_at: "1970-01-01T00:00:12.000Z",
        last_run_ok: false,
        last_duration_ms: 250,
        last_success_at: "1970-01-01T00:00:11.000Z",
      },
    ]);
  });
});
