import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import {
  addressOfKey,
  generateEncryptionKeyPair,
  type KycStatus,
  TrellisApiError,
  type TrellisClient,
} from "@trellis/sdk";
import type { EventType } from "../events/event-types.js";
import { addBankAccount, openDetails, openVerified, startVerification } from "./bank-stories.js";
import { freshEmail } from "./demo-steps.js";

/** What a story is to be about. */
export interface Plot {
  readonly client: TrellisClient;
  /** An account of the developer's own, for stories that need no signature. */
  readonly account?: string | undefined;
  /** What the event is to say of its object. */
  readonly state?: string | undefined;
}

/** How an event is brought about. */
export interface Story {
  /** Plays it; the answer is an id that stands in the event's object. */
  readonly play: (plot: Plot) => Promise<string>;
  /** It can be about an account of another owner. */
  readonly takesAccount?: true;
  /** The states that can be asked for. */
  readonly states?: readonly string[];
}

const patienceMs = 60_000;
const refreshEveryMs = 250;

const freshKey = () => new Uint8Array(randomBytes(32));
const freshAddress = () => addressOfKey(freshKey());

/** A new account, of one key if nothing else is said, with play money. */
export async function openAccount(client: TrellisClient, { signers = 1, usdc = 0n } = {}) {
  const keys = Array.from({ length: signers }, freshKey);
  const { address } = await client.accounts.create({
    type: "signers",
    signers: keys.map((key) => addressOfKey(key)),
    threshold: signers,
  });
  await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
  if (usdc > 0n) await client.sandbox.airdrop({ address, currency: "usdc", amount: usdc.toString() });
  return { account: address, keys };
}

async function pay({ client }: Plot): Promise<string> {
  const { account, keys } = await openAccount(client);
  await client.transfers.send({ account, keys, currency: "sol", destination: freshAddress(), amount: 5_000_000n });
  return account;
}

/** Pays a bank account what has the simulated partner bring it to this state (gap 104). */
async function payBank(client: TrellisClient, state: string): Promise<string> {
  const { account, keys } = await openAccount(client, { usdc: 100_000_000n });
  await openVerified(client, account);
  const { id: externalAccountId } = await addBankAccount(client, account);
  const cents = { in_review: 20_000n, refunded: 40_000n }[state] ?? 0n;
  const to = { externalAccountId, rail: "ach_push", currency: "usd" } as const;
  await client.transfers.sendToBank({ account, keys, currency: "usdc", amount: 20_000_000n + cents, to });
  return account;
}

/** Two of two put a payment to the vote and do with it, in turn, what is said. */
async function vote(client: TrellisClient, ...actions: readonly ("approve" | "reject" | "cancel" | "execute")[]) {
  const { account, keys } = await openAccount(client, { signers: 2 });
  const content = { type: "transfer", currency: "sol", destination: freshAddress(), amount: 5_000_000n } as const;
  const { proposalAddress: proposal } = await client.proposals.create({ account, keys: keys.slice(0, 1), content });
  let votes = 0;
  for (const action of actions) {
    if (action === "execute") await client.proposals.execute({ account, keys: keys.slice(0, 1), proposal, content });
    else {
      const holder = { account, keys: keys.slice(votes % 2, (votes % 2) + 1) };
      await client.proposals.vote({ ...holder, proposal, action, content });
      votes += 1;
    }
  }
  return proposal;
}

/** An order whose first payment is due at once; the service makes it automatically. */
async function order(client: TrellisClient, { usdc = 20_000_000n, payments = Number.POSITIVE_INFINITY } = {}) {
  const { account, keys } = await openAccount(client, { usdc });
  // The chain's time, which may be ahead of this machine's.
  const start = new Date((await client.accounts.get(account)).created_at);
  const end = Number.isFinite(payments) ? { start, end: new Date(start.getTime() + 3_600_000) } : {};
  const terms = { currency: "usdc", amount: 5_000_000n, payee: freshAddress(), frequency: "daily", ...end } as const;
  const { id, spendingLimit } = await client.standingOrders.create({ account, keys, order: terms });
  return { account, keys, id, spendingLimit };
}

/** A payment of 25.02 is reviewed for half a minute, and of one without cents nothing is reported after it is created (gap 104). */
async function orderToBank(client: TrellisClient, amount: bigint): Promise<string> {
  const { account, keys } = await openAccount(client, { usdc: 100_000_000n });
  await openVerified(client, account);
  const { id: externalAccountId } = await addBankAccount(client, account);
  const payee = { externalAccountId, rail: "ach_push" } as const;
  const terms = { currency: "usdc", amount, payee, frequency: "monthly" } as const;
  return (await client.standingOrders.create({ account, keys, order: terms })).id;
}

async function deposit({ client, account: given, state }: Plot): Promise<string> {
  const account = given ?? (await openAccount(client)).account;
  const held = given === undefined ? [] : await client.virtualAccounts.list(account, { status: "activated" });
  const { id } = held[0] ?? (await openDetails(client, account));
  // The latter is paid out, and goes back after half a minute (gap 100).
  return (await client.sandbox.deposit(id, { amount: state === "refunded" ? "250.08" : "250.00" })).id;
}

