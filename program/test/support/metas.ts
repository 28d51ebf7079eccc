import type { Meta } from "./ledger.js";

/** Account rights in the notation of the specification: writable, signer, both, neither. */
export const w = (key: Uint8Array): Meta => ({ key, writable: true, signer: false });
export const s = (key: Uint8Array): Meta => ({ key, writable: false, signer: true });
export const ws = (key: Uint8Array): Meta => ({ key, writable: true, signer: true });
export const r = (key: Uint8Array): Meta => ({ key, writable: false, signer: false });
