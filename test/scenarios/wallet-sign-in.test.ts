/** An owner signs in on a page with a wallet of their own, votes and pays with it: no e-mail address, and no wallet of a custodian. */
import {
  connectWallet,
  createTrellisClient,
  type TrellisClient,
  WalletError,
  walletKey,
  walletMessageSigner,
} from "@trellis/sdk";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { apiPath, dataOf, expectError, makeKey } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { createSoftWallet, type SoftWallet } from "../support/standard-wallet.js";

const trellis = useTestService({ TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0" });
const page = "https://app.example";
const otherPage = "https://blog.example";
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;

describe("a wallet of one's own", () => {
  it("signs in, proposes, votes, carries out and pays, signs in a second time, and signs out", async () => {
    const [ada, ben] = [createSoftWallet(), createSoftWallet()];
    const account = await openAccount([ada, ben], 2);
    const [hers, his] = [await signIn(ada), await signIn(ben)];
    expect(hers.accounts).toEqual([account]);
    expect(ada.messages[0]).toContain(
      `app.example wants you to sign in with your Solana account:\n${ada.key.address}\n`,
    );
    const destination = makeKey().address;
    const proposal = await hers.client.proposals.create({
      account,
      ...hers.by,
      content: { type: "transfer", currency: "sol", destination, amount: 10_000_000n },
      approve: true,
    });
    expect((await his.client.proposals.page(account)).proposals).toMatchObject([
      { status: "Active", approved: [ada.key.address] },
    ]);
    const shown = await his.client.proposals.get(account, proposal.proposalAddress);
    await his.client.proposals.voteAndExecute({
      account,
      ...his.by,
      proposal: proposal.proposalAddress,
      shown,
    });
    expect(await trellis.lamportsOf(destination)).toBe(10_000_000n);

    const own = await openAccount([ada], 1);
    await hers.client.transfers.send({ account: own, ...hers.by, currency: "sol", destination, amount: 5_000_000n });
    expect(await trellis.lamportsOf(destination)).toBe(15_000_000n);
    expect((await hers.client.accounts.balances(own)).lamports).toBe(95_000_000);

    const again = await signIn(ada);
    expect(again.accounts).toEqual([own, account]);
    await again.client.sessions.end(own, hers.sessionId);
    await expect(hers.client.accounts.get(own)).rejects.toMatchObject({ code: "invalid_session" });
    expect((await again.client.accounts.get(own)).address).toBe(own);
    expect(await again.client.sessions.endAll(own)).toBe(1);
    await expect(again.client.accounts.get(own)).rejects.toMatchObject({ code: "invalid_session" });
  });

  it("reads and prepares for nobody else, and reaches nothing of a custodian's wallets", async () => {
    const soft = createSoftWallet();
    await expect(signIn(soft)).rejects.toMatchObject({ code: "account_not_found" });
    await openAccount([soft], 1);
    const eve = await signIn(soft);
    const mallory = await trellis.openHolder({ sol: "1000000000" });
    await expect(eve.client.accounts.get(mallory.address)).rejects.toMatchObject({ code: "account_not_found" });
    const payment = {
      account: mallory.address,
      ...eve.by,
      currency: "sol",
      destination: makeKey().address,
      amount: 1n,
    };
    await expect(eve.client.transfers.send(payment)).rejects.toMatchObject({ code: "account_not_found" });
    await expect(eve.client.auth.identityToken()).rejects.toMatchObject({ code: "insufficient_permissions" });
    const waiting = `/proposals?waiting_for=${eve.wallet.key.address}`;
    expect(dataOf(await browse(eve.token, "GET", waiting))).toEqual([]);
    const foreign = `/proposals?waiting_for=${makeKey().address}`;
    expectError(await browse(eve.token, "GET", foreign), 403, "secret_key_required");
  });

  it("signs beside a custodian's wallet of the same account, and never by it", async () => {
    const [ada, payee] = [createSoftWallet(), makeKey().address];
    const ben = await trellis.openHolder({ sol: "1000000000" });
    const { address: account } = await trellis.client.accounts.createCustom({
      policies: {
        signers: [
          { address: ada.key.address, permissions: everything },
          { type: "email", email: ben.email, provider: "kms_a", role: "primary", permissions: everything },
        ],
        threshold: 1,
      },
    });
    await trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "100000000" });
    const hers = await signIn(ada);
    const wallet = ben.session.wallets[0]?.address;
    const prepared = dataOf<{ transaction: string; kms_payloads: object[] }>(
      await browse(hers.token, "POST", `/accounts/${account}/payment-intent`, {
        amount: "10000000",
        source: { account, currency: "sol", transaction_signers: [wallet] },
        destination: { address: payee, currency: "sol" },
      }),
    );
    expect(prepared.kms_payloads).toHaveLength(1);
    const unsigned = { transaction: prepared.transaction, kms_payloads: [] };
    expectError(await browse(hers.token, "POST", `/accounts/${account}/submit`, unsigned), 400, "missing_signature");
    for (const path of ["wallet-passkeys", "wallet-exports", "guardian-policy"]) {
      expectError(await browse(hers.token, "GET", `/accounts/${account}/${path}`), 403, "insufficient_permissions");
    }
    // Nor does it see whose account it is, or end what is another signer's.
    expect(dataOf(await browse(hers.token, "GET", `/accounts/${account}`))).not.toHaveProperty("email");
    expect(dataOf(await browse(hers.token, "DELETE", `/accounts/${account}/sessions?except=current`))).toEqual({
      ended: 0,
    });
    expect(await trellis.lamportsOf(payee)).toBe(0n);
  });

  it("does not pay when the wallet alters the transaction, or signs another message", async () => {
    const key = makeKey();
    const alter = (transaction: string) => {
      const bytes = Buffer.from(transaction, "base64");
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      return bytes.toString("base64");
    };
    const altering = createSoftWallet({ key, alter });
    const account = await openAccount([altering], 1);
    const destination = makeKey().address;
    const hers = await signIn(altering);
    const payment = { account, ...hers.by, currency: "sol", destination, amount: 10_000_000n };
    await expect(hers.client.transfers.send(payment)).rejects.toMatchObject({
      name: "TransactionMismatchError",
      difference: "altered",
    });
    expect(await trellis.lamportsOf(destination)).toBe(0n);
    const bending = createSoftWallet({ key, alterMessage: (message) => Buffer.concat([message, Buffer.from("!")]) });
    await expect(signIn(bending)).rejects.toBeInstanceOf(WalletError);
  });

  it("is asked for nothing by a service that asks for another page, address, environment or text", async () => {
    const wallet = createSoftWallet();
    const lies: readonly ((text: string) => string)[] = [
      (text) => text.replace("app.example wants", "evil.example wants"),
      (text) => text.replace(`URI: ${page}`, "URI: https://evil.example"),
      (text) => text.replace(wallet.key.address, makeKey().address),
      (text) => text.replace("localnet", "mainnet"),
      (text) => `${text}\nResources:\n- https://evil.example`,
      (text) => text.replace(/Nonce: \w+/, "Nonce: 00000000"),
      (text) => text.replace("\n\nURI", "\nmore\n\nURI"),
      () => Buffer.from(Array.from({ length: 200 }, (_, i) => i % 128)).toString(),
    ];
    for (const lie of lies) {
      const client = clientOf(undefined, async (response) => {
        const answer = (await response.json()) as { data: { message: string } };
        return Response.json({ ...answer, data: { ...answer.data, message: lie(answer.data.message) } });
      });
      await expect(signIn(wallet, client)).rejects.toBeInstanceOf(WalletError);
    }
    expect(wallet.messages).toEqual([]);
  });

  it("sends nothing where its session cannot be noted as active", async () => {
    const ada = createSoftWallet();
    const [account, destination] = [await openAccount([ada], 1), makeKey().address];
    const hers = await signIn(ada);
    const client = await clientOf(hers.token, undefined, 0);
    await trellis.client.sandbox.advanceClock(120);
    const { db } = trellis.service;
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'lost'; end $$`.execute(
      db,
    );
    await sql`create trigger refuse before update on session_chain for each row execute function refuse()`.execute(db);
    const pay = () => client.transfers.send({ account, ...hers.by, currency: "sol", destination, amount: 10_000_000n });
    try {
      await expect(pay()).rejects.toThrow();
    } finally {
      await sql`drop function refuse cascade`.execute(db);
    }
    expect(await trellis.lamportsOf(destination)).toBe(0n);
    await pay();
    expect(await trellis.lamportsOf(destination)).toBe(10_000_000n);
  });

  it("is signed in on the page it has signed for, and on no other of the tenant", async () => {
    const ada = createSoftWallet();
    const account = await openAccount([ada], 1);
    const { token } = await signIn(ada);
    const onOther = { authorization: `Bearer ${await publishableKey()}`, origin: otherPage, "x-session-token": token };
    expectError(
      await trellis.request("GET", `${apiPath}/accounts/${account}`, undefined, onOther),
      401,
      "invalid_session",
    );
    expect(dataOf(await browse(token, "GET", `/accounts/${account}`))).toMatchObject({ address: account });
  });

  it("signs in on no page that its key is not for", async () => {
    const { address } = makeKey();
    const asked = await trellis.request(
      "POST",
      `${apiPath}/auth/wallet:message`,
      { address },
      {
        authorization: `Bearer ${await publishableKey()}`,
        origin: "https://evil.example",
      },
    );
    expectError(asked, 403, "origin_not_allowed");
    expectError(
      await trellis.request("POST", `${apiPath}/auth/wallet:message`, { address }),
      403,
      "origin_not_allowed",
    );
  });
});

let made: Promise<string> | undefined;
function publishableKey(): Promise<string> {
  const scopes = [
    "auth:write",
    "payments:write",
    "transactions:write",
    "accounts:read",
    "proposals:read",
    "proposals:write",
  ];
  const body = {
    name: "App",
    type: "publishable",
    environments: ["sandbox"],
    allowed_origins: [page, otherPage],
    scopes,
  };
  made ??= trellis
    .request("POST", `${apiPath}/api-keys`, body)
    .then((answered) => dataOf<{ key: string }>(answered).key);
  return made;
}

/** A client on a page; `between` bends what the service answers. */
function clientOf(
  token: string | undefined,
  between = async (response: Response) => response,
  maxRetries = 2,
): Promise<TrellisClient> {
  return publishableKey().then((apiKey) =>
    createTrellisClient({
      baseUrl: trellis.url,
      apiKey,
      environment: "sandbox",
      sessionToken: () => token,
      maxRetries,
      fetch: async (url, init) =>
        between(await fetch(url, { ...init, headers: { ...(init?.headers as object), origin: page } })),
    }),
  );
}

async function signIn(wallet: SoftWallet, asking: Promise<TrellisClient> = clientOf(undefined)) {
  const account = await connectWallet(wallet);
  const signed = await (await asking).auth.signInWithWallet({
    address: account.address,
    signMessage: walletMessageSigner(wallet, account),
    origin: page,
  });
  const by = { offlineKeys: [walletKey(wallet, account, "sandbox")] };
  return { ...signed, wallet, by, client: await clientOf(signed.token) };
}

const browse = async (token: string, method: string, path: string, body?: unknown) =>
  trellis.request(method, apiPath + path, body, {
    authorization: `Bearer ${await publishableKey()}`,
    origin: page,
    "x-session-token": token,
  });

async function openAccount(wallets: readonly SoftWallet[], threshold: number): Promise<string> {
  const signers = wallets.map(({ key }) => ({ address: key.address, permissions: everything }));
  const { address } = await trellis.client.accounts.createCustom({ policies: { signers, threshold } });
  await trellis.client.sandbox.airdrop({ address, currency: "sol", amount: "100000000" });
  return address;
}
