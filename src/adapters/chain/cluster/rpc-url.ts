import {
  isJsonRpcPayload,
  isSolanaError,
  type Rpc,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type SolanaRpcApi,
} from "@solana/kit";
import { callNode } from "@trellis/solana/node-http.js";
import { createNodeRpc } from "@trellis/solana/node-rpc.js";
import { expectShapes } from "@trellis/solana/node-shapes.js";

/** One JSON-RPC URL of a cluster. */
export interface RpcUrl {
  /** For logs: its number in the configuration and its host. Paths and queries hold keys and stay out. */
  readonly label: string;
  /** For operators, without user, path and query. */
  readonly origin: string;
  readonly transport: RpcTransport;
  /** Asks this URL and no other. */
  readonly rpc: Rpc<SolanaRpcApi>;
}

/** Opens the way to a URL. A request that takes longer than `timeoutMs` ends with an error named TimeoutError. */
export type RpcConnect = (url: string, timeoutMs: number) => RpcTransport;

/** JSON-RPC over HTTP. */
export const connectByHttp: RpcConnect = (url, timeoutMs) => {
  const target = new URL(url);
  return async <Response>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<Response> =>
    (await callNode({ url: target, payload, timeoutMs, signal })) as Response;
};

/**
 * Opens a URL; a request that takes longer than `timeoutMs` ends with a TimeoutError, an answer of another form than its
 * method's with a MisshapenAnswer.
 */
export function openRpcUrl(connect: RpcConnect, url: string, number: number, timeoutMs: number): RpcUrl {
  const transport = expectShapes(connect(url, timeoutMs));
  const { host, origin } = new URL(url);
  return { label: `${number} (${host})`, origin, transport, rpc: createNodeRpc(transport) };
}

/** How a URL let a request down. */
export type RpcUrlFault =
  /** It had its time; asking it again at once would take as long. */
  | "slow"
  /** It is overloaded, broken, out of reach, or refuses our key. */
  | "failed";

/** Classifies what a request to a URL ended in. */
export function faultOf(error: unknown): RpcUrlFault {
  return error instanceof Error && error.name === "TimeoutError" ? "slow" : "failed";
}

/** JSON-RPC errors that speak of the node and not of the request: another node may well answer. */
const nodeErrorCodes = new Set([
  -32603, // internal error
  -32005, // the node is behind or unhealthy
  -32429, // too many requests, as some providers say it
  429,
]);

/** Whether a JSON-RPC answer is an error of the node itself. */
export function isNodeError(response: unknown): boolean {
  if (typeof response !== "object" || response === null || !("error" in response)) return false;
  const { error } = response;
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return nodeErrorCodes.has(Number(error.code));
}

const minContextSlotNotReached = -32016;

/**
 * Whether a node answers that it has not reached what the request asks for: it has not reached a slot, or does not know
 * the blockhash of a transaction it is to simulate. No fault of the node's: it will a moment later, others may already.
 */
export function isBehind(payload: unknown, response: unknown): boolean {
  if (typeof response !== "object" || response === null) return false;
  const { error, result } = response as {
    readonly error?: { readonly code?: unknown } | null;
    readonly result?: { readonly value?: { readonly err?: unknown } | null } | null;
  };
  if (Number(error?.code) === minContextSlotNotReached) return true;
  return (
    isJsonRpcPayload(payload) && payload.method === "simulateTransaction" && result?.value?.err === "BlockhashNotFound"
  );
}

/** How long a URL asks to be left alone (`retry-after`), in milliseconds; undefined when it does not say. */
export function restAskedFor(error: unknown): number | undefined {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return undefined;
  const seconds = Number(error.context.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}
