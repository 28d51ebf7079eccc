import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Address, SignatureBytes } from "@solana/kit";
import { generateEd25519KeyPair, signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { toUncompressedP256Point } from "@trellis/kernel/crypto/p256.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import {
  type Authorized,
  type Custodian,
  type CustodianName,
  CustodyRefusal,
  type Stamp,
  type Wallet,
} from "@trellis/kernel/ports/custodian.js";
import type { Db, KmsWalletTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressOfBytes } from "@trellis/program-client";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { CompiledQuery } from "kysely";
import { isSignIn, parsePayload, payloadExpiryMs } from "../../custody/payload.js";
import { verifyStamp } from "../../custody/stamp.js";
import { createRealClock } from "../system.js";
import { createBuiltInExports } from "./built-in-exports.js";
import { createBuiltInPasskeys } from "./built-in-passkeys.js";

/** Wallets never change, so the ones last asked for are kept at hand. */
const walletsAtHand = 10_000;

const newWalletStatement = `insert into kms_wallet (id, provider, owner_id, environment, address, secret, created_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (owner_id, provider) do nothing`;

const newKeyStatement = `insert into kms_authorization_key (id, wallet_id, public_key, created_at, expires_at, binding)
  values ($1, $2, $3, $4, $5, $6)`;

/** Plain text, as every submit asks it. */
const signingQuery = `select wallet.id, wallet.address, wallet.environment, wallet.secret, key.public_key, key.expires_at,
    key.revoked_at, key.binding
  from kms_wallet as wallet
  left join kms_authorization_key as key on key.wallet_id = wallet.id and key.id = $3
  where wallet.id = $1 and wallet.provider = $2`;

/** A wallet with what it takes to sign. */
type HeldWallet = Pick<KmsWalletTable, "id" | "address" | "environment" | "secret">;

/** A wallet with the key that was named; without such a key its columns are null. */
type SigningRow = HeldWallet & {
  readonly public_key: Uint8Array | null;
  readonly expires_at: bigint | null;
  readonly revoked_at: bigint | null;
  readonly binding: Uint8Array | null;
};

/**
 * A custodian inside the service's own database: wallet secrets are envelope-encrypted under the master key, bound to
 * their row, and leave it only to sign. It trusts nothing the service says about a signature request: stamp, key,
 * payload and transaction are checked here again.
 */
