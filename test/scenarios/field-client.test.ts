import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { GridApiClient, GridClient } from "@sqds/grid";
import { afterAll, beforeAll, describe, expect, it, type Mock, vi } from "vitest";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { startTestService, type TestService } from "../support/test-service.js";

/**
 * The client that apps in the field use, as it is published, against the service in its dialect. It lives through one
 * account's story in order: every method that has an endpoint here.
 */
const entry = createRequire(import.meta.url).resolve("@sqds/grid");
// Its own, so that it gets what it would get in an app.
const { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } =
  createRequire(entry)("@solana/web3.js");

/** What it has, by its own type declarations. */
const types = readFileSync(join(dirname(entry), "index.d.ts"), "utf8");
const classes = { GridClient, GridApiClient };

let trellis: TestService;
let grid: GridClient;
const watched = new Map<string, Mock>();
beforeAll(async () => {
  // It logs every call to the console.
  for (const level of ["log", "warn"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
  for (const [name, { prototype }] of Object.entries(classes)) {
    for (const method of methodsOf(name as keyof typeof classes)) {
      watched.set(`${name}.${method}`, vi.spyOn(prototype as Any, method) as Mock);
    }
  }
  trellis = await startTestService({
    TRELLIS_DIALECT: "grid",
    TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000",
    TRELLIS_PUBLIC_URL: pageOrigin,
  });
  // What it asks for passkeys, on a page of the service's host.
  vi.stubGlobal("navigator", { credentials: browserWith(createSoftPasskey(), pageOrigin) });
  grid = new GridClient(ofGrid());
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await trellis?.close();
});
const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const email = "ada@example.org";
const pageOrigin = "http://localhost:3000";

describe("the client of the field, unmodified", () => {
  let secrets: Any;
  let ada: Any;
  let session: Any;
  const pay = async (transactionPayload: Any) =>
    grid.signAndSend({ sessionSecrets: secrets, session, transactionPayload, address: ada.address });

  it("opens an e-mail account", async () => {
    const pending = dataOf(await grid.createAccount({ email }));
    expect(pending).toMatchObject({ type: "email", email, otp_sent: true });
    secrets = await grid.generateSessionSecrets();
    ada = dataOf(
      await grid.completeAuthAndCreateAccount({ otpCode: await latestCode(), sessionSecrets: secrets, user: pending }),
    );
    session = ada.authentication;
    expect(session[0]).toMatchObject({ provider: "privy", session: { Privy: { session: { wallets: [{}] } } } });
    expect(session[0].session.Privy.privy_access_token).toBeTypeOf("string");
    expect(ada.policies.signers.map((signer: Any) => signer.provider)).toEqual(["privy", "turnkey"]);
    for (const currency of ["sol", "usdc"] as const) {
      await trellis.client.sandbox.airdrop({ address: ada.address, currency, amount: "1000000000" });
    }
  });

  it("signs in, with either provider", async () => {
    for (const provider of ["privy", "turnkey"] as const) {
      const asked = dataOf(await grid.initAuth({ email, provider } as Any));
      expect(asked).toMatchObject({ email, otp_sent: true, provider });
    }
    dataOf(await grid.initAuth({ email }));
    const secretsOfNow = await grid.generateSessionSecrets();
    const signedIn = dataOf(
      await grid.completeAuth({ otpCode: await latestCode(), sessionSecrets: secretsOfNow, user: { email } } as Any),
    );
    expect(signedIn.address).toBe(ada.address);
    [secrets, session] = [secretsOfNow, signedIn.authentication];
  });

  it("gets the reason of a failed sign-in", async () => {
    const failed = await grid
      .completeAuth({ otpCode: "000000", sessionSecrets: secrets, user: { email } } as Any)
      .catch((error: Error) => ({ success: false, error: error.message }));
    expect(JSON.stringify(failed)).toContain("Invalid email and code combination");
    expect(await grid.createAccount({ email })).toMatchObject({
      success: false,
      details: [{ code: "grid_account_already_exists_for_user" }],
    });
  });

  it("reads the account and its balances", async () => {
    const account = dataOf(await grid.getAccount(ada.address));
    expect(account).toMatchObject({ address: ada.address, type: "email", status: "active" });
    expect(account.policies.signers[0]).toMatchObject({ provider: "privy", role: "primary" });
    expect(dataOf(await grid.getAccountBalances(ada.address)).lamports).toBe(1_000_000_000);
  });

  it("pays by a payment intent, signed with its own key", async () => {
    const recipient = newAddress();
    const intent = dataOf(
      await grid.createPaymentIntent(ada.address, {
        amount: "12500000",
        grid_user_id: ada.grid_user_id,
        source: { account: ada.address, currency: "usdc" },
        destination: { address: recipient, currency: "usdc" },
      }),
    );
    expect(intent.transactionPayload.kms_payloads[0].provider).toBe("privy");
    const sent = await pay(intent.transactionPayload);
    expect(sent.transaction_signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
  });

  it("signs and sends in two steps", async () => {
    const recipient = newAddress();
    const { transactionPayload } = dataOf(
      await grid.createPaymentIntent(ada.address, {
        amount: "3000000",
        grid_user_id: ada.grid_user_id,
        source: { account: ada.address, currency: "usdc" },
        destination: { address: recipient, currency: "usdc" },
      }),
    );
    const signedTransactionPayload = await grid.sign({ sessionSecrets: secrets, session, transactionPayload });
    const sent = await grid.send({ address: ada.address, signedTransactionPayload } as Any);
    expect(sent.transaction_signature).toBeTypeOf("string");
    const again = dataOf(
      await new GridApiClient(ofGrid()).submitPrivyTransaction(ada.address, {
        transaction: signedTransactionPayload.transaction,
        kms_payloads: signedTransactionPayload.kms_payloads,
      }),
    );
    expect(again.transaction_signature).toBe(sent.transaction_signature);
  });

  it("makes key pairs, and knows who it acts for", async () => {
    expect((await grid.generateKeyPair()).publicKey).toBeTypeOf("string");
    expect(grid.getContext().user).toMatchObject({ address: ada.address });
    expect(new GridApiClient(ofGrid()).hasApiKey()).toBe(true);
  });

  it("has any transaction of its own wrapped, and carried out", async () => {
    const [from, recipient] = [new PublicKey(ada.address), newAddress()];
    const message = new TransactionMessage({
      payerKey: from,
      recentBlockhash: newAddress(),
      instructions: [
        SystemProgram.transfer({ fromPubkey: from, toPubkey: new PublicKey(recipient), lamports: 7_000_000 }),
      ],
    }).compileToV0Message();
    const transaction = Buffer.from(new VersionedTransaction(message).serialize()).toString("base64");
    const held = async () => dataOf(await new GridApiClient(ofGrid()).getBalance(ada.address)).lamports;
    const before = await held();
    await pay(dataOf(await grid.prepareArbitraryTransaction(ada.address, { transaction } as Any, { debug: true })));
    expect(before - (await held())).toBe(7_000_000);
  });

  it("gets what is wrong with a transaction", async () => {
    const answer = await grid.prepareArbitraryTransaction(ada.address, { transaction: "AAAA" });
    expect(answer).toMatchObject({ success: false, details: [{ code: "invalid_transaction" }] });
  });

  it("lists transfers, by all that it can filter by, and transactions", async () => {
    const all = async (options: object) => dataOf(await grid.getTransfers(ada.address, options)) as Any[];
    await vi.waitFor(async () => expect(JSON.stringify(await all({ limit: 10 }))).toContain("12500000"));
    const today = { start_date: "2020-01-01T00:00:00Z", end_date: "2100-01-01T00:00:00Z" };
    const found = await all({ payment_rail: "spl", status: "finalized", currency: "usdc", limit: 50, ...today });
    expect(JSON.stringify(found)).toContain("12500000");
    // What is final is not merely confirmed.
    expect(await all({ status: "confirmed" })).toEqual([]);
    const signature = JSON.stringify(found).match(/"signature":"(\w+)"/)?.[1];
    const ofOne = (await all({ tx_hash: signature })).map(({ Spl }) => Spl.signature);
    expect(new Set(ofOne)).toEqual(new Set([signature]));
    expect(await all({ limit: 1 })).toHaveLength(1);
    const transactions = dataOf(await new GridApiClient(ofGrid()).getTransactions(ada.address));
    expect(JSON.stringify(transactions)).toContain(signature);
  });

  it("creates, changes, uses and deletes a spending limit", async () => {
    const wallet = session[0].session.Privy.session.wallets[0].address;
    const made = dataOf(
      await grid.createSpendingLimit(ada.address, {
        amount: 5_000_000,
        mint: usdc,
        period: "daily",
        spending_limit_signers: [wallet],
      }),
    );
    await pay(made);
    const limit = made.spending_limit_address;
    const request = { amount: "1000000", signer_address: wallet, recipient_address: newAddress() };
    await pay(dataOf(await grid.useSpendingLimit(ada.address, limit, request)));
    const changed = dataOf(await grid.updateSpendingLimit(ada.address, limit, { amount: "9000000" }));
    await pay(changed);
    const replaced = changed.spending_limit_address ?? limit;
    await pay(dataOf(await grid.deleteSpendingLimit(ada.address, replaced)));
    expect(await grid.deleteSpendingLimit(ada.address, replaced)).toMatchObject({
      success: false,
      details: [{ code: "spending_limit_not_found" }],
    });
  });

  it("creates a standing order, lists it and reads it", async () => {
    const order = dataOf(
      await grid.createStandingOrder(ada.address, {
        amount: "2000000",
        grid_user_id: ada.grid_user_id,
        source: { account: ada.address, currency: "usdc" },
        destination: { address: newAddress(), currency: "usdc" },
        frequency: "weekly",
        start_date: new Date(Date.now() + 86_400_000).toISOString(),
      } as Any),
    );
    await pay(order);
    const orders = dataOf(await grid.getStandingOrders(ada.address, { limit: 10 }));
    expect(orders).toMatchObject([{ id: order.id, amount: "2000000" }]);
    expect(dataOf(await grid.getStandingOrder(ada.address, order.id))).toMatchObject({
      id: order.id,
      status: "active",
    });
  });

  it("opens an account of its own keys, and pays from it with one of them", async () => {
    const key = Keypair.generate();
    const signers = [
      {
        address: key.publicKey.toBase58(),
        role: "primary" as const,
        provider: "external",
        permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const,
      },
    ];
    const made = dataOf(
      await grid.createAccount({ type: "signers", policies: { signers, threshold: 1, time_lock: null } } as Any),
    );
    await trellis.client.sandbox.airdrop({ address: made.address, currency: "sol", amount: "1000000000" });
    const intent = dataOf(
      await grid.createPaymentIntent(made.address, {
        amount: "5000000",
        grid_user_id: made.grid_user_id,
        source: { account: made.address, currency: "sol" },
        destination: { address: newAddress(), currency: "sol" },
      }),
    );
    const sent = await grid.signAndSend({
      sessionSecrets: [key],
      transactionPayload: intent.transactionPayload,
      address: made.address,
    });
    expect(sent.transaction_signature).toBeTypeOf("string");
    // The same signed by another client: a hardware wallet, another library.
    const next = dataOf(
      await grid.createPaymentIntent(made.address, {
        amount: "6000000",
        grid_user_id: made.grid_user_id,
        source: { account: made.address, currency: "sol" },
        destination: { address: newAddress(), currency: "sol" },
      }),
    );
    const outside = { data: next.transactionPayload } as Any;
    const signable = grid.extractSignableTransaction(outside);
    signable.sign([key]);
    const signedTransactionPayload = dataOf(grid.setExternallySignedTransaction(outside, signable));
    const carried = await grid.send({ address: made.address, signedTransactionPayload } as Any);
    expect(carried.transaction_signature).toBeTypeOf("string");
  });

  it("has an admin change the signers", async () => {
    const [admin, key] = [Keypair.generate(), Keypair.generate()];
    const signer = (one: Any) => ({
      address: one.publicKey.toBase58(),
      role: "primary" as const,
      provider: "external",
      permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const,
    });
    const policies = { signers: [signer(key)], threshold: 1, admin_address: admin.publicKey.toBase58() };
    const { address } = dataOf(await grid.createAccount({ type: "signers", policies } as Any));
    const next = signer(Keypair.generate());
    const transactionPayload = dataOf(await grid.updateAccount(address, { signers: [next] } as Any, true));
    await grid.signAndSend({ sessionSecrets: [admin], transactionPayload, address });
    const after = dataOf(await grid.getAccount(address));
    expect(after.policies.signers.map((one: Any) => one.address)).toEqual([next.address]);
  });

  it("changes the signers, its own wallet among them by the provider's old name", async () => {
    const { policies } = dataOf(await grid.getAccount(ada.address));
    const backup = { address: newAddress(), role: "backup", provider: "external", permissions: ["CAN_VOTE"] };
    const prepared = dataOf(await grid.updateAccount(ada.address, { signers: [...policies.signers, backup] } as Any));
    await pay(prepared);
    const after = dataOf(await grid.getAccount(ada.address));
    expect(after.policies.signers.map((signer: Any) => signer.provider)).toEqual(["privy", "turnkey", "external"]);
  });

  it("has its person checked, and is given bank details", async () => {
    const link = dataOf(
      await grid.requestKycLink(ada.address, {
        grid_user_id: ada.grid_user_id,
        type: "individual",
        email,
        full_name: "Ada Lovelace",
        redirect_uri: "https://app.example/done",
      }),
    );
    expect(link.kyc_link).toMatch(/^http/);
    expect(dataOf(await grid.getKycStatus(ada.address, link.id))).toMatchObject({ id: link.id });
    await trellis.client.sandbox.setKyc(link.id, { status: "approved", tos_status: "approved" });
    expect(dataOf(await grid.getKycStatus(ada.address, link.id))).toMatchObject({ status: "approved" });
    const made = dataOf(
      await grid.requestVirtualAccount(ada.address, {
        grid_user_id: ada.grid_user_id,
        currency: "usd",
      } as Any),
    );
    expect(made.id).toBeTypeOf("string");
    expect(dataOf(await grid.getVirtualAccounts(ada.address))).toMatchObject([{ id: made.id }]);
  });

  describe("with a passkey that signs on chain", () => {
    const metaInfo = { appName: "App", redirectUrl: encodeURIComponent("https://app.example/back") };
    const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
    let key = Keypair.generate();
    let passkey: string;
    let account: Any;
    const payBy = async (signer: Any) => {
      const intent = dataOf(
        await grid.createPaymentIntent(account.address, {
          amount: "1000000",
          grid_user_id: account.grid_user_id,
          source: { account: account.address, currency: "sol" },
          destination: { address: newAddress(), currency: "sol" },
          transaction_signers: [signer.publicKey.toBase58()],
        } as Any),
      );
      expect(intent.transactionPayload.kms_payloads).toEqual([]);
      const { transactionPayload } = intent;
      return grid.signAndSend({ sessionSecrets: [signer], transactionPayload, address: account.address });
    };

    it("makes it on a page, with a session", async () => {
      const sessionKey = { key: key.publicKey.toBase58(), expiration: 900 };
      const { url } = await grid.createPasskeySession({ sessionKey, env: "sandbox" as Any, metaInfo }, "sandbox");
      const asked = grid.extractPasskeyCreateParams(new URL(url).searchParams);
      expect(asked).toMatchObject({ appName: "App", redirectUrl: "https://app.example/back", env: "sandbox" });
      const made = await grid.createPasskeyCredentials(asked);
      const opened = await grid.submitPasskeySession(
        {
          ceremonyType: "create",
          sessionKey: grid.getSessionKeyObject(asked.sessionKey, asked.expirationInSeconds) as Any,
          slotNumber: Number(asked.slotNumber),
          authenticatorResponse: await grid.getPasskeyCredentials(asked, made),
        },
        "sandbox",
      );
      expect(opened.session_key.key).toBe(sessionKey.key);
      passkey = opened.passkey_account;
      expect(JSON.stringify(await grid.getPasskeyAccount(passkey, "sandbox"))).toContain(passkey);
    });

    it("opens an account of it, and pays by the session", async () => {
      const signers = [{ address: passkey, role: "primary", provider: "passkey", permissions: everything }];
      account = dataOf(await grid.createAccount({ type: "signers", policies: { signers, threshold: 1 } } as Any));
      expect(account.policies.signers).toMatchObject([{ address: passkey, provider: "passkey" }]);
      await trellis.client.sandbox.airdrop({ address: account.address, currency: "sol", amount: "1000000000" });
      expect((await payBy(key)).transaction_signature).toBeTypeOf("string");
      expect(dataOf(await grid.getPasskeys(account.address))).toMatchObject({
        account_address: account.address,
        passkey: { address: passkey, provider: "passkey", permissions: everything },
      });
    });

    it("signs in again, which ends the session before, and finds whose passkey it is", async () => {
      // The program takes a slot once for each passkey.
      await trellis.client.sandbox.advanceClock(1);
      const former = key;
      key = Keypair.generate();
      const sessionKey = { key: key.publicKey.toBase58(), expiration: 900 };
      const { url } = await grid.authorizePasskeySession({ sessionKey, metaInfo }, "sandbox");
      const asked = grid.extractPasskeyAuthParams(new URL(url).searchParams);
      const answered = {
        sessionKey: grid.getSessionKeyObject(asked.sessionKey, asked.expirationInSeconds) as Any,
        authenticatorResponse: await grid.getPasskeyCredentials(asked),
      };
      expect((await grid.findPasskeyAccount(answered, "sandbox")).passkey_account).toBe(passkey);
      const opened = await grid.submitPasskeySession(
        { ceremonyType: "auth", slotNumber: Number(asked.slotNumber), ...answered },
        "sandbox",
      );
      expect(opened.passkey_account).toBe(passkey);
      expect((await payBy(key)).transaction_signature).toBeTypeOf("string");
      await expect(payBy(former)).rejects.toThrow();
    });

    it("adds it to an account, and removes it again", async () => {
      const own = Keypair.generate();
      const signer = {
        address: own.publicKey.toBase58(),
        role: "primary",
        provider: "external",
        permissions: everything,
      };
      const policies = { signers: [signer], threshold: 1 };
      const { address } = dataOf(await grid.createAccount({ type: "signers", policies } as Any));
      const carryOut = async (transactionPayload: Any) =>
        grid.signAndSend({ sessionSecrets: [own], transactionPayload, address });
      const held = async () => dataOf(await grid.getPasskeys(address)).passkey?.address ?? null;
      const added = dataOf(
        await grid.addPasskey(address, { passkey: { address: passkey }, transaction_signers: [signer.address] } as Any),
      );
      expect(added).toMatchObject({ passkey: { address: passkey }, threshold: 1 });
      await carryOut(added);
      expect(await held()).toBe(passkey);
      // It sends these in an object within an object.
      const removed = dataOf(await grid.removePasskey(address, passkey, [signer.address]));
      expect(removed).toMatchObject({ removed_passkey: { address: passkey }, threshold: 1 });
      await carryOut(removed);
      expect(await held()).toBeNull();
    });
  });

  it.each(["GridClient", "GridApiClient"] as const)("%s has been played whole", async (name) => {
    const methods = methodsOf(name);
    expect(methods.length).toBeGreaterThan(30);
    const isPlayed = (method: string) => {
      const { results, settledResults } = (watched.get(`${name}.${method}`) as Mock).mock;
      return results.some(({ type, value }, i) => {
        const settled = value instanceof Promise ? settledResults[i] : { type: "fulfilled", value };
        return type === "return" && settled?.type === "fulfilled" && (settled.value as Any)?.success !== false;
      });
    };
    expect(methods.filter((method) => !isPlayed(method)).sort()).toEqual([...notServed[name]].sort());
  });
});

const notServed: Record<keyof typeof classes, readonly string[]> = {
  GridClient: [],
  GridApiClient: [
    // Paths that no interface describes, and that none of its public calls uses.
    "completeTurnkeyAuth",
    "completeTurnkeyAuthAndCreateAccount",
    "sendTransaction",
    "signWithPrivy",
    "signWithTurnkey",
    "signWithPasskey",
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: the client's own types are narrower than what it takes and gives
type Any = any;

const methodsOf = (name: keyof typeof classes): string[] => {
  const [body = ""] = (types.split(`declare class ${name} `)[1] ?? "").split("\n}\n");
  return [...body.matchAll(/^ {4}(\w+)\(/gm)].flatMap(([, method = ""]) => (method === "constructor" ? [] : method));
};

const newAddress = () => Keypair.generate().publicKey.toBase58();

const ofGrid = () => ({ environment: "sandbox" as const, apiKey: trellis.apiKey, baseUrl: trellis.url });

async function latestCode(): Promise<string> {
  const [mail] = await trellis.client.sandbox.outbox(email);
  return mail?.otp_code ?? "";
}

function dataOf(answer: Any): Any {
  expect(answer.success, JSON.stringify(answer)).toBe(true);
  return answer.data;
}
