import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { createLogger, createPinoLog } from "../../src/adapters/log/pino-log.js";
import { activateIfMandated, noticeMandates } from "../../src/standing-orders/mandate.js";
import { findMandated } from "../../src/standing-orders/standing-order-store.js";
import { dataOf, may, newKey, type Opened } from "../proposals/support.js";
import { useTestService } from "../support/scene.js";
import { between, dayMs, iso, ordersOf, type WireOrder } from "./support.js";

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
const api = ordersOf(trellis);
const log = createPinoLog(createLogger("silent"));
const [a, b] = [newKey(), newKey()];

describe("a standing order whose limit never appears", () => {
  it("is given up five minutes after its transaction has run out, and not before", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const { id, valid_until } = dataOf<WireOrder>(await api.createOrder(account, monthly(account)));
    await advance(350);
    await refresh(id);
    expect(await api.order(account, id)).toMatchObject({ status: "pending", valid_until });
    await advance(11);
    await refresh(id);
    expect(await api.order(account, id)).toMatchObject({
      status: "cancelled",
      reason: "not_authorised",
      mandate: "awaited",
    });
  });

  it("is checked once more a day later, and never again by changes of the account", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const made: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      made.push(dataOf<WireOrder>(await api.createOrder(account, monthly(account))).id);
    }
    await advance(400);
    for (const id of made) await refresh(id);
    const { db } = trellis.service;
    const mandated = () => findMandated(db, trellis.network, account.address);
    expect(await mandated()).toHaveLength(3);
    await advance(dayMs / 1000);
    const { slot } = await getSlotOf();
    await noticeMandates({ db, log }, trellis.network, account.address, slot);
    expect(await mandated()).toEqual([]);
    expect(await api.order(account, made[0] ?? "")).toMatchObject({ status: "cancelled", mandate: "revoked" });
  });

  it("stays awaited while a vote could still bring it", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const asked = monthly(shared, { transaction_signers: [addressOfKey(a)] });
    const made = dataOf<WireOrder>(await api.createOrder(shared, asked));
    await api.submitNow(shared, made as { transaction: string }, [a]);
    await advance((32 * dayMs) / 1000);
    await refresh(made.id);
    await refresh(made.id);
    expect(await api.order(shared, made.id)).toMatchObject({ status: "cancelled", mandate: "awaited" });
    await api.cast(shared, made.proposal_address ?? "", "reject", [b]);
    await refresh(made.id);
    expect((await api.order(shared, made.id)).mandate).toBe("revoked");
  });

  it("waits for a submission of it that is still open", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const { id } = dataOf<WireOrder>(await api.createOrder(account, monthly(account)));
    const { db } = trellis.service;
    const { prepared_id } = await db
      .selectFrom("standing_order")
      .select("prepared_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await advance(1_000);
    const submission = {
      id: prepared_id,
      tenant_id: null,
      environment: "elsewhere",
      account_address: null,
      purpose: "transaction" as const,
      signature: prepared_id,
      wire_transaction: new Uint8Array(),
      last_valid_block_height: 1n,
      recorded_slot: null,
      state: "sent" as const,
      failure: null,
      slot: null,
      block_time: null,
      reserved_lamports: 0n,
      reserved_on: null,
      spent_lamports: null,
      created_at: 0n,
      updated_at: 0n,
      looked_at: 0n,
      alarmed_at: null,
      carried: false,
    };
    await db.insertInto("submission").values(submission).execute();
    await refresh(id);
    expect((await api.order(account, id)).status).toBe("pending");
    await db.updateTable("submission").set({ state: "expired" }).where("id", "=", prepared_id).execute();
    await refresh(id);
    expect((await api.order(account, id)).status).toBe("cancelled");
  });

  it("is given up as soon as the vote on it is lost, or thirty days after it was opened", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const asked = () => monthly(shared, { transaction_signers: [addressOfKey(a)] });
    const propose = async () => {
      const made = dataOf<WireOrder>(await api.createOrder(shared, asked()));
      await api.submitNow(shared, made as { transaction: string }, [a]);
      return made;
    };
    const [lost, left] = [await propose(), await propose()];
    expect(Date.parse(left.valid_until) - api.now()).toBeGreaterThan(29 * dayMs);
    await api.cast(shared, lost.proposal_address ?? "", "reject", [b]);
    await refresh(lost.id);
    await refresh(left.id);
    expect((await api.order(shared, lost.id)).reason).toBe("not_authorised");
    expect((await api.order(shared, left.id)).status).toBe("pending");
    await advance((30 * dayMs) / 1000 + 301);
    await refresh(left.id);
    expect((await api.order(shared, left.id)).reason).toBe("not_authorised");
  });

  it("is given up early when its proposal was never made", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const asked = monthly(shared, { transaction_signers: [addressOfKey(a)] });
    const { id } = dataOf<WireOrder>(await api.createOrder(shared, asked));
    await advance(361);
    await refresh(id);
    expect((await api.order(shared, id)).reason).toBe("not_authorised");
  });
});

const payee = addressOfKey(newKey());
const monthly = (account: Opened, more: object = {}) => ({
  amount: "5000000",
  frequency: "monthly",
  ...between(account, payee),
  start_date: iso(api.now() + 60 * dayMs),
  ...more,
});

/** The scheduler's check of an order that waits, made now. */
async function refresh(id: string): Promise<void> {
  const { db } = trellis.service;
  const order = await db.selectFrom("standing_order").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  await activateIfMandated({ db, log }, trellis.network, order);
}

const getSlotOf = async () => ({ slot: await trellis.network.rpc.getSlot({ commitment: "confirmed" }).send() });

const advance = (seconds: number) => trellis.network.sandbox?.advanceClock(seconds);
