import type { Address } from "@solana/kit";
import { derivePasskeyExecutionAddress } from "@trellis/program-client";
import { addressOfKey, createTrellisClient, type SignerKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { everything, may, newKey, type Opened, refusalOf } from "../proposals/support.js";
import { createSoftPasskey } from "../support/authenticator.js";
import { asOtherTenant, knownMasterKey } from "../support/other-tenant.js";
import { openByClient } from "../support/passkey-signers.js";
import { useTestService } from "../support/scene.js";
import { startTestService } from "../support/test-service.js";
import { bareOf, limitsOf, type PreparedLimit } from "./support.js";

/** Passkeys that sign on chain, as users of spending limits. */
const publicUrl = { TRELLIS_PUBLIC_URL: "http://localhost:3000" };
const trellis = useTestService({ ...publicUrl, ...knownMasterKey, TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "100" });
const api = limitsOf(trellis);
const owner = newKey();
const sol = 1_000_000_000n;

describe("a passkey that a spending limit names, and that is no member", () => {
  it("pays by its session key alone, named by itself or by that key", async () => {
    const { account, limit, passkeyAccount, key } = await open();
    expect((await api.limit(account, limit)).signers).toEqual([passkeyAccount]);
    for (const named of [passkeyAccount, addressOfKey(key)]) {
      const to = payee();
      const prepared = bareOf<PreparedLimit>(await api.pay(account, limit, paying(1_000_000n, to, named)));
      expect(prepared).toMatchObject({ transaction_signers: [addressOfKey(key)], kms_payloads: [] });
      expect(prepared.summary).toEqual([
        {
          type: "use_spending_limit",
          spending_limit: limit,
          signer: passkeyAccount,
          from: account.address,
          to,
          mint: null,
          amount: "1000000",
        },
      ]);
      expect(refusalOf(await submitUnsigned(account, prepared))).toEqual([400, "missing_signature"]);
      await api.submitNow(account, prepared, [key]);
      expect(await trellis.lamportsOf(to)).toBe(1_000_000n);
    }
    expect(await api.limit(account, limit)).toMatchObject({ remaining_amount: "3000000" });
    const kinds: string[] = [];
    for await (const { kind } of trellis.client.history.transactions(account.address)) kinds.push(kind);
    // Within one slot the order is not that of execution.
    expect(kinds.filter((kind) => kind === "spending_limit_payment")).toHaveLength(2);
  });

  it("is held to the limit, at preparing and at submitting", async () => {
    const { account, limit, passkeyAccount, key } = await open();
    expect(refusalOf(await api.pay(account, limit, paying(5_000_001n, payee(), passkeyAccount)))).toEqual([
      400,
      "spending_limit_exceeded",
    ]);
    const both = [];
    for (let i = 0; i < 2; i += 1) {
      both.push(bareOf<PreparedLimit>(await api.pay(account, limit, paying(3_000_000n, payee(), passkeyAccount))));
    }
    await api.submitNow(account, { transaction: both[0]?.transaction ?? "" }, [key]);
    expect(refusalOf(await api.submit(account, both[1]?.transaction ?? "", [key]))).toEqual([
      400,
      "spending_limit_exceeded",
    ]);
  });

  it("pays tokens, and opens the payee's token account", async () => {
    const { account, limit, passkeyAccount, key } = await open({ mint: "usdc" });
    await trellis.client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "9000000" });
    const prepared = bareOf<PreparedLimit>(await api.pay(account, limit, paying(1_000_000n, payee(), passkeyAccount)));
    expect(prepared.summary.map(({ type }) => type)).toEqual(["create_token_account", "use_spending_limit"]);
    await api.submitNow(account, prepared, [key]);
  });

  it("has no rights but that: it is no signer of the account", async () => {
    const { account, passkeyAccount, key } = await open();
    const { create } = api;
    for (const signer of [passkeyAccount, addressOfKey(key)]) {
      const proposed = await create(account, { type: "settings", signer, actions: [timeLock] });
      expect(refusalOf(proposed)).toEqual([403, "insufficient_permissions"]);
      const named = await api.createLimit(account, { ...terms([passkeyAccount]), transaction_signers: [signer] });
      expect(refusalOf(named)).toEqual([403, "insufficient_permissions"]);
    }
  });

  it("pays nothing by another key, after its session has ended, or by one that was replaced meanwhile", async () => {
    const { account, limit, passkey, passkeyAccount, key } = await open();
    const pay = (named: string) => api.pay(account, limit, paying(1_000_000n, payee(), named));
    expect(refusalOf(await pay(addressOfKey(newKey())))).toEqual([403, "insufficient_permissions"]);
    const prepared = bareOf<PreparedLimit>(await pay(passkeyAccount));
    const next = await openByClient(trellis.client, passkey, newKey(), { kind: "auth" });
    expect(refusalOf(await api.submit(account, prepared.transaction, [key]))).toEqual([400, "transaction_failed"]);
    expect(refusalOf(await pay(addressOfKey(key)))).toEqual([403, "insufficient_permissions"]);
    await api.submitNow(account, bareOf<PreparedLimit>(await pay(passkeyAccount)), [next.key]);
    await openByClient(trellis.client, passkey, next.key, { kind: "auth", seconds: 0 });
    for (const named of [passkeyAccount, addressOfKey(next.key)]) {
      expect(refusalOf(await pay(named))).toEqual([403, "passkey_session_required"]);
    }
  });

  it("pays by a key that is named, where another passkey's session of that key has ended", async () => {
    const key = newKey();
    const passkeys = [createSoftPasskey(), createSoftPasskey()];
    const opened: { readonly passkeyAccount: string }[] = [];
    for (const passkey of passkeys) {
      opened.push(await openByClient(trellis.client, passkey, newKey()));
      await openByClient(trellis.client, passkey, key as Uint8Array, { kind: "auth" });
    }
    const { account } = await open();
    const limit = await api.grant(account, terms(opened.map(({ passkeyAccount }) => passkeyAccount)), [owner]);
    const [first, second] = (await api.limit(account, limit)).signers;
    const ended = passkeys[opened.findIndex(({ passkeyAccount }) => passkeyAccount === first)];
    if (ended === undefined) throw new Error("the limit names other signers");
    await openByClient(trellis.client, ended, key as Uint8Array, { kind: "auth", seconds: 0 });
    const prepared = bareOf<PreparedLimit>(
      await api.pay(account, limit, paying(1_000_000n, payee(), addressOfKey(key))),
    );
    expect(prepared.summary).toMatchObject([{ signer: second }]);
    await api.submitNow(account, prepared, [key]);
  });

  it("pays by a session key that a member has, too: it counts once", async () => {
    const { account, limit, passkeyAccount } = await open({}, owner);
    await api.submitNow(
      account,
      bareOf<PreparedLimit>(await api.pay(account, limit, paying(1_000_000n, payee(), passkeyAccount))),
      [owner],
    );
  });

  it("stays when the limit is exchanged, and goes with the limit", async () => {
    const { account, limit, passkeyAccount, key } = await open();
    const update = bareOf<PreparedLimit>(await api.update(account, limit, { amount: "2000000" }));
    await api.submitNow(account, update, [owner]);
    const next = update.spending_limit_address;
    expect((await api.limit(account, next)).signers).toEqual([passkeyAccount]);
    const prepared = bareOf<PreparedLimit>(await api.pay(account, next, paying(1_000_000n, payee(), passkeyAccount)));
    await api.submitNow(account, bareOf<PreparedLimit>(await api.remove(account, next)), [owner]);
    expect(refusalOf(await api.submit(account, prepared.transaction, [key]))).toEqual([
      404,
      "spending_limit_not_found",
    ]);
    const other = await openByClient(trellis.client, createSoftPasskey(), newKey());
    const again = await api.grant(account, terms([addressOfKey(owner)]), [owner]);
    const named = bareOf<PreparedLimit>(
      await api.update(account, again, { spending_limit_signers: [passkeyAccount, other.passkeyAccount] }),
    );
    await api.submitNow(account, named, [owner]);
    expect([...(await api.limit(account, named.spending_limit_address)).signers].sort()).toEqual(
      [passkeyAccount, other.passkeyAccount].sort(),
    );
  });

  it("is named in a proposal, as in a request", async () => {
    const { passkeyAccount } = await openByClient(trellis.client, createSoftPasskey(), newKey());
    const account = await api.open({ signers: [may(owner)], threshold: 1 }, sol);
    const actions = [{ type: "AddSpendingLimit", amount: "1000", period: "day", signers: [passkeyAccount] }];
    const { proposalAddress } = await api.propose(account, owner, { type: "settings", approve: true, actions });
    await api.run(account, proposalAddress, owner);
    const { body } = await api.limits(account);
    expect(body).toMatchObject([{ signers: [passkeyAccount] }]);
  });
});

