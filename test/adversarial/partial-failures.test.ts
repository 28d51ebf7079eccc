import { randomUUID } from "node:crypto";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { SubmittedTransactions } from "@trellis/sdk";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { use, useTestService } from "../support/scene.js";
import { breakConnection } from "../support/test-network.js";
import { type Answered, apiPath, dataOf, makeKey, stamp } from "./support.js";

/** The multiple submit under an idempotency key: what a partial failure leaves behind (gaps 6, 29). */
let healthy: Network["rpc"];
const trellis = useTestService({}, { pause: async () => undefined });
const ada = use(() => trellis.openHolder({ sol: "5000000000" }));
beforeAll(() => {
  healthy = trellis.network.rpc;
});
afterEach(() => setRpc(healthy));

describe("a partial failure that may pass", () => {
  it("is not stored although the money has moved: the same key resumes, and pays nothing twice", async () => {
    const { payees, body } = await prepareBatch(["500000000"]);
    const key = randomUUID();
    loseStatuses(0);
    const first = await submit(body, key);
    expect(failureOf(first)).toMatchObject({ failed_at_index: 0, error_code: "chain_unavailable" });
    setRpc(healthy);

    const second = await submit(body, key);
    expect(second.headers.get("idempotent-replayed")).toBeNull();
    expect(dataOf<SubmittedTransactions>(second)).toMatchObject({ results: [{ index: 0 }] });
    expect(failureOf(second)).toBeUndefined();
    expect(await trellis.lamportsOf(payees[0] ?? "")).toBe(500_000_000n);

    const third = await submit(body, key);
    expect(third.headers.get("idempotent-replayed")).toBe("true");
    expect(third.body).toEqual(second.body);
  });

  it("keeps its key from being used for another batch", async () => {
    const { payees, body } = await prepareBatch(["100000000", "200000000"]);
    const key = randomUUID();
    loseStatuses(1);
    expect(failureOf(await submit(body, key))).toMatchObject({ failed_at_index: 1, error_code: "chain_unavailable" });
    setRpc(healthy);
    const other = await prepareBatch(["100000000", "200000000"]);
    const refused = await submit(other.body, key);
    expect(refused).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    const { results } = dataOf<SubmittedTransactions>(await submit(body, key));
    expect(results.map(({ index }) => index)).toEqual([0, 1]);
    expect(await Promise.all(payees.map((payee) => trellis.lamportsOf(payee)))).toEqual([100_000_000n, 200_000_000n]);
  });

  it("does not hide what is confirmed when the rest has expired meanwhile", async () => {
    const { payees, body } = await prepareBatch(["100000000", "200000000"]);
    const key = randomUUID();
    // The budget of the day ends between the two.
    const network = trellis.network as { sponsorship: Network["sponsorship"] };
    const { sponsorship } = network;
    let asked = 0;
    setRpc(
      breakConnection(trellis.network, (name) => {
        if (name === "sendTransaction" && ++asked === 1) network.sponsorship = { ...sponsorship, perTransaction: 0n };
        return false;
      }).rpc,
    );
    const first = await submit(body, key);
    network.sponsorship = sponsorship;
    setRpc(healthy);
    expect(failureOf(first)).toMatchObject({ failed_at_index: 1, error_code: "sponsorship_limit_exceeded" });

    await trellis.client.sandbox.advanceClock(61);
    const late = await submit(body, key);
    expect(dataOf<SubmittedTransactions>(late).results).toEqual(dataOf<SubmittedTransactions>(first).results);
    expect(failureOf(late)).toMatchObject({ failed_at_index: 1, error_code: "payload_expired" });
    expect(await submit((await prepareBatch(["200000000"])).body, key)).toMatchObject({ status: 422 });
    expect(await Promise.all(payees.map((payee) => trellis.lamportsOf(payee)))).toEqual([100_000_000n, 0n]);
  });
});

describe("a partial failure that is the chain's last word", () => {
  it("is stored and replayed", async () => {
    const { body } = await prepareBatch(["100000000", "4000000000"]);
    const key = randomUUID();
    // Both pass the checks; what the first one and a third one take is missing when the second one is executed.
    const rival = await prepareBatch(["4000000000"]);
    let sent = 0;
    const network = trellis.network;
    const { handleRpc } = network.sandbox ?? {};
    setRpc(
      breakConnection(
        {
          ...network,
          sandbox: {
            ...network.sandbox,
            handleRpc: async (payload: { method: string }) => {
              if (payload.method === "sendTransaction" && ++sent === 2) {
                setRpc(healthy);
                await submit(rival.body, randomUUID());
              }
              return handleRpc?.(payload);
            },
          },
        } as never,
        () => false,
      ).rpc,
    );
    const first = await submit(body, key);
    expect(failureOf(first)).toMatchObject({ failed_at_index: 1, error_code: "transaction_failed" });
    const second = await submit(body, key);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
  });
});

function setRpc(rpc: Network["rpc"]): void {
  (trellis.network as { rpc: Network["rpc"] }).rpc = rpc;
}

/** The node takes transactions, and cannot be asked what became of them from the `after`th question on. */
function loseStatuses(after: number): void {
  let asked = 0;
  setRpc(breakConnection(trellis.network, (name) => name === "getSignatureStatuses" && ++asked > after).rpc);
}

/** Payments of these amounts, signed, as one request; and whom they pay. */
async function prepareBatch(amounts: readonly string[]) {
  const payees = amounts.map(() => makeKey().address);
  const prepared = await Promise.all(
    amounts.map((amount, at) => trellis.preparePayment(ada, { amount, currency: "sol", to: payees[at] ?? "" })),
  );
  const body = {
    transactions: prepared.map(({ transaction }) => transaction),
    kms_payloads: prepared.map((one) => stamp(one, ada.session)),
  };
  return { payees, body };
}

const submit = (body: unknown, key: string): Promise<Answered> =>
  trellis.request("POST", `${apiPath}/accounts/${ada.address}/submit`, body, { "x-idempotency-key": key });

const failureOf = (answered: Answered) => dataOf<SubmittedTransactions>(answered).partial_failure;
