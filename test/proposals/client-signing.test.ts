import { type Address, createNoopSigner, createSolanaRpc, getBase64Encoder } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  addressOfKey,
  assertStoredContentMatches,
  createTrellisClient,
  deriveTransactionAddress,
  generateEncryptionKeyPair,
  openSession,
  type Permission,
  type ProposedContent,
  type SignerKey,
  TransactionMismatchError,
  type TrellisClient,
} from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestService } from "../support/scene.js";
import { buildTransaction } from "../vectors/build-sync-transaction.js";
import { newKey } from "./support.js";

const everything: Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
let client: TrellisClient;
const trellis = useTestService();
beforeAll(async () => {
  client = trellis.client;
});
const payee = addressOfKey(newKey());

describe("several who sign", () => {
  it("do so in one request: two sessions of different custodians, and a key", async () => {
    const own = newKey();
    const [first, second] = ["ann@example.org", "bea@example.org"];
    const account = await openTreasury(
      [
        { type: "email", email: first, permissions: everything },
        { type: "email", email: second, provider: "kms_b", permissions: everything },
        may(own),
      ],
      3,
    );
    const [ann, bea] = [await signIn(first), await signIn(second, "kms_b")];
    const { proposalAddress: proposal } = await client.proposals.create({ account, session: ann, content: payment() });
    const holder = { account, proposal, sessions: [ann, bea], keys: [own] };
    const voted = await client.proposals.vote({ ...holder, action: "approve", content: payment() });
    expect(voted.signers).toHaveLength(3);
    const done = await client.proposals.execute({ account, proposal, session: bea, content: payment() });
    expect(done.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    expect((await client.proposals.get(account, proposal)).status).toBe("Executed");
    expect((await client.accounts.balances(account)).lamports).toBe(900_000_000);
  });

  it("are left out when they have voted so already", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await openTreasury([may(a), may(b)], 2);
    const { proposalAddress: proposal } = await client.proposals.create({
      account,
      keys: [a],
      content: payment(),
      approve: true,
    });
    const voted = await client.proposals.vote({ account, proposal, keys: [a, b], action: "approve" });
    expect(voted.signers).toEqual([addressOfKey(b)]);
    const again = client.proposals.vote({ account, proposal, keys: [a], action: "approve" });
    await expect(again).rejects.toMatchObject({ code: "already_voted", status: 409 });
    await client.proposals.vote({ account, proposal, keys: [a, b], action: "cancel" });
    const { status, cancelled } = await client.proposals.get(account, proposal);
    expect([status, cancelled.length]).toEqual(["Cancelled", 2]);
  });
});

describe("who proposes and executes where several could", () => {
  it("is the first who may", async () => {
    const [voter, proposer, executor] = [newKey(), newKey(), newKey()];
    const account = await openTreasury(
      [may(voter, ["CAN_VOTE"]), may(proposer, ["CAN_INITIATE"]), may(executor, ["CAN_EXECUTE"])],
      1,
    );
    const keys = [voter, proposer, executor];
    const { proposalAddress: proposal } = await client.proposals.create({ account, keys, content: payment() });
    expect((await client.proposals.get(account, proposal)).creator).toBe(addressOfKey(proposer));
    await client.proposals.vote({ account, proposal, keys: [voter], action: "approve" });
    const done = await client.proposals.execute({ account, proposal, keys, content: payment() });
    expect(done.signers).toEqual([addressOfKey(executor)]);
  });
});

