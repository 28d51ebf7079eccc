import { readFileSync } from "node:fs";
import { type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  buildPasskeyExecution,
  createTransactionBufferInstruction,
  executeByPasskeySessionInstruction,
} from "@trellis/program-client";
import {
  addressOfKey,
  askPasskeyPage,
  createTrellisClient,
  openGuardianWindow,
  type PasskeySession,
} from "@trellis/sdk";
import { describe, expect, it, vi } from "vitest";
import { sendElsewhere } from "../proposals/other-client.js";
import { newKey } from "../proposals/support.js";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { addressOfPasskey, answerOf, answerToClient, openByClient } from "../support/passkey-signers.js";
import { playPasskeyPage } from "../support/passkey-window.js";
import { useTestService } from "../support/scene.js";

/** The client library's passkey signers, before a service that may lie. */
const publicUrl = "http://localhost:3000";
const trellis = useTestService({ TRELLIS_PUBLIC_URL: publicUrl });
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
const order = { currency: "sol", destination: payee, amount: 5_000_000n } as const;
const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;

describe("a session of a passkey signer", () => {
  it("pays, changes settings, grants limits, proposes, votes and executes", async () => {
    const { account, passkeySessions, passkeyAccount } = await open();
    const by = { account, passkeySessions };
    const before = await trellis.lamportsOf(payee);
    await trellis.client.transfers.send({ ...by, ...order });
    expect((await trellis.lamportsOf(payee)) - before).toBe(5_000_000n);

    const spender = addressOfKey(newKey());
    const limit = { currency: "sol", amount: 1_000_000n, period: "day", signers: [spender] } as const;
    const { spendingLimit } = await trellis.client.spendingLimits.create({ ...by, limit });
    await trellis.client.spendingLimits.remove({ ...by, spendingLimit });

    const content = { type: "transfer", ...order } as const;
    const { proposalAddress: proposal } = await trellis.client.proposals.create({ ...by, content, approve: true });
    await trellis.client.proposals.execute({ ...by, proposal, content });
    expect((await trellis.lamportsOf(payee)) - before).toBe(10_000_000n);

    const own = newKey();
    const signers = [
      { address: passkeyAccount, permissions },
      { address: addressOfKey(own), permissions },
    ];
    await trellis.client.accounts.update({ ...by, changes: { signers, threshold: 2 } });
    await trellis.client.transfers.send({ ...by, keys: [own], ...order });
    expect((await trellis.lamportsOf(payee)) - before).toBe(15_000_000n);
  });

  it("signs nothing but what was ordered", async () => {
    const { account, passkeySessions } = await open();
    const before = await trellis.lamportsOf(payee);
    const liar = lying("/payment-intent", (body) => ({ ...body, amount: "6000000" }));
    await expect(liar.transfers.send({ account, passkeySessions, ...order })).rejects.toMatchObject(mismatch("amount"));
    expect(await trellis.lamportsOf(payee)).toBe(before);
  });

  it("is none any more once another one was opened, or the passkey has ended it", async () => {
    const { account, passkey, passkeySessions } = await open();
    const next = await openByClient(trellis.client, passkey, newKey(), { kind: "auth" });
    const pay = (sessions: typeof passkeySessions) =>
      trellis.client.transfers.send({ account, passkeySessions: sessions, ...order });
    await expect(pay(passkeySessions)).rejects.toMatchObject(mismatch("signers"));
    expect(await pay([next])).toHaveProperty("signature");
    await openByClient(trellis.client, passkey, next.key, { kind: "auth", seconds: 0 });
    await expect(pay([next])).rejects.toMatchObject({ code: "passkey_session_required" });
  });
});

