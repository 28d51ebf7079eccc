import type { Address } from "@solana/kit";
import { ed25519PublicKeyOf } from "@trellis/kernel/crypto/ed25519.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { generateHpkeRecipient, hpkePointOf, openSealed } from "@trellis/kernel/crypto/hpke.js";
import { spkiOfP256Point } from "@trellis/kernel/crypto/p256.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import {
  type BegunWalletImport,
  type Custodian,
  type CustodianName,
  CustodyRefusal,
  type SealedKey,
  type Wallet,
} from "@trellis/kernel/ports/custodian.js";
import type { Db, KmsWalletImportTable, Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressOfBytes } from "@trellis/program-client";
import { sql } from "kysely";
import { type ImportDocument, parseImportDocument } from "../../custody/payload.js";
import { importInfo } from "../../custody/wallet-import.js";
import type { HeldWallet, HeldWallets } from "./held-wallets.js";
import { firstImportedNumber } from "./make-wallets.js";
import { walletContext } from "./wallet-keys.js";

type ImportRequest = Parameters<Custodian["importWallet"]>[0];

/** The imports of a built-in custodian. */
export interface BuiltInImports {
  begin(wallet: HeldWallet, address: Address, now: number): Promise<BegunWalletImport>;
  /** `authorize`: requires that a live authority of the wallet signed the request. */
  take(
    wallet: HeldWallet,
    request: ImportRequest,
    authorize: () => Promise<void>,
  ): Promise<Wallet & { readonly importedAt: number }>;
}

interface Parts {
  readonly provider: CustodianName;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly clock: Clock;
  readonly bind: HeldWallets["bind"];
  /** The id of the wallet that a key becomes: the same one ever after. */
  readonly idOf: (environment: string, address: string) => string;
  /** Whether a live passkey commands the wallet. */
  readonly hasPasskey: (wallet: HeldWallet) => Promise<boolean>;
}

type SealedRow = Pick<KmsWalletImportTable, "id" | "wallet_id" | "address" | "expires_at">;

/** What a recipient's private half is sealed with: all that an import is, so that a row which says anything else opens nothing. */
export const importContext = ({ id, wallet_id, address, expires_at }: Record<keyof SealedRow, unknown>): string =>
  `kms_wallet_import/${id}/${wallet_id}/${address}/${expires_at}`;

/** Keeps them in the service's own database. A key is opened here and nowhere else, and sealed to its row at once. */
export function createBuiltInImports(parts: Parts): BuiltInImports {
  const { db, keyring, random, clock, hasPasskey } = parts;
  // Only a sandbox has a time of its own, as with exports.
  const timeOf = (wallet: HeldWallet, said: number) => (wallet.environment === "sandbox" ? said : clock.now());

  return {
    async begin(wallet, address, saidNow) {
      const now = timeOf(wallet, saidNow);
      const { privateKey, point } = generateHpkeRecipient();
      const expiresAt = now + limits.walletImportMs;
      const row = { id: random.uuid(), wallet_id: wallet.id, address, expires_at: BigInt(expiresAt) };
      const sealed = keyring.wrap(privateKey, importContext(row));
      privateKey.fill(0);
      await db.transaction().execute(async (trx) => {
        await requirePlace(trx, wallet.id, now);
        await trx
          .insertInto("kms_wallet_import")
          .values({ ...row, sealed, created_at: BigInt(now), imported_wallet_id: null })
          .execute();
      });
      return { id: row.id, recipient: point, expiresAt };
    },

    async take(wallet, request, authorize) {
      const now = timeOf(wallet, request.now);
      const document = readImport(wallet, request);
      await authorize();
      if (request.authority.kind !== "passkey" && (await hasPasskey(wallet))) {
        throw new CustodyRefusal("passkey_signature_required", "A passkey commands the wallet, and has to sign this.");
      }
      return db.transaction().execute(async (trx) => {
        // One import of an owner's after the other: each takes the next number.
        const { owner_id: ownerId } = await trx
          .selectFrom("kms_wallet")
          .select("owner_id")
          .where("id", "=", wallet.commanderId)
          .forNoKeyUpdate()
          .executeTakeFirstOrThrow();
        const row = await getImport(trx, wallet, document);
        if (row.imported_wallet_id !== null) return getImported(trx, parts, row.imported_wallet_id);
        return takeKey(trx, parts, wallet, { row, document, sealedKey: request.sealedKey, ownerId, now });
      });
    },
  };
}

/**
 * Requires that a wallet may have another import open. Of those that are over the oldest make room; one that is open never does, so that
 * nobody ends the owner's by beginning others. Throws CustodyRefusal.
 */
