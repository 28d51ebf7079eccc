import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { sealTo } from "@trellis/kernel/crypto/hpke.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { parseClientEncryptionKey } from "@trellis/kernel/crypto/p256.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import {
  type BegunWalletExport,
  type Custodian,
  CustodyRefusal,
  type SealedKey,
} from "@trellis/kernel/ports/custodian.js";
import type { Db, KmsWalletExportTable, KmsWalletTable, Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressBytes } from "@trellis/program-client";
import { parseCancelExportDocument, parseExportDocument } from "../../custody/payload.js";
import { exportInfo } from "../../custody/wallet-export.js";
import { exportPurpose, exportText } from "./bindings.js";

/** A wallet as far as exports concern it. */
type ExportedWallet = Pick<KmsWalletTable, "id" | "address" | "environment">;

type BeginRequest = Parameters<Custodian["beginWalletExport"]>[0];
type CancelRequest = Parameters<Custodian["cancelWalletExport"]>[0];
type ExportRequest = Parameters<Custodian["exportWallet"]>[0];

/** The exports of a built-in custodian. */
export interface BuiltInExports<W extends ExportedWallet> {
  /** `authorize`: requires that a live authority of the wallet signed the request. */
  begin(wallet: W, request: BeginRequest, authorize: () => Promise<void>): Promise<BegunWalletExport>;
  cancel(wallet: W, request: CancelRequest, authorize: () => Promise<void>): Promise<void>;
  hand(wallet: W, request: ExportRequest): Promise<SealedKey>;
}

/** Keeps them in the service's own database, each row bound to what it says by a secret outside of it. */
export function createBuiltInExports<W extends ExportedWallet>(parts: {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly clock: Clock;
  /** The wallet's seed, which is wiped after use. */
  readonly seedOf: (wallet: W) => Promise<Uint8Array>;
  /** Whether a live passkey commands the wallet. */
  readonly hasPasskey: (wallet: W) => Promise<boolean>;
}): BuiltInExports<W> {
  const { db, random, clock, seedOf, hasPasskey } = parts;
  const bindings = parts.keyring.macs(exportPurpose);
  // Only a sandbox has a time of its own; elsewhere nobody shortens a delay by what he says the time is.
  const timeOf = (wallet: W, said: number) => (wallet.environment === "sandbox" ? said : clock.now());

  return {
    async begin(wallet, request, authorize) {
      const now = timeOf(wallet, request.now);
      const document = readExport(wallet, request.payload);
      await authorize();
      if (request.authority.kind !== "passkey" && (await hasPasskey(wallet))) {
        throw new CustodyRefusal("passkey_signature_required", "A passkey commands the wallet, and has to sign this.");
      }
      return inTurn(db, bindings, wallet.id, async (trx) => {
        const rows = await findBound(trx, bindings, wallet.id);
        const known = rows.find(({ nonce }) => nonce === document.nonce);
        if (known !== undefined) return answerFor(known, document.recipient);
        requireInTime(document.expiresAt, now);
        for (const open of rows.filter((row) => isOpen(row, now))) {
          if (!request.replaces) throw new CustodyRefusal("export_open", "Another export of the wallet is open.");
          await change(trx, bindings, { ...open, cancelled_at: BigInt(now) });
        }
        const row = newExport(random.uuid(), wallet, { ...document, delaySeconds: request.delaySeconds, now });
        await trx
          .insertInto("kms_wallet_export")
          .values({ ...row, binding: bindings.make(exportText(row)) })
          .execute();
        return toBegun(row);
      });
    },

    async cancel(wallet, request, authorize) {
      const document = parseCancelExportDocument(request.payload);
      const isOfThis = document?.params.export_id === request.exportId && isAbout(wallet, document);
      if (!isOfThis) throw new CustodyRefusal("invalid_payload", "The document cancels no such export.");
      await authorize();
      await inTurn(db, bindings, wallet.id, async (trx) => {
        const row = await getBound(trx, bindings, wallet.id, request.exportId);
        if (row.cancelled_at !== null) return;
        if (row.exported_at !== null) throw new CustodyRefusal("export_over", "The key was handed out.");
        await change(trx, bindings, { ...row, cancelled_at: BigInt(timeOf(wallet, request.now)) });
      });
    },

    async hand(wallet, request) {
      const now = BigInt(timeOf(wallet, request.now));
      const row = await inTurn(db, bindings, wallet.id, async (trx) => {
        const held = await getBound(trx, bindings, wallet.id, request.exportId);
        if (held.cancelled_at !== null || held.expires_at <= now) {
          throw new CustodyRefusal("export_over", "The export is over.");
        }
        if (now < held.not_before) throw new CustodyRefusal("export_waiting", "The export's delay has not passed.");
        // Noted before anything leaves: an export that nobody knows of is the worse mistake.
        if (held.exported_at === null) await change(trx, bindings, { ...held, exported_at: now });
        return held;
      });
      const seed = await seedOf(wallet);
      const keyPair = Buffer.concat([seed, addressBytes(wallet.address as Address)]);
      try {
        return sealTo(row.recipient, keyPair, { info: exportInfo(wallet.address) });
      } finally {
        seed.fill(0);
        keyPair.fill(0);
      }
    },
  };
}

