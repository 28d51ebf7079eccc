import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { generateEncryptionKeyPair, type TrellisClient, type TrellisEvent } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addBankAccount, openVerified } from "../src/cli/bank-stories.js";
import { openAccount, stories as triggerStories } from "../src/cli/trigger-stories.js";
import { endpoints } from "../src/endpoints.js";
import type { EventType } from "../src/events/event-types.js";
import { eventCatalogue } from "../src/modules.js";
import { newKey } from "./proposals/support.js";
import { browserWith, createSoftPasskey } from "./support/authenticator.js";
import { orderExport } from "./support/ordered-exports.js";
import { importOwnSigner } from "./support/own-signers.js";
import { openByClient } from "./support/passkey-signers.js";
import { publicKeyOf } from "./support/test-network.js";
import { startTestService, type TestService } from "./support/test-service.js";

/** No call answers what these are about. */
const alone = ["fee_payer.low", "sponsorship.exhausted", "webhook.test"];
/** Answered by the call that does it, and by none that reads. */
const onceAnswered = ["wallet_import.completed"];

type Fields = Readonly<Record<string, unknown>>;

describe("what events carry, by its schema", () => {
  it("is the object of a call's answer wherever a call answers it", () => {
    const derived = Object.entries(eventCatalogue).filter(([, { of }]) => of !== undefined);
    expect(Object.keys(eventCatalogue).filter((type) => !derived.some(([name]) => name === type))).toEqual(alone);
    const [read, answered] = [new Set<unknown>(), new Set<unknown>()];
    for (const { contract } of endpoints) {
      collect(contract.response.schema, answered);
      if (contract.method === "GET") collect(contract.response.schema, read);
    }
    const unanswered = derived.filter(([, { of }]) => !read.has(of?.properties)).map(([type]) => type);
    expect(unanswered).toEqual(onceAnswered);
    for (const [type, { of }] of derived) expect(answered.has(of?.properties), type).toBe(true);
  });

  it.each(Object.entries(eventCatalogue))(
    "%s has every field as the answer has it, and those that differ with a reason",
    (_type, { schema, of, without = {}, own = {} }) => {
      if (of === undefined) return;
      const { properties, required = [] } = schema as unknown as { properties: Fields; required?: string[] };
      const shared = Object.keys(properties).filter((name) => !(name in own));
      expect(Object.fromEntries(shared.map((name) => [name, properties[name]]))).toEqual(
        Object.fromEntries(shared.map((name) => [name, of.properties[name]])),
      );
      const needed = new Set(of.required as readonly string[] | undefined);
      expect(shared.filter((name) => required.includes(name))).toEqual(shared.filter((name) => needed.has(name)));
      expect(
        [...shared, ...Object.keys(without), ...Object.keys(own).filter((name) => name in of.properties)].sort(),
      ).toEqual(Object.keys(of.properties).sort());
    },
  );
});

/** Every object in a schema, by its properties: wrapping one in a list or a union copies the rest. */
function collect(schema: unknown, into: Set<unknown>): void {
  if (typeof schema !== "object" || schema === null) return;
  if ("properties" in schema) into.add(schema.properties);
  for (const part of Object.values(schema)) collect(part, into);
}

/** The object of an event as a call answers it now; undefined: no call does any more. */
type Reader = (object: Record<string, string>) => Promise<Fields | undefined>;

const inList = async (path: string, fits: (one: Fields) => boolean): Promise<Fields | undefined> =>
  ((await get(path)) as unknown as readonly Fields[]).find(fits);
const byId =
  ({ id }: Fields) =>
  (one: Fields) =>
    one.id === id;

