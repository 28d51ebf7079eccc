/** Every call of the client library that signs, for one member of a treasury, for as many as decide, and for all of them. */
import {
  type AccountHolder,
  addressOfKey,
  createTrellisClient,
  generateEncryptionKeyPair,
  openSession,
  type SigningSession,
  TransactionMismatchError,
  type TrellisClient,
  type TrellisSession,
} from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { may, newKey } from "../proposals/support.js";
import { usAccount } from "../rails/transfers-support.js";
import { createSoftPasskey } from "../support/authenticator.js";
import { openByClient } from "../support/passkey-signers.js";
import { useTestService } from "../support/scene.js";

let client: TrellisClient;
const [key, spender] = [newKey(), newKey()];
const sessions: TrellisSession[] = [];
let passkeyAccount: string;
const trellis = useTestService({
  TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000",
  TRELLIS_PUBLIC_URL: "http://localhost:3000",
});
beforeAll(async () => {
  const { url: baseUrl, apiKey } = trellis;
  client = createTrellisClient({ baseUrl, apiKey, environment: "sandbox", fetch: sayMore });
  const treasury = await openTreasury();
  for (const { email, provider } of people) sessions.push(await signIn(email, provider, treasury));
  ({ passkeyAccount } = await openByClient(client, createSoftPasskey(), newKey()));
});

/** Whether what is prepared is answered in both forms, the other one with an unchecked transaction. */
let saysMore = false;
let submissions = 0;
const payee = () => addressOfKey(newKey());
const coins = { currency: "sol", amount: 1_000_000n } as const;
const session = (at: number): SigningSession => {
  const opened = sessions[at];
  if (opened === undefined) throw new Error("everybody is signed in");
  return opened;
};
const parties: Record<string, () => AccountHolder> = {
  "the first at a custodian": () => ({ session: session(0) }),
  "the second at it": () => ({ session: session(1) }),
  "the one at the other custodian": () => ({ session: session(2) }),
  "a key": () => ({ keys: [key] }),
  "two sessions": () => ({ sessions: [session(1), session(2)] }),
  "a session and a key": () => ({ session: session(2), keys: [key] }),
  everybody: () => ({ sessions: [session(0), session(1), session(2)], keys: [key] }),
};
const all = () => parties.everybody?.() ?? {};
const content = { type: "transfer", ...coins, destination: payee() } as const;
const limit = { ...coins, period: "day", signers: [addressOfKey(spender)] } as const;
const terms = { ...coins, payee: payee(), frequency: "monthly" } as const;
const voteIsMissing = { code: "proposal_required" };
const plays: Record<SigningCall, Play> = {
  "accounts.update": {
    alone: "proposal",
    play: (about) => client.accounts.update({ ...about, changes: { time_lock: 60 } }),
  },
  "transfers.send": {
    alone: voteIsMissing,
    play: (about) => client.transfers.send({ ...about, ...coins, destination: payee() }),
  },
  "transfers.sendToBank": {
    alone: voteIsMissing,
    play: async (about) => {
      const { account } = about;
      const email = "ada@example.org";
      await client.sandbox.airdrop({ address: account, currency: "usdc", amount: "100000000" });
      const { id } = await client.kyc.start(account, { type: "individual", email, full_name: "Ada Lovelace" });
      await client.sandbox.setKyc(id, { status: "approved" });
      const bank = await client.externalAccounts.add(account, usAccount as never);
      const to = { externalAccountId: bank.id, rail: "ach_push", currency: "usd" } as const;
      return client.transfers.sendToBank({ ...about, currency: "usdc", uiAmount: "5.25", to });
    },
  },
  "spendingLimits.create": {
    alone: voteIsMissing,
    play: (about) => client.spendingLimits.create({ ...about, limit }),
  },
  "spendingLimits.update": {
    alone: voteIsMissing,
    play: async (about) => {
      const spendingLimit = await limitOf(about.account);
      return client.spendingLimits.update({ ...about, spendingLimit, changes: { period: "week" } });
    },
  },
  "spendingLimits.remove": {
    alone: voteIsMissing,
    play: async (about) => client.spendingLimits.remove({ ...about, spendingLimit: await limitOf(about.account) }),
  },
  "spendingLimits.pay": {
    alone: "done",
    play: async (about) => {
      const own = [...(about.sessions ?? []), ...(about.session === undefined ? [] : [about.session])];
      const signer = own[0]?.wallets[0]?.address ?? addressOfKey(key);
      const spendingLimit = await limitOf(about.account, { signers: [signer] });
      return client.spendingLimits.pay({ ...about, signer, spendingLimit, ...coins, recipient: payee() });
    },
  },
  "allowances.create": {
    alone: voteIsMissing,
    play: (about) =>
      client.allowances.create({ ...about, allowance: { ...coins, period: "day", agent: addressOfKey(spender) } }),
  },
  "allowances.revoke": {
    alone: voteIsMissing,
    play: async (about) => client.allowances.revoke({ ...about, allowance: await limitOf(about.account) }),
  },
  "allowances.pay": {
    alone: "done",
    play: async (about) => {
      const own = [...(about.sessions ?? []), ...(about.session === undefined ? [] : [about.session])];
      const signer = own[0]?.wallets[0]?.address ?? addressOfKey(key);
      const allowance = await limitOf(about.account, { signers: [signer] });
      return client.allowances.pay({ ...about, signer, allowance, ...coins, recipient: payee() });
    },
  },
  "standingOrders.create": {
    alone: "proposal",
    play: (about) => client.standingOrders.create({ ...about, order: terms }),
  },
  "standingOrders.cancel": {
    alone: "proposal",
    play: async (about) => {
      const { id } = await client.standingOrders.create({ account: about.account, ...all(), order: terms });
      return client.standingOrders.cancel({ ...about, id });
    },
  },
  "standingOrders.resume": {
    alone: "proposal",
    play: async (about) => {
      const { account } = about;
      const { id, spendingLimit } = await client.standingOrders.create({ account, ...all(), order: terms });
      await client.spendingLimits.remove({ account, ...all(), spendingLimit });
      return client.standingOrders.resume({ ...about, id, order: terms });
    },
  },
  "passkeySigners.add": {
    alone: "proposal",
    play: (about) => client.passkeySigners.add({ ...about, passkeyAccount }),
  },
  "passkeySigners.remove": {
    alone: "proposal",
    play: async (about) => {
      await client.passkeySigners.add({ account: about.account, ...all(), passkeyAccount });
      return client.passkeySigners.remove({ ...about, passkeyAccount });
    },
  },
  "proposals.create": {
    alone: "done",
    play: (about) => client.proposals.create({ ...about, content, approve: true }),
  },
  "proposals.vote": {
    alone: "done",
    play: async (about) =>
      client.proposals.vote({ ...about, proposal: await proposalIn(about.account), action: "approve", content }),
  },
  "proposals.execute": {
    alone: "done",
    play: async (about) => {
      const { account } = about;
      const proposal = await proposalIn(account, true);
      await client.proposals.vote({ account, proposal, session: session(0), action: "approve", content });
      return client.proposals.execute({ ...about, proposal, content });
    },
  },
  "proposals.voteAndExecute": {
    alone: { code: "insufficient_permissions" },
    play: async (about) =>
      client.proposals.voteAndExecute({ ...about, proposal: await proposalIn(about.account), content }),
  },
  "proposals.closeBuffers": {
    alone: { code: "no_changes" },
    play: (about) => client.proposals.closeBuffers(about),
  },
};
const unfinished = new Set(["proposals.closeBuffers"]);