describe("other derived addresses", () => {
  it("are refused as users of a limit, whether they are there or not", async () => {
    const { account, limit, passkeyAccount } = await open();
    const other = await api.open({ signers: [may(owner)], threshold: 1 });
    const absent = derivePasskeyExecutionAddress(passkeyAccount as Address);
    for (const address of [other.address, other.settings, absent, limit]) {
      expect(refusalOf(await api.createLimit(account, terms([address])))).toEqual([400, "invalid_address"]);
      expect(refusalOf(await api.update(account, limit, { spending_limit_signers: [address] }))).toEqual([
        400,
        "invalid_address",
      ]);
    }
    expect(refusalOf(await api.createLimit(account, terms([account.address])))).toEqual([400, "forbidden_account"]);
  });
});

it("who names another tenant's passkey in a limit lets it pay, and opens no session of it", async () => {
  const headers = await asOtherTenant(trellis);
  const theirs = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: headers.authorization?.slice("Bearer ".length) ?? "",
    environment: "sandbox",
  });
  const passkey = createSoftPasskey();
  const session = await openByClient(theirs, passkey, newKey());
  const { account, limit } = await open({}, newKey(), session.passkeyAccount);
  const prepared = bareOf<PreparedLimit>(
    await api.pay(account, limit, paying(1_000_000n, payee(), session.passkeyAccount)),
  );
  await api.submitNow(account, prepared, [session.key as SignerKey]);
  await expect(openByClient(trellis.client, passkey, newKey(), { kind: "auth" })).rejects.toMatchObject({
    code: "passkey_account_not_found",
  });
  expect(await openByClient(theirs, passkey, newKey(), { kind: "auth" })).toMatchObject({
    passkeyAccount: session.passkeyAccount,
  });
});