async function requirePlace(trx: Trx, walletId: string, now: number): Promise<void> {
  // One after the other counts them.
  await trx.selectFrom("kms_wallet").select("id").where("id", "=", walletId).forNoKeyUpdate().execute();
  const rows = await trx
    .selectFrom("kms_wallet_import")
    .select(["id", "expires_at"])
    .where("wallet_id", "=", walletId)
    .where("imported_wallet_id", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  const open = rows.filter(({ expires_at }) => expires_at > BigInt(now));
  if (open.length >= limits.walletImportsOpen)
    throw new CustodyRefusal("import_limit", "The wallet has the most imports open that it can have.");
  const over = rows.filter(({ expires_at }) => expires_at <= BigInt(now)).slice(limits.walletImportsOpen);
  if (over.length === 0) return;
  const ids = over.map(({ id }) => id);
  await trx.deleteFrom("kms_wallet_import").where("id", "in", ids).where("imported_wallet_id", "is", null).execute();
}

/** What a document says by which this wallet's owner imports a key. Throws CustodyRefusal. */
function readImport(wallet: HeldWallet, { payload, importId }: ImportRequest): ImportDocument {
  const document = parseImportDocument(payload);
  if (document === undefined) throw new CustodyRefusal("invalid_payload", "The document is not well formed.");
  if (document.wallet === wallet.address && document.environment === wallet.environment && document.nonce === importId)
    return document;
  throw new CustodyRefusal("invalid_payload", "The document is about another wallet or import.");
}

/** The import as the document names it. Throws CustodyRefusal. */
async function getImport(trx: Trx, wallet: HeldWallet, document: ImportDocument): Promise<KmsWalletImportTable> {
  const row = await trx
    .selectFrom("kms_wallet_import")
    .selectAll()
    .where("id", "=", document.nonce)
    .where("wallet_id", "=", wallet.id)
    .executeTakeFirst();
  if (row === undefined) throw new CustodyRefusal("import_not_found", "There is no such import of the owner's.");
  const isThis = row.address === document.params.address && Number(row.expires_at) === Date.parse(document.expires_at);
  if (!isThis) throw new CustodyRefusal("invalid_payload", "The document names another key or end than the import.");
  return row;
}

interface Taken {
  readonly row: KmsWalletImportTable;
  readonly document: ImportDocument;
  readonly sealedKey: SealedKey;
  readonly ownerId: string;
  readonly now: number;
}

async function takeKey(trx: Trx, parts: Parts, wallet: HeldWallet, taken: Taken) {
  const { keyring, provider, bind, idOf } = parts;
  const { row, ownerId, now } = taken;
  if (row.sealed === null || row.expires_at <= BigInt(now)) {
    throw new CustodyRefusal("payload_expired", "The import is over.");
  }
  const number = await nextNumber(trx, provider, ownerId);
  const id = idOf(wallet.environment, row.address);
  const said = { id, provider, owner_id: ownerId, environment: wallet.environment, number };
  const command = { ...said, commanded_by: wallet.commanderId };
  const seed = openKey(keyring, taken, row.sealed);
  const secret = keyring.wrap(seed, walletContext(id, number));
  seed.fill(0);
  const at = BigInt(now);
  const { numAffectedRows } =
    await sql`insert into kms_wallet (id, provider, owner_id, environment, address, secret, generation,
      created_at, imported_at, number, commanded_by, binding)
    select ${id}::text, ${provider}::text, ${ownerId}::text, ${wallet.environment}::text, ${row.address}::text,
      ${secret}::bytea, null, ${at}::int8, ${at}::int8, ${number}::int4, ${wallet.commanderId}::text, ${bind(command)}::bytea
    -- Those that custodians of other processes hold are in this list alone.
    where not exists (select from wallet where address = ${row.address}::text)
    on conflict do nothing`.execute(trx);
  if (numAffectedRows !== 1n) throw new CustodyRefusal("key_held", "The key is a wallet here already.");
  // What could open the message is gone with it.
  await trx
    .updateTable("kms_wallet_import")
    .set({ sealed: null, imported_wallet_id: id })
    .where("id", "=", row.id)
    .execute();
  return { id, provider, ownerId, address: row.address as Address, createdAt: now, importedAt: now };
}

/** The 32-byte seed, if it is that of the address. Who has it wipes it. Throws CustodyRefusal. */
function openKey(keyring: Keyring, { row, document, sealedKey }: Taken, sealed: Uint8Array): Uint8Array {
  const privateKey = keyring.unwrap(sealed, importContext(row));
  try {
    if (spkiOfP256Point(hpkePointOf(privateKey)) !== document.params.recipient_public_key) {
      throw new CustodyRefusal("invalid_payload", "The document names another recipient.");
    }
    const seed = openSealed(privateKey, sealedKey, { info: importInfo(row.id, row.address) });
    if (seed?.length === 32 && addressOfBytes(ed25519PublicKeyOf(seed)) === row.address) return seed;
    seed?.fill(0);
    throw new CustodyRefusal("invalid_key", "What was sealed is not the key of this address.");
  } finally {
    privateKey.fill(0);
  }
}

async function nextNumber(trx: Trx, provider: string, ownerId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select greatest(max(number), ${firstImportedNumber - 1}::int4)::int4 + 1 as next from kms_wallet
    where owner_id = ${ownerId}::text and provider = ${provider}::text`.execute(trx);
  return rows[0]?.next ?? firstImportedNumber;
}

/** What an import has become. */
async function getImported(trx: Trx, { provider }: Parts, id: string) {
  const { owner_id, address, created_at, imported_at } = await trx
    .selectFrom("kms_wallet")
    .select(["owner_id", "address", "created_at", "imported_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const times = { createdAt: Number(created_at), importedAt: Number(imported_at) };
  return { id, provider, ownerId: owner_id, address: address as Address, ...times };
}
