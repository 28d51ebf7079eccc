import { randomBytes, randomUUID } from "node:crypto";
import type { Address } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  addressOfKey,
  createTrellisClient,
  generateEncryptionKeyPair,
  openSession,
  signLegacyPaymentIntent,
  signPreparedTransfer,
  signTransaction,
  type TrellisClient,
} from "@trellis/sdk";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { judgeByOneNode } from "../../src/adapters/chain/one-node.js";
import { endpoints } from "../../src/endpoints.js";
import { errorCatalogue } from "../../src/errors.js";
import { isIdempotent } from "../../src/http/idempotent-runs.js";
import { createHttpServer } from "../../src/http/server.js";
import { type Custodian, CustodianUnavailable } from "../../src/ports/custodian.js";
import type { EnvironmentName } from "../../src/ports/environment.js";
import { MailRefused } from "../../src/ports/mail.js";
import type { Network } from "../../src/ports/network.js";
import { createApiKey } from "../../src/rooms/api-keys/api-key-store.js";
import { scopes } from "../../src/rooms/api-keys/scope.js";
import { compose, makeKey } from "../adversarial/support.js";
import { type FrailDatabase, openFrailDatabase } from "../support/frail-database.js";
import { breakConnection, openTestNetwork, type TestNetwork } from "../support/test-network.js";

/**
 * Every endpoint that takes an idempotency key, crossed with everything that may pass (gap 6): after a passing failure the
 * same request goes on under its key and takes effect once, and its answer is then replayed byte for byte.
 */

type Code = keyof typeof errorCatalogue;

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

/** One request to be made under a key, and how often it has taken effect. */
interface Trial extends Exchange {
  readonly environment: EnvironmentName;
  /** Absent for preparations, which have no effect. */
  readonly effects?: () => Promise<number>;
}

/** What may go wrong for a while. */
interface Fault {
  readonly code: Code;
  begin(trial: Trial): void | Promise<void>;
  end(): void | Promise<void>;
}

let test: TestNetwork;
let frail: FrailDatabase;
let app: FastifyInstance;
/** The same service with nothing left of its caller's requests a minute. */
let exhausted: FastifyInstance;
let apiKey: string;
let client: TrellisClient;
const networks = new Map<EnvironmentName, Network>();
const mails: { to: string; text: string }[] = [];
let custodiansAnswer = true;
let mailGoes = true;

beforeAll(async () => {
  test = await openTestNetwork();
  const { needs, network } = test;
  networks.set("sandbox", { ...network });
  // The same chain under another name: mail leaves the house there.
  const { sandbox: _controls, ...devnet } = network;
  networks.set("devnet", { ...devnet, name: "devnet" });
  frail = openFrailDatabase(needs.db);
  const common = {
    endpoints,
    needs: {
      ...needs,
      db: frail.db,
      pause: async () => undefined,
      mailer: {
        senderName: "Trellis",
        send: async (mail: { to: string; text: string }) => {
          if (!mailGoes) throw new MailRefused("unreachable", "No server answered.");
          mails.push(mail);
        },
      },
      webhookSender: {
        check: async () => undefined,
        send: async () => ({ kind: "answered", status: 200, body: "", retryAfter: undefined, durationMs: 1 }) as const,
      },
      custodians: new Map([...needs.custodians].map(([name, custodian]) => [name, failing(custodian)])),
    },
    networks,
    db: frail.db,
    keyring: needs.keyring,
    realClock: needs.realClock,
    random: needs.random,
    corsOrigins: [],
    trustProxy: false,
    logger: pino({ level: "silent" }),
    readiness: async () => ({ ready: true, checks: {} }),
    version: "0",
    checkResponses: true,
  };
  app = await createHttpServer({
    ...common,
    rateLimits: { perKeyPerMinute: 0, failedAuthenticationsPerAddressPerMinute: 0 },
  });
  exhausted = await createHttpServer({
    ...common,
    rateLimits: { perKeyPerMinute: 1, failedAuthenticationsPerAddressPerMinute: 0 },
  });
  const key = await createApiKey(
    {
      db: needs.db,
      secret: needs.keyring.deriveSecret("api-key"),
      random: needs.random,
      now: needs.realClock.now(),
    },
    {
      tenantId: test.caller.tenantId,
      name: "test",
      scopes,
      environments: ["sandbox", "devnet"],
      expiresAt: null,
    },
  );
  apiKey = key.value;
  await send(exhausted, { method: "GET", path: "/api/service/v1/accounts/x", body: {}, environment: "sandbox" });
  client = createTrellisClient({ baseUrl: await app.listen(), apiKey, environment: "sandbox" });
  await prepareScene();
});
afterAll(async () => {
  await app?.close();
  await exhausted?.close();
  await test?.close();
});
// The limits of mail are for a test of their own.
beforeEach(() => test.needs.db.deleteFrom("mail").execute());

