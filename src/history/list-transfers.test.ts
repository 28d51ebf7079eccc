import { sql } from "kysely";
import type { Static } from "typebox";
import { beforeAll, expect, it } from "vitest";
import { pages, type WireTransfer } from "../../test/history/support.js";
import {
  addBank,
  openApproved,
  type PreparedBankIntent,
  settle,
  submitBank,
} from "../../test/rails/transfers-support.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { requestVirtualAccount } from "../rails/request-virtual-account.js";
import { openReceipt, openReference, readTransferRow, sealOldTransfers } from "../rails/transfer-store.js";
import { moveSandboxTransfer } from "../sandbox-controls/move-transfer.js";
import { simulateDeposit } from "../sandbox-controls/simulate-deposit.js";
import { listTransfers } from "./list-transfers.js";
import type { RailMovement } from "./rail-movement.js";

let paid: PreparedBankIntent;
let returned: PreparedBankIntent;
let waiting: PreparedBankIntent;
let paidIn: PaymentIntent;
let bank: string;
const test = useTestNetwork();
const holder = use(() => openApproved(test, "listed@example.org"));
beforeAll(async () => {
  bank = (await addBank(test, holder.address)).id;
  // All in one second: a clock that stands still is the hardest case.
  paid = await payOut("5000000");
  await submitBank(test, holder, paid);
  await settle(test);
  returned = await payOut("3030000");
  await submitBank(test, holder, returned);
  await settle(test);
  waiting = await payOut("1000000");
  paidIn = await test.call<PaymentIntent>(preparePayment, {
    params: { address: holder.address },
    body: { amount: "25.00", source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } },
  });
  await test.call(moveSandboxTransfer, { params: { id: paidIn.id }, body: { state: "funds_received" } });
  const { id } = await test.call<{ id: string }>(requestVirtualAccount, {
    params: { address: holder.address },
    body: { currency: "usd" },
  });
  await test.call(simulateDeposit, { params: { virtual_account_id: id }, body: { amount: "100.00" } });
}, 60_000);

it("shows payments to banks and from banks beside what they moved on chain, and says how they belong together", async () => {
  const items = await list({ limit: 200 });
  const find = (id: string) => items.find(({ Bridge }) => Bridge?.id === id)?.Bridge;
  const spl = (signature: string | undefined, direction: string) =>
    items.find(({ Spl }) => Spl?.signature === signature && Spl?.direction === direction)?.Spl;

  const out = find(paid.id);
  expect(out).toMatchObject({
    kind: "pay_out",
    direction: "outflow",
    state: "payment_processed",
    amount: "5.00",
    currency: "usdc",
    source: { currency: "usdc", payment_rail: "solana", from_address: holder.address },
    destination: { currency: "usd", payment_rail: "ach_push", external_account_id: bank },
    receipt: { initial_amount: "5.00", final_amount: "5.00" },
    credited: true,
    confirmed_at: expect.any(String),
  });
  expect(spl(out?.receipt.source_tx_hash, "outflow")).toMatchObject({ amount: "5000000" });

  const back = find(returned.id);
  expect(back).toMatchObject({ state: "refunded", credited: true });
  expect(spl(back?.receipt.source_tx_hash, "outflow")).toMatchObject({ amount: "3030000" });
  expect(spl(back?.receipt.destination_tx_hash, "inflow")).toMatchObject({ amount: "3030000" });

  const open = find(waiting.id);
  expect(open).toMatchObject({ state: "awaiting_funds", credited: false });
  expect(open?.receipt).not.toHaveProperty("source_tx_hash");
  expect(open).not.toHaveProperty("confirmed_at");

  const into = find(paidIn.id);
  expect(into).toMatchObject({
    kind: "pay_in",
    direction: "inflow",
    state: "payment_processed",
    amount: "25.00",
    currency: "usd",
    source: { currency: "usd", payment_rail: "wire" },
    destination: { currency: "usdc", payment_rail: "solana", to_address: holder.address },
    receipt: { final_amount: "25" },
    credited: true,
  });
  expect(spl(into?.receipt.destination_tx_hash, "inflow")).toMatchObject({ amount: "25000000" });
  expect(items.filter(({ Bridge }) => Bridge?.kind === "deposit")).toHaveLength(1);
});

it("has one order over all pages, in which nothing is missing or twice, whatever their size", async () => {
  // More of them, in one millisecond and in others.
  for (let more = 0; more < 3; more += 1) {
    await payOut("1000000");
    if (more === 1) test.needs.realClock.advance(1_500);
  }
  const whole = (await list({ limit: 200 })).map(nameOf);
  expect(new Set(whole).size).toBe(whole.length);
  expect(whole.filter((name) => name.startsWith("Bridge"))).toHaveLength(8);
  for (const [query, limit] of [
    [{}, 1],
    [{}, 2],
    [{}, 3],
    [{ type: "bridge" }, 1],
    [{ type: "outflow" }, 2],
    [{ type: "inflow", status: "finalized" }, 1],
    [{ currency: "usdc" }, 2],
  ] as const) {
    const read: string[] = [];
    for await (const page of pages(test, listTransfers as never, holder.address, { ...query, limit })) {
      read.push(...(page as Item[]).map(nameOf));
    }
    expect(read).toEqual((await list({ ...query, limit: 200 })).map(nameOf));
  }
});

