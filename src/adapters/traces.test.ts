import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beginTraces } from "./traces.js";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-traces-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("traces", () => {
  it("are made once an endpoint is named and the instrumentation is there, with what is not set filled in", async () => {
    await install("globalThis.tracesBegun = (globalThis.tracesBegun ?? 0) + 1;");
    const environment: Record<string, string | undefined> = { ...endpoint, OTEL_NODE_ENABLED_INSTRUMENTATIONS: "http" };
    expect(await beginTraces(environment, from())).toEqual({ kind: "begun" });
    expect(Reflect.get(globalThis, "tracesBegun")).toBe(1);
    Reflect.deleteProperty(globalThis, "tracesBegun");
    expect(environment).toEqual({
      ...endpoint,
      OTEL_SERVICE_NAME: "trellis",
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_METRICS_EXPORTER: "none",
      OTEL_LOGS_EXPORTER: "none",
      OTEL_NODE_ENABLED_INSTRUMENTATIONS: "http",
      OTEL_NODE_RESOURCE_DETECTORS: "env",
    });
  });

  it("keep the name that their resource has", async () => {
    await install("");
    const environment: Record<string, string | undefined> = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test,service.name=wallets",
    };
    expect(await beginTraces(environment, from())).toEqual({ kind: "begun" });
    expect(environment.OTEL_SERVICE_NAME).toBeUndefined();
  });

  it("are not made, and nothing is loaded, where they are not configured", async () => {
    await install("throw new Error('loaded');");
    for (const environment of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, { ...endpoint, OTEL_SDK_DISABLED: "True" }]) {
      const before = { ...environment };
      expect(await beginTraces(environment, from())).toEqual({ kind: "unwanted" });
      expect(environment).toEqual(before);
    }
  });

  it("that cannot be made keep nothing from starting, and say why", async () => {
    expect(await beginTraces({ ...endpoint }, from())).toEqual({
      kind: "failed",
      reason: expect.stringContaining("is not installed"),
    });
    await install("throw new Error('made for another Node.js');");
    expect(await beginTraces({ ...endpoint }, from())).toEqual({
      kind: "failed",
      reason: expect.stringContaining("made for another Node.js"),
    });
  });

  it("load nothing from elsewhere, such as a home directory or a path that is meant for something else", async () => {
    const home = join(folder, "home");
    await mkdir(home);
    await install("process.stdout.write('loaded from elsewhere ');");
    await rename(join(folder, "node_modules"), join(home, ".node_modules"));
    const script = `const { beginTraces } = await import(${JSON.stringify(new URL("traces.ts", import.meta.url).href)});
      console.log((await beginTraces(process.env, ${JSON.stringify(from())})).kind);`;
    for (const place of [{ HOME: home }, { NODE_PATH: join(home, ".node_modules") }]) {
      const environment = { PATH: process.env.PATH, ...endpoint, ...place };
      const run = ["--import", "tsx", "--input-type=module", "--eval", script];
      expect((await promisify(execFile)(process.execPath, run, { env: environment })).stdout).toBe("failed\n");
    }
  });

  it("are left to a tracer that is already active", async () => {
    await install("throw new Error('loaded');");
    const api = Symbol.for("opentelemetry.js.api.1");
    Reflect.set(globalThis, api, { trace: {} });
    try {
      expect(await beginTraces({ ...endpoint }, from())).toEqual({ kind: "made_elsewhere" });
    } finally {
      Reflect.deleteProperty(globalThis, api);
    }
  });
});

/** A module deep inside of where the instrumentation may be installed. */
const from = () => join(folder, "trellis/dist/adapters/traces.js");

/** Installs a package of the instrumentation's name that does this when it is loaded. */
async function install(code: string): Promise<void> {
  const place = join(folder, "node_modules/@opentelemetry/auto-instrumentations-node");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "package.json"), JSON.stringify({ exports: { "./register": "./register.js" } }));
  await writeFile(join(place, "register.js"), code);
}