function failing(custodian: Custodian): Custodian {
  const unless = <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> =>
      custodiansAnswer ? act(...args) : Promise.reject(new CustodianUnavailable("timeout", "No answer."));
  };
  return { ...custodian, ensureWallet: unless(custodian.ensureWallet), sign: unless(custodian.sign) };
}

async function send(to: FastifyInstance, trial: Trial, key?: string, body: object = trial.body) {
  const { method, path, environment } = trial;
  const answer = await to.inject({
    method: method as "POST",
    url: path,
    headers: {
      authorization: `Bearer ${apiKey}`,
      "x-service-environment": environment,
      ...(key === undefined ? {} : { "x-idempotency-key": key }),
      ...(method === "GET" ? {} : { "content-type": "application/json" }),
    },
    ...(method === "GET" ? {} : { payload: JSON.stringify(body) }),
  });
  const json = answer.json();
  return {
    status: answer.statusCode,
    text: answer.body,
    data: json.data ?? json,
    isReplayed: answer.headers["idempotent-replayed"] === "true",
    /** Of the answer itself, or of the failure inside it. */
    code: (json.code ?? json.data?.partial_failure?.error_code) as Code | undefined,
  };
}

const inBoth = (change: Partial<Network>) => {
  for (const network of networks.values()) Object.assign(network, change);
};

/** Overrides one method of the chain's answers for the duration. */
function breakRpc(code: Code, breaks: (method: string) => boolean): Fault {
  return {
    code,
    begin: () => inBoth({ rpc: breakConnection(test.network, breaks).rpc }),
    end: () => inBoth({ rpc: test.network.rpc }),
  };
}

/** The chain takes transactions and says of none what became of it. */
const silent: Fault = {
  code: "submission_in_progress",
  begin: () => {
    const { sandbox } = test.network;
    const handleRpc = async (payload: unknown) => {
      const answer = (await sandbox?.handleRpc(payload)) as { result?: { value?: unknown } };
      const { method } = payload as { method: string };
      return method === "getSignatureStatuses" ? { ...answer, result: { ...answer.result, value: [null] } } : answer;
    };
    const muted = breakConnection({ ...test.network, sandbox: { ...sandbox, handleRpc } as never }, () => false);
    inBoth({ rpc: muted.rpc, judgeUnseen: judgeByOneNode(muted.rpc, test.network.clock) });
  },
  end: () => inBoth({ rpc: test.network.rpc, judgeUnseen: test.network.judgeUnseen }),
};

/** The service has paid for as many open proposals of the account as it pays for at a time. */
const crowded: Fault = {
  code: "sponsorship_limit_exceeded",
  begin: async () => {
    const row = await test.needs.db
      .selectFrom("proposal")
      .selectAll()
      .where("proposal_address", "=", scene.proposed)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 20 }, (_, at) => ({
      ...row,
      transaction_index: 1_000n + BigInt(at),
      proposal_address: makeKey().address,
      transaction_address: makeKey().address,
    }));
    await test.needs.db.insertInto("proposal").values(copies).execute();
  },
  end: async () => {
    await test.needs.db.deleteFrom("proposal").where("transaction_index", ">=", 1_000n).execute();
  },
};

