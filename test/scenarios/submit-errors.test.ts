/** The errors of submit that need another transaction, or a chain in trouble, to be met (gap 29). */
import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { dataOf, expectError, type Holder, makeKey, stamp } from "../adversarial/support.js";
import { use, useTestService } from "../support/scene.js";
import { breakConnection } from "../support/test-network.js";

let healthy: Network;
const trellis = useTestService({}, { pause: async () => undefined });
const ada = use(() => trellis.openHolder({ sol: "1000000000" }));
beforeAll(async () => {
  healthy = trellis.network;
});
afterEach(() => setNetwork(healthy));

describe("payload_already_used", () => {
  it("is the answer to a signature over the payload of a transaction that was submitted, for another one", async () => {
    const [first, second] = [await prepare(), await prepare()];
    const beforehand = await trellis.submit(ada.address, second.prepared.transaction, first.entries);
    expectError(beforehand, 400, "invalid_signature");
    const landed = dataOf(await trellis.submit(ada.address, first.prepared.transaction, first.entries));
    const reused = await trellis.submit(ada.address, second.prepared.transaction, first.entries);
    expectError(reused, 400, "payload_already_used");
    expect(await trellis.lamportsOf(second.to)).toBe(0n);
    // With its own transaction the same signature is no second use.
    expect(dataOf(await trellis.submit(ada.address, first.prepared.transaction, first.entries))).toEqual(landed);
    dataOf(await trellis.submit(ada.address, second.prepared.transaction, second.entries));
  });
});

describe("a chain in trouble", () => {
  it("that cannot be asked is chain_unavailable; afterwards the same request pays once", async () => {
    for (const broken of ["simulateTransaction", "getMultipleAccounts", "sendTransaction", "getSignatureStatuses"]) {
      const { to, prepared, entries } = await prepare();
      setNetwork(breakConnection(healthy, (method) => method === broken));
      const answered = await trellis.submit(ada.address, prepared.transaction, entries);
      setNetwork(healthy);
      const isAsked = broken !== "getMultipleAccounts" || answered.status !== 200;
      if (isAsked) expectError(answered, 502, "chain_unavailable");
      dataOf(await trellis.submit(ada.address, prepared.transaction, entries));
      expect(await trellis.lamportsOf(to), broken).toBe(1_000_000n);
    }
    const { prepared, entries } = await prepare();
    setNetwork(breakConnection(healthy, () => true));
    expectError(await trellis.submit(ada.address, prepared.transaction, entries), 502, "chain_unavailable");
  });

  it("that does not decide is submission_in_progress; asking again later gives the outcome", async () => {
    const { to, prepared, entries } = await prepare();
    let swallowed = 0;
    setNetwork(
      withSends(healthy, () => {
        swallowed += 1;
      }),
    );
    const answered = await trellis.submit(ada.address, prepared.transaction, entries);
    expectError(answered, 409, "submission_in_progress");
    expect(swallowed).toBeGreaterThan(1);
    expect(await trellis.lamportsOf(to)).toBe(0n);
    const many = await submitMany(ada, [{ transaction: prepared.transaction, entries }]);
    expect(dataOf<Many>(many)).toMatchObject({
      results: [],
      partial_failure: { failed_at_index: 0, error_code: "submission_in_progress" },
    });
    setNetwork(healthy);
    dataOf(await trellis.submit(ada.address, prepared.transaction, entries));
    expect(await trellis.lamportsOf(to)).toBe(1_000_000n);
  });
});

describe("partial_failure at index 0", () => {
  it("for a transaction that is known to have failed; what follows is not sent", async () => {
    const holder = await trellis.openHolder({ sol: "50000000" });
    const items = [];
    for (const amount of ["40000000", "30000000", "1000000"]) {
      const to = makeKey().address;
      const prepared = await trellis.preparePayment(holder, { amount, currency: "sol", to });
      items.push({ to, transaction: prepared.transaction, entries: stamp(prepared, holder.session) });
    }
    const [, failing, last] = items;
    if (!failing || !last) throw new Error("three were prepared");
    expect(dataOf<Many>(await submitMany(holder, items.slice(0, 2)))).toMatchObject({
      results: [{ index: 0 }],
      partial_failure: { failed_at_index: 1, error_code: "transaction_failed" },
    });
    const again = dataOf<Many>(await submitMany(holder, [failing, last]));
    expect(again).toMatchObject({
      results: [],
      partial_failure: { failed_at_index: 0, error_code: "transaction_failed" },
    });
    expect(await trellis.lamportsOf(last.to)).toBe(0n);
  });
});

type Many = { results: { index: number }[]; partial_failure?: { failed_at_index: number; error_code: string } };

/** The same chain, where sent transactions get lost on the way although the node said yes. */
function withSends(network: Network, lose: () => void): Network {
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    const { method, id } = payload as { method: string; id: unknown };
    if (method !== "sendTransaction") return (await network.sandbox?.handleRpc(payload)) as Response;
    lose();
    return { jsonrpc: "2.0", id, result: "1".repeat(64) } as Response;
  }) as Rpc<SolanaRpcApi>;
  return { ...network, rpc };
}

/** From now on the service reaches its chain this way. */
function setNetwork(network: Network): void {
  (trellis.service.networks as Map<EnvironmentName, Network>).set(network.name, network);
}

const million = { amount: "1000000", currency: "sol" };
async function prepare(to = makeKey().address) {
  const prepared = await trellis.preparePayment(ada, { ...million, to });
  return { to, prepared, entries: stamp(prepared, ada.session) };
}

function submitMany(holder: Pick<Holder, "address">, items: { transaction: string; entries: readonly unknown[] }[]) {
  return trellis.post(`/accounts/${holder.address}/submit`, {
    transactions: items.map(({ transaction }) => transaction),
    kms_payloads: items.map(({ entries }) => entries),
  });
}
