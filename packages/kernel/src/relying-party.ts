import type { RelyingParty } from "./crypto/webauthn.js";

/** Any port of this machine: for development alone. */
export const anyLocalPort = "http://localhost:*";

/** A domain with the pages that may ask for its passkeys. `origins` as browsers write them, or `anyLocalPort`. */
export function relyingPartyOf(id: string, origins: readonly string[]): RelyingParty {
  return {
    id,
    allows: (origin) =>
      origins.includes(origin) || (origins.includes(anyLocalPort) && /^http:\/\/localhost(:\d{1,5})?$/.test(origin)),
  };
}