/** A client uses a refresh token that has been used, and another key: no session of that chain is trusted any more. */
async function stealSession({ client }: Plot): Promise<string> {
  const email = freshEmail("Ada");
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  if (mail === undefined) throw new Error(`The outbox holds no mail for ${email}.`);
  const [own, stolen] = [generateEncryptionKeyPair(), generateEncryptionKeyPair()];
  const { grid_user_id: user, authentication } = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    kms_provider_config: { encryption_public_key: own.publicKeySpkiBase64 },
  });
  const [kms_payload] = authentication;
  if (kms_payload === undefined) throw new Error("The answer holds no session.");
  const refresh = (encryption_public_key: string) => client.auth.refresh({ encryption_public_key, kms_payload });
  await refresh(own.publicKeySpkiBase64);
  await refresh(stolen.publicKeySpkiBase64).catch((error: unknown) => {
    if (!(error instanceof TrellisApiError) || error.code !== "invalid_refresh_token") throw error;
  });
  return user;
}

/** A receiver on this machine says that it is gone (410), to a service on this machine. */
async function leave({ client }: Plot): Promise<string> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { id } = await client.webhookEndpoints.create({ url, types: ["webhook.test"] });
  try {
    await client.sandbox.triggerEvent("webhook.test");
    for (const end = Date.now() + patienceMs; Date.now() < end; await wait(refreshEveryMs)) {
      if ((await client.webhookEndpoints.get(id)).status === "disabled") break;
    }
  } finally {
    await client.webhookEndpoints.delete(id);
    receiver.closeAllConnections();
    receiver.close();
  }
  return id;
}

/** What brings an event about, as far as the calls of the interface can, in a moment, and without moving the clock. */
export const stories: Readonly<Partial<Record<EventType, Story>>> = {
  "account.created": { play: async ({ client }) => (await openAccount(client)).account },
  "account.updated": {
    play: async ({ client }) => {
      const { account, keys } = await openAccount(client);
      await client.accounts.update({ account, keys, changes: { time_lock: 60 } });
      return account;
    },
  },
  "transaction.confirmed": { play: pay },
  "payment_intent.created": { play: pay },
  "payment_intent.updated": {
    play: (plot) =>
      plot.state === undefined || plot.state === "payment_submitted" ? pay(plot) : payBank(plot.client, plot.state),
    states: ["payment_submitted", "payment_processed", "in_review", "refunded"],
  },
  "transfer.received": {
    play: async ({ client, account }) => {
      if (account === undefined) return (await openAccount(client)).account;
      const sent = await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
      return sent.transaction_signature;
    },
    takesAccount: true,
  },
  "proposal.created": { play: ({ client }) => vote(client) },
  "proposal.voted": { play: ({ client }) => vote(client, "approve") },
  "proposal.approved": { play: ({ client }) => vote(client, "approve", "approve") },
  "proposal.rejected": { play: ({ client }) => vote(client, "reject") },
  "proposal.cancelled": { play: ({ client }) => vote(client, "approve", "approve", "cancel", "cancel") },
  "proposal.executed": { play: ({ client }) => vote(client, "approve", "approve", "execute") },
  "standing_order.created": { play: async ({ client }) => (await order(client)).id },
  "standing_order.activated": { play: async ({ client }) => (await order(client)).id },
  "standing_order.deactivated": {
    play: async ({ client }) => {
      const { account, keys, id, spendingLimit } = await order(client);
      await client.spendingLimits.remove({ account, keys, spendingLimit });
      return id;
    },
  },
  "standing_order.completed": { play: async ({ client }) => (await order(client, { payments: 1 })).id },
  "standing_order.cancelled": {
    play: async ({ client }) => {
      const { account, keys, id } = await order(client);
      await client.standingOrders.cancel({ account, keys, id });
      return id;
    },
  },
  "standing_order_run.paid": { play: async ({ client }) => (await order(client)).id },
  "standing_order_run.failed": { play: async ({ client }) => (await order(client, { usdc: 0n })).id },
  "standing_order_payout.created": { play: ({ client }) => orderToBank(client, 25_000_000n) },
  "standing_order_payout.updated": { play: ({ client }) => orderToBank(client, 25_020_000n) },
  "kyc.created": {
    play: async ({ client, account }) =>
      (await startVerification(client, account ?? (await openAccount(client)).account)).id,
    takesAccount: true,
  },
  "kyc.updated": {
    play: async ({ client, account, state = "approved" }) => {
      const { id } = await startVerification(client, account ?? (await openAccount(client)).account);
      await client.sandbox.setKyc(id, { status: state as KycStatus });
      return id;
    },
    takesAccount: true,
    states: ["incomplete", "under_review", "approved", "rejected"],
  },
  "virtual_account.created": {
    play: async ({ client, account }) => (await openDetails(client, account ?? (await openAccount(client)).account)).id,
    takesAccount: true,
  },
  "virtual_account.updated": {
    play: async ({ client, account }) => {
      const { id } = await openDetails(client, account ?? (await openAccount(client)).account);
      await client.sandbox.setVirtualAccountStatus(id, "deactivated");
      return id;
    },
    takesAccount: true,
  },
  "deposit.created": { play: deposit, takesAccount: true },
  "deposit.updated": { play: deposit, takesAccount: true, states: ["processed", "refunded"] },
  "external_account.created": {
    play: async ({ client, account: given }) => {
      const account = given ?? (await openAccount(client)).account;
      return (await addBankAccount(client, account)).id;
    },
    takesAccount: true,
  },
  "external_account.deleted": {
    play: async ({ client, account: given }) => {
      const account = given ?? (await openAccount(client)).account;
      const { id } = await addBankAccount(client, account);
      await client.externalAccounts.remove(account, id);
      return id;
    },
    takesAccount: true,
  },
  "session.revoked": { play: stealSession },
  "webhook_endpoint.disabled": { play: leave },
};
