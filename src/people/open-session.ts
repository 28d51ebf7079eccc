import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { sealTo } from "@trellis/kernel/crypto/hpke.js";
import { generateAuthorizationKey, type P256PublicKey } from "@trellis/kernel/crypto/p256.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Authorized, Custodian, Custodians, Wallet } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type RawBuilder, sql } from "kysely";
import { askCustodian } from "../custody/custodians.js";
import { beginChain, countRefresh, lockChain } from "../custody/session-chain.js";
import { openAlone } from "./end-sessions.js";
import { drawToken, hashToken, type OpenedSession, toSessionWallet } from "./session.js";

export interface SessionNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly custodians: Custodians;
}

/** Whose session, at which custodian, for whose eyes. */
export interface SessionRequest {
  readonly userId: string;
  readonly custodian: Custodian;
  readonly wallet: Wallet;
  readonly clientKey: P256PublicKey;
  readonly lifeMs: number;
  /** What the holder's passkey signed for it; absent: a code or an earlier session was shown. */
  readonly grant?: Authorized;
  /**
   * Absent: the session starts a chain of its own. `startedAt` is environment time in Unix milliseconds; `replacesId` is
   * the session whose answer was lost, if there is one.
   */
  readonly chain?: {
    readonly id: string;
    readonly startedAt: number;
    readonly parentId: string;
    readonly replacesId: string | null;
  };
}

/**
 * Opens a session (gap 20): makes an authorization key, registers its public half with the custodian, seals the private
 * half to the client's key and forgets it. `claim` makes SQL that yields a row if the session may be opened; it takes
 * effect together with the session or not at all. Where the session continues a chain, `claim` has to ask that the query
 * `chain` has a row. Without a row nothing stays behind: the key is revoked, and the result is undefined. Where the tenant
 * allows one session, a new chain is good for nothing until it has ended those that the user had: whatever dies in between
 * leaves the old ones.
 */
export async function openSession(
  needs: SessionNeeds,
  network: Pick<Network, "clock">,
  request: SessionRequest,
  claim: () => RawBuilder<unknown>,
): Promise<OpenedSession | undefined> {
  const now = network.clock.now();
  const id = needs.random.uuid();
  const chain = request.chain ?? { id, startedAt: now, parentId: null, replacesId: null };
  const expiresAt = Math.min(now + request.lifeMs, chain.startedAt + limits.sessionMaxMs);
  const { custodian, wallet, clientKey } = request;

  const authorizationKey = generateAuthorizationKey();
  const sealed = sealTo(clientKey.point, Buffer.from(Buffer.from(authorizationKey.privateKeyPkcs8).toString("base64")));
  authorizationKey.privateKeyPkcs8.fill(0);
  const registered = await askCustodian(
    custodian.registerAuthorizationKey({
      walletId: wallet.id,
      publicKey: authorizationKey.publicKey,
      now,
      expiresAt,
      ...(request.grant && { grant: request.grant }),
    }),
  );
  const [token, accessToken, refreshToken] = [
    drawToken(needs.random),
    drawToken(needs.random),
    drawToken(needs.random),
  ];
  const claimed = request.chain
    ? sql`chain as materialized (${lockChain(chain.id, now)}), claimed as (${claim()}),
        counted as (${countRefresh(chain.id, now)})`
    : sql`policy as materialized (
          select one_session from tenant join app_user on app_user.tenant_id = tenant.id
          where app_user.id = ${request.userId}::text
        ), claimed as (${claim()}), begun as (${beginChain(chain.id, now)})`;
  const isAlone = request.chain ? sql`false` : sql`(select one_session from policy)`;
  const { rows } = await sql<{ is_alone: boolean; further: readonly FurtherWallet[] }>`
    with ${claimed}
    insert into session (id, user_id, provider, wallet_id, authorization_key_id, authorization_public_key,
      client_public_key, token_hash, access_token_hash, refresh_token_hash, state, chain_id, parent_id,
      replaces_id, chain_started_at, created_at, expires_at)
    select ${id}::text, ${request.userId}::text, ${custodian.provider}::text, ${wallet.id}::text,
      ${registered.id}::text, ${authorizationKey.publicKey}::bytea, ${clientKey.point}::bytea,
      ${hashToken(needs.keyring, token)}::bytea, ${hashToken(needs.keyring, accessToken)}::bytea,
      ${hashToken(needs.keyring, refreshToken)}::bytea, 'live', ${chain.id}::text, ${chain.parentId}::text,
      ${chain.replacesId}::text, ${chain.startedAt}::int8, ${now}::int8, ${expiresAt}::int8
    from claimed
    returning ${isAlone} as is_alone, ${furtherOf(wallet)} as further`.execute(needs.db);
  const [opened] = rows;
  if (opened === undefined) {
    await askCustodian(custodian.revokeAuthorizationKey({ id: registered.id, now }));
    return undefined;
  }
  if (opened.is_alone) {
    await openAlone(needs, { userId: request.userId, id: chain.id, provider: custodian.provider }, now);
  }
  return {
    id,
    provider: custodian.provider,
    userId: request.userId,
    token,
    accessToken,
    refreshToken,
    sealed: {
      encrypted_authorization_key: {
        encapsulated_key: Buffer.from(sealed.encapsulatedKey).toString("base64"),
        ciphertext: Buffer.from(sealed.ciphertext).toString("base64"),
        encryption_type: "HPKE",
      },
      expires_at: expiresAt,
      wallets: [wallet, ...opened.further.map((further) => toWallet(further, wallet))].map(toSessionWallet),
    },
  };
}

interface FurtherWallet {
  readonly id: string;
  readonly address: string;
  readonly created_at: number;
  readonly imported_at: number | null;
}

/** SQL: the owner's other wallets at the custodian, which the keys of this one command. */
const furtherOf = ({ id, ownerId, provider }: Wallet) => sql`(select coalesce(json_agg(json_build_object(
    'id', id, 'address', address, 'created_at', created_at, 'imported_at', imported_at) order by number), '[]')
  from wallet as further where owner_id = ${ownerId} and provider = ${provider} and commanded_by = ${id})`;

const toWallet = (further: FurtherWallet, { provider, ownerId }: Wallet): Wallet => ({
  id: further.id,
  provider,
  ownerId,
  address: further.address as Address,
  createdAt: further.created_at,
  ...(further.imported_at === null ? {} : { importedAt: further.imported_at }),
});
