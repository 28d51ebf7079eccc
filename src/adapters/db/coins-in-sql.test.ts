import { coinsFor, fiatCurrencies } from "@trellis/kernel/ports/coins.js";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openTestDatabase } from "../../../test/support/test-database.js";

it("divides a deposit's amount for just those coins that stand for its currency", async () => {
  const { db, close } = await openTestDatabase();
  try {
    const { rows } = await sql<{ prosrc: string }>`
      select prosrc from pg_proc where proname = 'share_of_deposit' and pronamespace = current_schema()::regnamespace`.execute(
      db,
    );
    const reported = [
      ...(rows[0]?.prosrc ?? "").matchAll(/mine\.currency = '(\w+)' and mine\.coin (?:= ('\w+')|in \(([^)]*)\))/g),
    ].map(([, fiat, one = "", several = ""]) => [fiat, [...(one + several).matchAll(/\w+/g)].map(([coin]) => coin)]);
    const known = fiatCurrencies.map((fiat) => [fiat, coinsFor(fiat)] as const);
    expect(reported).toEqual(known.filter(([, coins]) => coins.length > 0));
  } finally {
    await close();
  }
});
