import { createSolanaRpcFromTransport, type Rpc, type RpcTransport, type SolanaRpcApi } from "@solana/kit";
import { callNode, upTo } from "@trellis/solana/node-http.js";

/** All accounts of a program may be in one answer. */
const answerBytes = 512 * 1024 * 1024;
const bounds = { depth: 64, values: 20_000_000 };
const timeoutMs = 120_000;

/** The way to a node for a command that an operator runs: as the service's own, with room for answers that it never wants. */
export function openCommandRpc(url: string): Rpc<SolanaRpcApi> {
  const target = new URL(url);
  return createSolanaRpcFromTransport(
    async <Response>({ payload, signal }: Parameters<RpcTransport>[0]) =>
      (await callNode({ url: target, payload, timeoutMs, signal, take: upTo(answerBytes), bounds })) as Response,
  );
}
