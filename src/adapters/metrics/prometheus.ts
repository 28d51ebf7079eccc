import type { Metrics } from "@trellis/kernel/ports/metrics.js";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Figure, FigureName } from "./figures.js";
import { figureTexts } from "./figures.js";

/** Where everything is counted, and written out in Prometheus' text format. */
export interface Prometheus extends Metrics {
  /** Replaces all figures of one source; with undefined there is none until it can be read again. */
  show(source: string, figures: readonly Figure[] | undefined): void;
  /** Notes whether a source of figures could be read, or a scrape was answered without it, and how long that took. */
  sourceRead(source: string, outcome: "ok" | "failed" | "slow", seconds?: number): void;
  text(): Promise<string>;
}

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Seconds: a read takes milliseconds, a submission on a cluster a minute. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const callBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const passBuckets = [0.01, 0.1, 1, 10, 60];

/** Makes a registry of its own, so that several services in one process do not count for each other. */
export function createPrometheus(version: string): Prometheus {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "trellis_build_info",
    help: "The release that runs; always 1.",
    labelNames: ["version"],
    registers,
  })
    .labels(version)
    .set(1);
  const requests = new Counter({
    name: "trellis_http_requests_total",
    help: "Requests answered, by operation and status.",
    labelNames: ["operation", "status"],
    registers,
  });
  const requestSeconds = new Histogram({
    name: "trellis_http_request_duration_seconds",
    help: "Duration of requests, by operation.",
    labelNames: ["operation"],
    buckets: requestBuckets,
    registers,
  });
  const refusals = new Counter({
    name: "trellis_refusals_total",
    help: "Requests answered with an error, by its code in the catalogue.",
    labelNames: ["code"],
    registers,
  });
  const rpcCalls = new Counter({
    name: "trellis_rpc_calls_total",
    help: "JSON-RPC calls to a cluster's nodes, by host, method and outcome.",
    labelNames: ["environment", "host", "method", "outcome"],
    registers,
  });
  const rpcSeconds = new Histogram({
    name: "trellis_rpc_call_duration_seconds",
    help: "Duration of JSON-RPC calls, by host.",
    labelNames: ["environment", "host"],
    buckets: callBuckets,
    registers,
  });
  const passLabels = ["pass", "environment"] as const;
  const passRuns = new Counter({
    name: "trellis_pass_runs_total",
    help: "Runs of the passes that recur, by outcome.",
    labelNames: [...passLabels, "outcome"],
    registers,
  });
  const passSeconds = new Histogram({
    name: "trellis_pass_duration_seconds",
    help: "Duration of a pass's runs.",
    labelNames: passLabels,
    buckets: passBuckets,
    registers,
  });
  const passSuccess = new Gauge({
    name: "trellis_pass_last_success_timestamp_seconds",
    help: "When a pass last ended well, or was made.",
    labelNames: passLabels,
    registers,
  });
  const eventsSent = new Counter({
    name: "trellis_event_deliveries_total",
    help: "Attempts to send an event to a receiver, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const unrecorded = new Counter({
    name: "trellis_requests_unrecorded_total",
    help: "Answered requests that are missing in the list of requests, by cause: no room in this process, or the database.",
    labelNames: ["cause"],
    registers,
  });
  const sources = new Counter({
    name: "trellis_readings_total",
    help: "Times that figures were read for these pages, by source and outcome; slow: a scrape was answered without them.",
    labelNames: ["source", "outcome"],
    registers,
  });
  const sourceSeconds = new Gauge({
    name: "trellis_reading_duration_seconds",
    help: "Duration of the latest reading of a source.",
    labelNames: ["source"],
    registers,
  });
  const gauges = new Map<FigureName, Gauge<string>>();
  for (const [name, [help, labelNames]] of Object.entries(figureTexts)) {
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers });
    // One without labels would say zero before anything was read.
    if (labelNames.length === 0) gauge.remove();
    gauges.set(name as FigureName, gauge);
  }
  const view = new Map<string, readonly Figure[]>();

  return {
    requestAnswered: ({ operation, status, seconds, code }) => {
      requests.inc({ operation, status });
      requestSeconds.observe({ operation }, seconds);
      if (code !== undefined) refusals.inc({ code });
    },
    rpcCalled: ({ environment, host, method, outcome, seconds }) => {
      rpcCalls.inc({ environment, host, method, outcome });
      rpcSeconds.observe({ environment, host }, seconds);
    },
    passMade: ({ pass, environment, at }) => passSuccess.set({ pass, environment }, at),
    passEnded: ({ pass, environment, seconds, isOk, endedAt }) => {
      passRuns.inc({ pass, environment, outcome: isOk ? "ok" : "failed" });
      passSeconds.observe({ pass, environment }, seconds);
      if (isOk) passSuccess.set({ pass, environment }, endedAt);
    },
    requestsUnrecorded: (cause, count) => unrecorded.inc({ cause }, count),
    eventSent: (outcome) => eventsSent.inc({ outcome }),
    show: (source, figures) => {
      for (const { name, labels } of view.get(source) ?? []) gauges.get(name)?.remove(labels);
      for (const { name, labels, value } of figures ?? []) gauges.get(name)?.set(labels, value);
      view.set(source, figures ?? []);
    },
    sourceRead: (source, outcome, seconds) => {
      sources.inc({ source, outcome });
      if (seconds !== undefined) sourceSeconds.set({ source }, seconds);
    },
    text: () => registry.metrics(),
  };
}
