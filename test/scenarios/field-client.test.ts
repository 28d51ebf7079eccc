import { createRequire } from "node:module";
import { GridClient } from "@sqds/grid";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestService, type TestService } from "../support/test-service.js";

/**
 * The client that apps in the field use, as it is published, against the service in its dialect. It lives through one
 * account's story in order: every method that has an endpoint here.
 */
// Its own, so that it gets what it would get in an app.
const ofTheClient = createRequire(createRequire(import.meta.url).resolve("@sqds/grid"));
const { Keypair } = ofTheClient("@solana/web3.js");

let trellis: TestService;
let grid: GridClient;
beforeAll(async () => {
  // It tells the console about every call.
  for (const level of ["log", "warn"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
  trellis = await startTestService({ TRELLIS_DIALECT: "grid", TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
  grid = new GridClient({ environment: "sandbox", apiKey: trellis.apiKey, baseUrl: trellis.url });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await trellis?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: the client's own types are narrower than what it takes and gives
type Any = any;

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const email = "ada@example.org";
const newAddress = () => Keypair.generate().publicKey.toBase58();

async function latestCode(): Promise<string> {
  const [mail] = await trellis.client.sandbox.outbox(email);
  return mail?.otp_code ?? "";
}

function dataOf(answer: Any): Any {
  expect(answer.success, JSON.stringify(answer)).toBe(true);
  return answer.data;
}

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

  it("is told why a sign-in failed", async () => {
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

  it("prepares any transaction it is given, and is told what is wrong with one", async () => {
    const answer = await grid.prepareArbitraryTransaction(ada.address, { transaction: "AAAA" });
    expect(answer).toMatchObject({ success: false, details: [{ code: "invalid_transaction" }] });
  });

  it("lists transfers", async () => {
    await vi.waitFor(async () => {
      const transfers = dataOf(await grid.getTransfers(ada.address, { limit: 10 }));
      expect(JSON.stringify(transfers)).toContain("12500000");
    });
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

  it("is told in plain words what this version does not serve", async () => {
    expect(await grid.getPasskeys(ada.address)).toMatchObject({
      success: false,
      code: "404",
      details: [{ code: "route_not_found" }],
    });
  });
});
