import {
  addressOfKey,
  type CreateStandingOrder,
  createTrellisClient,
  generateEncryptionKeyPair,
  openSession,
  TransactionMismatchError,
  type TrellisClient,
} from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { may, newKey, type Opened } from "../proposals/support.js";
import { usAccount } from "../rails/transfers-support.js";
import { use, useTestService } from "../support/scene.js";
import { dayMs, ordersOf } from "./support.js";

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
const api = ordersOf(trellis);
const [a, b] = [newKey(), newKey()];

describe("the client library's standing orders", () => {
  it("are created, read, cancelled, with and without an end", async () => {
    const account = await open();
    const { standingOrders } = trellis.client;
    for (const terms of [
      { start: inDays(1), end: inDays(100) },
      {},
      { frequency: "daily" as const, start: inDays(2) },
    ]) {
      const made = await standingOrders.create(asked(account, terms));
      expect(made.executor).toBe(trellis.network.executor?.address);
      const order = await standingOrders.get(account.address, made.id);
      expect(order).toMatchObject({ status: "active", spending_limit_address: made.spendingLimit });
      // What is due at once may have been read already.
      if ("start" in terms) expect(await standingOrders.runs(account.address, made.id)).toEqual([]);
      const cancelled = await standingOrders.cancel({ account: account.address, keys: [a], id: made.id });
      expect(cancelled).toMatchObject({
        signature: expect.any(String),
        order: { status: "cancelled", mandate: "revoked" },
      });
    }
    expect((await standingOrders.list(account.address, { limit: 2 })).length).toBe(3);
    const [last] = await standingOrders.list(account.address);
    const again = await standingOrders.cancel({ account: account.address, keys: [a], id: last?.id ?? "" });
    expect(again).not.toHaveProperty("signature");
  });

  it("are put to a vote where the signers at hand cannot decide", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const made = await trellis.client.standingOrders.create(asked(shared, { start: inDays(3), end: inDays(90) }));
    const { proposalAddress = "" } = made.proposal ?? {};
    await trellis.client.proposals.vote({
      account: shared.address,
      keys: [b],
      proposal: proposalAddress,
      action: "approve",
    });
    await trellis.client.proposals.execute({ account: shared.address, keys: [b], proposal: proposalAddress });
    expect((await trellis.client.standingOrders.get(shared.address, made.id)).status).toBe("active");
    const cancelled = await trellis.client.standingOrders.cancel({ account: shared.address, keys: [a], id: made.id });
    expect(cancelled).toMatchObject({ proposal: {}, order: { mandate: "revocation_pending" } });
  });

  it("are given by the admin, and signed by a custodian's wallet", async () => {
    const controlled = await api.open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(b) });
    const made = await trellis.client.standingOrders.create({ ...asked(controlled), keys: [b], admin: true });
    const cancelled = await trellis.client.standingOrders.cancel({
      account: controlled.address,
      keys: [b],
      admin: true,
      id: made.id,
    });
    expect(cancelled.order.mandate).toBe("revoked");

    const email = "tenant@example.org";
    await trellis.client.accounts.create({ type: "email", email });
    const [mail] = await trellis.client.sandbox.outbox(email);
    const keyPair = generateEncryptionKeyPair();
    const verified = await trellis.client.accounts.verify({
      email,
      otp_code: mail?.otp_code ?? "",
      kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
    });
    const session = await openSession(verified.authentication[0], keyPair);
    const { order } = asked({ address: verified.address } as never);
    const rent = await trellis.client.standingOrders.create({ account: verified.address, session, order });
    expect((await trellis.client.standingOrders.get(verified.address, rent.id)).status).toBe("active");
  });

  it("resume with a new limit, checked against what the caller says of the order", async () => {
    const account = await open();
    const { standingOrders } = trellis.client;
    const terms = { start: inDays(1), end: inDays(100) };
    const made = await standingOrders.create(asked(account, terms));
    await trellis.client.spendingLimits.remove({
      account: account.address,
      keys: [a],
      spendingLimit: made.spendingLimit,
    });
    expect((await standingOrders.get(account.address, made.id)).reason).toBe("spending_limit_missing");
    const other = standingOrders.resume({ ...asked(account, { ...terms, payee: stranger }), id: made.id });
    await expect(other).rejects.toBeInstanceOf(TransactionMismatchError);
    const less = standingOrders.resume({ ...asked(account, { ...terms, amount: 1_000_000n }), id: made.id });
    await expect(less).rejects.toBeInstanceOf(TransactionMismatchError);
    const resumed = await standingOrders.resume({ ...asked(account, terms), id: made.id });
    expect(resumed).toMatchObject({ signature: expect.any(String), order: { status: "active", mandate: "active" } });
  });

  it("resume with a new limit that is voted on, checked in the same way", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const { standingOrders, proposals, spendingLimits } = trellis.client;
    const terms = { start: inDays(1), end: inDays(100) };
    const about = (more: object = {}) => asked(shared, { ...terms, ...more });
    const made = await standingOrders.create({ ...about(), keys: [a, b] });
    await spendingLimits.remove({ account: shared.address, keys: [a, b], spendingLimit: made.spendingLimit });
    expect((await standingOrders.get(shared.address, made.id)).reason).toBe("spending_limit_missing");
    for (const lie of [{ payee: stranger }, { amount: 1_000_000n }, { end: inDays(40) }]) {
      const other = standingOrders.resume({ ...about(lie), id: made.id });
      await expect(other, JSON.stringify(Object.keys(lie))).rejects.toBeInstanceOf(TransactionMismatchError);
    }
    const pinned = standingOrders.resume({ ...about(), executor: stranger, id: made.id });
    await expect(pinned).rejects.toBeInstanceOf(TransactionMismatchError);
    const elsewhere = clientOf({ answer: () => ({ proposal_address: stranger }) });
    const diverted = elsewhere.standingOrders.resume({ ...about(), id: made.id });
    await expect(diverted).rejects.toBeInstanceOf(TransactionMismatchError);
    const resumed = await standingOrders.resume({ ...about(), id: made.id });
    expect(resumed).toMatchObject({ signature: expect.any(String), order: { status: "inactive" } });
    const { proposalAddress: proposal = "" } = resumed.proposal ?? {};
    await proposals.vote({ account: shared.address, keys: [b], proposal, action: "approve" });
    await proposals.execute({ account: shared.address, keys: [b], proposal });
    expect(await standingOrders.get(shared.address, made.id)).toMatchObject({ status: "active", mandate: "active" });
  });

  const bounded = () => ({ start: inDays(5), end: inDays(200) });
  const lies: [string, Alteration][] = [
    ["pays somebody else", { request: () => ({ destination: { address: stranger, currency: "sol" } }) }],
    ["pays more", { request: () => ({ amount: "5000001" }) }],
    [
      "pays in another currency",
      {
        request: ({ source, destination }) => ({
          source: { ...(source as object), currency: "usdc" },
          destination: { ...(destination as object), currency: "usdc" },
        }),
      },
    ],
    ["pays more often", { request: () => ({ frequency: "weekly" }) }],
    ["never ends", { request: () => ({ end_date: null }) }],
    ["ends later", { request: () => ({ end_date: inDays(400).toISOString() }) }],
    ["begins earlier", { request: () => ({ start_date: inDays(4).toISOString() }) }],
    [
      "begins earlier and says it does not",
      {
        request: () => ({ start_date: inDays(4).toISOString(), end_date: inDays(3_000).toISOString() }),
        answer: () => ({ start_date: inDays(5).toISOString() }),
      },
    ],
    ["names another executor than it gives the limit", { answer: () => ({ executor_address: stranger }) }],
    ["names another limit", { answer: () => ({ spending_limit_address: stranger }) }],
  ];
  it.each(lies)("are not signed when the service %s", async (_, altering) => {
    const account = await open();
    const lying = clientOf(altering);
    await expect(lying.standingOrders.create(asked(account, bounded()))).rejects.toBeInstanceOf(
      TransactionMismatchError,
    );
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const voted = lying.standingOrders.create(asked(shared, bounded()));
    if (!_.includes("another limit")) await expect(voted).rejects.toBeInstanceOf(TransactionMismatchError);
    else await voted;
  });

  it("are not signed for another executor than the caller knows, nor removed for another order", async () => {
    const account = await open();
    const pinned = trellis.client.standingOrders.create({ ...asked(account), executor: stranger });
    await expect(pinned).rejects.toBeInstanceOf(TransactionMismatchError);
    const [one, two] = [
      await trellis.client.standingOrders.create(asked(account)),
      await trellis.client.standingOrders.create(asked(account)),
    ];
    const confused = { account: account.address, keys: [a], id: one.id, spendingLimit: two.spendingLimit };
    await expect(trellis.client.standingOrders.cancel(confused)).rejects.toBeInstanceOf(TransactionMismatchError);
  });

  it("name their start where they have an end", async () => {
    const account = await open();
    const endless = trellis.client.standingOrders.create(asked(account, { end: inDays(10) }));
    await expect(endless).rejects.toBeInstanceOf(TypeError);
    const { standingOrders } = trellis.client;
    const made = await standingOrders.create(asked(account, { start: inDays(1), end: inDays(100) }));
    const spendingLimit = made.spendingLimit;
    await trellis.client.spendingLimits.remove({ account: account.address, keys: [a], spendingLimit });
    const resumed = standingOrders.resume({ ...asked(account, { end: inDays(100) }), id: made.id });
    await expect(resumed).rejects.toBeInstanceOf(TypeError);
    expect((await standingOrders.get(account.address, made.id)).status).toBe("inactive");
  });
});

