import { addressOfKey } from "@trellis/sdk";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { freezeTenant } from "../../src/tenants/tenant-store.js";
import { dataOf, may, newKey, refusalOf } from "../proposals/support.js";
import { asOtherTenant, knownMasterKey } from "../support/other-tenant.js";
import { use, useTestService } from "../support/scene.js";
import { between, dayMs, iso, ordersOf } from "./support.js";

const trellis = useTestService({ ...knownMasterKey, TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
const api = ordersOf(trellis);
const account = use(() => api.open({ signers: [may(a)], threshold: 1 }));
beforeAll(() => trellis.network.sandbox?.airdrop(account.address, 1_000_000_000n));
const a = newKey();
let others: Record<string, string>;
beforeAll(async () => {
  others = await asOtherTenant(trellis);
});

describe("A frozen tenant", () => {
  it("is read and not written, pays no standing order, and goes on once it is unfrozen", async () => {
    const { id } = await api.begin(account, order(), [a]);
    const webhook = { url: "http://127.0.0.1:9/hooks", types: ["session"] };
    await freeze();
    expect(dataOf(await trellis.request("GET", `/api/service/v1/accounts/${account.address}`))).toBeDefined();
    const refused = await trellis.request("POST", "/api/service/v1/webhook-endpoints", webhook);
    expect(refusalOf(refused)).toEqual([503, "tenant_frozen"]);
    expect(refused.headers.get("retry-after")).toBe("30");

    await playDays(3);
    expect(await api.runs(account, id)).toEqual([]);
    expect(await api.order(account, id)).toMatchObject({ status: "active" });

    await unfreeze();
    await playDays(1);
    // A pass that runs by itself may have claimed it, and is at it.
    const last = async () => expect((await api.runs(account, id)).at(-1)?.state).toBe("paid");
    await vi.waitFor(last, { timeout: 50_000, interval: 100 });
    dataOf(await api.cancel(account, id));
  });

  it("has nothing stored that was signed before it was frozen", async () => {
    const made = dataOf<{ id: string; transaction: string }>(await api.createOrder(account, order()));
    const { db } = trellis.service;
    await freeze();
    const rows = (tenant: string, purpose: "standing_order" | "transaction" | "proposal_close") =>
      db
        .insertInto("submission")
        .values({
          ...submission,
          id: `${purpose}-${tenant}`,
          signature: `${purpose}-${tenant}`,
          tenant_id: tenant,
          purpose,
        })
        .returning("id")
        .execute();
    expect(await rows("default", "standing_order")).toEqual([]);
    await expect(rows("default", "transaction")).rejects.toMatchObject({ code: "TF001" });
    expect(await rows("default", "proposal_close")).toHaveLength(1);
    const found = { ...submission, id: "found-default", signature: "found-default", tenant_id: "default" };
    const recorded = db.transaction().execute(async (trx) => {
      await sql`select set_config('trellis.found', 'yes', true)`.execute(trx);
      return trx
        .insertInto("submission")
        .values({ ...found, purpose: "transaction" })
        .returning("id")
        .execute();
    });
    expect(await recorded).toHaveLength(1);
    await unfreeze();
    expect(await rows("default", "transaction")).toHaveLength(1);
    await db.deleteFrom("submission").where("id", "like", "%-default").execute();
    await api.submitNow(account, made, [a]);
    dataOf(await api.cancel(account, made.id));
  });

  it("is in the audit log, with who froze it", async () => {
    const kinds = await trellis.service.db
      .selectFrom("audit_entry")
      .select("kind")
      .where("kind", "in", ["tenant.frozen", "tenant.unfrozen"])
      .orderBy("sequence")
      .execute();
    expect(kinds.map(({ kind }) => kind)).toEqual([
      "tenant.frozen",
      "tenant.unfrozen",
      "tenant.frozen",
      "tenant.unfrozen",
    ]);
  });
});

const submission = {
  environment: "sandbox",
  account_address: null,
  carried: false,
  wire_transaction: new Uint8Array([1]),
  last_valid_block_height: 0n,
  recorded_slot: null,
  searched_to: null,
  state: "landed",
  failure: null,
  slot: null,
  block_time: null,
  reserved_lamports: 0n,
  reserved_on: null,
  spent_lamports: null,
  changes_settings: null,
  created_at: 0n,
  updated_at: 0n,
  looked_at: 0n,
  alarmed_at: null,
} as const;

const payee = addressOfKey(newKey());
const order = () => ({
  amount: "5000000",
  frequency: "daily",
  ...between(account, payee),
  start_date: iso(api.now() + dayMs),
});

const freeze = () => freezeTenant(trellis.service.db, { id: "default", at: Date.now() });
const unfreeze = () => freezeTenant(trellis.service.db, { id: "default", at: null });

/** Moves time by another tenant's key: what is due on the way is paid. */
const playDays = async (days: number) =>
  dataOf(
    await trellis.request("POST", "/api/service/v1/sandbox/clock/advance", { seconds: (days * dayMs) / 1000 }, others),
  );
