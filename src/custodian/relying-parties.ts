import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { anyLocalPort } from "@trellis/kernel/relying-party.js";

/** A domain with the pages that may ask for its passkeys. */
export interface AllowedParty {
  readonly id: string;
  readonly origins: readonly string[];
}

/** Addresses of native applications that belong to a domain. */
export interface AppAddresses {
  readonly id: string;
  readonly addresses: readonly string[];
}

/**
 * The relying party of a new guarded wallet, with its origins in one order. Where the custodian's configuration names some, it is one of
 * those, and has no other origins. Throws CustodyRefusal.
 */
export function requireParty(
  rp: AllowedParty | undefined,
  environment: EnvironmentName,
  allowed: readonly AllowedParty[],
): AllowedParty {
  if (rp === undefined) throw refused("A guarded wallet needs the relying party of its passkeys.");
  const origins = [...new Set(rp.origins)].sort();
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(rp.id)) throw refused("The relying party is no domain.");
  for (const origin of origins) {
    if (!isOrigin(origin, environment)) throw refused("The relying party has an origin that may not ask for passkeys.");
  }
  if (allowed.length === 0) return { id: rp.id, origins };
  const party = allowed.find(({ id }) => id === rp.id);
  if (party === undefined || origins.some((origin) => !party.origins.includes(origin))) {
    throw refused("The custodian is not configured for this relying party.");
  }
  return { id: rp.id, origins };
}

function isOrigin(text: string, environment: EnvironmentName): boolean {
  if (text === anyLocalPort) return environment === "sandbox";
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const isLocal = protocol === "http:" && hostname === "localhost" && environment !== "mainnet";
  return origin === text && (protocol === "https:" || isLocal);
}

const refused = (message: string) => new CustodyRefusal("invalid_payload", message);
