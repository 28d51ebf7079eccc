import type { Budgets } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { dataOf, expectError, makeKey } from "../../test/adversarial/support.js";
import { useTestService } from "../../test/support/scene.js";
import { createTenant } from "../tenants/tenant-store.js";
import { budgetDay } from "./sponsorship.js";

const trellis = useTestService();
const path = "/api/service/v1/budgets";
const read = async (headers: Record<string, string> = {}) =>
  dataOf<Budgets>(await trellis.request("GET", path, undefined, headers));

describe("GET /budgets 200", () => {
  it("says what was used today, and for how long the fee payer lasts", async () => {
    const before = await read();
    expect(before.fee_payer).toMatchObject({ address: trellis.feePayer, spent_per_day: "0", days_left: null });
    expect(before.budgets.map(({ of, pays, used }) => [of, pays, used])).toEqual([
      ["tenant", "fees", "0"],
      ["tenant", "openings", "0"],
    ]);
    const holder = await trellis.openHolder({ sol: "1000000000" });
    const payment = { account: holder.address, destination: makeKey().address, currency: "sol", amount: "1000000" };
    await trellis.client.transfers.send({ ...payment, session: holder.session });
    const after = await read();
    const [fees] = after.budgets;
    expect(BigInt(fees?.used ?? 0)).toBeGreaterThan(0n);
    expect(BigInt(fees?.used ?? 0) + BigInt(fees?.left ?? 0)).toBe(BigInt(fees?.limit ?? 0));
    expect(after.fee_payer.days_left).toBeGreaterThan(0);
    expect(Date.parse(after.resets_at) % 86_400_000).toBe(0);
    expect(Date.parse(after.resets_at)).toBeGreaterThan(Date.now());
  });

  it("takes the mean of the days that there are, seven at most", async () => {
    const { db } = trellis.service;
    const today = budgetDay(Date.now());
    const row = (scope: string, day: number, lamports: bigint) => ({
      environment: "sandbox",
      scope,
      day,
      lamports,
      ceiling: lamports,
    });
    const { spent_per_day: used } = (await read()).fee_payer;
    const days = [row("environment", today - 3, 4_000n), row("given:environment", today - 3, 400n)];
    await db.insertInto("sponsorship_budget").values(days).execute();
    const sums = [row("tenant:environment", today - 3, 1_000_000n), row("environment", today - 8, 1_000_000n)];
    await db.insertInto("sponsorship_budget").values(sums).execute();
    expect((await read()).fee_payer.spent_per_day).toBe(String((BigInt(used) + 4_400n) / 4n));
  });

  it("has the figures of all tenants for the operator alone, and of no other tenant for anybody", async () => {
    const { db } = trellis.service;
    await createTenant(db, { id: "others", name: "Others", now: Date.now() });
    const day = budgetDay(Date.now());
    const drawn = { environment: "sandbox", scope: "tenant:others", day, lamports: 777n, ceiling: 1_000n };
    await db.insertInto("sponsorship_budget").values(drawn).execute();
    expect(JSON.stringify(await read())).not.toContain("777");
    const { scopes } = await db.selectFrom("api_key").select("scopes").executeTakeFirstOrThrow();
    const set = (names: string) => db.updateTable("api_key").set({ scopes: names }).execute();
    await set('["accounts:read","admin:tenants"]');
    const all = await read();
    expect(all.budgets.map(({ of }) => of)).toEqual(["tenant", "tenant", "service", "service"]);
    await set('["payments:read"]');
    expectError(await trellis.request("GET", path), 403, "insufficient_scope");
    await set(scopes);
  });
});