const readers: Readonly<Record<string, Reader>> = {
  account: ({ address }) => get(`/accounts/${address}`),
  // The account is who pays, or who is paid by a bank.
  payment_intent: ({ id, source, destination }) => {
    const account = (source as never as Fields).account ?? (destination as never as Fields).address;
    return get(`/accounts/${account}/payment-intent/${id}`);
  },
  // In the sandbox everything is final at once. What landed is reported as confirmed, and listed as final in the end.
  transaction: async ({ account, signature }) => {
    const found = await inList(`/accounts/${account}/transactions?tx_hash=${signature}`, () => true);
    return found && { ...found, status: found.status === "finalized" ? "confirmed" : found.status };
  },
  transfer: ({ Spl }) => {
    const { id, main_account_address: account, signature } = Spl as never as Fields;
    return inList(
      `/accounts/${account}/transfers?tx_hash=${signature}`,
      (one) => (one.Spl as Fields | undefined)?.id === id,
    );
  },
  proposal: ({ proposalAddress, mainAccountAddress }) =>
    inList(`/accounts/${mainAccountAddress}/proposals`, (one) => one.proposalAddress === proposalAddress),
  kyc: ({ id, account }) => get(`/accounts/${account}/kyc/${id}`),
  virtual_account: ({ id, account }) => inList(`/accounts/${account}/virtual-accounts`, byId({ id })),
  deposit: ({ id, account, virtual_account_id: details }) =>
    inList(`/accounts/${account}/virtual-accounts/${details}/deposits`, byId({ id })),
  external_account: async ({ id, account }) =>
    (await inList(`/accounts/${account}/external-accounts`, byId({ id }))) ?? gone.get(id ?? ""),
  standing_order: ({ id, account }) => get(`/accounts/${account}/standing-order/${id}`),
  standing_order_run: ({ standing_order_id: id, account, due_at: due }) =>
    inList(`/accounts/${account}/standing-order/${id}/runs`, (one) => one.due_at === due),
  standing_order_payout: async ({ standing_order_id: id, account, due_at: due }) => {
    const run = await inList(`/accounts/${account}/standing-order/${id}/runs`, (one) => one.due_at === due);
    return run?.payout as Fields | undefined;
  },
  session: async ({ id }) => gone.get(id ?? ""),
  passkey: async ({ id }) => gone.get(id ?? ""),
  passkey_session: ({ challenge }) => get(`/passkeys/ceremonies/${challenge}`),
  wallet_import: async ({ id }) => gone.get(id ?? ""),
  wallet_export: async ({ id }) => get(`/accounts/${exported}/wallet-exports/${id}`),
  webhook_endpoint: ({ id }) => get(`/webhook-endpoints/${id}`),
};

/** What was answered before its end, of what is not answered afterwards. */
const gone = new Map<string, Fields>();

interface Story {
  /** Those that have to come of it, each about its object as it is then. */
  readonly types: readonly EventType[];
  readonly play: (client: TrellisClient) => Promise<unknown>;
}

