import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { limits } from "@trellis/kernel/limits.js";
import { afterEach, describe, expect, it } from "vitest";
import { type Answered, apiPath, dataOf, expectError, makeKey, stamp } from "../adversarial/support.js";
import { use, useTestService } from "../support/scene.js";

/** Faults that are set and ended while a sandbox runs, and that no payment has another outcome than the chain (gap 126). */

const trellis = useTestService();
const ada = use(() => trellis.openHolder({ sol: "1000000000" }));
afterEach(() => trellis.client.sandbox.setFaults({}));
const none = { drop: 0, blockhash_not_found: 0, full_blocks: 0, price: 0, fork: 0, lag: 0 };
const amount = 10_000_000n;

describe("faults by a call", () => {
  it("are returned as they were set, and end when nothing is named", async () => {
    const { sandbox } = trellis.client;
    expect(await sandbox.faults()).toEqual(none);
    const some = { drop: 2, full_blocks: 1_000_000, price: 250_000, fork: 3, lag: 150 };
    expect(await sandbox.setFaults(some)).toEqual({ ...none, ...some });
    expect(await sandbox.faults()).toEqual({ ...none, ...some });
    const { body } = await trellis.request("GET", "/readyz");
    expect(JSON.stringify(body)).toContain("transactions vanish (2×), blocks are full (always)");
    expect(JSON.stringify(body)).toContain("a fork that is left (3×), the node is 150 slots behind");
    expect(await sandbox.setFaults({ blockhash_not_found: 1 })).toEqual({ ...none, blockhash_not_found: 1 });
    expect(await sandbox.setFaults({})).toEqual(none);
    expect(JSON.stringify((await trellis.request("GET", "/readyz")).body)).not.toContain("on purpose");
  });

  it("are refused where they are none, and then nothing changes", async () => {
    await trellis.client.sandbox.setFaults({ drop: 1 });
    for (const wrong of [
      { drop: -1 },
      { drop: 1.5 },
      { drop: "always" },
      { price: 1_000_000_001 },
      { full_blocks: 1_000_001 },
      { fork: 1_000_001 },
      { lag: 151 },
    ]) {
      const refused = await trellis.request("POST", `${apiPath}/sandbox/faults`, wrong);
      expect(refused.status, JSON.stringify(wrong)).toBe(400);
    }
    expect(await trellis.client.sandbox.faults()).toEqual({ ...none, drop: 1 });
  });

  it("say the price that recent fees show", async () => {
    const feesNow = async () => (await trellis.network.rpc.getRecentPrioritizationFees().send()).at(-1);
    expect(await feesNow()).toMatchObject({ prioritizationFee: 0n });
    await trellis.client.sandbox.setFaults({ full_blocks: 3 });
    expect(await feesNow()).toMatchObject({ prioritizationFee: 1n });
    await trellis.client.sandbox.setFaults({ price: 250_000 });
    expect(await feesNow()).toMatchObject({ prioritizationFee: 250_000n });
  });
});

describe("a payment of the service", () => {
  for (const [name, faults] of Object.entries({
    vanishes: { drop: 1 },
    "finds its blockhash unknown": { blockhash_not_found: 2 },
    "finds blocks full": { full_blocks: 1 },
    "was prepared before the price rose, which counts once": { full_blocks: 1, price: 250_000 },
    "meets all of it": { drop: 1, blockhash_not_found: 1, full_blocks: 1, price: 250_000 },
  })) {
    it(`is confirmed once though it ${name}`, async () => {
      const { payee, body } = await newPayment();
      await trellis.client.sandbox.setFaults(faults);
      const answered = await insist(body);
      const { transaction_signature } = dataOf<{ transaction_signature: string }>(answered);
      expect(await signaturesOf(payee)).toEqual([transaction_signature]);
      const again = dataOf<{ transaction_signature: string }>(await insist(body));
      expect(again.transaction_signature).toBe(transaction_signature);
      expect(await signaturesOf(payee)).toEqual([transaction_signature]);
      expect(await trellis.lamportsOf(payee)).toBe(amount);
    }, 120_000);
  }

  it("bids the price that is asked for, and is confirmed", async () => {
    await trellis.client.sandbox.setFaults({ price: 250_000 });
    const { payee, body } = await newPayment();
    dataOf(await insist(body));
    expect(await trellis.lamportsOf(payee)).toBe(amount);
  }, 120_000);

  for (const [name, faults] of Object.entries({
    "blocks stay full": { full_blocks: limits.sandboxFaultsAlways },
    "the price rose behind its back": { price: 250_000 },
    "everything vanishes": { drop: limits.sandboxFaultsAlways },
  })) {
    it(`has expired where ${name}, moves nothing, and can be made anew`, async () => {
      const { payee, body } = await newPayment();
      await trellis.client.sandbox.setFaults(faults);
      let answered: Answered | undefined;
      const answering = insist(body).then((known) => {
        answered = known;
      });
      const isSent = async () => {
        const rows = await trellis.service.db
          .selectFrom("submission")
          .select("signature")
          .where("state", "in", ["signed", "sent"])
          .execute();
        return rows.length > 0;
      };
      // Signed in good time, and past its last block then.
      while (answered === undefined && !(await isSent())) await setImmediate();
      await trellis.client.sandbox.advanceClock(120);
      await answering;
      expectError(answered as Answered, 400, "blockhash_expired");
      await trellis.client.sandbox.setFaults({});
      expectError(await insist(body), 400, "blockhash_expired");
      expect(await signaturesOf(payee)).toEqual([]);
      expect(await trellis.lamportsOf(payee)).toBe(0n);

      const anew = await newPayment();
      dataOf(await insist(anew.body));
      expect(await trellis.lamportsOf(anew.payee)).toBe(amount);
      expect(await trellis.lamportsOf(payee)).toBe(0n);
    }, 120_000);
  }
});

const path = () => `${apiPath}/accounts/${ada.address}/submit`;

/** A payment that is prepared and stamped; nothing goes wrong meanwhile. */
async function newPayment() {
  // A slot of its own, so that its blockhash is new to all.
  await trellis.client.sandbox.advanceClock(1);
  const payee = makeKey().address;
  const prepared = await trellis.preparePayment(ada, { amount: amount.toString(), currency: "sol", to: payee });
  return { payee, body: { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) } };
}

/** Sends it until the node knows the blockhash, always under one idempotency key. */
async function insist(body: object): Promise<Answered> {
  const headers = { "x-idempotency-key": randomUUID() };
  for (let tries = 0; tries < 20; tries += 1) {
    const answered = await trellis.request("POST", path(), body, headers);
    if (answered.status !== 502) return answered;
    expectError(answered, 502, "chain_unavailable");
  }
  throw new Error("it never went well");
}

const signaturesOf = async (address: ReturnType<typeof makeKey>["address"]) =>
  (await trellis.network.rpc.getSignaturesForAddress(address).send()).map(({ signature }) => signature);