describe("a call that signs for a treasury", () => {
  it("is in this table, by its name in the client", () => {
    const names = Object.entries(client).flatMap(([group, calls]) =>
      Object.keys(calls).map((name) => `${group}.${name}`),
    );
    expect(names).toEqual(expect.arrayContaining(Object.keys(plays)));
  });

  it.each(Object.entries(plays))(
    "%s answers every member, alone and together, with no false alarm",
    async (name, { alone, play }) => {
      const answers: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const [party, holderOf] of Object.entries(parties)) {
        const holder = holderOf();
        const answer = await play({ account: await openTreasury(), ...holder }).catch((error: unknown) => error);
        expect(answer).not.toBeInstanceOf(TransactionMismatchError);
        answers[party] = view(answer);
        const isRefused = isAlone(holder) || unfinished.has(name);
        expected[party] = isRefused ? (typeof alone === "object" ? alone.code : alone) : "done";
      }
      expect(answers).toEqual(expected);
    },
  );
});

describe("an answer in both forms, of which a check reads one", () => {
  it.each(Object.entries(plays).filter(([name]) => !unfinished.has(name)))(
    "is never signed: %s",
    async (_name, { play }) => {
      const account = await openTreasury();
      saysMore = true;
      submissions = 0;
      const answer = await play({ account, ...all() })
        .catch((error: unknown) => error)
        .finally(() => {
          saysMore = false;
        });
      expect(answer).toMatchObject({ name: "TransactionMismatchError", difference: "content" });
      expect(submissions).toBe(0);
    },
  );
});