/** What a document says that begins an export of this wallet. Throws CustodyRefusal. */
function readExport(
  wallet: ExportedWallet,
  payload: string,
): { readonly nonce: string; readonly recipient: Uint8Array; readonly expiresAt: number } {
  const document = parseExportDocument(payload);
  if (document === undefined) throw new CustodyRefusal("invalid_payload", "The document is not well formed.");
  if (!isAbout(wallet, document)) {
    throw new CustodyRefusal("invalid_payload", "The document is about another wallet.");
  }
  const recipient = parseClientEncryptionKey(document.params.recipient_public_key);
  if (!recipient.ok) throw new CustodyRefusal("invalid_payload", "The document names no P-256 key.");
  return { nonce: document.nonce, recipient: recipient.publicKey.point, expiresAt: Date.parse(document.expires_at) };
}

const isAbout = (wallet: ExportedWallet, document: { readonly wallet: string; readonly environment: string }) =>
  document.wallet === wallet.address && document.environment === wallet.environment;

/** A document that is good for longer could be used again once nothing is kept of the export that it began. */
function requireInTime(expiresAt: number, now: number): void {
  if (expiresAt <= now) throw new CustodyRefusal("payload_expired", "The document has expired.");
  if (expiresAt > now + limits.walletExportDocumentMs) {
    throw new CustodyRefusal("invalid_payload", "The document is good for too long.");
  }
}

const isOpen = (row: KmsWalletExportTable, now: number) =>
  row.cancelled_at === null && row.exported_at === null && row.expires_at > BigInt(now);

type Unbound = Omit<KmsWalletExportTable, "binding">;

function newExport(
  id: string,
  wallet: ExportedWallet,
  asked: {
    readonly nonce: string;
    readonly recipient: Uint8Array;
    readonly delaySeconds: number;
    readonly now: number;
  },
): Unbound {
  const least = wallet.environment === "sandbox" ? 0 : limits.walletExportDelayMinSeconds;
  const notBefore = asked.now + Math.max(least, asked.delaySeconds) * 1000;
  return {
    id,
    wallet_id: wallet.id,
    nonce: asked.nonce,
    recipient: asked.recipient,
    requested_at: BigInt(asked.now),
    not_before: BigInt(notBefore),
    expires_at: BigInt(notBefore + limits.walletExportOpenMs),
    cancelled_at: null,
    exported_at: null,
  };
}

function answerFor(row: KmsWalletExportTable, recipient: Uint8Array): BegunWalletExport {
  if (Buffer.compare(row.recipient, recipient) === 0) return toBegun(row);
  throw new CustodyRefusal("invalid_payload", "This nonce was used for another recipient.");
}

const toBegun = ({ id, not_before, expires_at }: Unbound): BegunWalletExport => ({
  id,
  notBefore: Number(not_before),
  expiresAt: Number(expires_at),
});

/**
 * What is done to a wallet's exports is done one after the other. Inside, no other connection is asked for: so a secret that this process
 * does not know yet is read before.
 */
async function inTurn<T>(db: Db, bindings: Macs, walletId: string, run: (trx: Trx) => Promise<T>): Promise<T> {
  const rows = await db.selectFrom("kms_wallet_export").selectAll().where("wallet_id", "=", walletId).execute();
  for (const row of rows) await bindings.verify(exportText(row), row.binding);
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom("kms_wallet").select("id").where("id", "=", walletId).forNoKeyUpdate().execute();
    return run(trx);
  });
}

/** Those of a wallet that were written here. */
async function findBound(trx: Trx, bindings: Macs, walletId: string): Promise<readonly KmsWalletExportTable[]> {
  const rows = await trx.selectFrom("kms_wallet_export").selectAll().where("wallet_id", "=", walletId).execute();
  return rows.filter((row) => bindings.holds(exportText(row), row.binding));
}

async function getBound(trx: Trx, bindings: Macs, walletId: string, id: string): Promise<KmsWalletExportTable> {
  const row = await trx
    .selectFrom("kms_wallet_export")
    .selectAll()
    .where("id", "=", id)
    .where("wallet_id", "=", walletId)
    .executeTakeFirst();
  if (row !== undefined && bindings.holds(exportText(row), row.binding)) return row;
  throw new CustodyRefusal("export_not_found", "There is no such export of the wallet.");
}

async function change(trx: Trx, bindings: Macs, row: KmsWalletExportTable): Promise<void> {
  await trx
    .updateTable("kms_wallet_export")
    .set({ cancelled_at: row.cancelled_at, exported_at: row.exported_at, binding: bindings.make(exportText(row)) })
    .where("id", "=", row.id)
    .execute();
}
