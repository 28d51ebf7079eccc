import { Buffer } from "node:buffer";
import { type Macs, secretIdOf } from "@trellis/kernel/crypto/macs.js";
import type { ReplaceableSecret, SecretNeeds } from "@trellis/kernel/module.js";
import type {
  Db,
  KmsAuthorizationKeyTable,
  KmsCeremonyTable,
  KmsPasskeyTable,
  KmsWalletExportTable,
  KmsWalletTable,
} from "@trellis/kernel/ports/database.js";
import { type Selectable, sql } from "kysely";

/** What authorization keys are bound to their wallets with. */
export const keyPurpose = "kms/authorization-key";
/** What passkeys and their ceremonies are. */
export const passkeyPurpose = "kms/passkey";
/** What exports of keys are. */
export const exportPurpose = "kms/wallet-export";
/** What wallets that are not their owner's first are bound to what commands them with. */
export const walletPurpose = "kms/wallet";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

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
export function boundText({ id, walletId, publicKey, expiresAt }: BoundKey): string {
  return JSON.stringify([id, walletId, hexOf(publicKey), expiresAt]);
}

type Bound = Pick<
  KmsPasskeyTable,
  "id" | "wallet_id" | "credential_id" | "public_key" | "rp_id" | "counter" | "last_stamp" | "removed_at"
>;

/**
 * Ties a passkey to its wallet, its domain and its count under a secret outside the database: an attacker who can write rows makes
 * no passkey of their own command a wallet, sets no count back alone, and revives none that was removed. A whole row that is put back as it
 * was goes unnoticed.
 */
export function passkeyText(row: Bound): string {
  const { id, wallet_id, credential_id, public_key, rp_id, counter, last_stamp, removed_at } = row;
  const counted = [
    String(counter),
    last_stamp === null ? null : hexOf(last_stamp),
    removed_at === null ? null : String(removed_at),
  ];
  return JSON.stringify(["passkey", id, wallet_id, credential_id, hexOf(public_key), rp_id, ...counted]);
}

type BoundCeremony = Pick<KmsCeremonyTable, "id" | "wallet_id" | "rp_id" | "challenge" | "expires_at">;

export function ceremonyText({ id, wallet_id, rp_id, challenge, expires_at }: BoundCeremony): string {
  return JSON.stringify(["ceremony", id, wallet_id, rp_id, hexOf(challenge), String(expires_at)]);
}

/**
 * Ties an export to its wallet, its recipient and its times under a secret outside the database: an attacker who can write rows
 * cannot name a recipient, nor bring a time forward. A whole row that is put back as it was goes unnoticed.
 */
export function exportText(row: Omit<KmsWalletExportTable, "binding">): string {
  const { id, wallet_id, nonce, recipient } = row;
  const times = [row.requested_at, row.not_before, row.expires_at, row.cancelled_at, row.exported_at];
  return JSON.stringify(["export", id, wallet_id, nonce, hexOf(recipient), ...times.map(String)]);
}

/**
 * Ties a wallet to its owner and to the wallet whose keys and passkeys command it under a secret outside the database: an attacker who can
 * write rows cannot have another's wallet obey what commands one of their own.
 */
export function walletText(
  row: Pick<Selectable<KmsWalletTable>, "id" | "provider" | "owner_id" | "environment" | "number" | "commanded_by">,
): string {
  const { id, provider, owner_id, environment, number, commanded_by } = row;
  return JSON.stringify(["wallet", id, provider, owner_id, environment, number, commanded_by]);
}

/** A table whose rows are bound. */
interface BoundTable {
  readonly table: "kms_authorization_key" | "kms_passkey" | "kms_ceremony" | "kms_wallet_export" | "kms_wallet";
  /** A row of the table, as it is stored. */
  readonly textOf: (row: never) => string;
  /** Whether a row is bound at all; absent: each is. */
  readonly isBound?: (row: never) => boolean;
}

