import { describe, expect, it } from "vitest";
import { use, useTestService } from "../support/scene.js";
import { type Answered, dataOf, expectErrorBody, makeKey, stamp } from "./support.js";

const trellis = useTestService({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const ada = use(() => trellis.openHolder({ sol: "1000000000" }));

describe("at the same time", () => {
  it("thirty submits of one signed transaction are confirmed once, with one signature for all", async () => {
    const payee = makeKey().address;
    const prepared = await trellis.preparePayment(ada, { amount: "2000000", currency: "sol", to: payee });
    const entries = stamp(prepared, ada.session);
    const sentBefore = await trellis.countTransactions(ada.address);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => trellis.submit(ada.address, prepared.transaction, entries)),
    );
    const signatures = new Set<string>();
    for (const answered of answers) {
      if (answered.status === 200) {
        signatures.add(dataOf<{ transaction_signature: string }>(answered).transaction_signature);
      } else {
        expect([answered.status, codeOf(answered)]).toEqual([409, "submission_in_progress"]);
        expectErrorBody(answered);
      }
    }
    expect(signatures.size).toBe(1);
    expect(await trellis.lamportsOf(payee)).toBe(2_000_000n);
    expect(await trellis.countTransactions(ada.address)).toBe(sentBefore + 1);
    const submissions = await trellis.service.db
      .selectFrom("submission")
      .select("id")
      .where("signature", "in", [...signatures])
      .execute();
    expect(submissions).toHaveLength(1);
  });

  it("two payments of a balance that suffices for one: exactly one is confirmed", async () => {
    const poor = await trellis.openHolder({ sol: "50000000" });
    const payees = [makeKey().address, makeKey().address];
    const prepared = [];
    for (const to of payees) {
      prepared.push(await trellis.preparePayment(poor, { amount: "40000000", currency: "sol", to }));
    }
    const answers = await Promise.all(
      prepared.map((each) => trellis.submit(poor.address, each.transaction, stamp(each, poor.session))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const failed = answers.find(({ status }) => status === 400);
    expect(failed && codeOf(failed)).toBe("transaction_failed");
    const received = await Promise.all(payees.map((payee) => trellis.lamportsOf(payee)));
    expect(received.filter((lamports) => lamports === 40_000_000n)).toHaveLength(1);
    expect(received.filter((lamports) => lamports === 0n)).toHaveLength(1);
    expect(await trellis.lamportsOf(poor.address)).toBe(10_000_000n);
    // The answer that failed stays what it was: a second read neither confirms nor changes it.
    const loser = prepared[answers.findIndex(({ status }) => status === 400)];
    if (!loser) throw new Error("nothing failed");
    await trellis.client.sandbox.airdrop({ address: poor.address, currency: "sol", amount: "100000000" });
    const again = await trellis.submit(poor.address, loser.transaction, stamp(loser, poor.session));
    const onChain = await trellis.lamportsOf(poor.address);
    expect(again.status === 200 ? onChain : onChain - 40_000_000n).toBe(70_000_000n);
  });

  it("equal payments prepared in one block are as many payments", async () => {
    const payee = makeKey().address;
    const wanted = { amount: "1500000", currency: "sol", to: payee };
    const answers = await Promise.all(Array.from({ length: 8 }, () => trellis.pay(ada, wanted)));
    const signatures = answers.map(
      (answered) => dataOf<{ transaction_signature: string }>(answered).transaction_signature,
    );
    expect(new Set(signatures).size).toBe(8);
    expect(await trellis.lamportsOf(payee)).toBe(12_000_000n);
  });

  it("parallel requests with one idempotency key prepare one payment", async () => {
    const headers = { "x-idempotency-key": "the-same-for-all" };
    const body = {
      amount: "1000000",
      source: { account: ada.address, currency: "sol" },
      destination: { address: ada.address, currency: "sol" },
    };
    const path = `/api/service/v1/accounts/${ada.address}/payment-intent`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => trellis.request("POST", path, body, headers)));
    const ids = answers.filter(({ status }) => status === 201).map((answered) => dataOf<{ id: string }>(answered).id);
    expect(new Set(ids).size).toBe(1);
    for (const answered of answers)
      if (answered.status !== 201) expect(codeOf(answered)).toBe("idempotency_in_progress");
    const replayed = await trellis.request("POST", path, body, headers);
    expect(dataOf<{ id: string }>(replayed).id).toBe(ids[0]);
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  });

  it("one idempotency key over many submits of one transaction pays once", async () => {
    const payee = makeKey().address;
    const prepared = await trellis.preparePayment(ada, { amount: "3000000", currency: "sol", to: payee });
    const body = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    const path = `/api/service/v1/accounts/${ada.address}/submit`;
    const headers = { "x-idempotency-key": "one-submit" };
    await Promise.all(Array.from({ length: 10 }, () => trellis.request("POST", path, body, headers)));
    dataOf(await trellis.request("POST", path, body, { "x-idempotency-key": "another" }));
    expect(await trellis.lamportsOf(payee)).toBe(3_000_000n);
  });

  it("signers accounts created side by side never share an address", async () => {
    const created = await Promise.all(
      Array.from({ length: 12 }, () =>
        trellis.client.accounts.create({ type: "signers", signers: [makeKey().address], threshold: 1 }),
      ),
    );
    expect(new Set(created.map(({ address }) => address)).size).toBe(12);
    expect(trellis.network.name).toBe("sandbox");
  });
});

const codeOf = (answered: Answered) => (answered.body as { code: string }).code;
