import { sql } from "kysely";
import { expect, it } from "vitest";
import { importsOf } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { clearedAtOnce } from "../history/history-store.js";

const test = useTestNetwork();
const { openImported, release, releaseProofOf } = importsOf(test);
const transactions = clearedAtOnce + 1;

/** Refuses a statement that removes many rows: it has a time limit, and many take longer. */
async function refuseLargeStatements(table: string): Promise<void> {
  const { db } = test.needs;
  await sql
    .raw(`create or replace function refuse_large() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > ${clearedAtOnce + 1} then raise exception 'many rows of %', tg_table_name; end if;
      return null; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger refuse_large after delete on ${table} referencing old table as gone
      for each statement execute function refuse_large()`)
    .execute(db);
}

it("releases an account of a long history by statements that each remove a part of it", {
  timeout: 120_000,
}, async () => {
  const { db } = test.needs;
  const [[key, account], [, other]] = [await openImported(), await openImported()];
  for (const [{ address }, count] of [
    [account, transactions],
    [other, 1],
  ] as const) {
    await sql`insert into history_transaction
        (environment, account_address, signature, slot, confirmed_at, finalized, failed, kind, found_at)
      select 'sandbox', ${address}::text, 'long-' || i, i, i, false, false, 'unknown', ${address}::text
      from generate_series(1, ${count}::int4) as i`.execute(db);
    await sql`insert into history_transfer (environment, account_address, signature, position, slot, confirmed_at, instruction_index,
        direction, own_address, mint, is_token_2022, decimals, from_address, to_address, amount, is_first_of_mint)
      select 'sandbox', ${address}::text, 'long-' || i, position, i, i, 0, 'inflow', ${address}::text, 'mint', false, 6, 'from', 'to', '1', false
      from generate_series(1, ${count}::int4) as i cross join generate_series(0, 1) as position`.execute(db);
  }
  for (const table of ["history_transaction", "history_transfer"]) await refuseLargeStatements(table);
  expect(await release(account, { proof: await releaseProofOf(key, account) })).toMatchObject({ status: "released" });
  for (const table of ["history_transaction", "history_transfer"]) {
    const { rows } = await sql`select account_address, count(*)::int4 as count from ${sql.table(table)}
      where signature like 'long-%' group by account_address`.execute(db);
    expect(rows).toEqual([{ account_address: other.address, count: table === "history_transfer" ? 2 : 1 }]);
  }
});