describe("the client library's standing orders to a bank account", () => {
  const usdc = { currency: "usdc", amount: 5_000_000n } as const;
  const payeeOf = (externalAccountId: string, more: object = {}) => ({ externalAccountId, rail: "ach_push", ...more });
  let bank: string;
  let another: string;
  const account = use(() => open());
  beforeAll(async () => {
    const { address } = account;
    const { client } = trellis;
    await client.sandbox.airdrop({ address, currency: "usdc", amount: "100000000" });
    const person = { type: "individual", email: "ada@example.org", full_name: "Ada Lovelace" } as const;
    const { id } = await client.kyc.start(address, person);
    await client.sandbox.setKyc(id, { status: "approved" });
    const add = async (number: string) => {
      const details = { ...usAccount, account: { ...usAccount.account, account_number: number } };
      return (await client.externalAccounts.add(address, details as never)).id;
    };
    [bank, another] = [await add("123456789"), await add("987654321")];
  });

  it("are created, listed, paid with what became of it at the bank, and cancelled", async () => {
    const { standingOrders, sandbox } = trellis.client;
    const terms = { ...usdc, payee: payeeOf(bank) };
    const made = await standingOrders.create(asked(account, terms));
    const order = await standingOrders.get(account.address, made.id);
    expect(order).toMatchObject({
      status: "active",
      spending_limit_address: made.spendingLimit,
      destination: { external_account_id: bank, payment_rail: "ach_push", currency: "usd", last_4: "6789" },
    });
    expect((await standingOrders.list(account.address)).map(({ id }) => id)).toEqual([made.id]);
    await sandbox.advanceClock(40 * 86_400);
    const runs = await standingOrders.runs(account.address, made.id);
    expect(runs.length).toBe(2);
    for (const run of runs) {
      expect(run).toMatchObject({
        state: "paid",
        signature: expect.any(String),
        payout: { state: "payment_processed", receipt: { final_amount: "5.00", source_tx_hash: run.signature } },
      });
    }
    // A caller who knows the address from before says so, and accepts no other.
    const { address = "" } = order.destination;
    const later = { ...usdc, start: inDays(2), payee: payeeOf(bank, { address }) };
    const known = await standingOrders.create(asked(account, later));
    for (const id of [made.id, known.id]) {
      const cancelled = await standingOrders.cancel({ account: account.address, keys: [a], id });
      expect(cancelled).toMatchObject({
        signature: expect.any(String),
        order: { status: "cancelled", mandate: "revoked" },
      });
    }
  });

  it("are not signed for another bank account, rail, or an address that is not the one in the answer", async () => {
    const terms = { ...usdc, payee: payeeOf(bank) };
    const toAnother = (body: Record<string, unknown>) => ({
      destination: { ...(body.destination as object), external_account_id: another },
    });
    const reported = (change: object) => (data: Record<string, unknown>) => ({
      destination: { ...(data.destination as object), ...change },
    });
    const lies: readonly Alteration[] = [
      { request: toAnother },
      { request: (body) => ({ destination: { ...(body.destination as object), payment_rail: "wire" } }) },
      { answer: reported({ external_account_id: another }) },
      { answer: reported({ address: stranger }) },
      // Not to a bank at all.
      {
        request: () => ({ destination: { address: stranger, currency: "usdc" } }),
        answer: reported({ address: stranger }),
      },
    ];
    for (const lie of lies) {
      const creating = clientOf(lie).standingOrders.create(asked(account, terms));
      await expect(creating, JSON.stringify(lie)).rejects.toBeInstanceOf(TransactionMismatchError);
    }
    expect(
      (await trellis.client.standingOrders.list(account.address, { limit: 100 })).map(({ status }) => status),
    ).not.toContain("active");
  });

  it("cannot be held against the bank itself: a service that lies about both is detected by a known address", async () => {
    const lie: Alteration = {
      request: (body) => ({ destination: { ...(body.destination as object), external_account_id: another } }),
      answer: (data) => ({ destination: { ...(data.destination as object), external_account_id: bank } }),
    };
    const { standingOrders } = trellis.client;
    const orders = await standingOrders.list(account.address);
    const address = orders.find(({ destination }) => destination.external_account_id === bank)?.destination.address;
    const knowing = clientOf(lie).standingOrders.create(asked(account, { ...usdc, payee: payeeOf(bank, { address }) }));
    await expect(knowing).rejects.toBeInstanceOf(TransactionMismatchError);
    // Nothing on chain says which bank is behind an address: only the partner can see more.
    const made = await clientOf(lie).standingOrders.create(
      asked(account, { ...usdc, start: inDays(2), payee: payeeOf(bank) }),
    );
    expect((await standingOrders.get(account.address, made.id)).destination.external_account_id).toBe(another);
  });
});