let mailsBefore: string[] = [];
const faults: Readonly<Record<string, Fault>> = {
  "the chain is away": breakRpc("chain_unavailable", () => true),
  "the chain is lost after sending": breakRpc("chain_unavailable", (method) => method === "getSignatureStatuses"),
  "the chain decides nothing": silent,
  "the budget is used up": {
    code: "sponsorship_limit_exceeded",
    begin: () => inBoth({ sponsorship: { ...test.network.sponsorship, perTransaction: 0n } }),
    end: () => inBoth({ sponsorship: test.network.sponsorship }),
  },
  "too many proposals are open": crowded,
  "the custodian is away": {
    code: "provider_unavailable",
    begin: () => {
      custodiansAnswer = false;
    },
    end: () => {
      custodiansAnswer = true;
    },
  },
  "mail does not go out": {
    code: "mail_unavailable",
    begin: () => {
      mailGoes = false;
    },
    end: () => {
      mailGoes = true;
    },
  },
  "the address has had its mails": {
    code: "mail_limit_exceeded",
    begin: async (trial) => {
      mailsBefore = (await test.needs.db.selectFrom("mail").select("id").execute()).map(({ id }) => id);
      if (!("email" in trial.body) || "otp_code" in trial.body) return;
      for (let count = 0; count < 5; count += 1) await send(app, trial);
    },
    end: async () => {
      await test.needs.db
        .deleteFrom("mail")
        .where("id", "not in", ["", ...mailsBefore])
        .execute();
    },
  },
  "the address is blocked": {
    code: "otp_address_blocked",
    begin: async () => {
      const users = await test.needs.db
        .selectFrom("one_time_code")
        .select(["tenant_id", "environment", "email"])
        .execute();
      const failures = users.flatMap((user) => Array.from({ length: 10 }, () => user));
      const failed_at = BigInt(test.network.clock.now());
      if (failures.length === 0) return;
      await test.needs.db
        .insertInto("otp_failure")
        .values(failures.map((user) => ({ ...user, id: randomUUID(), failed_at })))
        .execute();
    },
    end: async () => {
      await test.needs.db.deleteFrom("otp_failure").execute();
      await test.needs.db.deleteFrom("one_time_code").where("state", "!=", "live").execute();
    },
  },
};

/** Beside `create-on-chain.test.ts`: each failure of a creation that passes, crossed with one key; and the queue's own test. */
const ofCreations: readonly Code[] = ["creation_queue_full", "service_unavailable"];
/** Also declared, and played elsewhere. */
const notProvoked: Readonly<Record<string, readonly Code[]>> = {
  createAccount: ofCreations,
  createCustomAccount: ofCreations,
  verifyAccount: ofCreations,
  // The growth of a cancelled proposal is paid for one at a time: `test/proposals`.
  voteOnProposal: ["submission_in_progress"],
  // An order that others change at the same moment, or that has a payment under way: `test/standing-orders`.
  cancelStandingOrder: ["submission_in_progress"],
  resumeStandingOrder: ["submission_in_progress"],
};

/** What several rows need: an account of two keys with proposals in it. */
const scene = {
  keys: [1, 2].map(() => new Uint8Array(randomBytes(32))) as [Uint8Array, Uint8Array],
  account: "",
  proposed: "",
  approved: "",
  limit: "",
  order: "",
};

