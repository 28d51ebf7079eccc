import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";

/** A call to the chain as it goes over the wire, and what the node answers. */
interface NodeCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Asks the real node. */
  ask(): Promise<NodeAnswer>;
}

interface NodeAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: whatever a node says, to be bent at will
  readonly result?: any;
  readonly error?: unknown;
}

/** The same chain behind a node that answers as `bend` says. */
export function bendNetwork(network: Network, bend: (call: NodeCall) => Promise<NodeAnswer>): Network {
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    const { method, params } = payload as { method: string; params: readonly unknown[] };
    const ask = async () => (await network.sandbox?.handleRpc(payload)) as NodeAnswer;
    return (await bend({ method, params, ask })) as Response;
  }) as Rpc<SolanaRpcApi>;
  return { ...network, rpc };
}