const stories: Readonly<Record<string, Story>> = {
  "an account, and money for it": {
    types: ["account.created", "transfer.received"],
    play: (client) => openAccount(client, { usdc: 5_000_000n }),
  },
  "a payment": {
    types: ["payment_intent.updated", "transaction.confirmed"],
    play: (client) => triggerStory(client, "payment_intent.created"),
  },
  "a payment to a bank that reviews it": {
    types: ["payment_intent.updated"],
    play: (client) => triggerStory(client, "payment_intent.updated", "in_review"),
  },
  "a payment to a bank": {
    types: ["payment_intent.updated"],
    play: (client) => triggerStory(client, "payment_intent.updated", "payment_processed"),
  },
  "a payment that a bank gives back": {
    types: ["payment_intent.updated"],
    play: (client) => triggerStory(client, "payment_intent.updated", "refunded"),
  },
  "a payment from a bank": {
    types: ["payment_intent.created"],
    play: async (client) => {
      const { account } = await openAccount(client);
      await openVerified(client, account);
      await client.transfers.receiveFromBank(account, {
        amount: "25.00",
        source: { payment_rail: "ach_push", currency: "usd" },
        destination: { address: account, currency: "usdc" },
      });
    },
  },
  "another policy": { types: ["account.updated"], play: (client) => triggerStory(client, "account.updated") },
  "a proposal": { types: ["proposal.created"], play: (client) => triggerStory(client, "proposal.created") },
  "a vote": { types: ["proposal.voted"], play: (client) => triggerStory(client, "proposal.voted") },
  "an approval": { types: ["proposal.approved"], play: (client) => triggerStory(client, "proposal.approved") },
  "a rejection": { types: ["proposal.rejected"], play: (client) => triggerStory(client, "proposal.rejected") },
  "a cancellation": { types: ["proposal.cancelled"], play: (client) => triggerStory(client, "proposal.cancelled") },
  "an execution": { types: ["proposal.executed"], play: (client) => triggerStory(client, "proposal.executed") },
  "a verification": {
    types: ["kyc.created"],
    play: (client) => triggerStory(client, "kyc.created"),
  },
  "a verification that is refused": {
    types: ["kyc.updated"],
    play: (client) => triggerStory(client, "kyc.updated", "rejected"),
  },
  "bank details": {
    types: ["virtual_account.created", "kyc.updated"],
    play: (client) => triggerStory(client, "virtual_account.created"),
  },
  "bank details that are closed": {
    types: ["virtual_account.updated"],
    play: (client) => triggerStory(client, "virtual_account.updated"),
  },
  "money from a bank": {
    types: ["deposit.created", "deposit.updated", "transfer.received"],
    play: (client) => triggerStory(client, "deposit.updated", "processed"),
  },
  "a bank account": {
    types: ["external_account.created"],
    play: (client) => triggerStory(client, "external_account.created"),
  },
  "a bank account that is removed": {
    types: ["external_account.deleted"],
    play: async (client) => {
      const { account } = await openAccount(client);
      const shown = await addBankAccount(client, account);
      gone.set(shown.id, { ...shown, active: false });
      await client.externalAccounts.remove(account, shown.id);
    },
  },
  "an order that waits for votes": {
    types: ["standing_order.created"],
    play: (client) => orderOf(client, { signers: 2 }),
  },
  "an order that waits for its first due date": {
    types: ["standing_order.activated"],
    play: (client) => orderOf(client, { end: true }),
  },
  // One that has a limit goes on without an event, to the removal of that.
  "an order that is cancelled before it has its limit": {
    types: ["standing_order.cancelled"],
    play: async (client) => {
      const { account, id } = await orderOf(client, { signers: 2 });
      await trellis.request("DELETE", `/api/service/v1/accounts/${account}/standing-order/${id}`);
    },
  },
  "an order that has paid for the last time": {
    types: ["standing_order.completed", "standing_order_run.paid", "transaction.confirmed"],
    play: (client) => triggerStory(client, "standing_order.completed"),
  },
  "an order without its limit": {
    types: ["standing_order.deactivated"],
    play: async (client) => {
      const { account, keys, spendingLimit } = await orderOf(client, {});
      await client.spendingLimits.remove({ account, keys, spendingLimit });
    },
  },
  "a due date without money": {
    types: ["standing_order_run.failed"],
    play: (client) => triggerStory(client, "standing_order_run.failed"),
  },
  "an order to a bank account": {
    types: ["standing_order_run.paid", "standing_order_payout.created"],
    play: (client) => triggerStory(client, "standing_order_payout.created"),
  },
  "a session that is ended": { types: ["session.revoked"], play: endSession },
  "a passkey that is added and removed": { types: ["passkey.added", "passkey.removed"], play: addAndRemovePasskey },
  "a session of a passkey signer that is opened": {
    types: ["passkey_session.opened"],
    play: (client) => openByClient(client, createSoftPasskey(), newKey()),
  },
  "a session of a passkey signer that is ended": {
    types: ["passkey_session.ended"],
    play: async (client) => {
      const passkey = createSoftPasskey();
      await openByClient(client, passkey, newKey());
      await openByClient(client, passkey, newKey(), { kind: "auth", seconds: 0 });
    },
  },
  "an export that is cancelled": {
    types: ["wallet_export.requested", "wallet_export.cancelled"],
    play: orderAndCancelExport,
  },
  "an import of a key": { types: ["wallet_import.completed"], play: importKey },
  "a receiver that is gone": { types: ["webhook_endpoint.disabled"], play: loseReceiver },
};

describe("what events carry, by its values", () => {
  it("is compared for every noun that a call answers", () => {
    const nouns = (types: readonly string[]) => [...new Set(types.map((type) => type.split(".")[0]))].sort();
    const compared = nouns(Object.values(stories).flatMap(({ types }) => types));
    expect(compared).toEqual(Object.keys(readers).sort());
    expect(compared).toEqual(nouns(Object.keys(eventCatalogue).filter((type) => !alone.includes(type))));
  });

  it.each(Object.entries(stories))("is what calls answer: %s", { timeout: 120_000 }, async (_name, { types, play }) => {
    const { client } = trellis;
    const { nextCursor: cursor = "" } = await client.events.page({ cursor: "latest" });
    await play(client);
    const check = async () => {
      const { events } = await client.events.page({ cursor, limit: 200 });
      const missing = types.filter((type) => !events.some((event) => event.type === type));
      return [
        ...missing,
        ...(await differing(latestOf(events).filter(({ type }) => !alone.includes(type) && !isFollowed(type, types)))),
      ];
    };
    await expect.poll(check, { timeout: 60_000, interval: 250 }).toEqual([]);
  });
});

/** An order moves with its runs, without an event of its own: it is compared where none is among what has to come, or its last. */
const isFollowed = (type: string, types: readonly string[]): boolean =>
  type.startsWith("standing_order.") &&
  types.some((one) => one.startsWith("standing_order_run.")) &&
  !types.includes(type);