it("is asked for by name in every call that prepares, once a session has ended", async () => {
  const { account, passkey, passkeySessions, passkeyAccount } = await open();
  const by = { account, passkeySessions };
  const content = { type: "transfer", ...order } as const;
  const { proposalAddress } = await trellis.client.proposals.create({ ...by, content });
  const limit = { currency: "sol", amount: 1_000_000n, period: "day", signers: [addressOfKey(newKey())] } as const;
  const { spendingLimit } = await trellis.client.spendingLimits.create({ ...by, limit });
  const daily = { currency: "sol", payee, amount: 5_000_000n, frequency: "daily" } as const;
  const going = await trellis.client.standingOrders.create({ ...by, order: daily });
  const limitless = await trellis.client.standingOrders.create({ ...by, order: daily });
  await trellis.client.spendingLimits.remove({ ...by, spendingLimit: limitless.spendingLimit });
  await beginBuffer(account, passkeySessions[0]);
  const buffers = { signer: addressOfKey(passkeySessions[0].key) };
  const closing = await trellis.post(`/accounts/${account}/transaction-buffers/close`, buffers);
  expect(closing.body).toMatchObject({ data: { transaction_signers: [buffers.signer] } });
  const another = (await openByClient(trellis.client, createSoftPasskey(), newKey())).passkeyAccount;
  const built = await trellis.compose(account as Address, [
    getTransferSolInstruction({
      source: createNoopSigner(account as Address),
      destination: payee as Address,
      amount: 1_000n,
    }),
  ]);
  await openByClient(trellis.client, passkey, newKey(), { kind: "auth", seconds: 0 });

  const proposal = `/proposals/${proposalAddress}`;
  const spending = { amount: 1_000, mint: "sol", period: "daily", spending_limit_signers: [addressOfKey(newKey())] };
  const ends = { source: { account, currency: "sol" }, destination: { address: payee, currency: "sol" } };
  const payment = { amount: "1000000", ...ends };
  const change = { type: "settings", signer: passkeyAccount, actions: [{ type: "SetTimeLock", newTimeLock: 5 }] };
  const calls: readonly [string, string, object][] = [
    ["POST", "/payment-intent", payment],
    ["POST", "/transactions", { transaction: built }],
    ["PATCH", "", { time_lock: 5 }],
    ["POST", "/proposals", change],
    ["POST", `${proposal}/vote`, { action: "approve", signers: [passkeyAccount] }],
    ["POST", `${proposal}/vote-and-execute`, { signers: [passkeyAccount] }],
    ["POST", "/transaction-buffers/close", { signer: passkeyAccount }],
    ["POST", "/standing-order-intent", { ...payment, frequency: "daily" }],
    ["POST", `/standing-order/${limitless.id}/resume`, {}],
    ["DELETE", `/standing-order/${going.id}`, {}],
    ["POST", "/spending-limit", spending],
    ["PATCH", `/spending-limit/${spendingLimit}`, { amount: 2_000 }],
    ["DELETE", `/spending-limit/${spendingLimit}`, {}],
    ["POST", "/passkeys/transaction", { passkey: { address: another } }],
  ];
  const at = `/api/service/v1/accounts/${account}`;
  const legacy = `/api/v0/service/smart-accounts/${account}/payment-intents`;
  for (const [method, path, body] of [
    ...calls.map(([method, path, body]) => [method, `${at}${path}`, body] as const),
    ["POST", legacy, payment] as const,
  ]) {
    const { status, body: answer } = await trellis.request(method, path, body, {
      "x-idempotency-key": crypto.randomUUID(),
    });
    expect([method, path, status, answer]).toMatchObject([method, path, 403, { code: "passkey_session_required" }]);
  }
});

it("is asked for where an ended session's passkey is to be removed, or executes what was voted for", async () => {
  const { account, passkey, passkeySessions, passkeyAccount } = await open();
  const own = addressOfKey(newKey());
  const signers = [passkeyAccount, own].map((address) => ({ address, permissions }));
  await trellis.client.accounts.update({ account, passkeySessions, changes: { signers } });
  const content = { type: "transfer", ...order } as const;
  const by = { account, passkeySessions, content, approve: true };
  const { proposalAddress } = await trellis.client.proposals.create(by);
  await openByClient(trellis.client, passkey, newKey(), { kind: "auth", seconds: 0 });
  const at = `/api/service/v1/accounts/${account}`;
  const named = { transaction_signers: [passkeyAccount] };
  for (const [method, path, body] of [
    ["DELETE", `${at}/passkeys/${passkeyAccount}/transaction`, named],
    ["POST", `${at}/proposals/${proposalAddress}/execute`, { signer: passkeyAccount }],
  ] as const) {
    const { status, body: answer } = await trellis.request(method, path, body);
    expect([method, path, status, answer]).toMatchObject([method, path, 403, { code: "passkey_session_required" }]);
  }
});