const [payee, stranger] = [addressOfKey(newKey()), addressOfKey(newKey())];

const inDays = (days: number) => new Date(api.now() + days * dayMs);

interface Alteration {
  readonly request?: (body: Record<string, unknown>) => object;
  readonly answer?: (data: Record<string, unknown>) => object;
}

const open = () => api.open({ signers: [may(a)], threshold: 1 });

const asked = (account: Opened, more: object = {}): CreateStandingOrder => ({
  account: account.address,
  keys: [a],
  order: { currency: "sol", amount: 5_000_000n, payee, frequency: "monthly", ...more },
});

/** A client whose service does something else than it is asked for. */
function clientOf(altering: Alteration): TrellisClient {
  return createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: async (url, init) => {
      const isPreparation = !String(url).endsWith("/submit") && typeof init?.body === "string";
      const body = isPreparation ? JSON.parse(init?.body as string) : undefined;
      const sent =
        body === undefined ? init : { ...init, body: JSON.stringify({ ...body, ...altering.request?.(body) }) };
      const response = await fetch(url, sent);
      const answer = (await response.json()) as { data?: Record<string, unknown> };
      const data = answer.data && isPreparation ? { ...answer.data, ...altering.answer?.(answer.data) } : answer.data;
      return Response.json(data === undefined ? answer : { ...answer, data }, {
        status: response.status,
        headers: response.headers,
      });
    },
  });
}
