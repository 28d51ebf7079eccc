import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { errorCatalogue, wireCode } from "@trellis/kernel/errors.js";
import { describe, expect, it } from "vitest";
import type { Figure } from "../../src/adapters/metrics/figures.js";
import { startMetricsServer } from "../../src/adapters/metrics/metrics-server.js";
import { createPrometheus } from "../../src/adapters/metrics/prometheus.js";
import { createReadings, type Source } from "../../src/adapters/metrics/readings.js";
import { parseConfig } from "../../src/config/config.js";
import { endpoints } from "../../src/endpoints.js";
import { operationalContracts } from "../../src/http/operational-endpoints.js";
import { useTestService } from "../support/scene.js";

const token = randomBytes(24).toString("base64url");
let ahead = 0;
const realClock = { now: () => Date.now() + ahead };
const trellis = useTestService({ TRELLIS_METRICS_PORT: "0", TRELLIS_METRICS_TOKEN: token }, { realClock });

describe("the metrics of a service", () => {
  it("are returned to callers with the token, at one path", async () => {
    expect((await read({})).status).toBe(401);
    expect((await read({ authorization: `Bearer ${token}x` })).status).toBe(401);
    expect((await read({ authorization: `Bearer ${trellis.apiKey}` })).status).toBe(401);
    expect((await read(undefined, "/")).status).toBe(404);
    expect((await fetch(trellis.service.metricsUrl ?? "", { method: "POST" })).status).toBe(405);
    expect((await read()).status).toBe(200);
  });

  it("are not on the service's own port", async () => {
    expect((await fetch(`${trellis.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(404);
  });

  it("count requests, refusals and what is done for them, and name no tenant, account, key or path", async () => {
    const { samples: before } = await scrape();
    const body = { type: "signers", signers: ["7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"], threshold: 1 };
    const created = await trellis.request("POST", "/api/service/v1/accounts", body);
    expect(created.status).toBe(201);
    const { address } = (created.body as { data: { address: string } }).data;
    const path = `/api/service/v1/accounts/${address}`;
    expect((await trellis.request("GET", path)).status).toBe(200);
    expect((await trellis.request("GET", path, undefined, { authorization: "Bearer sk_test_wrong" })).status).toBe(401);
    // Refused once it was final, and replayed from what was stored: counted both times.
    const key = { "x-idempotency-key": "too many" };
    const wrong = { ...body, threshold: 3 };
    for (const _ of [1, 2]) {
      expect((await trellis.request("POST", "/api/service/v1/accounts", wrong, key)).status).toBe(400);
    }
    expect((await trellis.request("GET", "/wp-admin/setup.php")).status).toBe(404);
    await trellis.request("POST", "/api/service/v1/accounts", '{"type":', { "content-type": "application/json" });
    letTimePass();

    const { text, samples } = await scrape();
    const grown = (name: string, labels: Readonly<Record<string, string>>) =>
      sumOf(samples, name, labels) - sumOf(before, name, labels);
    const requests = "trellis_http_requests_total";
    expect(grown(requests, { operation: "createAccount", status: "201" })).toBe(1);
    expect(grown(requests, { operation: "createAccount", status: "400" })).toBe(3);
    expect(grown(requests, { operation: "getAccount", status: "200" })).toBe(1);
    expect(grown(requests, { operation: "getAccount", status: "401" })).toBe(1);
    expect(grown(requests, { operation: "other", status: "404" })).toBe(1);
    expect(grown("trellis_http_request_duration_seconds_count", { operation: "getAccount" })).toBe(2);
    expect(grown("trellis_refusals_total", { code: "invalid_api_key" })).toBe(1);
    expect(grown("trellis_refusals_total", {})).toBe(5);
    expect(grown("trellis_submissions_ended_lately", { state: "landed", environment: "sandbox" })).toBeGreaterThan(0);
    const spent = grown("trellis_budget_left_lamports", { budget: "plain" });
    expect(spent).toBeLessThan(0);
    expect(grown("trellis_service_key_lamports", { key: "fee_payer" })).toBeLessThan(0);
    expect(sumOf(samples, "trellis_submissions_open")).toBe(0);

    const operations = [...endpoints.map(({ contract }) => contract), ...operationalContracts];
    const allowed: Record<string, readonly string[]> = {
      operation: [...operations.map(({ operation }) => operation), "other"],
      code: Object.keys(errorCatalogue).map((code) => wireCode(code as keyof typeof errorCatalogue)),
      environment: ["sandbox", "devnet", "mainnet", "all"],
    };
    const ours = samples.filter(({ name }) => name.startsWith("trellis_"));
    for (const { labels } of ours) {
      for (const [key, word] of Object.entries(labels)) {
        expect(word, key).toMatch(/^[\w.+-]{1,40}$/);
        if (allowed[key]) expect(allowed[key]).toContain(word);
      }
    }
    expect(ours.length).toBeLessThan(1_500);
    for (const secret of [address, trellis.apiKey, token, "wp-admin", "7Np41", "sk_test"])
      expect(text).not.toContain(secret);
  });

  it("have everything that the board and the alert rules ask for", async () => {
    const { text } = await scrape();
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]));
    const names = [...types].flatMap(([name, type]) =>
      type === "histogram" ? ["bucket", "sum", "count"].map((part) => `${name}_${part}`) : [name],
    );
    const file = (name: string) => readFileSync(new URL(`../../deploy/monitoring/${name}`, import.meta.url), "utf8");
    const board: { panels: { targets: { expr: string }[] }[] } = JSON.parse(file("dashboard.json"));
    const exprs = [
      ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...[...file("alerts.yml").matchAll(/^ +expr: (.*)$/gm)].map(([, expr = ""]) => expr),
    ];
    expect(exprs.length).toBeGreaterThan(35);
    const asked = new Set(exprs.flatMap((expr) => expr.match(/\b(trellis|nodejs|process)_\w+/g) ?? []));
    expect([...asked].filter((name) => !names.includes(name))).toEqual([]);
    // And nothing of ours is measured that neither of them shows, but how measuring itself goes.
    const view = names.filter((name) => name.startsWith("trellis_") && !/_(count|sum)$|reading_duration/.test(name));
    const unshown = view.filter((name) => !asked.has(name) && !file("dashboard.json").includes(name));
    expect(unshown).toEqual(["trellis_pass_duration_seconds_bucket"]);
  });
});

describe("readings", () => {
  const open = (read: Source["read"], patienceMs?: number) => {
    let at = 0;
    const prometheus = createPrometheus("0");
    const write = createReadings({
      prometheus,
      sources: [{ name: "one", goodForMs: 1_000, read }],
      realClock: { now: () => at },
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
    return { write, moveTo: (instant: number) => (at = instant) };
  };
  const figure = (value: number): Figure => ({ name: "trellis_event_deliveries_pending", labels: {}, value });

  it("are made once for ten who ask at the same time, and not again before they are old", async () => {
    let count = 0;
    const { write, moveTo } = open(async () => [figure(++count)]);
    const ten = await Promise.all(Array.from({ length: 10 }, write));
    expect(count).toBe(1);
    expect(new Set(ten).size).toBe(1);
    moveTo(999);
    expect(await write()).toContain("trellis_event_deliveries_pending 1");
    moveTo(1_000);
    expect(await write()).toContain("trellis_event_deliveries_pending 2");
  });

  it("show nothing in place of what cannot be read, and say so", async () => {
    let isBroken = false;
    const { write, moveTo } = open(async () => {
      if (isBroken) throw new Error("postgres://user:secret@db");
      return [figure(7)];
    });
    expect(await write()).toContain("trellis_event_deliveries_pending 7");
    isBroken = true;
    moveTo(2_000);
    const text = await write();
    expect(text).not.toMatch(/^trellis_event_deliveries_pending \d/m);
    expect(text).toContain('trellis_readings_total{source="one",outcome="failed"} 1');
    expect(text).not.toContain("secret");
  });

  it("that hang are counted at every scrape that omits them, and returned again once they arrive", async () => {
    let finish: (figures: readonly Figure[]) => void = () => {};
    const { write, moveTo } = open(() => new Promise((resolve) => (finish = resolve)), 1);
    for (const count of [1, 2]) {
      const text = await write();
      expect(text).not.toMatch(/^trellis_event_deliveries_pending \d/m);
      expect(text).toContain(`trellis_readings_total{source="one",outcome="slow"} ${count}`);
    }
    finish([figure(7)]);
    await new Promise((resolve) => setImmediate(resolve));
    const text = await write();
    expect(text).toContain("trellis_event_deliveries_pending 7");
    expect(text).toContain('trellis_readings_total{source="one",outcome="ok"} 1');
    expect(text).toContain('trellis_readings_total{source="one",outcome="slow"} 2');
    moveTo(2_000);
    expect(await write()).toContain('trellis_readings_total{source="one",outcome="slow"} 3');
    finish([]);
  });
});

describe("the configuration of metrics", () => {
  const problemsOf = (variables: Record<string, string>): string => {
    try {
      parseConfig(variables);
      return "";
    } catch (error) {
      return String(error);
    }
  };

  it("has none unless a port is named, and wants a token where others can reach it", () => {
    expect(parseConfig({}).metrics).toBeNull();
    expect(parseConfig({ TRELLIS_METRICS_PORT: "9464" }).metrics).toEqual({
      host: "127.0.0.1",
      port: 9464,
      token: null,
    });
    expect(problemsOf({ TRELLIS_METRICS_PORT: "9464", TRELLIS_METRICS_HOST: "0.0.0.0" })).toContain(
      "TRELLIS_METRICS_TOKEN",
    );
    expect(problemsOf({ TRELLIS_METRICS_PORT: "9464", TRELLIS_METRICS_TOKEN: "short" })).toContain("at least 16");
    expect(problemsOf({ TRELLIS_METRICS_PORT: "nine" })).toContain("TRELLIS_METRICS_PORT");
  });
});

describe("the server of metrics", () => {
  it("answers this machine's own names only, where no other one reaches it", async () => {
    const parts = { port: 0, token: null, contentType: "text/plain", write: async () => "figures" };
    const server = await startMetricsServer({ ...parts, host: "127.0.0.1" });
    const { hostname, port } = new URL(server.url);
    // fetch sends no Host of its own.
    const readAs = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request({ hostname, port, path: "/metrics", headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on("error", reject).end();
      });
    try {
      for (const host of [`127.0.0.1:${port}`, "localhost", `localhost:${port}`, `[::1]:${port}`, "10.0.0.7"]) {
        expect([host, await readAs(host)]).toEqual([host, 200]);
      }
      for (const host of [
        "evil.example",
        `evil.example:${port}`,
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "localhost:x",
      ]) {
        expect([host, await readAs(host)]).toEqual([host, 421]);
      }
    } finally {
      await server.close();
    }
  });

  it("says so when nothing can be written, and ends although a client waits", async () => {
    const server = await startMetricsServer({
      host: "127.0.0.1",
      port: 0,
      token: null,
      contentType: "text/plain",
      write: () => Promise.reject(new Error("no")),
    });
    expect((await fetch(server.url)).status).toBe(503);
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });
});

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const read = (headers: Record<string, string> = { authorization: `Bearer ${token}` }, path?: string) => {
  const url = new URL(trellis.service.metricsUrl ?? "");
  if (path !== undefined) url.pathname = path;
  return fetch(url, { headers });
};

/** On a slow machine a source may take longer than a scrape waits for it: it is there at a later one. */
async function scrape(): ReturnType<typeof scrapeOnce> {
  const wanted = ["trellis_submissions_unsettled", "trellis_service_key_lamports", "trellis_event_deliveries_pending"];
  for (;;) {
    const found = await scrapeOnce();
    if (wanted.every((name) => found.samples.some((sample) => sample.name === name))) return found;
  }
}

async function scrapeOnce(): Promise<{ readonly text: string; readonly samples: readonly Sample[] }> {
  const response = await read();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  const text = await response.text();
  const samples = text.split("\n").flatMap((line): Sample[] => {
    if (line === "" || line.startsWith("#")) return [];
    const [, name = "", inside = "", value = ""] = /^([a-z][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    expect(name, line).not.toBe("");
    const labels = Object.fromEntries(
      [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", word = ""]) => [key, word]),
    );
    return [{ name, labels, value: Number(value) }];
  });
  return { text, samples };
}

function sumOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  const fits = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, word]) => sample.labels[key] === word),
  );
  return fits.reduce((sum, { value }) => sum + value, 0);
}

/** Makes what is read anew at the next scrape. */
const letTimePass = () => {
  ahead += 61_000;
};