const keyTable: BoundTable = {
  table: "kms_authorization_key",
  textOf: ({ id, wallet_id, public_key, expires_at }: KmsAuthorizationKeyTable) =>
    boundText({ id, walletId: wallet_id, publicKey: public_key, expiresAt: Number(expires_at) }),
};
const passkeyTable: BoundTable = { table: "kms_passkey", textOf: passkeyText };
const ceremonyTable: BoundTable = { table: "kms_ceremony", textOf: ceremonyText };
const exportTable: BoundTable = { table: "kms_wallet_export", textOf: exportText };
const walletTable: BoundTable = {
  table: "kms_wallet",
  textOf: walletText,
  isBound: ({ number, commanded_by }: Selectable<KmsWalletTable>) => number !== 1 || commanded_by !== null,
};

/** Every table whose rows are bound, and with what. */
export const boundTables: readonly (BoundTable & { readonly purpose: string })[] = [
  { ...keyTable, purpose: keyPurpose },
  { ...passkeyTable, purpose: passkeyPurpose },
  { ...ceremonyTable, purpose: passkeyPurpose },
  { ...exportTable, purpose: exportPurpose },
  { ...walletTable, purpose: walletPurpose },
];

/** What the bindings of the built-in custodians are made with. Those of stored rows are made again under the active secret. */
export const bindingSecrets: readonly ReplaceableSecret[] = [
  secretOf(keyPurpose, [keyTable]),
  secretOf(passkeyPurpose, [passkeyTable, ceremonyTable]),
  secretOf(exportPurpose, [exportTable]),
  secretOf(walletPurpose, [walletTable]),
];

function secretOf(purpose: string, tables: readonly BoundTable[]): ReplaceableSecret {
  return {
    purpose,
    usedForMs: 0,
    columns: tables.map(({ table }) => ({ table, column: "binding" })),
    rebind: (needs) => walk(needs, purpose, tables, true),
    check: async (needs) => (await walk(needs, purpose, tables, false)).broken,
  };
}

interface StoredRow {
  readonly id: string;
  readonly binding: Uint8Array | null;
}

/** Rows that are read in one turn. */
const batch = 500;

async function walk({ db, keyring }: SecretNeeds, purpose: string, tables: readonly BoundTable[], rebinds: boolean) {
  const macs = keyring.macs(purpose);
  const total = { moved: 0, broken: 0 };
  for (const bound of tables) {
    for (let rows = await readRows(db, bound, ""); rows.length > 0; rows = await readRows(db, bound, rows.at(-1)?.id)) {
      for (const row of rows) {
        const { isWhole, isMoved } = await treat(db, macs, bound, row, rebinds);
        if (!isWhole) total.broken += 1;
        if (isMoved) total.moved += 1;
      }
    }
  }
  return total;
}

async function readRows(db: Db, { table }: BoundTable, after = ""): Promise<readonly StoredRow[]> {
  const { rows } = await sql<StoredRow>`select * from ${sql.table(table)} where id > ${after}
    order by id limit ${batch}::int4`.execute(db);
  return rows;
}

/** A row that was written by others is left as it is: to bind it would make it good. */
async function treat(db: Db, macs: Macs, { table, textOf, isBound }: BoundTable, row: StoredRow, rebinds: boolean) {
  if (isBound?.(row as never) === false) return { isWhole: true, isMoved: false };
  const text = textOf(row as never);
  if (row.binding === null || !(await macs.verify(text, row.binding))) return { isWhole: false, isMoved: false };
  if (!rebinds || secretIdOf(row.binding) === macs.currentId()) return { isWhole: true, isMoved: false };
  // A row that changes meanwhile was bound anew by what changed it.
  const { numAffectedRows } = await sql`update ${sql.table(table)} set binding = ${macs.make(text)}::bytea
    where id = ${row.id} and binding = ${row.binding}::bytea`.execute(db);
  return { isWhole: true, isMoved: numAffectedRows === 1n };
}
