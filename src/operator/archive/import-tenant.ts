import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { asActor, recordEntry } from "../../audit/actor.js";
import { tenantIdForm } from "../../tenants/tenant-store.js";
import { AgeError, decryptWithIdentity } from "../age.js";
import { ArchiveError } from "./archive-error.js";
import {
  type ArchiveHeader,
  type ArchiveLine,
  archiveVersion,
  createSum,
  type PortableRow,
  readLines,
  type TableSum,
} from "./archive-lines.js";
import { addKeySecrets, hashAsCarried } from "./carried-secrets.js";
import type { CarriedTable } from "./catalogue.js";
import { archivedTables } from "./catalogue-rest.js";
import { requireOwnRows, requireWalletKeys } from "./check-imported.js";
import { readColumnTypes, readSchemaVersion, unbind } from "./read-tables.js";
import { type Arrival, type ColumnTypes, type StoredRow, toStoredRow } from "./row-form.js";

/** What taking an archive asks of the world. */
export interface ImportNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  /** Real time, Unix milliseconds. */
  readonly now: number;
}

export interface ImportRequest {
  readonly file: AsyncIterable<Uint8Array>;
  /** `AGE-SECRET-KEY-1…` */
  readonly identity: string;
  /** Of the file, as its export said: anybody can encrypt to a recipient. Hex. */
  readonly sha256: string;
  /** The id that the tenant gets here; undefined: the one it had. */
  readonly as?: string | undefined;
  /** The environments that are here, each with its cluster's genesis hash. */
  readonly environments: Readonly<Record<string, string>>;
  /** Custodians in processes of their own, which hold no key that comes with an archive. */
  readonly remoteProviders: readonly string[];
}

/** A tenant that has come. */
export interface TakenArchive {
  readonly id: string;
  readonly tenantId: string;
  readonly tables: Readonly<Record<string, TableSum>>;
}

/**
 * Takes an archive in one database transaction: all of it is there afterwards, or nothing. Throws ArchiveError, AgeError for a file that does not
 * open.
 */
export async function importTenant(needs: ImportNeeds, request: ImportRequest): Promise<TakenArchive> {
  try {
    return await asActor(needs.db, "operator", (trx) => take(trx, needs, request));
  } catch (error) {
    throw translated(error);
  }
}

/** A row that stands in the way is named; what the database says of it may repeat what is in the row. */
function translated(error: unknown): unknown {
  if (error instanceof ArchiveError || error instanceof AgeError) return error;
  const { code, table, constraint } = (error ?? {}) as { code?: unknown; table?: unknown; constraint?: unknown };
  if (code !== "23505") return error;
  return new ArchiveError(
    `Something of the archive is here already (${String(table)}, ${String(constraint)}): it was imported before, or its accounts ` +
      "are served here. Nothing was changed.",
  );
}

async function take(trx: Trx, needs: ImportNeeds, request: ImportRequest): Promise<TakenArchive> {
  await unbind(trx);
  // What happened there was reported there.
  await sql`select set_config('trellis.unreported', 'on', true)`.execute(trx);
  const hash = createHash("sha256");
  const lines = readLines(decryptWithIdentity(request.identity, hashed(request.file, hash)));
  const first = (await lines.next()).value?.line;
  if (first === undefined || !("header" in first)) throw new ArchiveError("This is no archive of a tenant.");
  const { header } = first;
  const tenantId = request.as ?? header.tenant;
  await requireFit(trx, header, request, tenantId);
  const places = createPlaces(trx);
  const tables = await takeTables(trx, needs, request, { header, tenantId, lines, nextPlace: places.next });
  if (hash.digest("hex") !== request.sha256) {
    throw new ArchiveError("The file is not the one whose SHA-256 was given. Nothing was changed.");
  }
  const chosen = { tenantId, environments: Object.keys(header.environments) };
  await requireOwnRows(trx, chosen, tables);
  await requireWalletKeys(trx, chosen);
  await addKeySecrets(trx, needs, { tenantId, carried: header.api_key_secrets });
  await trx.updateTable("tenant").set({ archive_id: header.id }).where("id", "=", tenantId).execute();
  await recordEntry(trx, {
    tenantId,
    kind: "tenant.imported",
    subject: `tenant/${tenantId}`,
    details: { archive: header.id, sha256: request.sha256, from: header.tenant },
  });
  // Last, as events of others wait for it.
  await places.close();
  return { id: header.id, tenantId, tables };
}

async function* hashed(file: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const piece of file) {
    hash.update(piece);
    yield piece;
  }
}

/** Throws ArchiveError for an archive that this installation cannot take. */
async function requireFit(
  trx: Trx,
  header: ArchiveHeader,
  { environments }: ImportRequest,
  tenantId: string,
): Promise<void> {
  if (header.version !== archiveVersion) throw new ArchiveError(`The archive is of version ${header.version}.`);
  const schema = await readSchemaVersion(trx);
  if (header.schema !== schema) {
    throw new ArchiveError(
      `The archive is of a database at ${header.schema}, and this one is at ${schema}: run the same release at both ends.`,
    );
  }
  for (const [name, genesis] of Object.entries(header.environments)) {
    if (environments[name] === genesis) continue;
    const here = environments[name] === undefined ? "is not configured here" : "is another cluster here";
    throw new ArchiveError(`The archive has accounts of ${name}, which ${here}.`);
  }
  if (!tenantIdForm.test(tenantId)) throw new ArchiveError("This is no id of a tenant.");
  const before = await trx
    .selectFrom("tenant")
    .select(["id", "archive_id"])
    .where(({ or, eb }) => or([eb("id", "=", tenantId), eb("archive_id", "=", header.id)]))
    .execute();
  const same = before.find(({ archive_id: id }) => id === header.id);
  if (same !== undefined) throw new ArchiveError(`This archive was imported before, as the tenant ${same.id}.`);
  if (before.length > 0) throw new ArchiveError(`There is a tenant ${tenantId} already. Give it another id: --as <id>`);
}

