import { createTrellisClient, type TrellisClient } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { use, useTestService } from "../support/scene.js";

/**
 * A client that died while it paid, and kept nothing but what it meant to pay: the history says whether the payment
 * confirmed, and whether it can still be confirmed is a matter of time.
 */
const trellis = useTestService();
const holder = use(() => trellis.openHolder({ sol: "900000000000" }));
const amount = 10_000_000n;

describe("a client that has lost its bytes", () => {
  it("finds its payment in the history where it is confirmed, also behind others", async () => {
    const destination = makeKey().address;
    const began = await payAndDie(destination, "after");
    for (let i = 0; i < 3; i += 1) {
      const { address: account, session } = holder;
      await trellis.client.transfers.send({
        account,
        session,
        currency: "sol",
        destination: makeKey().address,
        amount,
      });
    }
    expect(await findPayment(trellis.client, destination, began)).toBe(true);
  });

  it("finds none where it did not, and once that time is over it pays anew", async () => {
    const destination = makeKey().address;
    const began = await payAndDie(destination, "before");
    // As long as bytes may be confirmed: only this client has them, and still it waits.
    await trellis.client.sandbox.advanceClock(180);
    const { completeAt } = await trellis.client.history.transfersPage(holder.address, { limit: 1 });
    expect(Date.parse(completeAt ?? "")).toBeGreaterThanOrEqual(began.getTime() + 180_000);
    expect(await findPayment(trellis.client, destination, began)).toBe(false);
    const { address: account, session } = holder;
    await trellis.client.transfers.send({ account, session, currency: "sol", destination, amount });
    expect(await findPayment(trellis.client, destination, began)).toBe(true);
  });

  it("finds what strangers paid in as well, in the same list", async () => {
    const before = await trellis.client.history.transactionsPage(holder.address, { limit: 1 });
    await trellis.client.sandbox.airdrop({ address: holder.address, currency: "usdc", amount: "7" });
    const [newest] = (await trellis.client.history.transfersPage(holder.address, { currency: "usdc" })).items;
    expect(newest?.Spl).toMatchObject({ direction: "inflow", amount: "7", to_address: holder.address });
    const after = await trellis.client.history.transactionsPage(holder.address, {
      tx_hash: newest?.Spl?.signature ?? "",
    });
    expect(after.items).toMatchObject([{ kind: "deposit", status: "finalized" }]);
    expect(before.items[0]?.signature).not.toBe(after.items[0]?.signature);
  });
});

/** Pays, and dies with the bytes: before the submit reaches the service, or when the answer should arrive. */
async function payAndDie(destination: string, when: "before" | "after"): Promise<Date> {
  const dying = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    pause: async () => undefined,
    maxRetries: 0,
    fetch: async (input, init) => {
      const isSubmit = String(input).endsWith("/submit");
      if (isSubmit && when === "before") throw new TypeError("the process is gone");
      const answer = await fetch(input, init);
      if (isSubmit) throw new TypeError("the process is gone");
      return answer;
    },
  });
  const began = new Date(trellis.service.networks.get("sandbox")?.clock.now() ?? 0);
  const { address: account, session } = holder;
  await expect(dying.transfers.send({ account, session, currency: "sol", destination, amount })).rejects.toThrow();
  return began;
}

/** The README's advice to such a client. */
async function findPayment(client: TrellisClient, destination: string, began: Date): Promise<boolean> {
  const from = new Date(began.getTime() - 60_000);
  const query = { type: "outflow", start_date: from.toISOString(), limit: 2 } as const;
  for await (const { Spl } of client.history.transfers(holder.address, query)) {
    if (Spl?.to_address === destination && Spl.amount === amount.toString()) return true;
  }
  return false;
}
