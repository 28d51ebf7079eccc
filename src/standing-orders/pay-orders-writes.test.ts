import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { openPlayedCluster } from "../../test/support/played-cluster.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { openControlledAccount, openOrder, orderOf, runsOf } from "../../test/support/standing-orders.js";
import { publicKeyOf } from "../../test/support/test-network.js";
import { payStandingOrders } from "./pay-orders.js";

const test = useTestNetwork();
const account = use(() => openControlledAccount(test.network, "holder"));
beforeAll(() => test.network.sandbox?.airdrop(account.address, 100_000_000_000n));

it("an outcome that cannot be written down holds up no other, and is written once it can be", async () => {
  const ids = ["writes-1", "writes-2", "writes-3"];
  for (const [place, id] of ids.entries()) await open(id, place, test.network);
  const refusal = await refuse("standing_order_run", "new.order_id = 'writes-2' and new.state = 'paid'");
  // What is not written down is not counted, however often it is tried.
  expect(await payStandingOrders(test.needs, test.network)).toEqual({ paid: 2, missed: 0 });
  expect(await statesOf("writes-1")).toEqual(["paid"]);
  expect(await statesOf("writes-3")).toEqual(["paid"]);
  expect(await statesOf("writes-2")).toEqual(["sending"]);
  expect(test.logLines).toContainEqual(
    expect.objectContaining({ level: "error", fields: expect.objectContaining({ order: "writes-2" }) }),
  );
  await refusal.mend();
  test.needs.realClock.advance(limits.standingOrderLeaseMs);
  expect(await payStandingOrders(test.needs, test.network)).toEqual({ paid: 1, missed: 0 });
  expect(await statesOf("writes-2")).toEqual(["paid"]);
  expect(await orderOf(db(), "writes-2")).toMatchObject({ status: "active", next_index: 1 });
  for (const id of ids) expect(await balanceOf(id)).toBe(1_000_000n);
});

it("a payment is brought to its end where only that it was sent cannot be noted", async () => {
  const { network } = await openPlayedCluster(test);
  await open("noted-1", 3, network);
  const refusal = await refuse("submission", "old.state = 'signed' and new.state = 'sent'");
  expect(await payStandingOrders(test.needs, network)).toEqual({ paid: 1, missed: 0 });
  await refusal.mend();
  expect(await statesOf("noted-1")).toEqual(["paid"]);
  expect(await balanceOf("noted-1")).toBe(1_000_000n);
});

it("a payment that cannot be stored holds up no other, and is made once it can be", async () => {
  const ids = ["stored-1", "stored-2", "stored-3"];
  for (const [place, id] of ids.entries()) await open(id, place + 4, test.network);
  const refusal = await refuse("standing_order_run", "new.order_id = 'stored-2' and new.state = 'sending'");
  expect(await payStandingOrders(test.needs, test.network)).toEqual({ paid: 2, missed: 0 });
  expect([await statesOf("stored-1"), await statesOf("stored-3")]).toEqual([["paid"], ["paid"]]);
  expect(await balanceOf("stored-2")).toBe(0n);
  expect(test.logLines).toContainEqual(
    expect.objectContaining({ level: "error", fields: expect.objectContaining({ order: "stored-2" }) }),
  );
  await refusal.mend();
  test.needs.realClock.advance(limits.standingOrderLeaseMs);
  expect(await payStandingOrders(test.needs, test.network)).toEqual({ paid: 1, missed: 0 });
  for (const id of ids) expect(await balanceOf(id)).toBe(1_000_000n);
});

const db = () => test.needs.db;

const open = (id: string, place: number, network: Network) =>
  openOrder(db(), network, account, {
    id,
    place,
    amount: 1_000_000n,
    frequency: "monthly",
    startAt: network.clock.now(),
    payee: publicKeyOf(`payee of ${id}`) as Address,
    limit: { expiration: null },
  });

const balanceOf = async (id: string) => (await test.network.rpc.getBalance(publicKeyOf(`payee of ${id}`)).send()).value;

const statesOf = async (id: string) => (await runsOf(db(), id)).map((run) => run.slice(17));

/** Has the database refuse what makes this true of a changed row, until `mend`. */
async function refuse(table: string, condition: string): Promise<{ mend(): Promise<void> }> {
  const run = (text: string) => sql.raw(text).execute(db());
  await run(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`);
  await run(
    `create trigger refuse before update on ${table} for each row when (${condition}) execute function refuse()`,
  );
  return { mend: () => run(`drop function refuse cascade`).then(() => undefined) };
}
