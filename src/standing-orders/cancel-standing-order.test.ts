import { limits } from "@trellis/kernel/limits.js";
import { addressOfKey, signTransaction } from "@trellis/sdk";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { errorOf, openTestNetwork, publicKeyOf, type TestNetwork } from "../../test/support/test-network.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { cancelStandingOrder } from "./cancel-standing-order.js";
import { createStandingOrder } from "./create-standing-order.js";
import { getStandingOrder } from "./get-standing-order.js";
import { listStandingOrderRuns } from "./list-runs.js";
import { payStandingOrders } from "./pay-orders.js";

let test: TestNetwork;
let account: OwnAccount;
let payee: string;
let number = 0;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test?.close());
beforeEach(async () => {
  number += 1;
  payee = publicKeyOf(`payee ${number} of orders that are cancelled`);
  account = await openOwnAccount(test);
  test.logLines.length = 0;
});
const selfPaid = () => ({ fee_config: { self_managed_fees: true }, payer_address: addressOfKey(account.key) });

describe("a standing order that is cancelled while its wallet can still give it its limit", () => {
  it("is checked, reported when its limit appears, never paid, and offers the removal", async () => {
    const made = await create();
    expect(await cancel(made)).toMatchObject({ status: "cancelled", mandate: "awaited" });
    await send(made);
    await clock(61);
    await pass();
    expect(await read(made)).toMatchObject({ status: "cancelled", reason: "cancelled_by_user", mandate: "active" });
    expect(alarms()).toMatchObject([{ level: "error", fields: { order: made.id, account: account.address } }]);
    expect(await reported(made)).toEqual([
      ["standing_order.created", "awaited"],
      ["standing_order.cancelled", "awaited"],
      ["standing_order.cancelled", "active"],
    ]);
    await clock(3 * 86_400);
    await pass();
    expect(await held()).toBe(0n);
    expect(await test.call<unknown[]>(listStandingOrderRuns, { params: params(made) })).toEqual([]);

    const { transaction, mandate } = await cancel(made);
    expect(mandate).toBe("revocation_pending");
    await submit({ wire: signTransaction(transaction ?? "", [account.key]) });
    expect(await read(made)).toMatchObject({ status: "cancelled", mandate: "revoked" });
    expect(alarms()).toHaveLength(1);
  });

  it("offers the removal at once where the limit has appeared before", async () => {
    const made = await create();
    await send(made);
    expect(await cancel(made)).toMatchObject({
      status: "cancelled",
      mandate: "revocation_pending",
      transaction: expect.any(String),
    });
  });

  it("answers a submit of the same bytes with what the wallet has sent", async () => {
    const made = await create();
    await cancel(made);
    const signature = await send(made);
    expect(await submit(made)).toMatchObject({ transaction_signature: signature });
    await clock(61);
    await pass();
    expect(await read(made)).toMatchObject({ status: "cancelled", mandate: "active" });
    expect(alarms()).toHaveLength(1);
  });

  it("is not reported as without a limit before that is proven", async () => {
    const made = await create();
    await cancel(made);
    await clock(300);
    await pass();
    expect((await errorOf(submit(made))).code).toBe("blockhash_expired");
    expect(await read(made)).toMatchObject({ status: "cancelled", mandate: "awaited" });
    await clock((limits.standingOrderAwaitedEndsMs + limits.preparedLifetimeMs) / 1000);
    await pass();
    expect(await read(made)).toMatchObject({ status: "cancelled", mandate: "revoked" });
    expect(alarms()).toEqual([]);
    expect(await reported(made)).toHaveLength(2);
  });

  it("notices without a request that its wallet has removed the limit", async () => {
    const made = await create();
    await cancel(made);
    await send(made);
    await clock(61);
    await pass();
    const { transaction } = await cancel(made);
    // As where nobody has asked for the removal here.
    await sql`update standing_order set mandate = 'active' where id = ${made.id}`.execute(test.needs.db);
    await send({ wire: signTransaction(transaction ?? "", [account.key]) });
    await clock(7 * 3_600);
    await pass();
    expect(await read(made)).toMatchObject({ status: "cancelled", mandate: "revoked" });
  });
});

describe("a standing order whose fee the service pays", () => {
  it("can be given no limit any more once it is cancelled", async () => {
    const made = await create({});
    await cancel(made);
    expect((await errorOf(submit(made))).code).toBe("blockhash_expired");
  });
});

interface Order {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
  readonly mandate: string;
  readonly transaction?: string;
}

const create = async (body: object = selfPaid()) => {
  const order = await test.call<Order>(createStandingOrder, {
    params: { address: account.address },
    body: {
      amount: "1000000",
      frequency: "daily",
      source: { account: account.address, currency: "sol" },
      destination: { address: payee, currency: "sol" },
      start_date: new Date(test.network.clock.now() + 30_000).toISOString(),
      ...body,
    },
  });
  return { ...order, wire: signTransaction(order.transaction ?? "", [account.key]) };
};

type Made = Awaited<ReturnType<typeof create>>;

const clock = (seconds: number) => test.network.sandbox?.advanceClock(seconds);

const pass = () => payStandingOrders(test.needs, test.network);

const send = ({ wire }: { readonly wire: string }) =>
  test.network.rpc.sendTransaction(wire as never, { encoding: "base64" }).send();

const params = ({ id }: Made) => ({ address: account.address, id });

const cancel = (made: Made) => test.call<Order>(cancelStandingOrder, { params: params(made), body: selfPaid() });

const read = (made: Made) => test.call<Order>(getStandingOrder, { params: params(made) });

const submit = ({ wire }: { readonly wire: string }) =>
  test.call<{ transaction_signature: string }>(submitTransactions, {
    params: { address: account.address },
    body: { transaction: wire, kms_payloads: [] },
  });

const alarms = () =>
  test.logLines.filter(
    ({ fields }) =>
      "event" in fields &&
      fields.event === "standing_order_limit_unwanted" &&
      "account" in fields &&
      fields.account === account.address,
  );

const reported = async ({ id }: Made) => {
  const { rows } = await sql<{ type: string; data: string }>`select type, data from event
    where object_id = ${id} order by created_at, sequence nulls last, id`.execute(test.needs.db);
  return rows.map(({ type, data }) => [type, (JSON.parse(data) as { mandate: string }).mandate]);
};

const held = async () => (await test.network.rpc.getBalance(payee as never).send()).value;
