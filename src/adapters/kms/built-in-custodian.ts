import { Buffer } from "node:buffer";
import type { SignatureBytes } from "@solana/kit";
import { generateEd25519KeyPair, signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { toUncompressedP256Point } from "@trellis/kernel/crypto/p256.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import {
  type AddedPasskey,
  type Authorized,
  type Custodian,
  type CustodianName,
  CustodyRefusal,
  type Stamp,
  type Unauthorized,
  type Wallet,
} from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressOfBytes } from "@trellis/program-client";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { CompiledQuery } from "kysely";
import { isSignIn, parsePayload, payloadExpiryMs } from "../../custody/payload.js";
import { verifyStamp } from "../../custody/stamp.js";
import { walletProof } from "../../custody/wallet-proof.js";
import { createRealClock } from "../system.js";
import { boundText, keyPurpose } from "./bindings.js";
import { createBuiltInExports } from "./built-in-exports.js";
import { createBuiltInImports } from "./built-in-imports.js";
import { type BuiltInPasskeys, createBuiltInPasskeys, type PasskeyClaim } from "./built-in-passkeys.js";
import { type CounterEntry, entryOfService } from "./counter-entries.js";
import { createHeldWallets, type HeldWallet, noSuchWallet, type WalletRow } from "./held-wallets.js";
import { createWalletKeys, walletContext } from "./wallet-keys.js";

/** None derives from a root behind which there is a newer one in use: after a restore it would derive from that. */
const newWalletStatement = `insert into kms_wallet (id, provider, owner_id, environment, address, secret, generation, created_at,
    number, commanded_by, binding)
  select $1::text, $2::text, $3::text, $4::text, $5::text, $6::bytea, $7::int4, $8::int8, $11::int4, $12::text, $13::bytea
  where not exists (select from wallet_root where provider = $2 and generation > $7::int4 and used_from <= $9::int8)
    -- What derives from a root that the database has lost would be lost with this process.
    and ($7::int4 is null or exists (select from wallet_root
      where provider = $2 and generation = $7::int4 and created_at = $10::int8 and sealed is not null))
  on conflict do nothing`;

/** How often a wallet is begun anew because another root is in use meanwhile. */
const attemptsMax = 3;

/** Of a wallet that obeys itself: a key that is bound to another one commands it no more. */
const newKeyStatement = `insert into kms_authorization_key (id, wallet_id, public_key, created_at, expires_at, binding)
  select $1::text, id, $3::bytea, $4::int8, $5::int8, $6::bytea from kms_wallet where id = $2 and commanded_by is null`;

/** Of a key whose id says what it is: the same one again changes nothing. */
const namedKeyStatement = `${newKeyStatement} on conflict (id) do nothing`;

/** Plain text, as every submit asks it. */
const signingQuery = `select wallet.id, wallet.provider, wallet.owner_id, wallet.address, wallet.environment, wallet.secret,
    wallet.generation, wallet.number, wallet.commanded_by, wallet.binding, key.public_key, key.expires_at, key.revoked_at,
    key.binding as key_binding
  from kms_wallet as wallet
  left join kms_authorization_key as key on key.wallet_id = coalesce(wallet.commanded_by, wallet.id) and key.id = $3
  where wallet.id = $1 and wallet.provider = $2`;

/** The key that was named; null where the wallet has no such key. */
interface NamedKey {
  readonly public_key: Uint8Array | null;
  readonly expires_at: bigint | null;
  readonly revoked_at: bigint | null;
  readonly key_binding: Uint8Array | null;
}

/** What would be signed, once stamp, key, payload and transaction are found to be good. */
export interface ApprovalRequest {
  readonly wallet: { readonly id: string; readonly address: string; readonly environment: string };
  readonly messageBytes: Uint8Array;
  /** As it was stamped. */
  readonly payload: string;
  readonly authority: Authorized["authority"];
  /** What the authority signed with. It was verified. */
  readonly stamp: Stamp;
  readonly now: number;
}

