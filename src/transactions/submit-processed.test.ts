import { Buffer } from "node:buffer";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openPlayedAccount, openPlayedCluster, paymentOf, signedPaymentOf } from "../../test/support/played-cluster.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { publicKeyOf } from "../../test/support/test-network.js";
import { cancelOverdueIntents } from "../submissions/intent-states.js";
import { submitTransactions } from "./submit-transactions.js";

const test = useTestNetwork();

describe("a submission that the database has lost after its confirmation", () => {
  it.each(["single", "multiple"])("is answered as confirmed when it is repeated, in the %s form", async (form) => {
    const { network } = await openPlayedCluster(test, [() => undefined]);
    const needs = { pause: async (ms: number) => test.needs.realClock.advance(ms) };
    const ada = await openPlayedAccount(test, network, `${form}@example.org`);
    const { address } = ada.verified;
    await test.network.sandbox?.airdrop(address as never, 1_000_000_000n);
    const bob = publicKeyOf(`bob ${form}`);
    const signed = await signedPaymentOf(test, network, ada, paymentOf(ada, "sol", bob, "5000000"));
    const one = signed.body as { transaction: string; kms_payloads: readonly object[] };
    const body = form === "single" ? one : { transactions: [one.transaction], kms_payloads: [one.kms_payloads] };
    const submit = () =>
      test.call<{ transaction_signature?: string; results?: { transaction_signature: string }[] }>(submitTransactions, {
        network,
        needs,
        ...signed,
        body,
      });
    const first = await submit();
    await loseSubmission(address);
    expect(await submit()).toMatchObject(
      first.results
        ? { results: [{ transaction_signature: first.results[0]?.transaction_signature }] }
        : { transaction_signature: first.transaction_signature },
    );
    test.needs.realClock.advance(90_000);
    await cancelOverdueIntents(test.needs.db, network);
    const intent = await test.needs.db
      .selectFrom("payment_intent")
      .select("state")
      .where("account_address", "=", address)
      .executeTakeFirst();
    expect(intent?.state).toBe("payment_processed");
    expect((await test.network.rpc.getBalance(bob).send()).value).toBe(5_000_000n);
  });
});

it("is not recorded under a signature that a node has made up", async () => {
  let landed: string | undefined;
  const forged = "5".repeat(88);
  const { network } = await openPlayedCluster(test, [
    async ({ method, params }, honest) => {
      if (landed === undefined) return undefined;
      if (method === "getSignaturesForAddress") {
        const { result } = (await honest()) as { readonly result: readonly { readonly signature: string }[] };
        const renamed = result.map((one) => (one.signature === landed ? { ...one, signature: forged } : one));
        return { jsonrpc: "2.0", id: 1, result: renamed };
      }
      if (method !== "getTransaction" || params[0] !== forged) return undefined;
      const request = { jsonrpc: "2.0", id: 1, method, params: [landed, ...params.slice(1)] };
      return (await test.network.sandbox?.handleRpc(request)) as object;
    },
  ]);
  const needs = { pause: async (ms: number) => test.needs.realClock.advance(ms) };
  const ada = await openPlayedAccount(test, network, "renamed@example.org");
  const { address } = ada.verified;
  await test.network.sandbox?.airdrop(address as never, 1_000_000_000n);
  const signed = await signedPaymentOf(
    test,
    network,
    ada,
    paymentOf(ada, "sol", publicKeyOf("bob renamed"), "5000000"),
  );
  const submit = () => test.call<{ transaction_signature: string }>(submitTransactions, { network, needs, ...signed });
  const first = await submit();
  await loseSubmission(address);
  landed = first.transaction_signature;
  await expect(submit()).rejects.toMatchObject({ code: "submission_in_progress" });
  landed = undefined;
  expect(await submit()).toMatchObject({ transaction_signature: first.transaction_signature });
});

describe("a node that calls processed what never was", () => {
  it.each([
    ["shows nothing", () => undefined],
    ["shows it without the fee payer's signature", () => Buffer.alloc(64)],
    ["shows it with another signature", () => Buffer.alloc(64, 7)],
  ])("gets no signature, and nothing is recorded, where it %s", async (how, feePayerSignature) => {
    let unsigned: string | undefined;
    const forged = "5".repeat(88);
    const cluster = await openPlayedCluster(test, [
      async ({ method }, honest) => {
        if (unsigned === undefined) return undefined;
        if (method === "simulateTransaction") {
          const answer = (await honest()) as unknown as { result: { value: object } };
          return {
            ...answer,
            result: { ...answer.result, value: { ...answer.result.value, err: "AlreadyProcessed" } },
          };
        }
        const signature = feePayerSignature();
        if (signature === undefined) return undefined;
        const slot = Number(await test.network.rpc.getSlot().send());
        const entry = { signature: forged, slot, err: null, blockTime: 1, memo: null, confirmationStatus: "finalized" };
        if (method === "getSignaturesForAddress") return { jsonrpc: "2.0", id: 1, result: [entry] };
        if (method !== "getTransaction") return undefined;
        const wire = Buffer.from(unsigned, "base64");
        signature.copy(wire, 1);
        const meta = { err: null, fee: 5000, preBalances: [], postBalances: [] };
        const result = { slot, blockTime: 1, meta, transaction: [wire.toString("base64"), "base64"] };
        return { jsonrpc: "2.0", id: 1, result };
      },
    ]);
    const { network } = cluster;
    const ada = await openPlayedAccount(test, network, `${how.replaceAll(/[^a-z]/g, "")}@example.org`);
    const { address } = ada.verified;
    await test.network.sandbox?.airdrop(address as never, 1_000_000_000n);
    const bob = publicKeyOf(`bob where a node ${how}`);
    const signed = await signedPaymentOf(test, network, ada, paymentOf(ada, "sol", bob, "5000000"));
    unsigned = (signed.body as { transaction: string }).transaction;
    cluster.asked.length = 0;
    const submitted = test.call(submitTransactions, { network, ...signed });
    await expect(submitted).rejects.toMatchObject({ code: "submission_in_progress" });
    expect(cluster.count().sendTransaction).toBeUndefined();
    const { db } = test.needs;
    const stored = db.selectFrom("submission").select("id").where("account_address", "=", address);
    expect(await stored.where("purpose", "=", "transaction").execute()).toEqual([]);
    const intent = db.selectFrom("payment_intent").select("state").where("account_address", "=", address);
    expect(await intent.executeTakeFirst()).toEqual({ state: "awaiting_funds" });
  });
});

/** What a failover to a replica that lags takes back of a payment that was submitted a moment ago. */
async function loseSubmission(address: string): Promise<void> {
  const { db } = test.needs;
  await sql`delete from sponsored_cost where account_address = ${address}`.execute(db);
  await sql`delete from submission where account_address = ${address} and purpose = 'transaction'`.execute(db);
  await sql`update kms_payload set used_by = null, stamp_hash = null`.execute(db);
  await sql`update payment_intent set state = 'awaiting_funds' where account_address = ${address}`.execute(db);
}
