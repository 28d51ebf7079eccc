import { isJsonRpcPayload, type RpcTransport } from "@solana/kit";
import type { FailoverTransport } from "./failover-transport.js";

/**
 * The failover transport, on which a look through the whole history finds nothing only when every URL that is asked says
 * so: nodes keep histories of different length, and "unknown" from one of them must not decide about money. It rejects
 * when one of them does not tell, unless another one knows the signature.
 */
export function lookEverywhere({ transport, askEveryUrl }: FailoverTransport): RpcTransport {
  return async <Response>(request: Parameters<RpcTransport>[0]) => {
    const first = await transport<Response>(request);
    if (!isLookThroughHistory(request.payload) || !findsNothing(first)) return first;
    const answers = await askEveryUrl((url) => url.transport<Response>(request));
    for (const answer of answers) if (answer.answered && isKnown(answer.value)) return answer.value;
    const silent = answers.find((answer) => !answer.answered || !findsNothing(answer.value));
    if (silent !== undefined) throw new Error(`the RPC URL ${silent.label} does not tell whether it knows a signature`);
    return first;
  };
}

/** `getSignatureStatuses` for one signature with `searchTransactionHistory`. */
function isLookThroughHistory(payload: unknown): boolean {
  if (!isJsonRpcPayload(payload) || payload.method !== "getSignatureStatuses") return false;
  const [signatures, config] = Array.isArray(payload.params) ? (payload.params as unknown[]) : [];
  const deep = (config as { searchTransactionHistory?: unknown } | undefined)?.searchTransactionHistory === true;
  return deep && Array.isArray(signatures) && signatures.length === 1;
}

function statusIn(response: unknown): unknown {
  const { result } = response as { result?: { value?: readonly unknown[] } };
  return result?.value?.[0];
}

function findsNothing(response: unknown): boolean {
  return statusIn(response) === null;
}

function isKnown(response: unknown): boolean {
  const status = statusIn(response);
  return status !== null && status !== undefined;
}