export function createBuiltInCustodian(parts: {
  readonly provider: CustodianName;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  /** Real time, as the custodian knows it. */
  readonly clock?: Clock;
}): Custodian {
  const { provider, db, keyring, random } = parts;
  const bindingSecret = keyring.deriveSecret("kms/authorization-key");
  const passkeys = createBuiltInPasskeys({ db, keyring, random });
  const wallets = new Map<string, Wallet>();

  /** The one way to a wallet's key. Who has it wipes it. */
  const seedOf = (wallet: HeldWallet): Uint8Array => keyring.unwrap(wallet.secret, walletContext(wallet.id));
  const { hasAny: hasPasskey } = passkeys;
  const clock = parts.clock ?? createRealClock();
  const exports = createBuiltInExports({ db, keyring, random, clock, seedOf, hasPasskey });

  const remember = (wallet: Wallet): Wallet => {
    if (wallets.size >= walletsAtHand) {
      const oldest = wallets.keys().next();
      if (oldest.done !== true) wallets.delete(oldest.value);
    }
    wallets.set(wallet.ownerId, wallet);
    return wallet;
  };

  const findByOwner = async (ownerId: string): Promise<Wallet | undefined> => {
    const row = await db
      .selectFrom("kms_wallet")
      .select(["id", "provider", "owner_id", "address", "created_at", "environment"])
      .where("owner_id", "=", ownerId)
      .where("provider", "=", provider)
      .executeTakeFirst();
    return row === undefined ? undefined : toWallet(row, provider);
  };

  const getWallet = async (walletId: string): Promise<HeldWallet> => {
    const wallet = await db
      .selectFrom("kms_wallet")
      .select(["id", "address", "environment", "secret"])
      .where("id", "=", walletId)
      .where("provider", "=", provider)
      .executeTakeFirst();
    if (wallet === undefined) throw new CustodyRefusal("wallet_not_found", "There is no such wallet.");
    return wallet;
  };

  /** The wallet of a request, and the check of what is said to command it, which comes behind that of what is signed. */
  const load = async (request: Authorized): Promise<{ wallet: HeldWallet; authorize: () => Promise<void> }> => {
    const { authority, walletId } = request;
    if (authority.kind === "passkey") {
      const wallet = await getWallet(walletId);
      return { wallet, authorize: () => passkeys.require(wallet, { ...request, ...authority }) };
    }
    const { authorizationKeyId } = authority;
    const { rows } = await db.executeQuery<SigningRow>(
      CompiledQuery.raw(signingQuery, [walletId, provider, authorizationKeyId]),
    );
    const [wallet] = rows;
    if (wallet === undefined) throw new CustodyRefusal("wallet_not_found", "There is no such wallet.");
    return { wallet, authorize: async () => requireKey(wallet, authorizationKeyId, request) };
  };

  const requireKey = (row: SigningRow, id: string, { payload, stamp, now, realNow }: Authorized): void => {
    const { public_key: publicKey, expires_at: expires, binding } = row;
    const expiresAt = Number(expires ?? 0n);
    const isOurs =
      publicKey !== null && isBound(bindingSecret, { id, walletId: row.id, publicKey, expiresAt }, binding);
    if (!isOurs) throw new CustodyRefusal("invalid_signature", "The wallet has no such authorization key.");
    checkStamp(provider, payload, stamp, publicKey, realNow);
    if (row.revoked_at !== null || expiresAt <= now) {
      throw new CustodyRefusal("authorization_expired", "The authorization key is no longer valid.");
    }
  };

  const requireGrant = async (walletId: string, grant: Authorized): Promise<void> => {
    const { wallet, authorize } = await load({ ...grant, walletId });
    if (grant.authority.kind !== "passkey" || !isSignIn(grant.payload, wallet.environment)) {
      throw new CustodyRefusal("invalid_payload", "The document signs nobody in.");
    }
    await authorize();
  };

  return {
    provider,

    async ensureWallet({ ownerId, environment, now }) {
      const known = wallets.get(ownerId);
      if (known) return known;
      const pair = generateEd25519KeyPair((size) => random.bytes(size));
      const id = random.uuid();
      const wallet: Wallet = {
        id,
        provider,
        ownerId,
        address: addressOfBytes(pair.publicKey),
        createdAt: now,
      };
      const secret = keyring.wrap(pair.seed, walletContext(id));
      pair.seed.fill(0);
      const { numAffectedRows } = await db.executeQuery(
        CompiledQuery.raw(newWalletStatement, [
          id,
          provider,
          ownerId,
          environment,
          wallet.address,
          secret,
          BigInt(now),
        ]),
      );
      if (numAffectedRows === 1n) return remember(wallet);
      const existing = await findByOwner(ownerId);
      if (existing === undefined) throw new Error("a wallet that conflicted with an insert no longer exists");
      return remember(existing);
    },

    async proveWallet({ walletId, nonce }) {
      if (!/^[0-9a-f]{64}$/.test(nonce))
        throw new CustodyRefusal("invalid_payload", "A nonce has 64 small hex digits.");
      const wallet = await getWallet(walletId);
      const message = proofOf(wallet, nonce);
      const seed = seedOf(wallet);
      try {
        return { message, signature: signEd25519(seed, Buffer.from(message, "utf8")) as SignatureBytes };
      } finally {
        seed.fill(0);
      }
    },

    async registerAuthorizationKey({ walletId, publicKey, now, expiresAt, grant }) {
      if (grant !== undefined) await requireGrant(walletId, grant);
      const point = Uint8Array.from(toUncompressedP256Point(publicKey));
      const id = random.uuid();
      const binding = bindingOf(bindingSecret, { id, walletId, publicKey: point, expiresAt });
      await db.executeQuery(
        CompiledQuery.raw(newKeyStatement, [id, walletId, point, BigInt(now), BigInt(expiresAt), binding]),
      );
      return { id };
    },

    async revokeAuthorizationKey({ id, now }) {
      await db
        .updateTable("kms_authorization_key")
        .set({ revoked_at: BigInt(now) })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .execute();
    },

    async sign(request) {
      const { wallet, authorize } = await load(request);
      const messageBytes = checkPayload(request.payload, wallet, request.now);
      await authorize();
      const seed = seedOf(wallet);
      try {
        return signEd25519(seed, messageBytes) as SignatureBytes;
      } finally {
        seed.fill(0);
      }
    },

    beginPasskey: async ({ walletId, rpId, now }) => passkeys.begin(await getWallet(walletId), rpId, now),

    async addPasskey(request) {
      const { wallet, authorize } = await load(request);
      return passkeys.add(wallet, request, authorize);
    },

    async removePasskey(request) {
      const { wallet, authorize } = await load(request);
      await passkeys.remove(wallet, request, authorize);
    },

    async beginWalletExport(request) {
      const { wallet, authorize } = await load(request);
      return exports.begin(wallet, request, authorize);
    },

    async cancelWalletExport(request) {
      const { wallet, authorize } = await load(request);
      await exports.cancel(wallet, request, authorize);
    },

    exportWallet: async (request) => exports.hand(await getWallet(request.walletId), request),
  };
}

