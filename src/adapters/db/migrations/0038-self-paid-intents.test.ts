import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrations } from "./index.js";

describe("payments that a former release has prepared", () => {
  let db: Kysely<unknown>;
  beforeAll(async () => {
    db = new Kysely({ dialect: new PGliteDialect({ pglite: await PGlite.create("memory://") }) });
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    expect((await migrator.migrateTo("0037-tenant-writes")).error).toBeUndefined();
    await sql`insert into tenant (id, name, created_at) values ('t', 't', 0)`.execute(db);
    await prepare("own fee", ["member", "payer"]).execute(db);
    await prepare("own fee, over", ["payer"], "canceled").execute(db);
    await prepare("service's fee", ["member"]).execute(db);
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
  }, 60_000);
  afterAll(() => db?.destroy());

  it("are searched for where their fee payer has to sign, and ended by the clock otherwise", async () => {
    const { rows } = await sql`select id, open_until_height::int4 as height, attempt_at::int4 as attempt_at
      from payment_intent order by id`.execute(db);
    expect(rows).toEqual([
      { id: "own fee", height: 77, attempt_at: 0 },
      { id: "own fee, over", height: null, attempt_at: null },
      { id: "service's fee", height: null, attempt_at: null },
    ]);
  });
});

/** A payment that a former release has prepared: who pays its fee is among those who have to sign where it is not the service. */
const prepare = (id: string, signers: readonly string[], state = "awaiting_funds") => sql`
  with prepared as (
    insert into prepared_transaction (id, tenant_id, environment, account_address, kind, transaction, transaction_signers,
      fee_payer, fee_lamports, rent_lamports, last_valid_block_height, created_at, expires_at)
    values (${id}, 't', 'devnet', 'a', 'payment', 'x', ${JSON.stringify(signers)}, 'payer', 1, 0, 77, 1, 2)
  )
  insert into payment_intent (id, tenant_id, environment, account_address, prepared_id, amount, currency, source, destination,
    state, created_at, updated_at)
  values (${id}, 't', 'devnet', 'a', ${id}, '1', 'sol', '{}', '{}', ${state}, 1, 1)`;