it("is met by the filters of the list", async () => {
  const all = await bridgeOf({ limit: 200 });
  const idsWhere = (holds: (item: Bridge) => boolean) => idsOf(all.filter(holds));
  const listed = async (query: Record<string, unknown>) => idsOf(await bridgeOf({ ...query, limit: 200 }));
  expect(await listed({ type: "outflow" })).toEqual(idsWhere(({ direction }) => direction === "outflow"));
  expect(await listed({ type: "inflow" })).toEqual(idsWhere(({ direction }) => direction === "inflow"));
  expect(await listed({ type: "bridge" })).toEqual(idsOf(all));
  expect(await listed({ type: "spl" })).toEqual([]);
  expect(await listed({ status: "finalized" })).toEqual(idsWhere(({ credited }) => credited));
  expect(await listed({ status: "confirmed" })).toEqual([]);
  expect(await listed({ currency: "usdc" })).toEqual(idsOf(all));
  expect(await listed({ currency: "eurc" })).toEqual([]);
  for (const id of [paid.id, returned.id, paidIn.id]) {
    const { receipt } = all.find((item) => item.id === id) as Bridge;
    for (const tx_hash of [receipt.source_tx_hash, receipt.destination_tx_hash]) {
      if (tx_hash !== undefined) expect([id, await listed({ tx_hash })]).toEqual([id, [id]]);
    }
  }
  expect(await listed({ end_date: "2020-01-01" })).toEqual([]);
  expect(await listed({ start_date: "2020-01-01" })).toEqual(idsOf(all));
});

it("is hidden from other accounts and tenants", async () => {
  const caller = await test.addTenant("tenant-of-strangers");
  const call = test.call(listTransfers, { params: { address: holder.address }, query: {}, caller });
  expect((await errorOf(call)).code).toBe("account_not_found");
});

it("keeps what banks say sealed, and seals what earlier releases kept in clear", async () => {
  const { db, keyring } = test.needs;
  const row = async (id: string) => {
    const found = await readTransferRow(db, id);
    if (found === undefined) throw new Error("it is there");
    return found;
  };
  const clear = async () =>
    (
      await sql<{ n: number }>`select count(*)::int4 as n from rail_transfer
        where receipt is not null or reference is not null or row_to_json(rail_transfer)::text like '%RENT 7%'`.execute(
        db,
      )
    ).rows[0]?.n;
  expect(await clear()).toBe(0);
  expect(openReference(keyring, await row(paid.id))).toBe("RENT 7");
  const receipt = openReceipt(keyring, await row(paid.id));
  expect(receipt).toMatchObject({ final_amount: "5.00" });
  expect(
    (
      await sql<{ n: number }>`select count(*)::int4 as n from simulated_transfer where to_leg like '%RENT%'`.execute(
        db,
      )
    ).rows,
  ).toEqual([{ n: 0 }]);

  await sql`update rail_transfer set sealed_receipt = null, sealed_reference = null, receipt = '{"final_amount":"4.99"}',
    reference = 'RENT 7' where id = ${paid.id}`.execute(db);
  // Read until it is sealed.
  expect((await bridgeOf({ limit: 200 })).find(({ id }) => id === paid.id)?.receipt.final_amount).toBe("4.99");
  expect(await sealOldTransfers(test.needs)).toBe(1);
  expect(await clear()).toBe(0);
  expect(openReceipt(keyring, await row(paid.id))).toEqual({ final_amount: "4.99" });
  expect(openReference(keyring, await row(paid.id))).toBe("RENT 7");
  expect(await sealOldTransfers(test.needs)).toBe(0);
});

type Bridge = Static<typeof RailMovement>;

type Item = { readonly Spl?: WireTransfer; readonly Bridge?: Bridge };

const payOut = (amount: string) =>
  test.call<PreparedBankIntent>(preparePayment, {
    params: { address: holder.address },
    body: {
      amount,
      source: { account: holder.address, currency: "usdc" },
      destination: {
        payment_rail: "ach_push",
        currency: "usd",
        external_account_id: bank,
        reference: "RENT 7",
      },
    },
  });

const list = (query: Record<string, unknown> = {}): Promise<Item[]> =>
  test.call<Item[]>(listTransfers, { params: { address: holder.address }, query });

const bridgeOf = async (query: Record<string, unknown> = {}) =>
  (await list(query)).flatMap(({ Bridge }) => (Bridge === undefined ? [] : [Bridge]));

const nameOf = ({ Spl, Bridge }: Item) => (Spl === undefined ? `Bridge ${Bridge?.id}` : `Spl ${Spl.id}`);

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).sort();
