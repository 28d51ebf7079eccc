import { PGlite } from "@electric-sql/pglite";
import type { DatabaseSchema } from "@trellis/kernel/ports/database.js";
import { Kysely, PGliteDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrations } from "../../src/adapters/db/migrations/index.js";

/** A database from before chains had rows, with sessions in it. */
let db: Kysely<DatabaseSchema>;
beforeAll(fillAndMigrate);
afterAll(() => db?.destroy());

it("gives every chain a row, and ends the ones that were ended, survivors included", async () => {
  const chains = await db.selectFrom("session_chain").selectAll().orderBy("id").execute();
  expect(chains.map(({ id, ended_at, refreshes }) => [id, ended_at === null, refreshes])).toEqual([
    ["missed", false, 0],
    ["on", true, 0],
    ["over", false, 0],
  ]);
});

it("copies the public halves of the keys, and which of them are revoked", async () => {
  const sessions = await db.selectFrom("session").selectAll().orderBy("id").execute();
  expect(
    sessions.map(({ id, authorization_public_key: key, key_revoked_at: at }) => [id, key[0], at && Number(at)]),
  ).toEqual([
    ["missed-1", 4, 5],
    ["missed-2", 5, null],
    ["on-1", 0, 5],
    ["on-2", 1, null],
    ["over-1", 2, 5],
    ["over-2", 3, 6],
  ]);
});

async function fillAndMigrate(): Promise<void> {
  db = new Kysely<DatabaseSchema>({ dialect: new PGliteDialect({ pglite: await PGlite.create("memory://") }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const before = await migrator.migrateTo("0005-session-keys");
  if (before.error) throw before.error;
  for (const statement of [
    `insert into tenant values ('t', 't', 0)`,
    `insert into app_user values ('u', 't', 'sandbox', 'ada@example.org', 0)`,
    `insert into kms_wallet values ('w', 'kms_a', 'u', 'sandbox', 'address', '\\x00', 0)`,
    // A chain that continues; one that was ended; one whose end missed a session that was being made.
    ...[
      ["on-1", "on", null, "rotated", 5],
      ["on-2", "on", "on-1", "live", null],
      ["over-1", "over", null, "revoked", 5],
      ["over-2", "over", "over-1", "revoked", 6],
      ["missed-1", "missed", null, "revoked", 5],
      ["missed-2", "missed", "missed-1", "live", null],
    ].flatMap(([id, chain, parent, state, revokedAt], i) => [
      `insert into kms_authorization_key values ('key-${id}', 'w', '\\x0${i}', 0, 100, ${revokedAt}, '\\x00')`,
      `insert into session (id, user_id, provider, wallet_id, authorization_key_id, client_public_key, token_hash,
          access_token_hash, refresh_token_hash, state, chain_id, parent_id, chain_started_at, created_at, expires_at)
        values ('${id}', 'u', 'kms_a', 'w', 'key-${id}', '\\x00', '\\x0${i}', '\\x0${i}', '\\x0${i}', '${state}',
          '${chain}', ${parent === null ? "null" : `'${parent}'`}, 1, ${i}, 100)`,
    ]),
  ]) {
    await sql.raw(statement).execute(db);
  }
  const after = await migrator.migrateToLatest();
  if (after.error) throw after.error;
}