describe("a passkey signer", () => {
  it("is added to an account, read there, and removed", async () => {
    const { passkeyAccount, key } = await openByClient(trellis.client, createSoftPasskey(), newKey());
    const own = newKey();
    const signers = [addressOfKey(own)];
    const { address: account } = await trellis.client.accounts.create({ type: "signers", signers, threshold: 1 });
    await trellis.client.passkeySigners.add({ account, keys: [own], passkeyAccount, permissions: ["CAN_VOTE"] });
    expect(await trellis.client.passkeySigners.of(account)).toMatchObject({
      account_address: account,
      passkey: { address: passkeyAccount, permissions: ["CAN_VOTE"] },
    });
    expect(await trellis.client.passkeySigners.get(passkeyAccount)).toMatchObject({
      address: passkeyAccount,
      session_key: { key: addressOfKey(key) },
    });
    await trellis.client.passkeySigners.remove({ account, keys: [own], passkeyAccount });
    expect(await trellis.client.passkeySigners.of(account)).toEqual({ account_address: account, passkey: null });
  });

  it("is not added with other permissions, and no other one in its place", async () => {
    const { passkeyAccount } = await openByClient(trellis.client, createSoftPasskey(), newKey());
    const own = newKey();
    const signers = [addressOfKey(own)];
    const { address: account } = await trellis.client.accounts.create({ type: "signers", signers, threshold: 1 });
    const other = await openByClient(trellis.client, createSoftPasskey(), newKey());
    const wanted = { account, keys: [own], passkeyAccount, permissions: ["CAN_VOTE"] } as const;
    for (const passkey of [{ address: passkeyAccount }, { address: other.passkeyAccount, permissions: ["CAN_VOTE"] }]) {
      const liar = lying("/passkeys/transaction", (body) => ({ ...body, passkey }));
      await expect(liar.passkeySigners.add(wanted)).rejects.toMatchObject(mismatch("settings_change"));
    }
  });

  it("gets an account of its own from what it signed", async () => {
    const [passkey, key] = [createSoftPasskey(), newKey()];
    const { passkeyAccount } = await openByClient(trellis.client, passkey, key);
    const { address: account } = await trellis.client.accounts.create({
      type: "signers",
      signers: [passkeyAccount],
      threshold: 1,
    });
    expect(await trellis.client.passkeySigners.of(account)).toMatchObject({ passkey: { address: passkeyAccount } });
  });

  it("gets it in one call from the answer itself, and pays from it", async () => {
    const key = newKey();
    const { ceremonyType: _, ...answer } = await answerToClient(trellis.client, createSoftPasskey(), key);
    const request = { ...answer, memo: "of a passkey" };
    const made = await trellis.client.passkeySigners.createAccount(request);
    expect(made).toMatchObject({ type: "passkey", status: "active", memo: "of a passkey" });
    const [signer] = made.policies.signers;
    expect(signer).toMatchObject({ provider: "passkey", role: "primary" });
    const passkeyAccount = String(signer?.address);
    expect(made.authentication).toMatchObject([
      { provider: "passkey", session: { Passkey: { passkey_account: passkeyAccount } } },
    ]);
    const account = made.address;
    await trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
    const before = await trellis.lamportsOf(payee);
    await trellis.client.transfers.send({ account, passkeySessions: [{ passkeyAccount, key }], ...order });
    expect((await trellis.lamportsOf(payee)) - before).toBe(5_000_000n);
    expect((await trellis.client.passkeySigners.createAccount(request)).address).toBe(account);
  });
});

