import { Buffer } from "node:buffer";
import { ed25519PublicKeyOf } from "@trellis/kernel/crypto/ed25519.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { secretIdOf } from "@trellis/kernel/crypto/macs.js";
import type { KmsWalletTable } from "@trellis/kernel/ports/database.js";
import { addressOfBytes } from "@trellis/program-client";
import type { Selectable } from "kysely";
import { boundTables } from "../../adapters/kms/bindings.js";
import { type createSeedReader, walletContext } from "../../adapters/kms/wallet-keys.js";
import { sealedColumns } from "../../modules.js";
import { emailKeyOf } from "../../rails/verification-store.js";
import { ArchiveError } from "./archive-error.js";
import type { PortableRow, PortableValue } from "./archive-lines.js";
import type { CarriedTable, Treatment } from "./catalogue.js";

/** A row as the database has it. */
export type StoredRow = Readonly<Record<string, unknown>>;
/** The type of each column, as the database names it. */
export type ColumnTypes = Readonly<Record<string, string>>;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** A value as the archive has it: whole numbers of 8 bytes and numerics as text, bytes in base64. */
function toPortableValue(value: unknown): PortableValue {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint8Array ? base64(value) : (value as PortableValue);
}

function toStoredValue(value: PortableValue, type: string | undefined): unknown {
  if (value === null) return null;
  if (type === "bigint") return BigInt(String(value));
  return type === "bytea" ? new Uint8Array(Buffer.from(String(value), "base64")) : value;
}

/** What opens rows that leave. */
export interface Departure {
  readonly keyring: Keyring;
  readonly walletSeedOf: ReturnType<typeof createSeedReader>;
}

/** The row as it leaves: opened, and free of what this installation alone can read. Throws ArchiveError for one that is not what it should be. */
export async function toPortableRow(departure: Departure, carried: CarriedTable, row: StoredRow): Promise<PortableRow> {
  const portable: Record<string, PortableValue> = {};
  for (const column of carried.columns) portable[column] = toPortableValue(row[column]);
  for (const [column, treatment] of Object.entries(carried.treated ?? {})) {
    const value = await leave(departure, carried, row, column, treatment);
    if (value !== undefined) portable[column] = value;
  }
  return portable;
}

async function leave(
  { keyring, walletSeedOf }: Departure,
  { table }: CarriedTable,
  row: StoredRow,
  column: string,
  treatment: Treatment,
): Promise<PortableValue | undefined> {
  const value = row[column] as Uint8Array | null;
  if (treatment === "sealed") {
    return value === null ? null : base64(keyring.unwrap(value, contextOf(table, column, row)));
  }
  if (treatment === "wallet_key") {
    const seed = await walletSeedOf(row as unknown as Selectable<KmsWalletTable>);
    requireKeyOf(seed, row);
    return base64(seed);
  }
  if (treatment === "api_key_hash") {
    const hash = value ?? new Uint8Array();
    return { secret: secretIdOf(hash) ?? 0, hash: base64(hash.subarray(-32)) };
  }
  if (treatment === "event_place") return (value as unknown) !== null;
  if (treatment !== "binding") return undefined;
  const bound = bindingOf(table, row);
  if (bound === undefined) return undefined;
  const { purpose, text } = bound;
  if (await keyring.macs(purpose).verify(text, value)) return undefined;
  throw new ArchiveError(
    `${table} ${String(row.id)} was not written by the service. \`trellis keys check\` lists such rows.`,
  );
}

/** What an installation gives a row that comes to it. */
export interface Arrival {
  readonly keyring: Keyring;
  /** A hash of an API key under the number that its secret has in the archive. */
  readonly hashOf: (secret: string, hash: Uint8Array) => Uint8Array;
  /** The next place among the tenant's events. */
  readonly nextPlace: () => bigint;
}

/** The row as it is stored where it comes to. */
export function toStoredRow(arrival: Arrival, carried: CarriedTable, row: PortableRow, types: ColumnTypes): StoredRow {
  const stored: Record<string, unknown> = {};
  for (const column of carried.columns) stored[column] = toStoredValue(row[column] ?? null, types[column]);
  for (const [column, treatment] of Object.entries(carried.treated ?? {})) {
    stored[column] = arrive(arrival, carried, { row, stored }, column, treatment);
  }
  return stored;
}

function arrive(
  { keyring, hashOf, nextPlace }: Arrival,
  { table }: CarriedTable,
  { row, stored }: { readonly row: PortableRow; readonly stored: StoredRow },
  column: string,
  treatment: Treatment,
): unknown {
  const value = row[column] ?? null;
  const bytes = () => new Uint8Array(Buffer.from(String(value), "base64"));
  switch (treatment) {
    case "sealed":
      return value === null ? null : keyring.wrap(bytes(), contextOf(table, column, stored));
    case "wallet_key":
      requireKeyOf(bytes(), stored);
      return keyring.wrap(bytes(), walletContext(String(stored.id), Number(stored.number)));
    case "api_key_hash": {
      const { secret, hash } = value as { secret: number; hash: string };
      return hashOf(String(secret), new Uint8Array(Buffer.from(hash, "base64")));
    }
    case "event_place":
      return value === true ? nextPlace() : null;
    case "binding": {
      const bound = bindingOf(table, stored);
      return bound === undefined ? null : keyring.macs(bound.purpose).make(bound.text);
    }
    case "email_hash":
      return emailKeyOf(keyring, String(stored.tenant_id), emailIn(row));
    case "left":
      return null;
  }
}

/** A key that is not of its wallet's address would have what is signed for it fail, and stand for another's. */
function requireKeyOf(seed: Uint8Array, { id, address }: StoredRow): void {
  const isKey = seed.length === 32 && addressOfBytes(ed25519PublicKeyOf(seed)) === address;
  if (!isKey) throw new ArchiveError(`The key of the wallet ${String(id)} is not the one of its address.`);
}

/** Of a verification: what it has sealed of the person. */
function emailIn(row: PortableRow): string {
  const { email } = JSON.parse(Buffer.from(String(row.person), "base64").toString("utf8")) as { email: string };
  return email;
}

function contextOf(table: string, column: string, row: StoredRow): string {
  const found = sealedColumns.find((sealed) => sealed.table === table && sealed.column === column);
  if (found === undefined) throw new Error(`${table}.${column} is no sealed column`);
  return found.contextOf(row);
}

/** Undefined for a row that is not bound. */
function bindingOf(table: string, row: StoredRow): { readonly purpose: string; readonly text: string } | undefined {
  const found = boundTables.find((bound) => bound.table === table);
  if (found === undefined) throw new Error(`${table} is not bound`);
  if (found.isBound?.(row as never) === false) return undefined;
  return { purpose: found.purpose, text: found.textOf(row as never) };
}
