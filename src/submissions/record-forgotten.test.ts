import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import {
  openPlayedAccount,
  openPlayedCluster,
  type PlayedNode,
  paymentOf,
  signedPaymentOf,
} from "../../test/support/played-cluster.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { sendAs } from "../../test/support/standing-orders.js";
import { errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { getPaymentIntent } from "../payments/get-payment-intent.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { passesOf } from "../scheduler/passes.js";
import { submitTransactions } from "../transactions/submit-transactions.js";

let isAway = false;
/** How much others have the fee payer's address named in, newest first, as a node lists it. */
let crowd: readonly object[] = [];
let network: Network;
const test = useTestNetwork();
beforeAll(async () => {
  const node: PlayedNode = ({ id, method, params }) => {
    if (method !== "getSignaturesForAddress") return undefined;
    if (isAway) return Promise.reject(new Error("there is no answer"));
    if (crowd.length === 0 || params[0] !== network.feePayer.address) return undefined;
    return Promise.resolve({ jsonrpc: "2.0", id, result: crowd });
  };
  ({ network } = await openPlayedCluster(test, [node]));
});
const needs = { pause: async (ms: number) => test.needs.realClock.advance(ms) };

describe("a submission that the database has lost, of bytes that have run out since", () => {
  it("is found by the pass that would cancel its intent, and reported", async () => {
    const { signature, read } = await payAndForget();
    await runOut();
    await cancelOverdue();
    expect(await read()).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect(test.logLines).toContainEqual(
      expect.objectContaining({
        level: "error",
        fields: expect.objectContaining({ event: "unknown_transaction_found" }),
      }),
    );
  });

  it("is found by any reader of the intent before any pass", async () => {
    const { signature, read } = await payAndForget();
    await runOut();
    expect(await read()).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });

  it("is answered as confirmed when it is submitted again, hours later too", async () => {
    for (const laterMs of [0, 3 * 3_600_000]) {
      const { signature, submit, read } = await payAndForget();
      await runOut();
      test.needs.realClock.advance(laterMs);
      expect(await submit()).toMatchObject({ transaction_signature: signature });
      expect(await read()).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    }
  });

  it("is not called canceled while the chain does not answer", async () => {
    const { signature, submit, read } = await payAndForget();
    await runOut();
    isAway = true;
    expect(await read()).toMatchObject({ state: "awaiting_funds" });
    expect(await errorOf(submit())).toMatchObject({ code: "chain_unavailable" });
    expect(await errorOf(cancelOverdue())).toMatchObject({ code: "chain_unavailable" });
    isAway = false;
    expect(await read()).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });
});

describe("of a fee payer that pays more than is ever read", () => {
  /** A page that never ends: whatever it is asked to begin behind, a node has another one like it. */
  const fill = () => {
    const blockTime = Math.floor(test.needs.realClock.now() / 1_000);
    crowd = Array.from({ length: 1_000 }, (_, i) => ({
      signature: `${"1".repeat(58)}z${String(i).padStart(5, "a").replaceAll("0", "b")}`,
      slot: 1,
      err: null,
      memo: null,
      blockTime,
      confirmationStatus: "finalized",
    }));
  };

  it("a lost submission is found by the account's own history, at a submit and at a read", async () => {
    for (const isRead of [false, true]) {
      const { signature, submit, read } = await payAndForget();
      await runOut();
      fill();
      try {
        if (!isRead) expect(await submit()).toMatchObject({ transaction_signature: signature });
        expect(await read()).toMatchObject({ state: "payment_processed", transaction_signature: signature });
      } finally {
        crowd = [];
      }
    }
  });

  it("the pass cancels nothing of what it has not read", async () => {
    const { signature, read } = await payAndForget();
    await runOut();
    fill();
    try {
      expect(await errorOf(cancelOverdue())).toMatchObject({ code: "chain_unavailable" });
    } finally {
      crowd = [];
    }
    expect(await read()).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });
});

it("a sandbox of another process forgets nothing of what the database has lost", async () => {
  const { isInDatabase: _, ...apart } = test.network;
  for (const find of [cancelOverdue, undefined]) {
    const { signature, submit, read } = await payAndForget(apart);
    await runOut();
    await find?.(apart);
    expect(await submit()).toMatchObject({ transaction_signature: signature });
    expect(await read()).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  }
});

it("what was never submitted is canceled as before, with one question to the chain", async () => {
  const { network: counted, asked } = await openPlayedCluster(test);
  const holder = await openPlayedAccount(test, counted, "never@example.org");
  const { address } = holder.verified;
  await test.network.sandbox?.airdrop(address as never, 1_000_000_000n);
  await signedPaymentOf(test, counted, holder, paymentOf(holder, "sol", publicKeyOf("never paid")));
  await runOut();
  asked.length = 0;
  const pass = passesOf(test.needs, counted).find(({ name }) => name === "cancel_overdue_intents");
  await pass?.run();
  const intents = test.needs.db.selectFrom("payment_intent").select("state").where("account_address", "=", address);
  expect(await intents.execute()).toEqual([{ state: "canceled" }]);
  expect(asked.filter((method) => method === "getSignaturesForAddress")).toHaveLength(1);
  asked.length = 0;
  await pass?.run();
  expect(asked).toEqual([]);

  // What others do with the fee payer's address is read once.
  await sendAs(counted, [], []);
  for (const reads of [1, 0]) {
    await signedPaymentOf(test, counted, holder, paymentOf(holder, "sol", publicKeyOf("never paid")));
    await runOut();
    asked.length = 0;
    await pass?.run();
    expect(asked.filter((method) => method === "getTransaction")).toHaveLength(reads);
  }
});

let people = 0;
/** A payment that was submitted and has landed, and what the database has of it after a failover that lost the submission. */
async function payAndForget(on: Network = network) {
  people += 1;
  const email = `forgotten-${people}@example.org`;
  const holder = on.name === "sandbox" ? await test.openHolder(email) : await openPlayedAccount(test, on, email);
  const { address } = holder.verified;
  await test.network.sandbox?.airdrop(address as never, 1_000_000_000n);
  const signed = await signedPaymentOf(
    test,
    on,
    holder,
    paymentOf(holder, "sol", publicKeyOf(`payee of forgotten ${people}`), "5000000"),
  );
  const submit = () =>
    test.call<{ transaction_signature: string }>(submitTransactions, { network: on, needs, ...signed });
  const { transaction_signature: signature } = await submit();
  const { db } = test.needs;
  await sql`delete from sponsored_cost where account_address = ${address}`.execute(db);
  await sql`delete from submission where account_address = ${address} and purpose = 'transaction'`.execute(db);
  await sql`update kms_payload set used_by = null, stamp_hash = null`.execute(db);
  await sql`update payment_intent set state = 'awaiting_funds' where account_address = ${address}`.execute(db);
  const { id } = await db
    .selectFrom("payment_intent")
    .select("id")
    .where("account_address", "=", address)
    .executeTakeFirstOrThrow();
  const read = () => test.call<PaymentIntent>(getPaymentIntent, { network: on, params: { address, id } });
  return { signature, submit, read };
}

async function runOut(): Promise<void> {
  test.needs.realClock.advance(limits.preparedLifetimeMs + 5_000);
}

async function cancelOverdue(on: Network = network): Promise<void> {
  const pass = passesOf(test.needs, on).find(({ name }) => name === "cancel_overdue_intents");
  await pass?.run();
}
