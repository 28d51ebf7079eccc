import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { connectByHttp, type RpcConnect } from "../adapters/chain/cluster/rpc-url.js";
import type { Config } from "../config/config.js";

type Adapters = typeof import("../adapters/metrics/index.js");

/** What counts for the metrics, and where they are read. */
export interface Metering {
  readonly metrics: ReturnType<Adapters["createPrometheus"]>;
  connectTo(environment: EnvironmentName): RpcConnect;
  meterSender(sender: WebhookSender): WebhookSender;
  /** Answers metrics at the configured address. */
  open(parts: Omit<Parameters<Adapters["openMetrics"]>[1], "prometheus">): ReturnType<Adapters["openMetrics"]>;
}

/** The metrics of this process. Undefined, and nothing of them is loaded, where the configuration asks for none. */
export async function openMetering({ metrics: configured }: Config, version: string): Promise<Metering | undefined> {
  if (configured === null) return undefined;
  const adapters = await import("../adapters/metrics/index.js");
  const metrics = adapters.createPrometheus(version);
  return {
    metrics,
    connectTo: (environment) => adapters.meterConnect(connectByHttp, environment, metrics),
    meterSender: (sender) => adapters.meterSender(sender, metrics),
    open: (parts) => adapters.openMetrics(configured, { ...parts, prometheus: metrics }),
  };
}
