import type { Address } from "@solana/kit";
import {
  addressOfKey,
  createTrellisClient,
  type Passkey,
  signTransaction,
  TransactionMismatchError,
  type TrellisClientOptions,
} from "@trellis/sdk";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { describe, expect, it } from "vitest";
import { newKey } from "../proposals/support.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { openByClient } from "../support/passkey-signers.js";
import { publicKeyOf } from "../support/test-network.js";
import { startTestService } from "../support/test-service.js";
import { use } from "../support/use.js";

const guardian = use(() => startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" } }));
const trellis = use(() =>
  startTestService({
    TRELLIS_PUBLIC_URL: "http://localhost:3000",
    TRELLIS_GUARDIAN: "kms_c",
    TRELLIS_CUSTODIAN_KMS_C_URL: guardian.url,
    TRELLIS_CUSTODIAN_KMS_C_KEYS: guardian.folders.service,
  }),
);
const drawer = newKey();
const recovery = { address: addressOfKey(drawer) };
const ownNode = async (addresses: readonly Address[]) =>
  (await readAccounts(trellis.network, addresses)).map((found) => (found ? Uint8Array.from(found.data) : null));

describe("accounts.protect", () => {
  it("makes a plain account a guarded one in one call, and the chain shows it", async () => {
    const { account, session, wallet } = await open();
    const credentials = browserWith(createSoftPasskey());
    const { passkey, remainingSpendingLimits } = await client().accounts.protect({
      ...pinned({ account, session }),
      credentials,
    });
    expect([passkey.provider, remainingSpendingLimits]).toEqual(["kms_c", []]);
    expect(await client().accounts.get(account)).toMatchObject({ protection: "guarded" });
    const order = { account, currency: "sol", destination: publicKeyOf("a shop"), amount: 5_000_000n } as const;
    const passkeys = { passkeys: [passkey], credentials };
    await expect(client().transfers.send({ ...order, session })).rejects.toMatchObject({ code: "proposal_required" });
    await client().transfers.send({ ...order, session, passkeys });
    const expected = { guardian: passkey.signer, recovery: recovery.address, service: wallet };
    expect(await client().accounts.compareProtection(account, expected)).toMatchObject({ isGuarded: true });
  });

  it("signs nothing where the service prepares another change, or names a wallet that the guardian has not certified", async () => {
    const thief = publicKeyOf("a thief");
    const replaced = (data: Answer, honest: string, other: string): Answer =>
      JSON.parse(JSON.stringify(data).replaceAll(honest, other)) as Answer;
    const { account: elsewhere, session: strangers } = await open();
    const stranger = await client().accounts.protect(pinned({ account: elsewhere, session: strangers }));
    // The wallet of somebody else's, with whose passkey it is.
    const lying = client((data) => replaced(data, data.guardian.address, stranger.passkey.signer));
    const first = await open();
    await expect(lying.accounts.protect(pinned(first))).rejects.toThrow();
    // The recovery key of the service's: asked for by the service itself, behind the library's back.
    const second = await open();
    const swapping = client(undefined, (body) => ({ ...body, recovery: { address: thief } }));
    await expect(swapping.accounts.protect(pinned(second))).rejects.toBeInstanceOf(TransactionMismatchError);
    // Spending limits that nobody wanted removed, and a change that is held back.
    const third = await open();
    const hiding = client(({ change: _, ...data }) => data as Answer);
    await expect(hiding.accounts.protect(pinned(third))).rejects.toBeInstanceOf(TransactionMismatchError);
    // A passkey of the service's own is there before.
    const fourth = await open();
    const early = client((data) => ({ ...data, guardian: { ...data.guardian, passkeys: 1 } }));
    await expect(early.accounts.protect(pinned(fourth))).rejects.toBeInstanceOf(TransactionMismatchError);
    for (const { account } of [first, second, third, fourth]) {
      expect(await client().accounts.get(account)).toMatchObject({ protection: "plain" });
    }
  });

  it("is signed by the session key of a passkey signer, and asks for one where that has ended", async () => {
    const { account, session } = await open();
    // The guardian's wallet gets its passkey, and nothing is signed.
    const hiding = client(({ change: _, ...data }) => data as Answer);
    await expect(hiding.accounts.protect(pinned({ account, session }))).rejects.toThrow();
    const passkey = createSoftPasskey();
    const opened = await openByClient(client(), passkey, newKey());
    const { policies } = await client().accounts.get(account);
    const added = { address: opened.passkeyAccount, permissions: policies.signers[0]?.permissions ?? [] };
    await client().accounts.update({ account, session, changes: { signers: [...policies.signers, added] } });
    const path = `/api/service/v1/accounts/${account}/protection`;
    const protect = () => trellis.request("POST", path, { recovery, transaction_signers: [opened.passkeyAccount] });
    const change = { transaction_signers: [addressOfKey(opened.key)] };
    expect((await protect()).body).toMatchObject({ data: { guardian: { passkeys: 1 }, change } });
    await openByClient(client(), passkey, newKey(), { kind: "auth", seconds: 0 });
    const { status, body } = await protect();
    expect([status, body]).toMatchObject([403, { code: "passkey_session_required" }]);
  });

  it("does not keep what was approved before unless its caller says so, and reports it then", async () => {
    const holder = await open();
    const { account, session, wallet } = holder;
    const { proposalAddress } = await client().proposals.create({
      account,
      session,
      approve: true,
      content: { type: "transfer", amount: "1000000", currency: "sol", destination: publicKeyOf("a shop") },
    });
    const credentials = browserWith(createSoftPasskey());
    await expect(client().accounts.protect({ ...pinned(holder), credentials })).rejects.toMatchObject({
      code: "invalid_request",
      details: [{ field: "keep_remaining", remaining_proposals: [proposalAddress] }],
    });
    expect(await client().accounts.get(account)).toMatchObject({ protection: "plain" });
    const kept = await client().accounts.protect({ ...pinned(holder), credentials, keepRemaining: true });
    expect(kept).toMatchObject({
      remainingProposals: [proposalAddress],
      remainingPolicies: [],
      exportedSigners: [],
    });
    // A guarded account of which the chain says that a policy was made.
    const expected = { guardian: kept.passkey.signer, recovery: recovery.address, service: wallet };
    const found = await client().accounts.compareProtection(account, expected);
    expect(found).toMatchObject({ isGuarded: true, policy: { policiesMade: 0n } });
    expect(found).not.toHaveProperty("remaining");
    const marked = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      readAccounts: async (addresses) => (await ownNode(addresses)).map((data) => data && withPolicyMade(data)),
    });
    expect(await marked.accounts.compareProtection(account, expected)).toMatchObject({
      isGuarded: true,
      remaining: expect.stringContaining("(1)"),
    });
  });

  it("goes on with a passkey that was added before, where the change was broken off", async () => {
    const holder = await open();
    const broken = client(({ change: _, ...data }) => data as Answer);
    const credentials = browserWith(createSoftPasskey());
    const kept: Passkey[] = [];
    const keeping = { ...pinned(holder), credentials, onEnrolled: (made: Passkey) => void kept.push(made) };
    await expect(broken.accounts.protect(keeping)).rejects.toBeInstanceOf(TransactionMismatchError);
    const [passkey] = kept;
    if (passkey === undefined) throw new Error("there is no passkey");
    await client().accounts.protect({ ...pinned(holder), enrolled: passkey });
    expect(await client().accounts.get(holder.account)).toMatchObject({ protection: "guarded" });
  });
});

