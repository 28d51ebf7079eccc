import { Buffer } from "node:buffer";

/** What the seal of a key that is imported is bound to (gap 194): the `info` of HPKE. */
export const importInfo = (importId: string, address: string): Uint8Array =>
  Buffer.from(`trellis/wallet-import/1/${importId}/${address}`, "utf8");