describe("what is proposed", () => {
  it("is a change of the settings, action by action", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await openTreasury([may(a), may(b)], 2);
    const content: ProposedContent = {
      type: "settings",
      actions: [
        { type: "AddSigner", newSigner: may(c, ["CAN_VOTE"]) },
        { type: "ChangeThreshold", newThreshold: 1 },
        {
          type: "AddSpendingLimit",
          mint: null,
          amount: "5000000",
          period: "week",
          signers: [addressOfKey(c)],
          destinations: [payee],
        },
      ],
    };
    const { proposalAddress: proposal } = await client.proposals.create({ account, keys: [a], content });
    const codes = (await client.proposals.get(account, proposal)).warnings.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(["lowers_threshold", "grants_spending_limit"]));
    await client.proposals.voteAndExecute({ account, proposal, keys: [a, b], content });
    const { policies } = await client.accounts.get(account);
    expect([policies.signers.length, policies.threshold]).toEqual([3, 1]);
  });

  it("is a transaction of the caller's own", async () => {
    const a = newKey();
    const account = await openTreasury([may(a)], 1);
    const source = createNoopSigner(account as Address);
    const transaction = buildTransaction(account as Address, [
      getTransferSolInstruction({ source, destination: payee, amount: 2_000_000n }),
      getTransferSolInstruction({ source, destination: addressOfKey(a), amount: 3_000_000n }),
    ]);
    const content: ProposedContent = { type: "custom", transaction };
    const { proposalAddress: proposal } = await client.proposals.create({ account, keys: [a], content, approve: true });
    await client.proposals.execute({ account, proposal, keys: [a], content });
    expect((await client.accounts.balances(account)).lamports).toBe(995_000_000);
  });

  it("can be read from a node of the caller's own, and proven there", async () => {
    const a = newKey();
    const account = await openTreasury([may(a)], 1);
    const { transactionIndex } = await client.proposals.create({ account, keys: [a], content: payment() });
    const settings = (await client.accounts.get(account)).settings_address as Address;
    const rpc = createSolanaRpc(`${trellis.url}/api/service/v1/sandbox/rpc?api-key=${trellis.apiKey}`);
    const stored = deriveTransactionAddress(settings, BigInt(transactionIndex));
    const { value } = await rpc.getAccountInfo(stored, { encoding: "base64" }).send();
    const data = Uint8Array.from(getBase64Encoder().encode(value?.data[0] ?? ""));
    const content = { type: "transfer", to: payee, mint: null, amount: 100_000_000n } as const;
    const judge = (wanted: object) => () =>
      assertStoredContentMatches(data, {
        account: account as Address,
        transactionIndex,
        content: { ...content, ...wanted },
      });
    expect(judge({})).not.toThrow();
    expect(judge({ amount: 1n })).toThrow(TransactionMismatchError);
    expect(judge({ to: addressOfKey(a) })).toThrow(TransactionMismatchError);
  });
});

describe("nothing is signed", () => {
  it("when something else is prepared to be proposed", async () => {
    const [a, mallory] = [newKey(), newKey()];
    const account = await openTreasury([may(a)], 1);
    const lies: [ProposedContent, (body: Record<string, unknown>) => Record<string, unknown>][] = [
      [payment(), (body) => ({ ...body, amount: "100000001" })],
      [payment(), (body) => ({ ...body, destination: addressOfKey(mallory) })],
      [payment(), (body) => ({ ...body, approve: true })],
      [
        { type: "settings", actions: [{ type: "SetTimeLock", newTimeLock: 60 }] },
        (body) => ({ ...body, actions: [{ type: "SetTimeLock", newTimeLock: 61 }] }),
      ],
      [
        { type: "settings", actions: [{ type: "SetTimeLock", newTimeLock: 60 }] },
        (body) => ({ ...body, actions: [{ type: "AddSigner", newSigner: may(mallory) }] }),
      ],
    ];
    for (const [content, alter] of lies) {
      const { liar, submissions } = clientOfLiar(alter);
      const creation = liar.proposals.create({ account, keys: [a], content });
      await expect(creation).rejects.toThrow(TransactionMismatchError);
      expect(submissions()).toBe(0);
    }
    expect((await client.proposals.page(account)).proposals).toEqual([]);
  });

  it("when another vote is prepared, or the service says that something else is voted on", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await openTreasury([may(a), may(b)], 2);
    const { proposalAddress: proposal } = await client.proposals.create({ account, keys: [a], content: payment() });
    const { liar, submissions } = clientOfLiar((body) => ({ ...body, action: "reject" }));
    const turned = liar.proposals.vote({ account, proposal, keys: [a], action: "approve" });
    await expect(turned).rejects.toMatchObject({ difference: "vote" });
    const other = liar.proposals.vote({ account, proposal, keys: [a], action: "reject", content: payment(1n) });
    await expect(other).rejects.toMatchObject({ difference: "content" });
    expect(submissions()).toBe(0);
    expect((await client.proposals.get(account, proposal)).approved).toEqual([]);
  });

  it("when another execution is prepared than the caller thinks", async () => {
    const a = newKey();
    const account = await openTreasury([may(a)], 1);
    const { proposalAddress: proposal } = await client.proposals.create({
      account,
      keys: [a],
      content: payment(),
      approve: true,
    });
    const wrong = client.proposals.execute({
      account,
      proposal,
      keys: [a],
      content: payment(100_000_000n, addressOfKey(a)),
    });
    await expect(wrong).rejects.toMatchObject({ difference: "content" });
    expect((await client.proposals.get(account, proposal)).status).toBe("Approved");
  });
});

