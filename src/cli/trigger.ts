import { randomBytes } from "node:crypto";
import { addressOfKey, type TrellisClient } from "@trellis/sdk";
import { openClient, type ServiceOptions } from "./listen.js";

/** A new account of one key, with play money. */
async function openAccount(client: TrellisClient, lamports = "1000000000") {
  const key = new Uint8Array(randomBytes(32));
  const { address } = await client.accounts.create({ type: "signers", signers: [addressOfKey(key)], threshold: 1 });
  await client.sandbox.airdrop({ address, currency: "sol", amount: lamports });
  return { key, address };
}

async function pay(client: TrellisClient): Promise<void> {
  const { key, address } = await openAccount(client);
  const destination = addressOfKey(new Uint8Array(randomBytes(32)));
  await client.transfers.send({ account: address, keys: [key], currency: "sol", destination, amount: 5_000_000n });
}

async function propose(client: TrellisClient): Promise<void> {
  const keys = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))] as const;
  const signers = keys.map((key) => addressOfKey(key));
  const { address: account } = await client.accounts.create({ type: "signers", signers, threshold: 2 });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const destination = addressOfKey(new Uint8Array(randomBytes(32)));
  const content = { type: "transfer", currency: "sol", destination, amount: 5_000_000n } as const;
  const { proposalAddress: proposal } = await client.proposals.create({
    account,
    keys: [keys[0]],
    content,
    approve: true,
  });
  await client.proposals.voteAndExecute({ account, proposal, keys: [keys[1]], content });
}

/** What brings an event about, as far as a few calls of the interface can. */
const stories: Readonly<Record<string, (client: TrellisClient) => Promise<void>>> = {
  "account.created": async (client) => void (await openAccount(client)),
  "payment_intent.created": pay,
  "payment_intent.updated": pay,
  "transaction.confirmed": pay,
  "transfer.received": async (client) => void (await openAccount(client)),
  "proposal.created": propose,
  "proposal.executed": propose,
};

/**
 * `trellis trigger <type>`: brings a real event about in the sandbox where that is possible, and puts the documented
 * example into the feed otherwise, marked. Tells which.
 */
export async function trigger(
  variables: Readonly<Record<string, string | undefined>>,
  type: string,
  options: ServiceOptions,
): Promise<void> {
  const client = openClient(variables, { ...options, environment: "sandbox" });
  const story = stories[type];
  if (story !== undefined) {
    await story(client);
    process.stdout.write(`${type} has happened in the sandbox.\n`);
    return;
  }
  const { id } = await client.sandbox.triggerEvent(type);
  process.stdout.write(`${type} was made up as ${id}: the documented example, marked.\n`);
}