it("a limit lets no key of the service pay in a passkey's place, whatever the chain says of its session", async () => {
  const { account, limit, passkeyAccount } = await open();
  const { network } = trellis;
  const { serviceAddresses } = network;
  const { session } = await trellis.client.passkeySigners
    .get(passkeyAccount)
    .then(({ session_key }) => ({ session: session_key?.key as Address }));
  // As if that key were one of the service's: it signs all that is prepared here.
  Object.assign(network, { serviceAddresses: new Set([...serviceAddresses, session]) });
  try {
    const refused = await api.pay(account, limit, paying(1_000_000n, payee(), passkeyAccount));
    expect(refusalOf(refused)).toEqual([403, "passkey_session_required"]);
  } finally {
    Object.assign(network, { serviceAddresses });
  }
});

describe("the rent of a limit", () => {
  it("is neither asked of a passkey's account, which can pay nothing, nor sent to it", async () => {
    const poor = await startTestService({ ...publicUrl, TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "0" });
    try {
      const own = limitsOf(poor);
      const passkey = await openByClient(poor.client, createSoftPasskey(), newKey());
      // More than the rent of a limit.
      await poor.network.sandbox?.airdrop(passkey.passkeyAccount as Address, sol);
      const both = { address: passkey.passkeyAccount, permissions: everything };
      const account = await own.open({ signers: [both, may(owner)], threshold: 1 });
      const by = (address: string) => ({ transaction_signers: [address] });
      const body = { ...terms([passkey.passkeyAccount]), ...by(passkey.passkeyAccount) };
      const refused = await own.createLimit(account, body);
      expect(refusalOf(refused)).toEqual([400, "rent_not_sponsored"]);
      expect(JSON.stringify(refused.body)).not.toContain(`to ${passkey.passkeyAccount}`);
      await poor.network.sandbox?.airdrop(addressOfKey(owner), sol);
      const limit = await own.grant(account, { ...body, ...by(addressOfKey(owner)) }, [owner]);
      const held = await poor.lamportsOf(passkey.passkeyAccount);
      const removal = bareOf<PreparedLimit>(await own.remove(account, limit, by(passkey.passkeyAccount)));
      await own.submitNow(account, removal, [passkey.key as SignerKey]);
      expect(await poor.lamportsOf(passkey.passkeyAccount)).toBe(held);
      expect(await poor.lamportsOf(limit)).toBe(0n);
    } finally {
      await poor.close();
    }
  });
});

