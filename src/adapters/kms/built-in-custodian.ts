import { Buffer } from "node:buffer";
import type { SignatureBytes } from "@solana/kit";
import { signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { toUncompressedP256Point } from "@trellis/kernel/crypto/p256.js";
import { groupCommit } from "@trellis/kernel/group-commit.js";
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
import type { Random } from "@trellis/kernel/ports/random.js";
import { readTogether } from "@trellis/kernel/read-together.js";
import { namesOf, type RowOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { sql } from "kysely";
import { isSignIn } from "../../custody/payload.js";
import { walletProof } from "../../custody/wallet-proof.js";
import { createRealClock } from "../system.js";
import { boundText, keyPurpose } from "./bindings.js";
import { createBuiltInExports } from "./built-in-exports.js";
import { createBuiltInImports } from "./built-in-imports.js";
import { type BuiltInPasskeys, createBuiltInPasskeys, type PasskeyClaim } from "./built-in-passkeys.js";
import { type CounterEntry, entryOfService } from "./counter-entries.js";
import { createHeldWallets, type HeldWallet, noSuchWallet, type WalletRow } from "./held-wallets.js";
import { createWalletMaker } from "./make-wallets.js";
import { requirePayload, requireStamp } from "./signed-payload.js";
import { createWalletKeys } from "./wallet-keys.js";

const newKeyColumns = {
  id: "text",
  wallet_id: "text",
  public_key: "bytea",
  created_at: "int8",
  expires_at: "int8",
  binding: "bytea",
} as const;

type NewKey = RowOf<typeof newKeyColumns> & { readonly id: string };

/**
 * Stores a key together with others that are registered at that moment, and says whether it is new. It is a wallet's that obeys
 * itself: a key that is bound to another one commands it no more.
 */
const storeKeyTogether = groupCommit<Db, NewKey, boolean>(
  { laneOf: () => "", keyOf: ({ id }) => id },
  async (db, all) => {
    const { rows } = await sql<{ id: string }>`
    insert into kms_authorization_key (${namesOf(newKeyColumns)})
    select granted.* from ${typedRows("granted", newKeyColumns, all)}
    join kms_wallet as wallet on wallet.id = granted.wallet_id and wallet.commanded_by is null
    order by granted.id on conflict (id) do nothing returning id`.execute(db);
    const ids = new Set(rows.map(({ id }) => id));
    return all.map(({ id }) => ids.has(id));
  },
);

const signingColumns = { wallet_id: "text", provider: "text", key_id: "text" } as const;

const readSigning = readTogether<typeof signingColumns, WalletRow & NamedKey>(
  signingColumns,
  (
    asked,
  ) => `select asked.at as asked_at, wallet.id, wallet.provider, wallet.owner_id, wallet.address, wallet.environment,
    wallet.secret, wallet.generation, wallet.number, wallet.commanded_by, wallet.binding, key.public_key, key.expires_at,
    key.revoked_at, key.binding as key_binding
  from ${asked} join kms_wallet as wallet on wallet.id = asked.wallet_id and wallet.provider = asked.provider
  left join kms_authorization_key as key
    on key.wallet_id = coalesce(wallet.commanded_by, wallet.id) and key.id = asked.key_id`,
);

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
  const { ensureWallet, ensureNewestWallet } = createWalletMaker({ ...parts, clock, keys, wallets });
  const hasPasskey = ({ commanderId }: HeldWallet) => passkeys.hasAny(commanderId);
  const exports = createBuiltInExports<HeldWallet>({ db, keyring, random, clock, seedOf, hasPasskey });
  const idOf = keys.idOfImported;
  const imports = createBuiltInImports({ provider, db, keyring, random, clock, bind: wallets.bind, idOf, hasPasskey });

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
    const [row] = await readSigning(db, { wallet_id: walletId, provider, key_id: authorizationKeyId });
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
    requireStamp(provider, payload, stamp, publicKey, realNow);
    if (row.revoked_at !== null || expiresAt <= now) {
      throw new CustodyRefusal("authorization_expired", "The authorization key is no longer valid.");
    }
  };

  const storeKey = (key: Parameters<BuiltInCustodian["registerNamedKey"]>[0]): Promise<boolean> => {
    const { id, walletId, publicKey, now, expiresAt } = key;
    const binding = bindings.make(boundText({ id, walletId, publicKey, expiresAt }));
    const times = { created_at: BigInt(now), expires_at: BigInt(expiresAt) };
    return storeKeyTogether(db, { id, wallet_id: walletId, public_key: publicKey, ...times, binding });
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
    ...(parts.planOf === undefined && { ensureNewestWallet }),

    ensureWallet,

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
      const register = (commanderId: string) =>
        storeKey({ id, walletId: commanderId, publicKey: point, now, expiresAt });
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

    async registerNamedKey(key) {
      // The same one again changes nothing.
      await storeKey({ ...key, publicKey: Uint8Array.from(toUncompressedP256Point(key.publicKey)) });
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
      const messageBytes = requirePayload(request.payload, wallet, request.now);
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

/** A wallet as passkeys command it: documents name it, and the passkeys are those of the wallet it obeys. */
const commanderOf = ({ commanderId, address, environment }: HeldWallet) => ({ id: commanderId, address, environment });