function view(answer: unknown): unknown {
  if (answer instanceof Error) return "code" in answer ? answer.code : answer;
  if (typeof answer !== "object" || answer === null || !("signature" in answer)) return answer;
  return "proposal" in answer && !("signers" in answer) ? "proposal" : "done";
}

describe("a plain e-mail account", () => {
  it("is signed for by its one session, also by one that commands wallets of other accounts", async () => {
    const email = "dora@example.org";
    const { verify } = await client.auth.signIn(email);
    const [mail] = await client.sandbox.outbox(email);
    const { account, session: own } = await verify(mail?.otp_code ?? "");
    await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
    const send = (by: SigningSession) =>
      client.transfers.send({ account, session: by, ...coins, destination: payee() });
    expect((await send(own)).signature).toBeTypeOf("string");
    const wallets = [...session(0).wallets, ...own.wallets];
    expect((await send({ ...own, wallets })).signature).toBeTypeOf("string");
  });

  it("is not paid from by another user's session: the service says that it is no signer", async () => {
    const account = await openTreasury();
    const { verify } = await client.auth.signIn("eve@example.org");
    const [mail] = await client.sandbox.outbox("eve@example.org");
    const { session: foreign } = await verify(mail?.otp_code ?? "");
    const sent = client.transfers.send({ account, session: foreign, ...coins, destination: payee() });
    await expect(sent).rejects.toMatchObject({ code: "insufficient_permissions" });
  });
});

/** The calls whose first argument says who signs, by the client's own types: one that is added is missing in the table below. */
type Takes<Call> = Call extends (first: infer First, ...rest: never[]) => unknown
  ? "keys" extends keyof First
    ? true
    : false
  : false;

/** `accounts.protect` needs a guardian: `test/custodian/protect-client.test.ts`. */
type SigningCall = Exclude<AnySigningCall, "accounts.protect">;

type AnySigningCall = {
  [Group in keyof TrellisClient]: {
    [Name in keyof TrellisClient[Group]]: Takes<TrellisClient[Group][Name]> extends true
      ? `${Group & string}.${Name & string}`
      : never;
  }[keyof TrellisClient[Group]];
}[keyof TrellisClient];

const people = [
  { email: "ada@example.org", provider: "kms_a" },
  { email: "ben@example.org", provider: "kms_a" },
  { email: "cleo@example.org", provider: "kms_b" },
] as const;

type Play = {
  /** What a member alone gets: an error of the service's, a proposal, or what it asked for. */
  readonly alone: "done" | "proposal" | { readonly code: string };
  readonly play: (about: { readonly account: string } & AccountHolder) => Promise<object>;
};

const limitOf = async (account: string, more: object = {}) =>
  (await client.spendingLimits.create({ account, ...all(), limit: { ...limit, ...more } })).spendingLimit;

const proposalIn = async (account: string, approve = false) =>
  (await client.proposals.create({ account, keys: [key], content, approve })).proposalAddress;

const sayMore: typeof fetch = async (input, init) => {
  if (/\/submit\b/.test(String(input))) submissions += 1;
  const answer = await fetch(input, init);
  if (!saysMore || init?.method === "GET") return answer;
  const body = JSON.parse(await answer.text(), (_name, value) => {
    if (Array.isArray(value?.transactions)) return { ...value, transaction: value.transactions[0] };
    if (typeof value?.transaction === "string") return { ...value, transactions: [value.transaction] };
    return value;
  });
  return new Response(JSON.stringify(body), { status: answer.status, headers: answer.headers });
};

const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
/** Two of these decide: two wallets of one custodian, one of the other, and a key of its holder's own. */
async function openTreasury(): Promise<string> {
  const { address } = await client.accounts.createCustom({
    policies: {
      signers: [...people.map((person) => ({ type: "email", ...person, permissions: everything }) as const), may(key)],
      threshold: 2,
    } as never,
  });
  await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
  return address;
}

async function signIn(email: string, provider: "kms_a" | "kms_b", account: string): Promise<TrellisSession> {
  await client.auth.start({ email, provider });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.auth.verify({
    email,
    provider,
    smart_account_address: account,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return openSession(verified.authentication[0], keyPair);
}

const isAlone = (party: AccountHolder) => (party.sessions ?? []).length + (party.keys ?? []).length < 2 && !both(party);

const both = ({ session: one, keys = [] }: AccountHolder) => one !== undefined && keys.length > 0;
