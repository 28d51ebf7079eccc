import { Buffer } from "node:buffer";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import {
  isSameP256Point,
  type P256PublicKey,
  parseP256Point,
  verifyP256Sha256Der,
} from "@trellis/kernel/crypto/p256.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Custodian } from "@trellis/kernel/ports/custodian.js";
import type { SessionTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type RawBuilder, sql } from "kysely";
import { askCustodian, getCustodian } from "../custody/custodians.js";
import { refreshWaitSeconds } from "../custody/session-chain.js";
import { type ChainedSession, findSessionByRefreshToken, findUnrevoked } from "../custody/session-store.js";
import { endSessions, revokeKeys } from "./end-sessions.js";
import { openSession, type SessionNeeds } from "./open-session.js";
import { type OpenedSession, tokenMacs } from "./session.js";
import { findUserById } from "./user-store.js";

/** A refresh as it was received. */
export interface RefreshRequest {
  readonly tenantId: string;
  readonly refreshToken: string;
  readonly clientKey: P256PublicKey;
  /** The client's key as it was written: what a signature for a change of key is over. */
  readonly encryptionPublicKey: string;
  /** Base64 DER signature by the authorization key, for another client key than the session's. */
  readonly signature: string | undefined;
}

type Needs = SessionNeeds & { readonly log: Log };

/** What a token is good for now. */
type Step =
  /** For the next session, under this claim; also in place of one whose answer was lost. */
  | { readonly kind: "open"; readonly claim: () => RawBuilder<unknown>; readonly replacesId: string | null }
  /** For nothing, and no session of its chain is trusted any more. */
  | { readonly kind: "end"; readonly reason: "refresh_token_reused" | "idle" };

const reused: Step = { kind: "end", reason: "refresh_token_reused" };

/** A call that loses a race checks again; what it finds then is final but for a race with another call. */
const refreshesMax = 3;

/**
 * Trades a refresh token for the next session of its chain (gap 20). Of calls with one token at the same time one opens
 * a session, and the responses to the others say so. The token is good once more within 60 seconds, by the same client key and while
 * the new session is unused: then the answer was lost, and the lost session is revoked. A third use of that kind is
 * refused and ends nothing; any other ends the chain, authorization keys included.
 *
 * Throws `invalid_refresh_token`, `refresh_conflict`, `session_expired` (30 days after the code),
 * `session_key_mismatch`, `rate_limit_exceeded`.
 */
export async function rotateSession(needs: Needs, network: Network, request: RefreshRequest): Promise<OpenedSession> {
  const beganAt = network.clock.now();
  const macs = tokenMacs(needs.keyring);
  for (let refresh = 1; refresh <= refreshesMax; refresh += 1) {
    const session = await macs.find(request.refreshToken, (hashes) =>
      findSessionByRefreshToken(needs.db, hashes, network.clock.now()),
    );
    if (session === undefined) throw new TrellisError("invalid_refresh_token");
    const user = await findUserById(needs.db, session.user_id);
    if (user?.tenant_id !== request.tenantId || user.environment !== network.name) {
      throw new TrellisError("invalid_refresh_token");
    }
    const custodian = getCustodian(needs.custodians, session.provider);
    // Who lost a race was at it together with the winner, whatever the clocks say.
    const step = await chooseStep(needs, network, request, session, refresh === 1 ? beganAt : 0);
    if (step.kind === "end") return endChain(needs, session, network.clock.now(), step.reason);
    const waitSeconds = refreshWaitSeconds(session, network.clock.now());
    if (waitSeconds > 0) throw tooManyRefreshes(waitSeconds);
    const opened = await openNext(needs, network, request, session, custodian, step);
    if (opened === undefined) continue;
    await retireOthers(needs, network, session, opened);
    return opened;
  }
  throw new TrellisError("refresh_conflict");
}

/**
 * Has the custodian forget the keys before the last one. The next session is there whatever the result is: what is left over
 * now, the next refresh finds.
 */
async function retireOthers(
  needs: Needs,
  network: Network,
  session: ChainedSession,
  opened: OpenedSession,
): Promise<void> {
  try {
    const others = (await findUnrevoked(needs.db, [session.chain_id])).filter(
      ({ id }) => id !== session.id && id !== opened.id,
    );
    await revokeKeys(needs, others, network.clock.now());
  } catch (error) {
    needs.log.warn(
      { event: "replaced_session_keys_unrevoked", err: error, session: session.id },
      "keys of replaced sessions are not revoked yet",
    );
  }
}

