import { randomBytes } from "node:crypto";
import { type Address, getBase58Decoder } from "@solana/kit";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { externalAccountKind } from "../../../src/rails/external-accounts.js";
import { claimDue } from "../../../src/rails/rail-kind.js";
import { claimOrders } from "../../../src/standing-orders/run-store.js";
import { useTestNetwork } from "../../../test/support/scene.js";
import { openControlledAccount, openOrder } from "../../../test/support/standing-orders.js";
import { publicKeyOf } from "../../../test/support/test-network.js";
import { limits } from "./limits.js";

let realNow: number;
const test = useTestNetwork();
beforeAll(async () => {
  realNow = test.needs.realClock.now();
});

describe("tenants whose orders are due", () => {
  beforeAll(async () => {
    const account = await openControlledAccount(test.network, "holder");
    const startAt = test.network.clock.now() + 86_400_000;
    const payee = publicKeyOf("payee") as Address;
    await openOrder(test.needs.db, test.network, account, {
      id: "model",
      amount: 1n,
      frequency: "monthly",
      startAt,
      payee,
    });
  });

  it("share a claim evenly, and the unused part of a share is given to the tenant that has waited longest", async () => {
    for (const tenant of ["few", "many", "other"]) await test.addTenant(tenant);
    await openDue("many", 500, 1);
    await openDue("few", 3, 10_000);
    await openDue("other", 200, 20_000);
    const claimed = await claim(90);
    const count = (tenant: string) => claimed.filter((one) => one === tenant).length;
    // The model's tenant has something in the queue, and nothing due.
    expect({ few: count("few"), many: count("many"), other: count("other") }).toEqual({ few: 3, many: 65, other: 22 });
  });

  it("are all served within as many claims as it takes to go round, however many there are", async () => {
    const tenants = Array.from({ length: 3 * limits.tenantsInOneClaim }, (_, number) => `tenant-of-many-${number}`);
    for (const tenant of tenants) {
      await test.addTenant(tenant);
      await openDue(tenant, 1, 30_000);
    }
    const served = new Set<string>();
    for (let number = 0; number < 4; number += 1) for (const tenant of await claim(50)) served.add(tenant);
    expect(tenants.filter((tenant) => !served.has(tenant))).toEqual([]);
    // Those with more have not been passed over for it.
    expect(served).toContain("many");
  });
});

describe("tenants in a queue without an index by tenant", () => {
  /** Bank accounts of a tenant that are to be looked at, the first of them since `since`. */
  const due = async (tenant: string, count: number, since: number): Promise<void> => {
    await test.addTenant(tenant);
    await sql`insert into rail_external_account (id, tenant_id, environment, account_address, partner, customer_ref,
        operation_key, operation_begun_at, fingerprint, shown, kind, currency, last4, removal_key, look_at, created_at, updated_at)
      select ${tenant} || number, ${tenant}, 'sandbox', 'somebody', 'turns', 'customer', ${tenant} || number, 0,
        decode(md5(${tenant} || number), 'hex'), '', 'us', 'usd', '0000', ${tenant} || number, ${since}::int8 + number, 0, 0
      from generate_series(1, ${count}::int4) as number`.execute(test.needs.db);
  };
  const refresh = () => claimDue(test.needs.db, externalAccountKind, test.network, "turns", 1_000_000);

  it("have their turn at once behind many of another, and later arrivals overtake none of them", async () => {
    await due("first", 3_000, 1);
    await due("second", 2, 100_000);
    expect(await refresh()).toEqual(expect.arrayContaining(["second1", "second2", "first1", "first98"]));
    // The longest due of each come first, however much comes behind them.
    await due("third", 3_000, 200_000);
    const next = await refresh();
    expect(next).toEqual(expect.arrayContaining(["first99", "first148", "third2001", "third2050"]));
    expect(next).toHaveLength(limits.railReadsInOneBatch);
  });

  it("get all there is, each once", async () => {
    const taken: string[] = [];
    for (;;) {
      const some = await refresh();
      if (some.length === 0) break;
      taken.push(...some);
    }
    expect(taken).toHaveLength(6_002 - 2 * limits.railReadsInOneBatch);
    expect(new Set(taken).size).toBe(taken.length);
  });
});

const random = () => getBase58Decoder().decode(randomBytes(32));

const claim = async (limit: number): Promise<readonly string[]> => {
  const terms = { now: test.network.clock.now(), realNow, limit, leaseMs: 60_000, player: undefined };
  return (await claimOrders(test.needs.db, test.network, terms)).map(({ order }) => order.tenant_id);
};

/** So many due orders of a tenant, the oldest of which has waited since `since`. */
async function openDue(tenantId: string, count: number, since: number): Promise<void> {
  const changes = Array.from({ length: count }, (_, number) => ({
    id: `${tenantId}/${number}`,
    tenant_id: tenantId,
    account_address: random(),
    spending_limit_address: random(),
    attempt_at: since + number,
    next_due_at: since + number,
  }));
  await sql`insert into standing_order select (jsonb_populate_record(model, change::jsonb)).*
    from standing_order as model, json_array_elements(${JSON.stringify(changes)}::json) as change
    where model.id = 'model'`.execute(test.needs.db);
}
