import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What makes the traces: OpenTelemetry's own instrumentation of Node.js, which an operator who wants none need not install. */
const instrumentation = "@opentelemetry/auto-instrumentations-node";

/** What it does unless it is configured otherwise: spans of requests and statements, no metrics, no questions about the machine. */
const defaults: Readonly<Record<string, string>> = {
  OTEL_SERVICE_NAME: "trellis",
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "none",
  OTEL_LOGS_EXPORTER: "none",
  OTEL_NODE_ENABLED_INSTRUMENTATIONS: "http,pg",
  OTEL_NODE_RESOURCE_DETECTORS: "env",
};

/** What became of the wish for traces; `failed` says why there are none. */
export type Traces =
  | { readonly kind: "unwanted" | "made_elsewhere" | "begun" }
  | { readonly kind: "failed"; readonly reason: string };

type Environment = Record<string, string | undefined>;

/**
 * Begins to make traces where the environment names an OTLP endpoint and the instrumentation is installed in `from`, a module of
 * ours, or in a directory above it. Before anything is loaded that is to be instrumented. Puts the defaults into `environment`,
 * which the instrumentation reads on its own. Never throws: a service without traces is better than none.
 */
export async function beginTraces(environment: Environment, from: string | URL = import.meta.url): Promise<Traces> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED } = environment;
  const isWanted = Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  if (!isWanted || OTEL_SDK_DISABLED?.toLowerCase() === "true") return { kind: "unwanted" };
  if (isMadeElsewhere()) return { kind: "made_elsewhere" };
  const path = findInstrumentation(from);
  if (path === undefined) {
    return {
      kind: "failed",
      reason: `${instrumentation} is not installed in Trellis' directory or above it: docs/operations.md, Traces`,
    };
  }
  const isNamed = /(^|,)\s*service\.name=/.test(environment.OTEL_RESOURCE_ATTRIBUTES ?? "");
  for (const [name, value] of Object.entries(defaults)) {
    if (name === "OTEL_SERVICE_NAME" && isNamed) continue;
    environment[name] ||= value;
  }
  try {
    await import(pathToFileURL(path).href);
    return { kind: "begun" };
  } catch (error) {
    return { kind: "failed", reason: `${instrumentation} cannot be loaded: ${String(error)}` };
  }
}

/**
 * What is to be loaded, where it is installed above a module. `require` alone searches the home directory and at `NODE_PATH`,
 * too: who may write there is not who may say what a process with keys runs.
 */
function findInstrumentation(from: string | URL): string | undefined {
  const module = from instanceof URL || from.startsWith("file:") ? fileURLToPath(from) : from;
  for (let place = dirname(module); ; place = dirname(place)) {
    if (existsSync(join(place, "node_modules", instrumentation))) break;
    if (dirname(place) === place) return undefined;
  }
  try {
    return createRequire(module).resolve(`${instrumentation}/register`);
  } catch {
    return undefined;
  }
}

/** `NODE_OPTIONS` may have loaded an instrumentation before: two would make every span twice. */
function isMadeElsewhere(): boolean {
  const api: { readonly trace?: unknown } | undefined = Reflect.get(globalThis, Symbol.for("opentelemetry.js.api.1"));
  return api?.trace !== undefined;
}