interface Taken {
  readonly header: ArchiveHeader;
  readonly tenantId: string;
  readonly lines: AsyncGenerator<{ readonly line: ArchiveLine; readonly bytes: Buffer }>;
  readonly nextPlace: () => bigint;
}

async function takeTables(trx: Trx, needs: ImportNeeds, request: ImportRequest, taken: Taken) {
  const { header, tenantId, lines, nextPlace } = taken;
  const arrival: Arrival = {
    keyring: needs.keyring,
    hashOf: (secret, hash) => hashAsCarried(header.api_key_secrets, secret, hash),
    nextPlace,
  };
  const sums: Record<string, TableSum> = {};
  for (const carried of archivedTables) {
    const begun = await nextLine(lines);
    if (!("table" in begun.line) || begun.line.table.name !== carried.table) throw misplaced(carried);
    const types = await readColumnTypes(trx, carried.table);
    const sum = createSum();
    const rows = createInserter(trx, carried, types);
    let next = await nextLine(lines);
    for (; "row" in next.line; next = await nextLine(lines)) {
      sum.add(next.bytes);
      if (carried.toRead) continue;
      const row = toStoredRow(arrival, carried, renamed(next.line.row, carried, header.tenant, tenantId), types);
      requireHeld(carried, row, request);
      await rows.add(row, next.bytes.length);
    }
    await rows.flush();
    const result = sum.result();
    const { line } = next;
    if (!("end" in line) || line.end.name !== carried.table || !isSame(line.end, result)) throw misplaced(carried);
    sums[carried.table] = result;
  }
  const { line } = await nextLine(lines);
  const isWhole = "manifest" in line && archivedTables.every(({ table }) => isSame(line.manifest[table], sums[table]));
  if (!isWhole || (await lines.next()).done !== true) throw new ArchiveError("The archive is not whole.");
  return sums;
}

const isSame = (a: TableSum | undefined, b: TableSum | undefined): boolean =>
  a !== undefined && a.rows === b?.rows && a.sha256 === b.sha256;

const misplaced = ({ table }: CarriedTable) =>
  new ArchiveError(`The archive's part ${table} is not what it should be.`);

async function nextLine(lines: Taken["lines"]) {
  const { value, done } = await lines.next();
  if (done === true) throw new ArchiveError("The archive is not whole.");
  return value;
}

/** A tenant may have another id here. */
function renamed(row: PortableRow, { table }: CarriedTable, from: string, to: string): PortableRow {
  const column = table === "tenant" ? "id" : "tenant_id";
  if (row[column] === undefined || row[column] === null) return row;
  if (row[column] !== from) throw new ArchiveError(`The archive has rows of another tenant (${table}).`);
  return { ...row, [column]: to };
}

/** Keys that come with an archive are held here, and not by a custodian in a process of its own. */
function requireHeld({ table }: CarriedTable, row: StoredRow, { remoteProviders }: ImportRequest): void {
  if (table !== "kms_wallet" || !remoteProviders.includes(String(row.provider))) return;
  throw new ArchiveError(`The custodian ${String(row.provider)} is a process of its own here: it cannot take keys.`);
}

/** Rows that are inserted in one statement, and the bytes of it. */
const rowsAtOnce = 500;
const bytesAtOnce = 4 * 1024 * 1024;

function createInserter(trx: Trx, { table, columns, treated = {} }: CarriedTable, types: ColumnTypes) {
  const names = [...columns, ...Object.keys(treated)];
  const list = sql.join(names.map((name) => sql.id(name)));
  const typed = sql.join(names.map((name) => sql`${sql.id(name)} ${sql.raw(types[name] ?? "text")}`));
  let held: StoredRow[] = [];
  let bytes = 0;
  const flush = async () => {
    if (held.length === 0) return;
    const records = JSON.stringify(held, toRecordValue);
    held = [];
    bytes = 0;
    await sql`insert into ${sql.table(table)} (${list})
      select ${list} from json_to_recordset(${records}::text::json) as record (${typed})`.execute(trx);
  };
  return {
    flush,
    add: async (row: StoredRow, size: number) => {
      held.push(encodeBytes(row));
      bytes += size;
      if (held.length >= rowsAtOnce || bytes >= bytesAtOnce) await flush();
    },
  };
}

/** As the database reads it out of JSON. */
const encodeBytes = (row: StoredRow): StoredRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value,
    ]),
  );

const toRecordValue = (_name: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/**
 * The places of the events of a tenant that is not there yet: from 1, as they are places among its own. So no lock is held on the feed of all
 * tenants while events arrive. At the end the feed has passed them all: what comes later of the tenant stands behind them.
 */
function createPlaces(trx: Trx) {
  let next = 1n;
  return {
    next: () => {
      next += 1n;
      return next - 1n;
    },
    close: async () => {
      await sql`update event_feed set next_place = greatest(next_place, ${next}::int8) where id = 1`.execute(trx);
    },
  };
}