describe("a guarded account whose holder lost something", () => {
  it("gets another wallet at the guardian by a session and a recovery key that signs elsewhere", async () => {
    const holder = await open();
    const first = await client().accounts.protect(pinned(holder));
    const credentials = browserWith(createSoftPasskey());
    const carried: string[] = [];
    const offline = {
      address: recovery.address,
      sign: async (transaction: string) => {
        carried.push(transaction);
        return signTransaction(transaction, [drawer]);
      },
    };
    const lost = { ...pinned(holder), replaceGuardian: true };
    const forged = { ...offline, sign: async (transaction: string) => transaction };
    await expect(client().accounts.protect({ ...lost, offlineKeys: [forged] })).rejects.toBeInstanceOf(
      TransactionMismatchError,
    );
    // The passkey of the first try is there: its wallet is replaced as well.
    const { passkey } = await client().accounts.protect({ ...lost, credentials, offlineKeys: [offline] });
    expect(carried).toHaveLength(1);
    expect(passkey.signer).not.toBe(first.passkey.signer);
    const { account, session, wallet } = holder;
    const order = { account, currency: "sol", destination: publicKeyOf("a shop"), amount: 5_000_000n } as const;
    await client().transfers.send({ ...order, session, passkeys: { passkeys: [passkey], credentials } });
    const expected = { guardian: passkey.signer, recovery: recovery.address, service: wallet };
    expect(await client().accounts.compareProtection(account, expected)).toMatchObject({ isGuarded: true });
  });
});

