import { Buffer } from "node:buffer";
import { sql } from "kysely";
import { canonicalJson } from "../../core/crypto/canonical-json.js";
import { isSameP256Point, type P256PublicKey, parseP256Point, verifyP256Sha256Der } from "../../core/crypto/p256.js";
import { askCustodian, getCustodian } from "../../core/custody/custodians.js";
import { TrellisError } from "../../errors.js";
import { limits } from "../../limits.js";
import type { Custodian, Custodians } from "../../ports/custodian.js";
import type { SessionTable } from "../../ports/database.js";
import type { Network } from "../../ports/network.js";
import { findUserById } from "../users/user-store.js";
import { openSession, type SessionNeeds } from "./open-session.js";
import { hashToken, type OpenedSession } from "./session.js";
import { findChain, findSessionByRefreshToken } from "./session-store.js";

/** A refresh as it came in. */
export interface RefreshRequest {
  readonly tenantId: string;
  readonly refreshToken: string;
  readonly clientKey: P256PublicKey;
  /** The client's key as it was written: what a signature for a change of key is over. */
  readonly encryptionPublicKey: string;
  /** Base64 DER signature by the authorization key, for another client key than the session's. */
  readonly signature: string | undefined;
}

/** Parallel refreshes of one chain decide each other; every round reads anew. */
const roundsMax = 5;

/**
 * Trades a refresh token for the next session of its chain (gap 20). The former token is good once more within 60
 * seconds, by the same client key and while the new session is unused: then the answer was lost, and the lost session is
 * revoked. Any other second use ends the chain, authorization keys included.
 *
 * Throws `invalid_refresh_token`, `session_expired` (30 days after the code), `session_key_mismatch`.
 */
export async function rotateSession(
  needs: SessionNeeds & { readonly custodians: Custodians },
  network: Network,
  request: RefreshRequest,
): Promise<OpenedSession> {
  const tokenHash = hashToken(needs.keyring, request.refreshToken);
  for (let round = 0; round < roundsMax; round += 1) {
    const session = await findSessionByRefreshToken(needs.db, tokenHash);
    if (session === undefined) throw new TrellisError("invalid_refresh_token");
    const user = await findUserById(needs.db, session.user_id);
    if (user?.tenant_id !== request.tenantId || user.environment !== network.name) {
      throw new TrellisError("invalid_refresh_token");
    }
    const opened = await step(needs, network, request, session);
    if (opened) return opened;
  }
  throw new TrellisError("invalid_refresh_token");
}

async function step(
  needs: SessionNeeds & { readonly custodians: Custodians },
  network: Network,
  request: RefreshRequest,
  session: SessionTable,
): Promise<OpenedSession | undefined> {
  const custodian = getCustodian(needs.custodians, session.provider);
  const now = network.clock.now();
  const isSameKey = isSameP256Point(session.client_public_key, request.clientKey.point);
  if (session.state !== "live") {
    const isLostAnswer =
      session.state === "rotated" &&
      isSameKey &&
      session.rotated_at !== null &&
      now - Number(session.rotated_at) <= limits.refreshGraceMs;
    const lost = isLostAnswer ? await findUnusedChild(needs, session) : undefined;
    if (lost === undefined) return endChain(needs, custodian, session, now);
    const opened = await openNext(needs, network, request, session, custodian, claimLost(lost.id));
    if (opened) await askCustodian(custodian.revokeAuthorizationKey({ id: lost.authorization_key_id, now }));
    return opened;
  }
  if (now >= Number(session.chain_started_at) + limits.sessionMaxMs) throw new TrellisError("session_expired");
  if (!isSameKey && !(await isSignedByAuthorizationKey(custodian, session, request, now))) {
    throw new TrellisError("session_key_mismatch");
  }
  const opened = await openNext(needs, network, request, session, custodian, claimLive(session.id, now));
  if (opened && session.parent_id !== null) await revokeKeyOf(needs, custodian, session.parent_id, now);
  return opened;
}

async function openNext(
  needs: SessionNeeds,
  network: Network,
  request: RefreshRequest,
  session: SessionTable,
  custodian: Custodian,
  claim: ReturnType<typeof claimLive>,
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
      chain: { id: session.chain_id, startedAt: Number(session.chain_started_at), parentId: session.id },
    },
    claim,
  );
}

function claimLive(sessionId: string, now: number) {
  return sql`update session set state = 'rotated', rotated_at = ${now}::int8, used_at = coalesce(used_at, ${now}::int8)
    where id = ${sessionId} and state = 'live' returning id`;
}

function claimLost(sessionId: string) {
  return sql`update session set state = 'revoked'
    where id = ${sessionId} and state = 'live' and used_at is null returning id`;
}

async function findUnusedChild(needs: SessionNeeds, session: SessionTable): Promise<SessionTable | undefined> {
  const chain = await findChain(needs.db, session.chain_id);
  return chain.find((child) => child.parent_id === session.id && child.state === "live" && child.used_at === null);
}

/** Somebody holds a token that was used up: nobody of this chain is trusted any more. */
async function endChain(needs: SessionNeeds, custodian: Custodian, session: SessionTable, now: number): Promise<never> {
  await needs.db
    .updateTable("session")
    .set({ state: "revoked" })
    .where("chain_id", "=", session.chain_id)
    .where("state", "!=", "revoked")
    .execute();
  // Also for sessions revoked before: an earlier attempt may have been broken off here.
  for (const { authorization_key_id: id } of await findChain(needs.db, session.chain_id)) {
    await askCustodian(custodian.revokeAuthorizationKey({ id, now }));
  }
  throw new TrellisError("invalid_refresh_token");
}

async function revokeKeyOf(needs: SessionNeeds, custodian: Custodian, sessionId: string, now: number): Promise<void> {
  const row = await needs.db
    .selectFrom("session")
    .select("authorization_key_id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (row) await askCustodian(custodian.revokeAuthorizationKey({ id: row.authorization_key_id, now }));
}

/**
 * Another client key is taken only from the holder of the authorization key, and while that key lives: the signature is
 * over the canonical JSON of `{"encryption_public_key": ..., "refresh_token": ...}`.
 */
async function isSignedByAuthorizationKey(
  custodian: Custodian,
  session: SessionTable,
  request: RefreshRequest,
  now: number,
): Promise<boolean> {
  if (request.signature === undefined) return false;
  const keys = await askCustodian(custodian.findAuthorizationKeys([session.wallet_id]));
  const key = keys.find(({ id }) => id === session.authorization_key_id);
  if (key === undefined || key.revokedAt !== null || key.expiresAt <= now) return false;
  const publicKey = parseP256Point(key.publicKey);
  if (publicKey === undefined) return false;
  const message = canonicalJson({
    encryption_public_key: request.encryptionPublicKey,
    refresh_token: request.refreshToken,
  });
  return verifyP256Sha256Der(publicKey, Buffer.from(message), Buffer.from(request.signature, "base64"));
}
