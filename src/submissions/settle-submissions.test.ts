import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection } from "../../test/support/test-network.js";
import { settleSubmissions } from "./settle-submissions.js";

const test = useTestNetwork();

it("what the chain does not report hides nothing behind it, and counts as spent after a day", async () => {
  const silent = breakConnection(test.network, (method) => method === "getTransaction");
  await insert(450, "untold-", "landed");
  // All of them have been looked at once; what comes then is looked at before them.
  await settleSubmissions(test.needs.db, silent);
  await insert(3, "told-", "expired");
  expect(await settleSubmissions(test.needs.db, silent)).toBe(3);
  expect(await unsettled("told-")).toBe(0);
  expect(await unsettled("untold-")).toBe(450);
  await test.network.sandbox?.advanceClock(86_401);
  for (let pass = 0; pass < 3 && ((await unsettled("untold-")) ?? 0) > 0; pass += 1) {
    await settleSubmissions(test.needs.db, silent);
  }
  expect(await unsettled("untold-")).toBe(0);
});

it("on a cluster one pass asks about two hundred, and the next continues after them", async () => {
  const cluster = {
    ...breakConnection(test.network, (method) => method === "getTransaction"),
    name: "devnet" as const,
  };
  await insert(201, "cluster-", "landed");
  await sql`update submission set environment = 'devnet' where starts_with(id, 'cluster-')`.execute(test.needs.db);
  await sql`update submission set state = 'expired' where id = 'cluster-201'`.execute(test.needs.db);
  const first = await settleSubmissions(test.needs.db, cluster);
  const second = await settleSubmissions(test.needs.db, cluster);
  expect(first + second).toBe(1);
  expect(await unsettled("cluster-")).toBe(200);
});

/** Submissions with a reservation that have landed and that nobody has settled. */
const insert = (count: number, name: string, state: "landed" | "expired") =>
  sql`insert into submission (id, environment, purpose, signature, wire_transaction, last_valid_block_height, state,
      reserved_lamports, reserved_on, created_at, updated_at, looked_at)
    select ${name}::text || n, 'sandbox', 'account_creation', ${name}::text || n, '', 1, ${state}::text, 5000, 1,
      ${test.network.clock.now()}::int8, ${test.network.clock.now()}::int8, 0
    from generate_series(1, ${count}::int4) as n`.execute(test.needs.db);

const unsettled = async (name: string) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from submission
    where starts_with(id, ${name}) and spent_lamports is null`.execute(test.needs.db);
  return rows[0]?.count;
};
