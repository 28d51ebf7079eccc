import { createHash, randomBytes } from "node:crypto";
import type { Db } from "@trellis/kernel/ports/database.js";
import { openKeyring } from "../../src/adapters/keyring.js";
import { systemRandom } from "../../src/adapters/system.js";
import { decryptWithIdentity, encryptToRecipients, generateIdentity } from "../../src/operator/age.js";
import { createSum, type TableSum, toLine } from "../../src/operator/archive/archive-lines.js";
import { exportTenant, type WrittenArchive } from "../../src/operator/archive/export-tenant.js";
import { type ImportRequest, importTenant } from "../../src/operator/archive/import-tenant.js";

/** The cluster that stands for the sandbox's at both ends. */
export const clusters = { sandbox: "the same chain" };

export const own = generateIdentity();

/** An installation: its database, and its own master key. */
export interface Installation {
  readonly db: Db;
  readonly key: Uint8Array;
}

export const newKey = () => randomBytes(32);

export const keyringOf = ({ db, key }: Installation) =>
  openKeyring({ masterKeys: [{ id: "1", key }], keyStores: {} as never, dataDirectory: "" }, db);

async function needsOf(installation: Installation) {
  const { db } = installation;
  const keyring = await keyringOf(installation);
  return { db, keyring, random: systemRandom, now: Date.now() };
}

/** An archive in memory. */
export interface Archive extends WrittenArchive {
  readonly bytes: Buffer;
}

export async function exportFrom(from: Installation, tenantId = "default", more: object = {}): Promise<Archive> {
  let bytes = Buffer.alloc(0);
  const request = {
    tenantId,
    environments: clusters,
    recipients: [own.recipient],
    settledMs: 0,
    withApiKeys: true,
    ...more,
  };
  const written = await exportTenant(await needsOf(from), request, async (pieces) => {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    bytes = Buffer.concat(all);
    return sha256(bytes);
  });
  return { ...written, bytes };
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export async function importTo(to: Installation, bytes: Uint8Array, more: Partial<ImportRequest> = {}) {
  return importTenant(await needsOf(to), {
    file: piecesOf(bytes),
    identity: own.identity,
    sha256: sha256(bytes),
    environments: clusters,
    remoteProviders: [],
    ...more,
  });
}

async function* piecesOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000);
}

/** The lines of an archive, by table; the header alone. */
export async function readArchive(bytes: Uint8Array) {
  let text = "";
  for await (const piece of decryptWithIdentity(own.identity, [bytes])) text += piece.toString("utf8");
  const tables: Record<string, Record<string, unknown>[]> = {};
  let header: Record<string, unknown> = {};
  let table = "";
  for (const line of text.trimEnd().split("\n")) {
    const parsed = JSON.parse(line) as Record<string, never>;
    if (parsed.header) header = parsed.header;
    if (parsed.table) {
      table = (parsed.table as { name: string }).name;
      tables[table] = [];
    }
    if (parsed.row) tables[table]?.push(parsed.row);
  }
  return { header, tables, text };
}

/** The archive of a source that lies: with other rows, and sums that fit them. */
export async function forgeArchive(
  bytes: Uint8Array,
  change: (table: string, row: Record<string, unknown>) => readonly Record<string, unknown>[],
): Promise<Buffer> {
  const { text } = await readArchive(bytes);
  const lines: Buffer[] = [];
  const manifest: Record<string, TableSum> = {};
  let table = "";
  let sum = createSum();
  const add = (line: object) => lines.push(toLine(line as never));
  for (const parsed of text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))) {
    if (parsed.table) {
      table = parsed.table.name;
      sum = createSum();
    }
    if (parsed.row) {
      for (const row of change(table, parsed.row)) {
        add({ row });
        sum.add(lines.at(-1) ?? Buffer.alloc(0));
      }
    } else if (parsed.end) {
      const result = sum.result();
      manifest[table] = result;
      add({ end: { name: table, ...result } });
    } else {
      add(parsed.manifest ? { manifest } : parsed);
    }
  }
  const pieces: Buffer[] = [];
  for await (const piece of encryptToRecipients([own.recipient], lines)) pieces.push(piece);
  return Buffer.concat(pieces);
}
