import { addressOfKey } from "@trellis/sdk";
import { newKey, runExample, type Stage } from "./run-example.js";

const daySeconds = 86_400;

/** A payment that is made again and again: ordered with one signature, paid by the service, stopped with another. */
export async function standingOrder({ client, say }: Stage): Promise<void> {
  const key = newKey();
  const { address: account } = await client.accounts.create({
    type: "signers",
    signers: [addressOfKey(key)],
    threshold: 1,
  });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  say(`account   ${account}`);

  // The client makes sure that the limit pays this payee alone, and no more than twice the amount a week.
  const payee = addressOfKey(newKey());
  const { id, executor } = await client.standingOrders.create({
    account,
    keys: [key],
    order: { currency: "sol", amount: 10_000_000n, payee, frequency: "weekly" },
  });
  say(`order     ${id}`);
  say(`executor  ${executor}`);

  await client.sandbox.advanceClock(15 * daySeconds);
  for (const { due_at, state } of await client.standingOrders.runs(account, id)) say(`${state.padEnd(9)} ${due_at}`);

  const { order } = await client.standingOrders.cancel({ account, keys: [key], id });
  say(`stopped   ${order.status}, mandate ${order.mandate}`);
}

await runExample(import.meta.url, standingOrder);