/** Begins with a letter, which no message of a transaction does that the chain takes: it would need 84 signatures. */
function proofOf(wallet: { readonly address: string; readonly environment: string }, nonce: string): string {
  return [
    "This custodian holds the key of the wallet below and can sign with it.",
    "This moves no money, changes no rights, and signs nobody in.",
    "",
    `Wallet: ${wallet.address}`,
    `Environment: ${wallet.environment}`,
    `Nonce: ${nonce}`,
  ].join("\n");
}

interface BoundKey {
  readonly id: string;
  readonly walletId: string;
  /** 65-byte point. */
  readonly publicKey: Uint8Array;
  readonly expiresAt: number;
}

/**
 * Ties an authorization key to its wallet and its end under a secret outside the database: an attacker who can write rows cannot
 * make a key of their own command a wallet, nor let one live longer.
 */
function bindingOf(secret: Uint8Array, { id, walletId, publicKey, expiresAt }: BoundKey): Uint8Array {
  const point = Buffer.from(publicKey).toString("hex");
  return createHmac("sha256", secret)
    .update(JSON.stringify([id, walletId, point, expiresAt]))
    .digest();
}

function isBound(secret: Uint8Array, key: BoundKey, binding: Uint8Array | null | undefined): boolean {
  const expected = bindingOf(secret, key);
  return binding?.length === expected.length && timingSafeEqual(binding, expected);
}

/** What a wallet's key is sealed with: bound to its row. */
export function walletContext(walletId: string): string {
  return `kms_wallet/${walletId}`;
}

function toWallet(row: Omit<KmsWalletTable, "secret">, provider: CustodianName): Wallet {
  return {
    id: row.id,
    provider,
    ownerId: row.owner_id,
    address: row.address as Address,
    createdAt: Number(row.created_at),
  };
}

/** The bytes to sign: the message of the payload's transaction, if this wallet is asked for and time is left. */
function checkPayload(
  payload: string,
  wallet: { readonly address: string; readonly environment: string },
  now: number,
): Uint8Array {
  const document = parsePayload(payload);
  if (document === undefined) throw new CustodyRefusal("invalid_payload", "The payload is not well formed.");
  if (document.wallet !== wallet.address || document.environment !== (wallet.environment as EnvironmentName)) {
    throw new CustodyRefusal("invalid_payload", "The payload was issued for another wallet.");
  }
  const messageBytes = messageOf(document.params.transaction, wallet.address);
  if (payloadExpiryMs(document) <= now) throw new CustodyRefusal("payload_expired", "The payload has expired.");
  return messageBytes;
}

function messageOf(transaction: string, walletAddress: string): Uint8Array {
  const bytes = Buffer.from(transaction, "base64");
  if (bytes.toString("base64") !== transaction) {
    throw new CustodyRefusal("invalid_payload", "The transaction in the payload is not base64.");
  }
  const read = readTransaction(bytes);
  if (read === undefined) {
    throw new CustodyRefusal("invalid_payload", "The payload does not hold a transaction.");
  }
  const {
    transaction: { messageBytes },
    message,
  } = read;
  const signers: readonly string[] = message.staticAccounts.slice(0, message.header.numSignerAccounts);
  if (!signers.includes(walletAddress)) {
    throw new CustodyRefusal("invalid_payload", "The transaction does not ask for this wallet's signature.");
  }
  return messageBytes as unknown as Uint8Array;
}

function checkStamp(
  provider: CustodianName,
  payload: string,
  stamp: Stamp,
  publicKey: Uint8Array,
  realNow: number,
): void {
  if (stamp.form !== provider) {
    throw new CustodyRefusal("invalid_signature", `A signature in ${provider} form is needed.`);
  }
  if (!verifyStamp(payload, stamp, publicKey, { realNow }).ok) {
    throw new CustodyRefusal("invalid_signature", "The authorization key did not make this signature.");
  }
}