async function prepareScene(): Promise<void> {
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
const newLimit = () => ({
  amount: "5000000",
  mint: "sol",
  period: "day",
  spending_limit_signers: [addressOfKey(scene.keys[0])],
  transaction_signers: scene.keys.map((key) => addressOfKey(key)),
});

async function grantLimit(): Promise<string> {
  const { text } = await send(app, onAccount("/spending-limit", newLimit()));
  const { transaction, spending_limit_address } = JSON.parse(text) as Record<string, string>;
  await client.transactions.submit(scene.account, { transaction: signTransaction(transaction ?? "", scene.keys) });
  return spending_limit_address ?? "";
}

const newOrder = (signing: readonly Uint8Array[]) => ({
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
async function askForOrder(signing: readonly Uint8Array[]): Promise<Trial> {
  await test.needs.db
    .updateTable("standing_order")
    .set({ status: "cancelled" })
    .where("status", "=", "pending")
    .execute();
  return onAccount("/standing-order-intent", newOrder(signing));
}

/** A request about the scene's order, as it would be after `change`. */
async function askOfOrder(
  change: object,
  rest: string,
  signing: readonly Uint8Array[],
  method: string,
): Promise<Trial> {
  await test.needs.db.updateTable("standing_order").set(change).where("id", "=", scene.order).execute();
  const body = { transaction_signers: signing.map((key) => addressOfKey(key)) };
  return onAccount(`/standing-order/${scene.order}${rest}`, body, method);
}

const endpointsAt = (url: string) =>
  test.needs.db.selectFrom("webhook_endpoint").selectAll().where("url", "=", url).execute();
async function newEndpoint(): Promise<{ readonly id: string; readonly url: string }> {
  await test.needs.db.deleteFrom("webhook_endpoint").execute();
  const { text } = await send(
    app,
    post("/webhook-endpoints", { url: `https://203.0.114.9/${randomUUID()}`, types: ["session"] }),
  );
  return (JSON.parse(text) as { data: { id: string; url: string } }).data;
}

const v1 = "/api/service/v1";
const post = (path: string, body: object, more: Partial<Trial> = {}): Trial => ({
  method: "POST",
  path: v1 + path,
  body,
  environment: "sandbox",
  ...more,
});
const onAccount = (rest: string, body: object, method = "POST"): Trial => ({
  ...post(`/accounts/${scene.account}${rest}`, body),
  method,
});
const newEmail = () => `${randomUUID()}@example.org`;
const codeFor = (email: string) =>
  [...mails]
    .reverse()
    .find(({ to }) => to === email)
    ?.text.match(/\b\d{6}\b/)?.[0] ?? "";
const encryptionKey = () => generateEncryptionKeyPair().publicKeySpkiBase64;

const liveCodes = (email: string) => async () =>
  (
    await test.needs.db
      .selectFrom("one_time_code")
      .select("id")
      .where("email", "=", email)
      .where("state", "=", "live")
      .execute()
  ).length;
const liveSessions = (email: string) => async () =>
  (
    await test.needs.db
      .selectFrom("session")
      .innerJoin("app_user", "app_user.id", "session.user_id")
      .select("session.id")
      .where("email", "=", email)
      .where("state", "=", "live")
      .execute()
  ).length;
/** Accounts with a memo, and creations on their way to one more. */
const accountsNamed = (memo: string) => async () => {
  const accounts = await test.needs.db.selectFrom("account").select("address").where("memo", "=", memo).execute();
  const pending = await test.needs.db
    .selectFrom("account_creation")
    .select("id")
    .where("plan", "like", `%${memo}%`)
    .where("state", "=", "pending")
    .execute();
  return accounts.length + pending.length;
};

async function register(): Promise<string> {
  const email = newEmail();
  await send(app, post("/accounts", { type: "email", email }, { environment: "devnet" }));
  return email;
}

/** Somebody with an account; sessions of the verification are ended, so that they do not count. */
async function settle(): Promise<string> {
  const email = await register();
  const body = { email, otp_code: codeFor(email), kms_provider_config: { encryption_public_key: encryptionKey() } };
  expect((await send(app, post("/accounts/verify", body, { environment: "devnet" }))).status).toBe(200);
  await test.needs.db.updateTable("session").set({ state: "rotated" }).execute();
  return email;
}

let paying: { readonly account: string; readonly session: Awaited<ReturnType<typeof openSession>> } | undefined;

/** Somebody with a custodian's wallet, and money. */
async function findPayer() {
  if (paying === undefined) {
    const email = newEmail();
    await client.accounts.create({ type: "email", email });
    const [mail] = await client.sandbox.outbox(email);
    const keyPair = generateEncryptionKeyPair();
    const verified = await client.accounts.verify({
      email,
      otp_code: mail?.otp_code ?? "",
      kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
    });
    await client.sandbox.airdrop({ address: verified.address, currency: "sol", amount: "900000000000" });
    paying = { account: verified.address, session: await openSession(verified.authentication[0], keyPair) };
  }
  return paying;
}

/** Payments from that wallet, signed. */
async function signPayments(count: number) {
  const { account, session } = await findPayer();
  const payees = Array.from({ length: count }, () => makeKey().address);
  const items = [];
  for (const payee of payees) {
    const prepared = await client.transfers.prepare(account, {
      amount: "10000000",
      source: { account, currency: "sol" },
      destination: { address: payee, currency: "sol" },
    });
    const expected = { from: account as Address, to: payee, mint: null, amount: 10_000_000n };
    const kms_payloads = signPreparedTransfer(prepared, expected, session, "sandbox", test.needs.realClock.now());
    items.push({ transaction: prepared.transaction, kms_payloads });
  }
  /** Every payee once, or what it is instead. */
  const effects = async () => {
    const balances = await Promise.all(payees.map((payee) => test.network.rpc.getBalance(payee).send()));
    const paid = balances.map(({ value }) => Number(value) / 10_000_000);
    return paid.every((times) => times === paid[0]) ? (paid[0] ?? 0) : Number.NaN;
  };
  return { account, items, effects };
}

const provider = { encryption_public_key: encryptionKey() };

/** For every operation, the forms of its request. */
const rows: Readonly<Record<string, Readonly<Record<string, () => Trial | Promise<Trial>>>>> = {
  createAccount: {
    email: () => {
      const email = newEmail();
      return post("/accounts", { type: "email", email }, { environment: "devnet", effects: liveCodes(email) });
    },
    signers: () => {
      const memo = randomUUID();
      const signers = [makeKey().address];
      return post("/accounts", { type: "signers", signers, threshold: 1, memo }, { effects: accountsNamed(memo) });
    },
  },
  verifyAccount: {
    single: async () => {
      const email = await register();
      const body = { email, otp_code: codeFor(email), kms_provider_config: provider };
      return post("/accounts/verify", body, { environment: "devnet", effects: liveSessions(email) });
    },
  },
  createCustomAccount: {
    single: () => {
      const memo = randomUUID();
      const signer = { type: "email", email: newEmail(), permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] };
      return post(
        "/accounts:custom",
        { policies: { signers: [signer], threshold: 1 }, memo },
        { effects: accountsNamed(memo) },
      );
    },
  },
  updateAccount: {
    "at once": () =>
      onAccount("", { threshold: 1, transaction_signers: scene.keys.map((key) => addressOfKey(key)) }, "PATCH"),
    "by a vote": () => onAccount("", { threshold: 1, transaction_signers: [addressOfKey(scene.keys[0])] }, "PATCH"),
  },
  submitTransactions: {
    single: async () => {
      const { account, items, effects } = await signPayments(1);
      return post(`/accounts/${account}/submit`, items[0] ?? {}, { effects });
    },
    multiple: async () => {
      const { account, items, effects } = await signPayments(2);
      const body = {
        transactions: items.map(({ transaction }) => transaction),
        kms_payloads: items.map(({ kms_payloads }) => kms_payloads),
      };
      return post(`/accounts/${account}/submit`, body, { effects });
    },
  },
  verifyAuthentication: {
    single: async () => {
      const email = await settle();
      await send(app, post("/auth", { email }, { environment: "devnet" }));
      const body = { email, otp_code: codeFor(email), kms_provider_config: provider };
      return post("/auth/verify", body, { environment: "devnet", effects: liveSessions(email) });
    },
  },
  createStandingOrder: {
    "at once": () => askForOrder(scene.keys),
    "by a vote": () => askForOrder([scene.keys[0]]),
  },
  cancelStandingOrder: {
    "at once": () => askOfOrder({ status: "active", mandate: "active" }, "", scene.keys, "DELETE"),
    "by a vote": () => askOfOrder({ status: "active", mandate: "active" }, "", [scene.keys[0]], "DELETE"),
  },
  resumeStandingOrder: {
    "as it was": () => askOfOrder({ status: "inactive", mandate: "active" }, "/resume", scene.keys, "POST"),
    "with a new limit, by a vote": () => {
      const without = { status: "inactive", mandate: "revoked", spending_limit_address: makeKey().address };
      return askOfOrder(without, "/resume", [scene.keys[0]], "POST");
    },
  },
  createSpendingLimit: {
    single: () => onAccount("/spending-limit", newLimit()),
  },
  updateSpendingLimit: {
    single: () =>
      onAccount(
        `/spending-limit/${scene.limit}`,
        { amount: 7_000_000, transaction_signers: scene.keys.map((key) => addressOfKey(key)) },
        "PATCH",
      ),
  },
  prepareLimitPayment: {
    single: () =>
      onAccount(`/spending-limit/${scene.limit}/transactions`, {
        amount: "1000000",
        signer_address: addressOfKey(scene.keys[0]),
        recipient_address: makeKey().address,
      }),
  },
  deleteSpendingLimit: {
    single: () =>
      onAccount(
        `/spending-limit/${scene.limit}`,
        { transaction_signers: scene.keys.map((key) => addressOfKey(key)) },
        "DELETE",
      ),
  },
  voteOnProposal: {
    single: () =>
      onAccount(`/proposals/${scene.proposed}/vote`, { action: "approve", signers: [addressOfKey(scene.keys[1])] }),
  },
  createProposal: {
    single: () =>
      onAccount("/proposals", {
        type: "transfer",
        amount: "1000000",
        currency: "sol",
        destination: scene.account === "" ? "" : makeKey().address,
        signer: addressOfKey(scene.keys[0]),
      }),
  },
  executeProposal: {
    single: () => onAccount(`/proposals/${scene.approved}/execute`, { signer: addressOfKey(scene.keys[0]) }),
  },
  voteAndExecuteProposal: {
    single: () =>
      onAccount(`/proposals/${scene.proposed}/vote-and-execute`, { signers: [addressOfKey(scene.keys[1])] }),
  },
  startAuthentication: {
    single: async () => {
      const email = await settle();
      return post("/auth", { email }, { environment: "devnet", effects: liveCodes(email) });
    },
  },
  initAuthentication: {
    single: async () => {
      const email = await settle();
      return post("/auth/init", { email }, { environment: "devnet", effects: liveCodes(email) });
    },
  },
  refreshSession: {
    single: async () => {
      const email = await settle();
      await send(app, post("/auth", { email }, { environment: "devnet" }));
      const body = { email, otp_code: codeFor(email), kms_provider_config: provider };
      const { data } = await send(app, post("/auth/verify", body, { environment: "devnet" }));
      const refresh = { ...provider, kms_payload: data.authentication[0] };
      return post("/auth/refresh-session", refresh, { environment: "devnet", effects: liveSessions(email) });
    },
  },
  prepareTransaction: {
    single: async () => {
      const source = { address: scene.account as Address } as never;
      const instruction = getTransferSolInstruction({ source, destination: makeKey().address, amount: 1_000_000n });
      const transaction = await compose({ service: { networks } } as never, scene.account as Address, [instruction]);
      return onAccount("/transactions", {
        transaction,
        transaction_signers: scene.keys.map((key) => addressOfKey(key)),
      });
    },
  },
  preparePayment: {
    single: () =>
      onAccount("/payment-intent", {
        amount: "1000000",
        source: { account: scene.account, currency: "sol" },
        destination: { address: makeKey().address, currency: "sol" },
        transaction_signers: scene.keys.map((key) => addressOfKey(key)),
      }),
  },
  createLegacyPaymentIntent: {
    single: () => ({
      ...post("", {
        amount: "1000000",
        source: { currency: "sol" },
        destination: { to_address: makeKey().address, payment_rail: "solana" },
        transaction_signers: scene.keys.map((key) => addressOfKey(key)),
      }),
      path: `/api/v0/service/smart-accounts/${scene.account}/payment-intents`,
    }),
  },
  confirmLegacyPaymentIntent: {
    single: async () => {
      const { account, session } = await findPayer();
      const payee = makeKey().address;
      const prepared = await client.legacy.createPaymentIntent(account, {
        amount: "10000000",
        source: { currency: "sol" },
        destination: { address: payee },
      });
      const expected = { from: account as Address, to: payee, mint: null, amount: 10_000_000n };
      const body = signLegacyPaymentIntent(prepared, expected, session, "sandbox");
      const effects = async () => Number((await test.network.rpc.getBalance(payee).send()).value) / 10_000_000;
      const path = `/api/v0/service/smart-accounts/${account}/payment-intents/${prepared.PaymentProvider.id}/confirm`;
      return { ...post("", body, { effects }), path };
    },
  },
  createWebhookEndpoint: {
    single: async () => {
      await test.needs.db.deleteFrom("webhook_endpoint").execute();
      const url = `https://203.0.114.${Math.floor(Math.random() * 250)}/${randomUUID()}`;
      const effects = async () => (await endpointsAt(url)).length;
      return post("/webhook-endpoints", { url, types: ["*"] }, { effects });
    },
  },
  updateWebhookEndpoint: {
    single: async () => {
      const { id } = await newEndpoint();
      const url = `https://203.0.114.7/${id}`;
      const effects = async () => (await endpointsAt(url)).length;
      return { ...post(`/webhook-endpoints/${id}`, { url }, { effects }), method: "PATCH" };
    },
  },
  deleteWebhookEndpoint: {
    single: async () => {
      const { id, url } = await newEndpoint();
      const effects = async () => (await endpointsAt(url)).filter(({ status }) => status === "deleted").length;
      return { ...post(`/webhook-endpoints/${id}`, {}, { effects }), method: "DELETE" };
    },
  },
  rotateWebhookSecret: {
    single: async () => {
      const { id, url } = await newEndpoint();
      const effects = async () =>
        (await endpointsAt(url)).filter(({ previous_secret }) => previous_secret !== null).length;
      return post(`/webhook-endpoints/${id}/rotate-secret`, {}, { effects });
    },
  },
  testWebhookEndpoint: {
    // Sent to an address where nobody is; a second example does no harm.
    single: async () => post(`/webhook-endpoints/${(await newEndpoint()).id}/test`, {}),
  },
  replayEvents: {
    single: async () => {
      const { id } = await newEndpoint();
      const { text } = await send(app, post("/sandbox/events", { type: "webhook.test" }));
      const event_id = (JSON.parse(text) as { data: { id: string } }).data.id;
      const effects = async () =>
        (await test.needs.db.selectFrom("webhook_delivery").selectAll().where("endpoint_id", "=", id).execute()).length;
      return post(`/webhook-endpoints/${id}/replay`, { event_id }, { effects });
    },
  },
  sandboxTriggerEvent: {
    single: async () => {
      // Others are reported meanwhile, and are no examples.
      const examples = async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int4 as count from event where is_example`.execute(test.needs.db);
        return rows[0]?.count ?? 0;
      };
      const before = await examples();
      return post("/sandbox/events", { type: "proposal.voted" }, { effects: async () => (await examples()) - before });
    },
  },
  startLegacyAuthentication: {
    single: async () => {
      const email = await settle();
      const trial = post("", { email, app_name: "App" }, { environment: "devnet", effects: liveCodes(email) });
      return { ...trial, path: "/api/v0/service/smart-accounts/auth" };
    },
  },
  verifyLegacyAuthentication: {
    single: async () => {
      const email = await settle();
      const path = "/api/v0/service/smart-accounts";
      const { data } = await send(app, { ...post("", { email }, { environment: "devnet" }), path: `${path}/auth` });
      const body = { ...data, otp_code: codeFor(email), auth_public_key: encryptionKey() };
      return { ...post("", body, { environment: "devnet", effects: liveSessions(email) }), path: `${path}/verify-otp` };
    },
  },
  sandboxAirdrop: {
    single: () => {
      const { address } = makeKey();
      const effects = async () => Number((await test.network.rpc.getBalance(address).send()).value) / 1_000_000_000;
      return post("/sandbox/airdrop", { address, currency: "sol", amount: "1000000000" }, { effects });
    },
  },
  sandboxAdvanceClock: {
    single: () => {
      const before = test.network.clock.now();
      // The chain's time moves on by whole slots.
      const effects = async () => Math.floor((test.network.clock.now() - before) / 60_000);
      return post("/sandbox/clock/advance", { seconds: 60 }, { effects });
    },
  },
};

const contracts = endpoints.map(({ contract }) => contract).filter(isIdempotent);

it("has a row for every endpoint that takes an idempotency key", () => {
  expect(Object.keys(rows).sort()).toEqual(contracts.map(({ operation }) => operation).sort());
});

/** What a code says of its request is for good, although it is a failure of the chain's side. */
const endings: readonly Code[] = ["account_creation_failed"];
const mayPass = (code: Code) => {
  const [status] = errorCatalogue[code];
  return (status >= 500 || status === 429 || code.endsWith("_in_progress")) && !endings.includes(code);
};

/** A session that was opened is never answered twice, for its key is gone: whoever loses the answer signs in again. */
const opensSession = new Set(["verifyAccount", "verifyAuthentication", "verifyLegacyAuthentication"]);

/** After whatever came first: the same request succeeds and has taken effect once, its answer stays, no other one runs. */
async function expectOnce(trial: Trial, key: string, mayEndIn: readonly Code[] = []): Promise<void> {
  const second = await send(app, trial, key);
  if (second.code !== undefined && mayEndIn.includes(second.code)) {
    expect(await trial.effects?.()).toBe(1);
    return;
  }
  expect(second.status, second.text).toBeLessThan(300);
  expect(second.code, second.text).toBeUndefined();
  if (trial.effects) expect(await trial.effects()).toBe(1);
  const third = await send(app, trial, key);
  expect([third.isReplayed, third.text]).toEqual([true, second.text]);
  expect(await send(app, trial, key, { ...trial.body, another: true })).toMatchObject({ status: 422 });
  if (trial.effects) expect(await trial.effects()).toBe(1);
}

describe.each(contracts)("$operation", ({ operation, errors }) => {
  const forms = Object.entries(rows[operation] ?? {});
  const reached = new Set<Code>();

  it.each(forms.flatMap(([form, prepare]) => Object.keys(faults).map((fault) => ({ form, prepare, fault }))))(
    "($form) takes effect once when $fault for a while",
    async ({ prepare, fault: name }) => {
      const fault = faults[name] as Fault;
      const trial = await prepare();
      const key = randomUUID();
      await fault.begin(trial);
      const first = await send(app, trial, key);
      await fault.end();
      if (first.code !== undefined) {
        expect(first.code, first.text).toBe(
          fault.code === "otp_address_blocked" ? "otp_attempts_exceeded" : fault.code,
        );
        reached.add(fault.code);
        expect(await send(app, trial, key, { ...trial.body, another: true })).toMatchObject({ status: 422 });
      } else expect(first.status).toBeLessThan(300);
      await expectOnce(trial, key);
    },
  );

  it("was refused above for all that may pass by its contract", () => {
    const provoked = errors.filter((code) => mayPass(code) && !notProvoked[operation]?.includes(code));
    expect([...reached].sort()).toEqual([...new Set(provoked)].sort());
  });

  it.each(forms)("(%s) takes effect once after a limit of requests", async (_form, prepare) => {
    const trial = await prepare();
    const key = randomUUID();
    expect(await send(exhausted, trial, key)).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    await expectOnce(trial, key);
  });

  it.each(forms)("(%s) takes effect once wherever a statement breaks", { timeout: 600_000 }, async (_form, prepare) => {
    frail.countStatements();
    const whole = await prepare();
    frail.countStatements();
    await send(app, whole, randomUUID());
    const statements = frail.countStatements();
    // The API key, the claim, the answer.
    expect(statements).toBeGreaterThanOrEqual(2);
    for (let statement = 0; statement < statements; statement += 1) {
      for (const when of ["before", "after"] as const) {
        const trial = await prepare();
        const key = randomUUID();
        frail.breakAt(statement, when);
        const first = await send(app, trial, key);
        frail.countStatements();
        if (first.status >= 300) expect(first.status, first.text).toBeGreaterThanOrEqual(500);
        // What could not be written down at once is, behind the answer's back.
        await expect
          .poll(async () => (await send(app, trial, key)).code, { timeout: 30_000, interval: 50 })
          .not.toBe("idempotency_in_progress");
        await expectOnce(trial, key, opensSession.has(operation) ? ["invalid_otp"] : []);
      }
    }
  });
});