describe("a recovery key that is lost", () => {
  it("is replaced by a session and a passkey, which the guardian signs a day later", async () => {
    const holder = await open();
    const credentials = browserWith(createSoftPasskey());
    const { passkey: enrolled } = await client().accounts.protect({ ...pinned(holder), credentials });
    const passkeys = { passkeys: [enrolled], credentials };
    const safe = { address: publicKeyOf("kept in a safe") };
    const change = { ...pinned(holder), recovery: safe, enrolled, passkeys };
    // All that the library checks is right; the guardian begins its delay.
    await expect(client().accounts.protect(change)).rejects.toMatchObject({ code: "guardian_refused" });
    // A session alone only proposes it.
    const alone = await client().accounts.protect({ ...change, passkeys: { passkeys: [] } });
    expect(alone.proposal?.proposalAddress).toEqual(expect.any(String));
    const expected = { guardian: enrolled.signer, recovery: recovery.address };
    expect(await client().accounts.compareProtection(holder.account, expected)).toMatchObject({ isGuarded: true });
  });
});

describe("accounts.compareProtection", () => {
  it("says in a sentence what differs on the chain, whatever the service says", async () => {
    const { account, session, wallet } = await open();
    const expected: Record<"guardian" | "recovery" | "service", string> = {
      guardian: publicKeyOf("no guardian"),
      recovery: recovery.address,
      service: wallet,
    };
    const differs = async (of: string, with_: typeof expected) =>
      client().accounts.compareProtection(of, with_) as Promise<{ readonly differs?: string }>;
    // The service may call it guarded: the chain has one of two.
    expect(await differs(account, expected)).toEqual({
      isGuarded: false,
      differs: `The guardian's wallet ${expected.guardian} is no signer of the account.`,
    });
    const { passkey } = await client().accounts.protect(pinned({ account, session }));
    const guarded = { ...expected, guardian: passkey.signer };
    expect(await differs(account, guarded)).toMatchObject({ isGuarded: true });
    const other = publicKeyOf("another key");
    expect((await differs(account, { ...guarded, recovery: other })).differs).toMatch(/recovery key .* is no signer/);
    expect((await differs(account, { ...guarded, service: other })).differs).toMatch(/signs in the place of/);
    expect((await differs(account, { ...guarded, recovery: wallet })).differs).toMatch(/can do more than vote/);
    expect((await differs(account, { ...guarded, guardian: recovery.address })).differs).toMatch(/lacks permissions/);
    const elsewhere = await open();
    const pointing = client((data) => ({ ...data, settings_address: elsewhere.settings }) as never, undefined, "");
    expect(await pointing.accounts.compareProtection(account, guarded)).toMatchObject({
      isGuarded: false,
      differs: expect.stringContaining("which are not those of"),
    });
    await expect(trellis.client.accounts.compareProtection(account, guarded)).rejects.toBeInstanceOf(TypeError);
  });
});

/** The settings of three signers, with one policy counted. */
function withPolicyMade(data: Uint8Array): Uint8Array {
  const counted = Uint8Array.from(data);
  const archive = counted[78] === 0 ? 0 : 32;
  counted[92 + archive + 33 * 3 + 2] = 1;
  return counted;
}

interface Answer {
  readonly guardian: { readonly address: string; readonly passkeys: number };
  readonly change?: object;
}

const pinned = <Holder extends Pick<Awaited<ReturnType<typeof open>>, "account" | "session">>(holder: Holder) => ({
  account: holder.account,
  session: holder.session,
  recovery,
  name: "Phone",
  credentials: browserWith(createSoftPasskey()),
  guardian: { identity: guardian.identity },
});

/** A client with a node of its own, whose service answers or is asked something else where an account is protected. */
function client(answer?: (data: Answer) => Answer, ask?: (body: object) => object, end = "/protection") {
  const lying: NonNullable<TrellisClientOptions["fetch"]> = async (url, init) => {
    const isMeant = end === "" ? init?.method === "GET" : String(url).endsWith(end);
    const body = isMeant && ask ? JSON.stringify(ask(JSON.parse(String(init?.body)) as object)) : init?.body;
    const answered = await fetch(url, { ...init, ...(body === undefined ? {} : { body }) });
    if (!isMeant || answer === undefined || !answered.ok) return answered;
    const read = (await answered.json()) as { data: Answer };
    return Response.json({ ...read, data: answer(read.data) }, { status: answered.status, headers: answered.headers });
  };
  return createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    readAccounts: ownNode,
    fetch: lying,
  });
}

async function open() {
  const {
    email,
    address: account,
    session,
    settingsAddress: settings,
  } = await trellis.openHolder({ sol: "1000000000" });
  return { email, account: account as string, session, settings, wallet: session.wallets[0]?.address ?? "" };
}