describe("a change of policy that its signers cannot make alone", () => {
  it("becomes a proposal, which holds exactly that change", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await openTreasury([may(a), may(b)], 2, 60);
    const changed = await client.accounts.update({ account, keys: [a], changes: { time_lock: 0, threshold: 1 } });
    const proposal = changed.proposal?.proposalAddress ?? "";
    const { approved, kind, votesNeeded } = await client.proposals.get(account, proposal);
    expect([kind, approved, votesNeeded]).toEqual(["settings", [addressOfKey(a)], 1]);
    await client.proposals.vote({ account, proposal, keys: [b], action: "approve" });
    const early = client.proposals.execute({ account, proposal, keys: [b] });
    await expect(early).rejects.toMatchObject({ code: "time_lock_not_released" });
    await client.sandbox.advanceClock(60);
    await client.proposals.execute({ account, proposal, keys: [b] });
    expect((await client.accounts.get(account)).policies).toMatchObject({ time_lock: 0, threshold: 1 });
  });

  it("is refused when another change is put to the vote", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await openTreasury([may(a), may(b)], 2, 60);
    let submitted = 0;
    const liar = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: (input, init) => {
        if (String(input).endsWith("/submit")) submitted += 1;
        if (init?.method !== "PATCH") return fetch(input, init);
        return fetch(input, { ...init, body: JSON.stringify({ ...JSON.parse(String(init.body)), threshold: 1 }) });
      },
    });
    const update = liar.accounts.update({ account, keys: [a], changes: { time_lock: 0 } });
    await expect(update).rejects.toMatchObject({ difference: "settings_change" });
    expect(submitted).toBe(0);
  });
});

describe("the list", () => {
  it("arrives page by page, each proposal once, by status and newest first", async () => {
    const a = newKey();
    const account = await openTreasury([may(a)], 1);
    for (let i = 0; i < 5; i += 1) {
      await client.proposals.create({ account, keys: [a], content: payment(BigInt(i + 1)), approve: i % 2 === 0 });
    }
    const indexes = async (query: Parameters<TrellisClient["proposals"]["list"]>[1]) => {
      const seen: number[] = [];
      for await (const { transactionIndex } of client.proposals.list(account, query)) seen.push(transactionIndex);
      return seen;
    };
    expect(await indexes({ limit: 2 })).toEqual([5, 4, 3, 2, 1]);
    expect(await indexes({ limit: 1, status: "Approved" })).toEqual([5, 3, 1]);
    expect(await indexes({ limit: 2, status: ["Approved", "Active"] })).toEqual([5, 4, 3, 2, 1]);
    expect(await client.proposals.page(account, { limit: 0 })).toEqual({ proposals: [] });
    const [raw] = (await client.proposals.page(account, { limit: 1, showOnChainStatus: true })).proposals;
    expect(raw?.status).toBe("approved");
  });
});

const may = (key: SignerKey, permissions = everything) => ({ address: addressOfKey(key) as string, permissions });

const payment = (amount = 100_000_000n, destination: string = payee): ProposedContent => ({
  type: "transfer",
  currency: "sol",
  destination,
  amount,
});

async function signIn(email: string, provider: "kms_a" | "kms_b" = "kms_a") {
  await client.auth.start({ email, provider });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.auth.verify({
    email,
    provider,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return openSession(verified.authentication[0], keyPair);
}

async function openTreasury(signers: object[], threshold: number, timeLock = 0): Promise<string> {
  const { address } = await client.accounts.createCustom({
    policies: { signers: signers as never, threshold, time_lock: timeLock },
  });
  await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
  return address;
}

/** A client whose service has been asked for something else on the way; counts what it is given to submit. */
function clientOfLiar(alter: (body: Record<string, unknown>) => Record<string, unknown>) {
  let submitted = 0;
  const liar = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: (input, init) => {
      if (String(input).endsWith("/submit")) submitted += 1;
      const isAltered = init?.method === "POST" && /\/proposals/.test(String(input));
      const body = isAltered ? JSON.stringify(alter(JSON.parse(String(init?.body)))) : init?.body;
      return fetch(input, { ...init, ...(body === undefined ? {} : { body }) });
    },
  });
  return { liar, submissions: () => submitted };
}
