import { isJsonRpcPayload, type RpcTransport } from "@solana/kit";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Metrics, RpcCall } from "@trellis/kernel/ports/metrics.js";
import type { WebhookOutcome, WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { faultOf, type RpcConnect } from "../chain/cluster/rpc-url.js";

/** The same way to a URL, with every call counted. */
export function meterConnect(
  connect: RpcConnect,
  environment: EnvironmentName,
  metrics: Pick<Metrics, "rpcCalled">,
): RpcConnect {
  return (url, timeoutMs) => {
    const { host } = new URL(url);
    const transport = connect(url, timeoutMs);
    return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
      const begun = performance.now();
      // Only this service's own code asks here, so that methods are few.
      const method = isJsonRpcPayload(request.payload) ? request.payload.method : "batch";
      const note = (outcome: RpcCall["outcome"]) =>
        metrics.rpcCalled({ environment, host, method, outcome, seconds: (performance.now() - begun) / 1000 });
      try {
        const response = await transport<Response>(request);
        note(typeof response === "object" && response !== null && "error" in response ? "error" : "answered");
        return response;
      } catch (error) {
        note(faultOf(error));
        throw error;
      }
    };
  };
}

/** The same sender, with every outcome counted. */
export function meterSender(sender: WebhookSender, metrics: Pick<Metrics, "eventSent">): WebhookSender {
  return {
    check: (url, rules) => sender.check(url, rules),
    send: async (request, signal) => {
      const outcome = await sender.send(request, signal);
      metrics.eventSent(wordOf(outcome));
      return outcome;
    },
  };
}

function wordOf(outcome: WebhookOutcome): string {
  if (outcome.kind === "failed") return outcome.fault;
  const hundreds = Math.floor(outcome.status / 100);
  return hundreds >= 1 && hundreds <= 5 ? `${hundreds}xx` : "other";
}
