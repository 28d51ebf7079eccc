import type { Network } from "../../ports/network.js";

/** Where one node tells the height and nothing is ever rolled back, its finalized height alone settles expiry. */
export function expiresByOneHeight(rpc: Network["rpc"]): Network["hasExpired"] {
  return async (lastValidBlockHeight) =>
    (await rpc.getBlockHeight({ commitment: "finalized" }).send()) > lastValidBlockHeight;
}