describe("the client library", () => {
  it("gives a passkey an allowance, and pays out of it by its session", async () => {
    const { passkeyAccount, key } = await openByClient(trellis.client, createSoftPasskey(), newKey());
    const account = await api.open({ signers: [may(owner)], threshold: 1 }, sol);
    const { address } = account;
    const { allowance } = await trellis.client.allowances.create({
      account: address,
      keys: [owner],
      allowance: { agent: passkeyAccount, currency: "sol", amount: 5_000_000n, period: "day" },
    });
    expect(await trellis.client.allowances.list({ account: address, agent: passkeyAccount })).toMatchObject([
      { allowance, agents: [passkeyAccount] },
    ]);
    const recipient = payee();
    const order = { account: address, allowance, currency: "sol", recipient, amount: 2_000_000n };
    const passkeySessions = [{ passkeyAccount, key: key as SignerKey }];
    await trellis.client.allowances.pay({ ...order, passkeySessions });
    expect(await trellis.lamportsOf(recipient)).toBe(2_000_000n);
    const liar = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: (url, init) => {
        const isPayment = init?.method === "POST" && String(url).endsWith("/transactions");
        const body = isPayment
          ? JSON.stringify({ ...JSON.parse(String(init.body)), recipient_address: payee() })
          : init?.body;
        return fetch(url, { ...init, body: body ?? null });
      },
    });
    await expect(liar.allowances.pay({ ...order, passkeySessions })).rejects.toMatchObject({
      name: "TransactionMismatchError",
      difference: "destination",
    });
    const stranger = [{ passkeyAccount, key: newKey() }];
    await expect(trellis.client.allowances.pay({ ...order, passkeySessions: stranger })).rejects.toMatchObject({
      name: "TransactionMismatchError",
      difference: "signers",
    });
    expect(await trellis.lamportsOf(recipient)).toBe(2_000_000n);
  });

  it("submits it with the key of an agent", async () => {
    const { account, limit, passkeyAccount, key } = await open();
    const made = await trellis.client.apiKeys.create({ name: "Agent", type: "agent", environments: ["sandbox"] });
    const agent = createTrellisClient({ baseUrl: trellis.url, apiKey: made.key, environment: "sandbox" });
    const recipient = payee();
    await agent.spendingLimits.pay({
      account: account.address,
      spendingLimit: limit,
      currency: "sol",
      recipient,
      amount: 1_000_000n,
      passkeySessions: [{ passkeyAccount, key: key as SignerKey }],
    });
    expect(await trellis.lamportsOf(recipient)).toBe(1_000_000n);
  });
});

const timeLock = { type: "SetTimeLock", newTimeLock: 60 };
const payee = () => addressOfKey(newKey());

const paying = (amount: bigint, to: string, signer: string) => ({
  amount: amount.toString(),
  signer_address: signer,
  recipient_address: to,
});

const terms = (signers: readonly string[]) => ({
  amount: "5000000",
  mint: "sol",
  period: "day",
  spending_limit_signers: signers,
});

const submitUnsigned = (account: Opened, { transaction }: Pick<PreparedLimit, "transaction">) =>
  api.request("POST", account, "/submit", { transaction, kms_payloads: [] });

/** An account of one key, whose limit a passkey with a session may use. */
async function open(more: object = {}, sessionKey: SignerKey = newKey(), named?: string) {
  const passkey = createSoftPasskey();
  const { passkeyAccount } =
    named === undefined
      ? await openByClient(trellis.client, passkey, sessionKey as Uint8Array)
      : { passkeyAccount: named };
  const account = await api.open({ signers: [may(owner)], threshold: 1 }, sol);
  const limit = await api.grant(account, { ...terms([passkeyAccount]), ...more }, [owner]);
  return { account, limit, passkey, passkeyAccount, key: sessionKey };
}
