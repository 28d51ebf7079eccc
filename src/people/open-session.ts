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
import type { RawBuilder } from "kysely";
import { askCustodian } from "../custody/custodians.js";
import { openAlone } from "./end-sessions.js";
import { drawToken, hashToken, type OpenedSession, toSessionWallet } from "./session.js";
import { type FurtherWallet, type SharedClaim, writeSession, writeTogether } from "./session-write-store.js";

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
 * leaves the old ones. With a shared claim the session begins a chain, and is written together with others at that moment.
 */
export async function openSession(
  needs: SessionNeeds,
  network: Pick<Network, "name" | "clock">,
  request: SessionRequest,
  claim: (() => RawBuilder<unknown>) | SharedClaim,
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
  const row = {
    id,
    user_id: request.userId,
    provider: custodian.provider,
    wallet_id: wallet.id,
    authorization_key_id: registered.id,
    authorization_public_key: authorizationKey.publicKey,
    client_public_key: clientKey.point,
    token_hash: hashToken(needs.keyring, token),
    access_token_hash: hashToken(needs.keyring, accessToken),
    refresh_token_hash: hashToken(needs.keyring, refreshToken),
    chain_id: chain.id,
    parent_id: chain.parentId,
    replaces_id: chain.replacesId,
    chain_started_at: BigInt(chain.startedAt),
    created_at: BigInt(now),
    expires_at: BigInt(expiresAt),
  };
  const opened =
    typeof claim === "function"
      ? await writeSession(needs.db, row, claim())
      : await writeTogether(needs.db, { environment: network.name, row, claim });
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

const toWallet = (further: FurtherWallet, { provider, ownerId }: Wallet): Wallet => ({
  id: further.id,
  provider,
  ownerId,
  address: further.address as Address,
  createdAt: further.created_at,
  ...(further.imported_at === null ? {} : { importedAt: further.imported_at }),
});