describe("what came of a beginning", () => {
  const wanted = { seconds: 900, appName: "App", pageOrigin: publicUrl };
  const begin = async (key: Uint8Array) => {
    await trellis.client.sandbox.advanceClock(1);
    return trellis.client.passkeySigners.create({ ...wanted, sessionKey: addressOfKey(key) });
  };
  /** As the page does it, without a key of the service's. */
  const complete = async ({ ceremony }: Awaited<ReturnType<typeof begin>>, passkey: SoftPasskey) => {
    const { relying_party_id: rpId, origin } = ceremony;
    const challenge = Buffer.from(ceremony.challenge, "base64url");
    const response = await fetch(`${trellis.url}/api/service/v1/passkeys/ceremony`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ authenticatorResponse: answerOf(passkey, { challenge }, { rpId, origin }) }),
    });
    expect(response.status).toBe(200);
  };

  it("is nothing until the page is done, and then the signer whose passkey has signed", async () => {
    const [passkey, key] = [createSoftPasskey(), newKey()];
    const begun = await begin(key);
    const outcome = () => trellis.client.passkeySigners.outcome(begun);
    expect(await outcome()).toBeUndefined();
    await complete(begun, passkey);
    expect(await outcome()).toEqual({
      passkeyAccount: addressOfPasskey(passkey),
      sessionKey: addressOfKey(key),
      expiration: expect.any(Number),
    });
    const kept = JSON.parse(JSON.stringify(begun)) as typeof begun;
    expect(await trellis.client.passkeySigners.outcome(kept)).toEqual(await outcome());
  });

  it("is not believed of another beginning", async () => {
    const [mine, other] = [await begin(newKey()), await begin(newKey())];
    await complete(other, createSoftPasskey());
    const liar = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: (url, init) => fetch(String(url).replace(mine.ceremony.challenge, other.ceremony.challenge), init),
    });
    await expect(liar.passkeySigners.outcome(mine)).rejects.toMatchObject(mismatch("payload"));
    const swapped = { ...other, sessionKey: mine.sessionKey };
    await expect(trellis.client.passkeySigners.outcome(swapped)).rejects.toMatchObject(mismatch("payload"));
  });

  it("is an error where no session was opened", async () => {
    const begun = await begin(newKey());
    await trellis.client.sandbox.advanceClock(120);
    await expect(trellis.client.passkeySigners.outcome(begun)).rejects.toMatchObject({
      name: "PasskeyPageError",
      code: "expired",
    });
  });
});

it("pays by the guide's example, as it is printed", async () => {
  const guide = readFileSync(new URL("../../docs/passkey-signers.md", import.meta.url), "utf8");
  const [, code = ""] = /```ts\n(import [\s\S]*?)```/.exec(guide) ?? [];
  expect(code).toContain("passkeySigners.outcome");
  const passkey = createSoftPasskey();
  playPasskeyPage({ url: trellis.url, origin: publicUrl, passkey });
  const library = createTrellisClient({
    baseUrl: publicUrl,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: async (url, init) => {
      const response = await fetch(String(url).replace(publicUrl, trellis.url), init);
      // Money arrives as soon as there is an account.
      if (init?.method === "POST" && String(url).endsWith("/accounts")) {
        const { data } = (await response.clone().json()) as { readonly data: { readonly address: string } };
        await trellis.client.sandbox.airdrop({ address: data.address, currency: "sol", amount: "1000000000" });
      }
      return response;
    },
  });
  const names = { addressOfKey, askPasskeyPage, openGuardianWindow, trellis: library, destination: payee };
  const before = await trellis.lamportsOf(payee);
  await trellis.client.sandbox.advanceClock(1);
  try {
    const [, body = ""] = code.split(/^import .*$/m);
    const run = new AsyncFunction(...Object.keys(names), body);
    await run(...Object.values(names));
  } finally {
    vi.unstubAllGlobals();
  }
  expect((await trellis.lamportsOf(payee)) - before).toBe(100_000_000n);
});

