import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { sql, type Transaction } from "kysely";
import type { CustodianDb, CustodianSchema } from "./custodian-db.js";

/**
 * Tells a database that was put back from the one that this custodian left. A count moves on in the database and then in a file beside it,
 * at each start and every minute. A crash between the two leaves the database one ahead. Everything else means that one of them was put
 * back.
 */
export interface RestoreMark {
  /** Undefined: both are as they were left. Otherwise what differs, for an operator. */
  readonly mismatch: string | undefined;
  /** When a restore was last accepted, in real time; 0: never. */
  readonly restoredAt: number;
  advance(): Promise<void>;
}

const fileName = "restore-mark";

export async function openRestoreMark(db: CustodianDb, directory: string): Promise<RestoreMark> {
  const path = join(directory, fileName);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const row = await db.selectFrom("custodian_mark").select(["count", "restored_at"]).executeTakeFirst();
  // Where the file could not be written the count waits for it: they are never further apart than by one.
  let unwritten: bigint | undefined;
  return {
    mismatch: mismatchOf(row?.count, await readMark(path), path),
    restoredAt: Number(row?.restored_at ?? 0n),
    async advance() {
      unwritten ??= await countOn(db);
      await writeMark(path, unwritten);
      unwritten = undefined;
    },
  };
}

/** Notes that a restore was accepted. The count goes past every one that the database or the file ever had. */
export async function noteRestore(trx: Transaction<CustodianSchema>, directory: string, now: number): Promise<void> {
  const file = await readMark(join(directory, fileName));
  const seen = typeof file === "bigint" ? file : 0n;
  await sql`insert into custodian_mark (id, count, restored_at) values (1, ${seen}::int8, ${now}::int8)
    on conflict (id) do update set count = greatest(custodian_mark.count, ${seen}::int8), restored_at = ${now}::int8`.execute(
    trx,
  );
}

async function countOn(db: CustodianDb): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`insert into custodian_mark (id, count) values (1, 1)
    on conflict (id) do update set count = custodian_mark.count + 1 returning count`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("an upsert returned no row");
  return BigInt(row.count);
}

/** Undefined: there is none. Null: it holds something else. */
async function readMark(path: string): Promise<bigint | null | undefined> {
  try {
    const text = (await readFile(path, "utf8")).trim();
    return /^\d{1,18}$/.test(text) ? BigInt(text) : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whole or not at all, and on the disk before the count moves on again. */
async function writeMark(path: string, count: bigint): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(`${count}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

function mismatchOf(count: bigint | undefined, file: bigint | null | undefined, path: string): string | undefined {
  if (count === undefined && file === undefined) return undefined;
  if (count !== undefined && (file === count || file === count - 1n)) return undefined;
  return `the database is at ${count ?? "nothing"}, ${path} at ${file ?? "nothing"}`;
}