/** Of each object the last event: what it says is still so. */
function latestOf(events: readonly TrellisEvent[]): readonly TrellisEvent[] {
  const byObject = new Map<string, TrellisEvent>();
  for (const event of events) {
    const { id, address, proposalAddress, challenge, due_at, standing_order_id, Spl } = event.data.object as Record<
      string,
      unknown
    >;
    const name =
      id ??
      challenge ??
      address ??
      proposalAddress ??
      (Spl as Fields | undefined)?.id ??
      `${standing_order_id}/${due_at}`;
    byObject.set(`${event.type.split(".")[0]} ${name}`, event);
  }
  return [...byObject.values()];
}

/** Those whose fields are not those of the answer, each with both. */
async function differing(events: readonly TrellisEvent[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const { type, data } of events) {
    const [noun = ""] = type.split(".");
    const { schema, own = {} } = eventCatalogue[type as EventType];
    const declared = Object.keys((schema as unknown as { properties: Fields }).properties);
    const undeclared = Object.keys(data.object).filter((name) => !declared.includes(name));
    if (undeclared.length > 0) found.push([type, "is not to have", undeclared]);
    const names = declared.filter((name) => !(name in own));
    const pick = (from: Fields) =>
      Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])));
    const answered = await readers[noun]?.(data.object as never);
    const pair = [pick(data.object as Fields), answered && pick(answered)];
    if (!isDeepStrictEqual(...(pair as [unknown, unknown]))) found.push([type, ...pair]);
  }
  return found;
}

async function get(path: string): Promise<Fields> {
  const { status, body } = await trellis.request("GET", `/api/service/v1${path}`);
  expect([path, status]).toEqual([path, 200]);
  return Array.isArray(body) ? (body as never) : (body as { data: Fields }).data;
}

const triggerStory = async (client: TrellisClient, type: EventType, state?: string) =>
  triggerStories[type]?.play({ client, ...(state === undefined ? {} : { state }) });

/** An order whose first due date is tomorrow. */
async function orderOf(client: TrellisClient, { end = false, signers = 1 }) {
  const { account, keys: all } = await openAccount(client, { usdc: 20_000_000n, signers });
  const keys = all.slice(0, 1);
  const day = 86_400_000;
  const start = new Date(Date.parse((await client.accounts.get(account)).created_at) + day);
  const payee = publicKeyOf("the payee of an order");
  const terms = { currency: "usdc", amount: 5_000_000n, payee, frequency: "daily", start } as const;
  const order = end ? { ...terms, end: new Date(start.getTime() + 3 * day) } : terms;
  const { id, spendingLimit } = await client.standingOrders.create({ account, keys, order });
  return { account, keys, id, spendingLimit };
}

/** The account whose key was to be exported. */
let exported = "";

async function orderAndCancelExport(client: TrellisClient): Promise<void> {
  const { address: account, session } = await trellis.openHolder();
  exported = account;
  const { ordered: walletExport } = await orderExport(client, { account, session });
  await client.walletExports.cancel({ account, walletExport, session });
}

async function importKey(client: TrellisClient): Promise<void> {
  const { address: account, session } = await trellis.openHolder();
  const imported = await importOwnSigner({ db: trellis.service.db, client }, { account, session });
  gone.set(imported.id, imported as unknown as Fields);
}

async function addAndRemovePasskey(client: TrellisClient): Promise<void> {
  const { address: account, session } = await trellis.openHolder();
  const credentials = browserWith(createSoftPasskey());
  const passkey = await client.passkeys.add({ account, session, name: "Phone", credentials });
  gone.set(passkey.id, passkey as unknown as Fields);
  await client.passkeys.remove({ account, session, passkey });
}

async function endSession(client: TrellisClient): Promise<void> {
  const email = "ada@events.example.org";
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  const { address } = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64 },
  });
  const [session] = (await get(`/accounts/${address}/sessions`)) as unknown as readonly Fields[];
  gone.set(String(session?.id), session ?? {});
  await trellis.request("DELETE", `/api/service/v1/accounts/${address}/sessions/${session?.id}`);
}

async function loseReceiver(client: TrellisClient): Promise<void> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { id } = await client.webhookEndpoints.create({ url, types: ["webhook.test"], description: "It goes." });
  await client.webhookEndpoints.rotateSecret(id);
  await client.sandbox.triggerEvent("webhook.test");
  await expect.poll(async () => (await client.webhookEndpoints.get(id)).status, { timeout: 60_000 }).toBe("disabled");
  receiver.closeAllConnections();
  receiver.close();
}

let trellis: TestService;
beforeAll(async () => {
  trellis = await startTestService({ TRELLIS_PUBLIC_URL: "http://localhost:3000" });
}, 120_000);
afterAll(() => trellis?.close());