it("asks no passkey for a session of another key or another length", async () => {
  const wanted = { sessionKey: addressOfKey(newKey()), seconds: 900, appName: "App", pageOrigin: publicUrl };
  const other = addressOfKey(newKey());
  for (const sessionKey of [
    { key: other, expiration: 900 },
    { key: wanted.sessionKey, expiration: 7_000_000 },
  ]) {
    for (const name of ["create", "authorize"] as const) {
      const liar = lying("/passkeys", (body) => ({ ...body, sessionKey }));
      await expect(liar.passkeySigners[name](wanted)).rejects.toMatchObject(mismatch("payload"));
    }
  }
  const away = lying("/passkeys", (body) => ({
    ...body,
    metaInfo: { appName: "App", redirectUrl: "https://evil.example" },
  }));
  await expect(away.passkeySigners.create(wanted)).rejects.toMatchObject(mismatch("payload"));
});

it("sends no browser to another page than the one that was named", async () => {
  const wanted = { sessionKey: addressOfKey(newKey()), seconds: 900, appName: "App" };
  const { url } = await trellis.client.passkeySigners.create({ ...wanted, pageOrigin: publicUrl });
  expect(new URL(url).origin).toBe(publicUrl);
  // The service is called by another origin than that of its page.
  await expect(trellis.client.passkeySigners.create(wanted)).rejects.toMatchObject(mismatch("payload"));
  const { search } = new URL(url);
  for (const page of ["javascript:alert(document.domain)//", "https://evil.example/passkeys/ui"]) {
    const liar = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: async (address, init) =>
        init?.method === "POST" ? Response.json({ url: `${page}${search}` }) : fetch(address, init),
    });
    for (const pageOrigin of [publicUrl, "https://evil.example"]) {
      await expect(liar.passkeySigners.create({ ...wanted, pageOrigin })).rejects.toMatchObject(mismatch("payload"));
    }
  }
});

it("has each way back say what it is the way back of", async () => {
  const redirectUrl = "https://app.example/back?order=7";
  const begin = () =>
    trellis.client.passkeySigners.create({
      sessionKey: addressOfKey(newKey()),
      seconds: 900,
      appName: "App",
      redirectUrl,
      pageOrigin: publicUrl,
    });
  const [one, two] = [await begin(), await begin()];
  expect(one.ceremony.redirect_url).toBe(`${redirectUrl}&passkey_state=${one.state}`);
  expect(one.state).toMatch(/^[0-9a-f]{32}$/);
  expect(two.state).not.toBe(one.state);
});

/** Begins a buffer that the passkey is to fill, as another client may. */
async function beginBuffer(account: string, { passkeyAccount, key }: PasskeySession): Promise<void> {
  const { settings_address } = await trellis.client.accounts.get(account);
  const passkey = passkeyAccount as Address;
  await sendElsewhere(trellis, [key], (rentPayer) => {
    const begin = createTransactionBufferInstruction({
      settings: settings_address as Address,
      creator: passkey,
      rentPayer,
      bufferIndex: 0,
      finalHash: new Uint8Array(32),
      finalSize: 700,
      firstPart: Uint8Array.of(1),
    });
    const execution = buildPasskeyExecution(passkey, "passkey_account", [begin]);
    const signer = {
      signingAddress: "passkey_account",
      passkeyAccount: passkey,
      sessionKey: addressOfKey(key),
    } as const;
    return [executeByPasskeySessionInstruction({ ...signer, execution })];
  });
}

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: readonly string[]
) => (...values: readonly unknown[]) => Promise<void>;

/** An account of a passkey signer alone, with some SOL. */
async function open() {
  const passkey = createSoftPasskey();
  const session = await openByClient(trellis.client, passkey, newKey());
  const { passkeyAccount } = session;
  const { address: account } = await trellis.client.accounts.create({
    type: "signers",
    signers: [passkeyAccount],
    threshold: 1,
  });
  await trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  return { account, passkey, passkeyAccount, passkeySessions: [session] as const };
}

const mismatch = (difference: string) => ({ name: "TransactionMismatchError", difference });

/** A client whose service is asked for something else than the client believes. */
const lying = (path: string, change: (body: Record<string, unknown>) => object) =>
  createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: (url, init) => {
      const isChanged = init?.method === "POST" && new URL(String(url)).pathname.includes(path);
      const body = isChanged ? JSON.stringify(change(JSON.parse(String(init.body)))) : init?.body;
      return fetch(url, { ...init, body: body ?? null });
    },
  });