/** Decides what the token is good for. `beganAt` is when this call began. */
async function chooseStep(
  needs: Needs,
  network: Network,
  request: RefreshRequest,
  session: ChainedSession,
  beganAt: number,
): Promise<Step> {
  const now = network.clock.now();
  if (session.ended_at !== null) return reused;
  if (session.is_idle) return { kind: "end", reason: "idle" };
  if (session.state === "live") {
    if (now >= Number(session.chain_started_at) + limits.sessionMaxMs) throw new TrellisError("session_expired");
    const isAllowed =
      isSameP256Point(session.client_public_key, request.clientKey.point) ||
      isSignedByAuthorizationKey(session, request, now);
    if (!isAllowed) throw new TrellisError("session_key_mismatch");
    return { kind: "open", claim: () => claimLive(session.id, network.clock.now()), replacesId: null };
  }
  const rotatedAt = Number(session.rotated_at ?? 0n);
  if (session.state === "revoked" || now - rotatedAt > limits.refreshGraceMs) return reused;
  const next = (await findUnrevoked(needs.db, [session.chain_id])).find(
    ({ parent_id, state }) => parent_id === session.id && state !== "revoked",
  );
  if (next === undefined || !isSameP256Point(next.client_public_key, request.clientKey.point)) return reused;
  if (beganAt < rotatedAt) throw new TrellisError("refresh_conflict");
  if (next.state !== "live" || next.used_at !== null) return reused;
  if (next.replaces_id !== null) throw new TrellisError("refresh_conflict");
  return { kind: "open", claim: () => claimLost(next.id), replacesId: next.id };
}

async function openNext(
  needs: SessionNeeds,
  network: Network,
  request: RefreshRequest,
  session: SessionTable,
  custodian: Custodian,
  { claim, replacesId }: Extract<Step, { kind: "open" }>,
): Promise<OpenedSession | undefined> {
  const wallet = await askCustodian(
    custodian.ensureWallet({ ownerId: session.user_id, environment: network.name, now: network.clock.now() }),
  );
  return openSession(
    needs,
    network,
    {
      userId: session.user_id,
      custodian,
      wallet,
      clientKey: request.clientKey,
      lifeMs: Number(session.expires_at - session.created_at),
      chain: { id: session.chain_id, startedAt: Number(session.chain_started_at), parentId: session.id, replacesId },
    },
    claim,
  );
}

function claimLive(sessionId: string, now: number) {
  return sql`update session set state = 'rotated', rotated_at = ${now}::int8, used_at = coalesce(used_at, ${now}::int8)
    where id = ${sessionId} and state = 'live' and exists (select 1 from chain) returning id`;
}

function claimLost(lostId: string) {
  return sql`update session set state = 'revoked'
    where id = ${lostId} and state = 'live' and used_at is null and exists (select 1 from chain) returning id`;
}

/**
 * Ends a chain: another holder has a token that was used up, and no session of this chain is trusted any more, or it has rested too
 * long. Done again for one that has ended before, as an earlier attempt may have been broken off on the way.
 */
async function endChain(
  needs: Needs,
  session: ChainedSession,
  now: number,
  reason: "refresh_token_reused" | "idle",
): Promise<never> {
  await endSessions(needs, [session.chain_id], now, reason);
  throw new TrellisError(reason === "idle" ? "session_expired" : "invalid_refresh_token");
}

function tooManyRefreshes(retryAfterSeconds: number): TrellisError {
  return new TrellisError("rate_limit_exceeded", {
    message: `A session is refreshed at most ${limits.refreshesPerMinute} times a minute.`,
    retryAfterSeconds,
  });
}

/**
 * Another client key is accepted only from the holder of the authorization key, and while that key lives: the signature is
 * over the canonical JSON of `{"encryption_public_key": ..., "refresh_token": ...}`.
 */
function isSignedByAuthorizationKey(session: SessionTable, request: RefreshRequest, now: number): boolean {
  if (request.signature === undefined || session.key_revoked_at !== null || session.expires_at <= BigInt(now)) {
    return false;
  }
  const publicKey = parseP256Point(session.authorization_public_key);
  if (publicKey === undefined) return false;
  const message = canonicalJson({
    encryption_public_key: request.encryptionPublicKey,
    refresh_token: request.refreshToken,
  });
  return verifyP256Sha256Der(publicKey, Buffer.from(message), Buffer.from(request.signature, "base64"));
}
