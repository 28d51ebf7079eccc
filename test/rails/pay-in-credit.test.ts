import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { creditDeposits } from "../../src/rails/deposit-store.js";
import { followRails } from "../../src/rails/follow-rails.js";
import { requestVirtualAccount } from "../../src/rails/request-virtual-account.js";
import { simulateDeposit } from "../../src/sandbox-controls/simulate-deposit.js";
import { use, useTestNetwork } from "../support/scene.js";
import { bent, openApproved, readIntent } from "./transfers-support.js";

const test = useTestNetwork();
const holder = use(() => openApproved(test, "credit@example.org"));

it("counts once its payment is final, and not before", async () => {
  const { id } = await open();
  const destination_tx_hash = await pay(25_000_000n);
  const receipt = { destination_tx_hash, final_amount: "25.00" };
  expect(await hear(id, receipt, withoutFinal())).toEqual(["payment_submitted", undefined]);
  expect(await hear(id, receipt)).toEqual(["payment_processed", destination_tx_hash]);
});

it("counts where the amount that the partner says it paid arrived, to the base unit, in this coin", async () => {
  const outcomes = [];
  for (const [paid, final_amount, coin] of [
    [1n, "25.00"],
    [24_999_999n, "25"],
    [25_000_000n, "25.0000001"],
    [25_000_000n, "much"],
    [24_999_999n, undefined],
    [25_000_000n, "25.00", "eurc"],
    [24_875_000n, "24.875"],
    [25_000_000n, undefined],
  ] as const) {
    const { id } = await open();
    const destination_tx_hash = await pay(paid, coin);
    const [state] = await hear(id, { destination_tx_hash, ...(final_amount === undefined ? {} : { final_amount }) });
    outcomes.push(state);
  }
  expect(outcomes).toEqual([...Array(6).fill("payment_submitted"), "payment_processed", "payment_processed"]);
});

it("counts no transaction from before it was asked for, and was confirmed when its block was made", async () => {
  const former = await pay(25_000_000n);
  await test.network.sandbox?.advanceClock(86_400);
  const { id } = await open();
  const said = { final_amount: "25.00" };
  expect(await hear(id, { destination_tx_hash: former, ...said })).toEqual(["payment_submitted", undefined]);
  const paid = await pay(25_000_000n);
  const at = Math.floor(test.network.clock.now() / 1000) * 1000;
  await test.network.sandbox?.advanceClock(7_200);
  expect(await hear(id, { destination_tx_hash: paid, ...said })).toEqual(["payment_processed", paid]);
  const row = await test.needs.db
    .selectFrom("rail_transfer")
    .select("credited_at")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(Math.abs(Number(row.credited_at) - at)).toBeLessThan(5_000);
});

it("is not credited by what a deposit was credited by, nor a deposit by what a pay-in was", async () => {
  const account = await test.call<{ id: string }>(requestVirtualAccount, {
    params: { address: holder.address },
    body: { currency: "usd" },
  });
  const params = { virtual_account_id: account.id };
  const pays = (amount: string) =>
    test.call<{ transaction_signature: string; credited: boolean }>(simulateDeposit, { params, body: { amount } });
  const deposit = await pays("100.00");
  expect(deposit.credited).toBe(true);
  const { id } = await open();
  const receipt = { destination_tx_hash: deposit.transaction_signature, final_amount: "25.00" };
  expect(await hear(id, receipt)).toEqual(["payment_submitted", undefined]);

  // A write without a read before it changes nothing.
  const { db } = test.needs;
  const credit = sql`update rail_transfer set credited_at = 1, signature = ${deposit.transaction_signature} where id = ${id}`;
  await credit.execute(db);
  const row = () => db.selectFrom("rail_transfer").select("credited_at").where("id", "=", id).executeTakeFirst();
  expect((await row())?.credited_at).toBeNull();

  // The other way round: the pay-in was first, and then a deposit names its payment before the history has it.
  const paid = await pay(25_000_000n);
  expect((await hear(id, { destination_tx_hash: paid, final_amount: "25.00" }))[0]).toBe("payment_processed");
  await sql`insert into rail_deposit (id, virtual_account_id, tenant_id, environment, account_address, partner_ref, state,
      amount, currency, coin, mint, decimals, signature, happened_at, created_at, updated_at)
    select 'other', virtual_account_id, tenant_id, environment, account_address, 'other', state, '25.00', currency, coin, mint,
      decimals, ${paid}, happened_at, created_at, updated_at
    from rail_deposit where signature = ${deposit.transaction_signature}`.execute(db);
  expect((await pays("200.00")).credited).toBe(true);
  const history = db.selectFrom("history_transaction").select("finalized").where("signature", "=", paid);
  expect(await history.execute()).toEqual([{ finalized: true }]);
  await creditDeposits(db, test.network, account.id);
  await sql`update rail_deposit set confirmed_at = 1 where id = 'other'`.execute(db);
  const other = db.selectFrom("rail_deposit").select(["received", "confirmed_at"]).where("id", "=", "other");
  expect(await other.execute()).toEqual([{ received: null, confirmed_at: null }]);
});

const offering = () =>
  bent(test, () => ({ payIns: [{ from: "usd", to: ["usdc"], rails: ["wire"], endorsement: "base" }] }));

const open = () =>
  test.call<PaymentIntent>(preparePayment, {
    params: { address: holder.address },
    body: { amount: "25.00", source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } },
    needs: offering(),
  });

let payments = 0;
/** A payer pays the account, in a coin of the environment; returns the transaction. */
async function pay(baseUnits: bigint, coin = "usdc"): Promise<string> {
  const { sandbox, currencies } = test.network;
  const mint = currencies.find(({ symbol }) => symbol === coin)?.mint;
  payments += 1;
  const signature = await sandbox?.mintTo(holder.address as never, mint as never, baseUnits, `payment-${payments}`);
  if (signature === undefined) throw new Error("the sandbox pays");
  return signature;
}

/** The pass, with a partner that says it has processed this transfer by that transaction. */
async function hear(id: string, receipt: Record<string, string>, network: Network = test.network) {
  const lying = bent(test, (partner) => ({
    readTransfer: async (ref, signal) => {
      const answer = await partner.readTransfer(ref, signal);
      if (!answer.ok || answer.value.clientReference !== id) return answer;
      return { ok: true, value: { ...answer.value, state: "payment_processed", receipt } };
    },
  }));
  test.needs.realClock.advance(120_000);
  await followRails({ ...test.needs, ...lying }, network);
  const { state, transaction_signature } = await readIntent(test, holder.address, id);
  return [state, transaction_signature];
}

/** The same chain, before anything is final. */
function withoutFinal(): Network {
  const { rpc } = test.network;
  const nothing = { send: async () => null };
  return {
    ...test.network,
    rpc: new Proxy(rpc, {
      get: (target, name: keyof typeof rpc) => {
        if (name !== "getTransaction") return target[name];
        return (signature: never, config: { commitment?: string }) =>
          config.commitment === "finalized" ? nothing : target.getTransaction(signature, config as never);
      },
    }),
  };
}
