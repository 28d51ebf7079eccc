import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { createMemberAuthenticator } from "../members/authenticate-member.js";
import { proveSession } from "../people/prove-session.js";
import { createAuthenticator } from "../tenants/authenticate.js";
import { noteAgentCall } from "../tenants/note-agent-call.js";
import { createWriteBudget } from "../tenants/write-budget.js";
import type { Guards } from "./guards.js";
import { createRateLimiter } from "./rate-limit.js";

/** Bounds per minute; 0 means none (gap 7). */
export interface RateLimits {
  readonly perKeyPerMinute: number;
  readonly failedAuthenticationsPerAddressPerMinute: number;
  /** Of all secret keys of a tenant together, and of all its publishable ones (gap 156). Default: none. */
  readonly perTenantPerMinute?: number;
  /** Requests of a tenant that leave something behind, a day and kind (gap 156). Default: none. */
  readonly writesPerTenantPerDay?: number;
  /** Of publishable keys (gap 123). Default: none. */
  readonly perPublishableKeyPerMinute?: number;
  readonly publishablePerAddressPerMinute?: number;
}

export interface GuardNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly realClock: Clock;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  readonly rateLimits: RateLimits;
  /** Where pages reach the service. Default: nowhere in particular, and not encrypted. */
  readonly publicUrl?: () => string;
  /** Whether members of the console call with their cookie. Default: true. */
  readonly takesCookies?: boolean;
}

/** Of the requests with publishable keys from one address, the share that needs no session. */
const openShare = 1 / 3;
/** What a person who is signed in may ask for, as a multiple of that. */
const sessionShare = 5;

const limiterOf = (perMinute = 0) => (perMinute > 0 ? createRateLimiter(perMinute) : undefined);

/** What stands before every operation, with the bounds that are set. */
export function openGuards({
  db,
  keyring,
  realClock: clock,
  networks,
  rateLimits,
  publicUrl = () => "",
  takesCookies = true,
}: GuardNeeds): Guards {
  const { writesPerTenantPerDay: perDay = 0, publishablePerAddressPerMinute: ofAddress = 0 } = rateLimits;
  return {
    authenticator: createAuthenticator({ db, secret: keyring.macs("api-key"), clock }),
    members: createMemberAuthenticator({ db, keyring, clock, environments: [...networks.keys()] }),
    signInLimiter: createRateLimiter(limits.consoleSignInsPerMinute),
    openLimiter: createRateLimiter(limits.ceremonyCallsPerMinute),
    publicUrl,
    takesCookies,
    networks,
    clock,
    keyLimiter: limiterOf(rateLimits.perKeyPerMinute),
    tenantLimiter: limiterOf(rateLimits.perTenantPerMinute),
    writes: perDay > 0 ? createWriteBudget({ db, clock, perDay }) : undefined,
    failureLimiter: limiterOf(rateLimits.failedAuthenticationsPerAddressPerMinute),
    publishable: {
      ofKey: limiterOf(rateLimits.perPublishableKeyPerMinute),
      ofAddress: limiterOf(ofAddress),
      openOfAddress: limiterOf(Math.ceil(ofAddress * openShare)),
      ofSession: limiterOf(ofAddress * sessionShare),
    },
    noteAgentCall: (caller, call) => noteAgentCall(db, caller, call),
    proveSession: (network, claim) => proveSession({ db, keyring }, network, claim),
  };
}