/** What a custodian in a process of its own asks beside the port. */
export interface BuiltInCustodian extends Custodian {
  /** Requires that a live passkey of the wallet signed the document. What it says is not read here. Throws CustodyRefusal. */
  requirePasskey(request: Authorized): Promise<void>;
  /** The owner's wallet, which is not made. */
  findWallet(ownerId: string): Promise<Wallet | undefined>;
  /** Registers a key under an id that says what it is: again it changes nothing, and revives none that was revoked. */
  registerNamedKey(key: {
    readonly id: string;
    readonly walletId: string;
    readonly publicKey: Uint8Array;
    readonly now: number;
    readonly expiresAt: number;
  }): Promise<void>;
  /** As `addPasskey`, authorized by nothing: `claim`, in the same transaction, throws where it is not the first. */
  addFirstPasskey(request: Parameters<BuiltInPasskeys["addFirst"]>[1], claim: PasskeyClaim): Promise<AddedPasskey>;
}

/**
 * A custodian inside the service's own database: wallets' keys derive from a root that is envelope-encrypted under the
 * master key, or are so themselves, bound to their row. They come to be only to sign. It trusts nothing the service says about a signature request: stamp, key,
 * payload and transaction are checked here again.
 */
export function createBuiltInCustodian(parts: {
  readonly provider: CustodianName;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  /** Real time, as the custodian knows it. */
  readonly clock?: Clock;
  /** The id of an owner's wallet that is to be made, and whether its key is sealed rather than derived; absent: a derived one. */
  readonly planOf?: (ownerId: string) => Promise<{ readonly id: string; readonly isSealed: boolean }>;
  /** Whether the last passkey of a wallet stays, as it obeys nothing else. */
  readonly keepsLastPasskey?: (walletId: string) => Promise<boolean>;
  /** Enters that a passkey has counted less than before; absent: into the service's log. */
  readonly counterEntry?: CounterEntry;
  /** Throws CustodyRefusal for what is not to be signed, behind every other check. */
  readonly approve?: (request: ApprovalRequest) => Promise<void>;
}): BuiltInCustodian {
  const { provider, db, keyring, random } = parts;
  const bindings = keyring.macs(keyPurpose);
  const passkeys = createBuiltInPasskeys({ db, keyring, random, counterEntry: parts.counterEntry ?? entryOfService });

  const wallets = createHeldWallets({ provider, db, keyring });
  const clock = parts.clock ?? createRealClock();
  const keys = createWalletKeys({ provider, db, keyring, random, now: () => clock.now() });
  const { seedOf } = keys;
  const hasPasskey = ({ commanderId }: HeldWallet) => passkeys.hasAny(commanderId);
  const exports = createBuiltInExports<HeldWallet>({ db, keyring, random, clock, seedOf, hasPasskey });
  const idOf = keys.idOfImported;
  const imports = createBuiltInImports({ provider, db, keyring, random, clock, bind: wallets.bind, idOf, hasPasskey });

  /** Undefined where the owner has one already, or another root is in use meanwhile. */
  const makeWallet = async (plan: WalletPlan): Promise<Wallet | undefined> => {
    const { id, ownerId, environment, now, number, commandedBy } = plan;
    const derived = plan.isSealed ? undefined : await keys.derive(plan);
    const pair = generateEd25519KeyPair((size) => derived?.seed ?? random.bytes(size));
    const secret = derived === undefined ? keyring.wrap(pair.seed, walletContext(id, number)) : null;
    pair.seed.fill(0);
    derived?.seed.fill(0);
    const address = addressOfBytes(pair.publicKey);
    const generation = derived?.generation ?? null;
    const row = [id, provider, ownerId, environment, address, secret, generation, BigInt(now)];
    const root = derived === undefined ? null : BigInt(derived.madeAt);
    const said = { id, provider, owner_id: ownerId, environment, number, commanded_by: commandedBy };
    const command = [number, commandedBy, commandedBy === null ? null : wallets.bind(said)];
    const { numAffectedRows } = await db.executeQuery(
      CompiledQuery.raw(newWalletStatement, [...row, BigInt(Math.floor(clock.now())), root, ...command]),
    );
    return numAffectedRows === 1n ? { id, provider, ownerId, address, createdAt: now } : undefined;
  };

  const ensure = async (plan: WalletPlan): Promise<Wallet> => {
    // None is remembered: a database that lost its last second has lost its row, and the owner is the same when made again.
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const existing = await wallets.find(plan.ownerId, plan.number);
      if (existing !== undefined && plan.isNamed && existing.id !== plan.id)
        throw new Error("an owner's wallet is there under another id");
      if (existing !== undefined) return existing;
      const made = await makeWallet(plan);
      if (made !== undefined) return made;
      // Another one made it meanwhile, or its root is not there or not the newest any more.
      await keys.refresh();
    }
    throw new Error("a wallet can be neither made nor found");
  };

  const ensureFirst = async (asked: Pick<WalletPlan, "ownerId" | "environment" | "now">): Promise<Wallet> => {
    const plan = await parts.planOf?.(asked.ownerId);
    const id = plan?.id ?? keys.idOf(asked.environment, asked.ownerId);
    const isSealed = plan?.isSealed === true;
    return ensure({ ...asked, id, isSealed, number: 1, commandedBy: null, isNamed: plan !== undefined });
  };

  /** The wallet of a request, and the check of what is said to command it, which comes behind that of what is signed. */
  const load = async (
    request: Authorized | Unauthorized,
  ): Promise<{ wallet: HeldWallet; authorize: () => Promise<void> }> => {
    if (request.authority === undefined) {
      throw new CustodyRefusal("invalid_signature", "A signature of the wallet's holder is needed.");
    }
    const { authority, walletId } = request;
    if (authority.kind === "passkey") {
      const wallet = await wallets.get(walletId);
      return { wallet, authorize: () => passkeys.require(commanderOf(wallet), { ...request, ...authority }) };
    }
    const { authorizationKeyId } = authority;
    const { rows } = await db.executeQuery<WalletRow & NamedKey>(
      CompiledQuery.raw(signingQuery, [walletId, provider, authorizationKeyId]),
    );
    const [row] = rows;
    if (row === undefined) throw noSuchWallet();
    const wallet = await wallets.ofRow(row);
    return { wallet, authorize: () => requireKey(row, wallet.commanderId, authorizationKeyId, request) };
  };

  const requireKey = async (
    row: NamedKey,
    walletId: string,
    id: string,
    { payload, stamp, now, realNow }: Authorized,
  ): Promise<void> => {
    const { public_key: publicKey, expires_at: expires, key_binding: binding } = row;
    const expiresAt = Number(expires ?? 0n);
    const isOurs =
      publicKey !== null && (await bindings.verify(boundText({ id, walletId, publicKey, expiresAt }), binding));
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

  const ensureNumbered: Custodian["ensureWallet"] = async ({ ownerId, environment, now, number = 1 }) => {
    const first = await ensureFirst({ ownerId, environment, now });
    if (number === 1) return first;
    if (parts.planOf !== undefined || !Number.isSafeInteger(number) || number < 1)
      throw new Error(`there is no wallet ${number} of an owner`);
    const id = keys.idOf(environment, ownerId, number);
    const further = { id, number, commandedBy: first.id, isSealed: false, isNamed: false };
    return ensure({ ...further, ownerId, environment, now });
  };

  const ensureNewestWallet: NonNullable<Custodian["ensureNewestWallet"]> = async (asked) => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const newest = await keys.readNewest();
      if (newest === undefined || newest === 1) return undefined;
      const before = await wallets.list(asked.ownerId);
      const number = before.find(({ generation }) => generation === newest)?.number ?? numberFor(newest, before);
      const wallet = await ensureNumbered({ ...asked, number });
      // Another root may be in use since it was looked for, or another process has given the number to a wallet of another one.
      const made = (await wallets.list(asked.ownerId)).find(({ id }) => id === wallet.id);
      if (made?.generation === newest) return { wallet, number };
    }
    throw new Error("a wallet of the newest root can be neither made nor found");
  };

  return {
    provider,
    ...(parts.planOf === undefined && { ensureNewestWallet }),

    ensureWallet: ensureNumbered,

    async proveWallet({ walletId, nonce }) {
      if (!/^[0-9a-f]{64}$/.test(nonce))
        throw new CustodyRefusal("invalid_payload", "A nonce has 64 small hex digits.");
      const wallet = await wallets.get(walletId);
      const message = walletProof(wallet, nonce);
      const seed = await seedOf(wallet);
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
      const register = async (commanderId: string): Promise<boolean> => {
        const binding = bindings.make(boundText({ id, walletId: commanderId, publicKey: point, expiresAt }));
        const row = [id, commanderId, point, BigInt(now), BigInt(expiresAt), binding];
        const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(newKeyStatement, row));
        return numAffectedRows === 1n;
      };
      // Nearly always it is the owner's first wallet. The keys of another one are those of the first.
      if (!(await register(walletId)) && !(await register((await wallets.get(walletId)).commanderId))) {
        throw noSuchWallet();
      }
      return { id };
    },

    async requirePasskey(request) {
      const { authorize } = await load(request);
      if (request.authority.kind !== "passkey") throw new CustodyRefusal("not_granted", "A passkey has to sign this.");
      await authorize();
    },

    findWallet: (ownerId) => wallets.find(ownerId, 1),

    async registerNamedKey({ id, walletId, publicKey, now, expiresAt }) {
      const point = Uint8Array.from(toUncompressedP256Point(publicKey));
      const binding = bindings.make(boundText({ id, walletId, publicKey: point, expiresAt }));
      const row = [id, walletId, point, BigInt(now), BigInt(expiresAt), binding];
      await db.executeQuery(CompiledQuery.raw(namedKeyStatement, row));
    },

    addFirstPasskey: async (request, claim) =>
      passkeys.addFirst(commanderOf(await wallets.get(request.walletId)), request, claim),

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
      const { payload, authority, stamp, now } = request;
      await parts.approve?.({ wallet, messageBytes, payload, authority, stamp, now });
      const seed = await seedOf(wallet);
      try {
        return signEd25519(seed, messageBytes) as SignatureBytes;
      } finally {
        seed.fill(0);
      }
    },

    checkAuthority: async (request) => (await load(request)).authorize(),

    beginPasskey: async ({ walletId, rpId, now }) =>
      passkeys.begin(commanderOf(await wallets.get(walletId)), rpId, now),

    async addPasskey(request) {
      const { wallet, authorize } = await load(request);
      return passkeys.add(commanderOf(wallet), request, authorize);
    },

    listPasskeys: async ({ walletId }) => passkeys.list((await wallets.get(walletId)).commanderId),

    async removePasskey(request) {
      const { wallet, authorize } = await load(request);
      const keepsLast = (await parts.keepsLastPasskey?.(wallet.commanderId)) === true;
      await passkeys.remove(commanderOf(wallet), { ...request, keepsLast }, authorize);
    },

    async beginWalletExport(request) {
      const { wallet, authorize } = await load(request);
      return exports.begin(wallet, request, authorize);
    },

    async cancelWalletExport(request) {
      const { wallet, authorize } = await load(request);
      await exports.cancel(wallet, request, authorize);
    },

    exportWallet: async (request) => exports.hand(await wallets.get(request.walletId), request),

    beginWalletImport: async ({ walletId, address, now }) => imports.begin(await wallets.get(walletId), address, now),

    async importWallet(request) {
      const { wallet, authorize } = await load(request);
      return imports.take(wallet, request, authorize);
    },
  };
}

/** A wallet that is to be made. */
interface WalletPlan {
  readonly id: string;
  readonly ownerId: string;
  readonly environment: EnvironmentName;
  readonly now: number;
  readonly number: number;
  /** The owner's first wallet; null: it is the first. */
  readonly commandedBy: string | null;
  readonly isSealed: boolean;
  /** Whether it is wrong under another id. */
  readonly isNamed: boolean;
}

/**
 * That of the root, where it is free: so the same wallet is made again where its row was lost. Wallets that derive from no root say nothing:
 * which of them there are differs after a restore.
 */
function numberFor(
  generation: number,
  known: readonly { readonly number: number; readonly generation: number | null }[],
): number {
  const numbers = known.flatMap((row) => (row.generation === null ? [] : [row.number]));
  return numbers.includes(generation) ? Math.max(...numbers) + 1 : generation;
}

/** A wallet as passkeys command it: documents name it, and the passkeys are those of the wallet it obeys. */
const commanderOf = ({ commanderId, address, environment }: HeldWallet) => ({ id: commanderId, address, environment });

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
