import type { Rpc, SolanaRpcApi } from "@solana/kit";
import { createNodeRpc, type KeepMember } from "@trellis/solana/node-rpc.js";

/** kit's client of a node in the same process, which makes some members of its answers only when they are read. */
export function createLocalRpc(handle: (payload: unknown) => Promise<unknown>): Rpc<SolanaRpcApi> {
  return createNodeRpc(
    async <Response>({ payload }: { payload: unknown }) => (await handle(payload)) as Response,
    readLater,
  );
}

const readLater: KeepMember = (copy, from, name) => {
  Object.defineProperty(copy, name, { enumerable: true, get: () => from[name] });
};
