import { randomBytes, randomUUID } from "node:crypto";
import { addressOfKey, signTransaction } from "@trellis/sdk";
import { makeKey } from "../../adversarial/support.js";
import { post } from "./requests.js";
import { app, client, send, type Trial, test } from "./world.js";

/** What several rows need: an account of two keys with proposals in it. */
export const scene = {
  keys: [1, 2].map(() => new Uint8Array(randomBytes(32))) as [Uint8Array, Uint8Array],
  account: "",
  proposed: "",
  approved: "",
  limit: "",
  order: "",
};

/** A request about the account of the scene. */
export const onAccount = (rest: string, body: object, method = "POST"): Trial => ({
  ...post(`/accounts/${scene.account}${rest}`, body),
  method,
});

export async function prepareScene(): Promise<void> {
  const [first, second] = scene.keys;
  const signers = scene.keys.map((key) => addressOfKey(key));
  scene.account = (await client.accounts.create({ type: "signers", signers, threshold: 2 })).address;
  await client.sandbox.airdrop({ address: scene.account, currency: "sol", amount: "5000000000" });
  const { account } = scene;
  const content = { type: "transfer", currency: "sol", destination: makeKey().address, amount: 10_000_000n } as const;
  const propose = async () =>
    (await client.proposals.create({ account, keys: [first], content, approve: true })).proposalAddress;
  scene.limit = await grantLimit();
  scene.order = await beginOrder();
  // A change of settings would make them stale.
  scene.proposed = await propose();
  scene.approved = await propose();
  await client.proposals.vote({ account, proposal: scene.approved, keys: [second], action: "approve" });
}

/** A limit that the first of the scene's keys may use. */
export const newLimit = () => ({
  amount: "5000000",
  mint: "sol",
  period: "day",
  spending_limit_signers: [addressOfKey(scene.keys[0])],
  transaction_signers: scene.keys.map((key) => addressOfKey(key)),
});

export async function grantLimit(): Promise<string> {
  const { text } = await send(app, onAccount("/spending-limit", newLimit()));
  const { transaction, spending_limit_address } = JSON.parse(text) as Record<string, string>;
  await client.transactions.submit(scene.account, { transaction: signTransaction(transaction ?? "", scene.keys) });
  return spending_limit_address ?? "";
}

export const newOrder = (signing: readonly Uint8Array[]) => ({
  amount: "1000000",
  frequency: "monthly",
  source: { currency: "sol" },
  destination: { address: makeKey().address, currency: "sol" },
  start_date: new Date(test.network.clock.now() + 30 * 86_400_000).toISOString(),
  transaction_signers: signing.map((key) => addressOfKey(key)),
});

async function beginOrder(): Promise<string> {
  const { data } = await send(app, onAccount("/standing-order-intent", newOrder(scene.keys)));
  await client.transactions.submit(scene.account, { transaction: signTransaction(data.transaction, scene.keys) });
  return data.id;
}

/** A request for a new order, of which an account may have a few only. */
export async function askForOrder(signing: readonly Uint8Array[]): Promise<Trial> {
  await test.needs.db
    .updateTable("standing_order")
    .set({ status: "cancelled" })
    .where("status", "=", "pending")
    .execute();
  return onAccount("/standing-order-intent", newOrder(signing));
}

/** A request about the scene's order, as it would be after `change`. */
export async function askOfOrder(
  change: object,
  rest: string,
  signing: readonly Uint8Array[],
  method: string,
): Promise<Trial> {
  await test.needs.db.updateTable("standing_order").set(change).where("id", "=", scene.order).execute();
  const body = { transaction_signers: signing.map((key) => addressOfKey(key)) };
  return onAccount(`/standing-order/${scene.order}${rest}`, body, method);
}

export const endpointsAt = (url: string) =>
  test.needs.db.selectFrom("webhook_endpoint").selectAll().where("url", "=", url).execute();
export async function newEndpoint(): Promise<{ readonly id: string; readonly url: string }> {
  await test.needs.db.deleteFrom("webhook_endpoint").execute();
  const { text } = await send(
    app,
    post("/webhook-endpoints", { url: `https://203.0.114.9/${randomUUID()}`, types: ["session"] }),
  );
  return (JSON.parse(text) as { data: { id: string; url: string } }).data;
}
