import type { Address, Instruction } from "@solana/kit";
import { executeTransactionSyncInstruction } from "@trellis/program-client";
import { beforeEach, describe, expect, it } from "vitest";
import type { CustodianClient } from "../../src/adapters/kms/custodian-client.js";
import { defaultPolicies } from "../../src/custodian/policy/wallet-policy.js";
import { startTestCustodian } from "../support/custodian.js";
import {
  addSigner,
  anAddress,
  messageOf,
  otherMember,
  payee,
  proposed,
  settings,
  settingsChange,
  smartAccount,
  sol,
  tokenAccountOf,
  tokens,
  unknownCall,
} from "../support/custodian-messages.js";
import { payloadOf, wireStampOf } from "../support/custody-payloads.js";
import { enrolWallet } from "../support/enrolled-wallet.js";
import { page, toPayload } from "../support/passkeys.js";
import { use } from "../support/use.js";

const origin = "http://localhost:4444";
const custodian = use(() =>
  startTestCustodian({
    variables: {
      TRELLIS_CUSTODIAN_PAGE_ORIGIN: origin,
      TRELLIS_CUSTODIAN_PAGE_PORT: "0",
      TRELLIS_CUSTODIAN_PAGE_APPS: "localhost=com.example.app:/approved,example.com=com.example.other:/approved",
    },
  }),
);
let client: CustodianClient;
beforeEach(() => {
  client = custodian.clientWith();
});
const now = Date.UTC(2026, 0, 15, 12);
const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address;

describe("the guardian's own page", () => {
  it("is one document that loads nothing, sends to nobody else and stands in no frame", async () => {
    const answer = await fetch(pageUrl("/"));
    const text = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = answer.headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toContain("unsafe");
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(text).not.toMatch(/\b(src|href)=/);
  });

  it("says what the bytes do, with every amount and every address in them", async () => {
    const { wallet } = await enrolled();
    const paid = await described(wallet, [
      sol(1_500_000_000n),
      tokens(2_500_000n, tokenAccountOf(payee, usdc), usdc),
      tokens(7n),
    ]);
    expect(paid).toMatchObject({ wallet: wallet.address, environment: "sandbox", rp_id: page.rpId, is_over: false });
    expect(paid.what).toMatchObject([
      {
        title: "Pay 1.5 SOL",
        isUnseen: false,
        rows: [
          ["To", payee],
          ["From", smartAccount],
        ],
      },
      {
        title: "Pay 2.5 USDC",
        rows: [
          ["To the token account", tokenAccountOf(payee, usdc)],
          ["Mint", usdc],
          ["From", expect.any(String)],
        ],
      },
      { title: "Pay 7 base units of a token" },
    ]);
  });

  it("says which settings change, and what it cannot read", async () => {
    const { wallet } = await enrolled();
    const change = await asked(wallet, [forWallet(settingsChange(addSigner(payee)), wallet)]);
    expect((await change.json()).what).toMatchObject([
      {
        title: "Add a signer to your account",
        rows: [
          ["Key", payee],
          ["May", "propose, vote, execute"],
          ["Settings of", settings],
        ],
      },
    ]);
    const unknown = await asked(wallet, [forWallet(settingsChange(addSigner(payee)), wallet), unknownCall()]);
    expect((await unknown.json()).what).toContainEqual({
      title: "Something that cannot be read",
      isUnseen: true,
      rows: [
        ["Why", "unknown program"],
        ["Where", "Instruction 2"],
        ["Program", anAddress(77)],
      ],
    });
    const vote = await asked(
      wallet,
      proposed([sol(1n)])
        .map((each) => forWallet(each, wallet))
        .slice(2),
    );
    expect((await vote.json()).what).toMatchObject([{ title: "Vote yes", isUnseen: true }]);
  });

  it("says which changes of settings wait, and until when", async () => {
    const { wallet, passkey, id } = await enrolled();
    expect((await described(wallet, [sol(1n)])).waiting).toEqual([]);
    const payload = payloadFor(wallet, [forWallet(settingsChange(addSigner(payee)), wallet)]);
    const authority = { kind: "passkey" as const, passkey_id: id };
    const request = { payload, stamp: wireStampOf(passkey, payload), authority, now };
    await expect(client.ask("sign", { wallet_id: wallet.wallet_id }, request)).rejects.toMatchObject({
      policy: { rule: "settings_change_delayed" },
    });
    expect((await described(wallet, [sol(1n)])).waiting).toEqual([
      {
        from: new Date(now + 86_400_000).toISOString(),
        what: [
          {
            title: "Add a signer to your account",
            isUnseen: false,
            rows: [
              ["Key", payee],
              ["May", "propose, vote, execute"],
              ["Settings of", settings],
            ],
          },
        ],
      },
    ]);
  });

  it("shows what is over as over, and nothing to a page that the wallet does not know", async () => {
    const { wallet } = await enrolled();
    const instructions = [pay(wallet, sol(1n))];
    expect(await (await asked(wallet, instructions, { expires_at: new Date(now).toISOString() })).json()).toMatchObject(
      { is_over: true },
    );
    const payload = await payloadFor(wallet, instructions);
    const elsewhere = payloadOf(anAddress(5), now);
    const bad: readonly (readonly [body: unknown, type?: string])[] = [
      [{ payload, return_to: "https://evil.example" }],
      [{ payload, return_to: `${page.origin}/` }],
      [{ payload: elsewhere, return_to: page.origin }],
      [{ payload: "e30=", return_to: page.origin }],
      [{ payload: "!", return_to: page.origin }],
      [{ payload, return_to: page.origin, more: 1 }],
      [null],
    ];
    for (const [body] of bad) expect((await post(body)).status, JSON.stringify(body)).toBe(404);
    expect((await post({ payload, return_to: page.origin }, "text/plain")).status).toBe(415);
    expect((await fetch(pageUrl("/v1/wallets"))).status).toBe(404);
  });

  it("returns to addresses of the wallet's origins, to configured applications, and nowhere else", async () => {
    const { wallet } = await enrolled();
    const payload = payloadFor(wallet, [pay(wallet, sol(1n))]);
    const statusOf = async (return_to: string, form: object = { form: "redirect" }) =>
      (await post({ payload, return_to, ...form })).status;
    for (const known of [`${page.origin}/`, `${page.origin}/paid/now`, "com.example.app:/approved"]) {
      expect(await statusOf(known), known).toBe(200);
    }
    const bad = [
      // An origin alone is not how browsers write an address.
      page.origin,
      "https://evil.example/",
      "http://localhost.evil.example:3000/",
      "http://localhost:3000@evil.example/",
      "http://user:word@localhost:3000/",
      "http://user@localhost:3000/",
      // What sends visitors on takes the fragment with it.
      `${page.origin}/go?to=https://evil.example`,
      `${page.origin}/?`,
      `${page.origin}/#`,
      `${page.origin}/#x`,
      "//localhost:3000/",
      "http:localhost:3000/",
      "http:\\\\localhost:3000\\",
      "HTTP://localhost:3000/",
      `${page.origin}/a/../b`,
      `${page.origin}/a\nb`,
      ` ${page.origin}/`,
      // Its own answer would be its next question.
      `${origin}/`,
      "javascript:alert(1)//localhost:3000",
      "data:text/html,x",
      "blob:http://localhost:3000/x",
      "com.example.app:/approved/",
      "com.example.app:/other",
      "com.example.other:/approved",
      "COM.example.app:/approved",
      "",
    ];
    for (const address of bad) expect(await statusOf(address), JSON.stringify(address)).toBe(404);
    expect(await statusOf("com.example.app:/approved", {})).toBe(404);
    expect(await statusOf(`${page.origin}/`, {})).toBe(404);
    expect(await statusOf(`${page.origin}/`, { form: "other" })).toBe(404);
  });

  it("is where the first payment to a destination is approved, and no other page is", async () => {
    const { wallet, passkey, id } = await enrolled();
    const { guarded } = defaultPolicies;
    const policy = { ...guarded, transfers: { ...guarded.transfers, destinations: { type: "approved" } } };
    const params = { wallet_id: wallet.wallet_id };
    const authority = { kind: "passkey" as const, passkey_id: id };
    const order = toPayload({
      version: 1,
      method: "setWalletPolicy",
      environment: "sandbox",
      wallet: wallet.address,
      params: { policy, replaces: 0 },
      nonce: "n",
      expires_at: new Date(now + 60_000).toISOString(),
    });
    await client.ask("setPolicy", params, {
      authorization: { payload: order, stamp: wireStampOf(passkey, order), authority },
      now,
    });
    const signOn = async (amount: bigint, at: string) => {
      const payload = payloadFor(wallet, [pay(wallet, sol(amount))]);
      return client.ask("sign", params, { payload, stamp: wireStampOf(passkey, payload, 0, at), authority, now });
    };
    await expect(signOn(1n, page.origin)).rejects.toMatchObject({ reason: "policy" });
    await expect(signOn(1n, "http://localhost:4445")).rejects.toMatchObject({ reason: "invalid_signature" });
    await expect(signOn(1n, "http://localhost:4444/")).rejects.toMatchObject({ reason: "invalid_signature" });
    await expect(signOn(1n, origin)).resolves.toBeDefined();
    await expect(signOn(2n, page.origin)).resolves.toBeDefined();
  });
});

describe("a guardian without a page", () => {
  const plain = use(() => startTestCustodian());

  it("takes no approval of one", async () => {
    const asking = plain.clientWith();
    const { wallet, passkey, id } = await enrolWallet(asking, now);
    const payload = payloadFor(wallet, [pay(wallet, sol(1n))]);
    const authority = { kind: "passkey" as const, passkey_id: id };
    const request = { payload, stamp: wireStampOf(passkey, payload, 0, origin), authority, now };
    await expect(asking.ask("sign", { wallet_id: wallet.wallet_id }, request)).rejects.toMatchObject({
      reason: "invalid_signature",
    });
    expect(plain.pagePort).toBeNull();
  });
});

type Made = { readonly address: string; readonly wallet_id: string };

const pageUrl = (path: string) => `http://127.0.0.1:${custodian.pagePort}${path}`;
const post = (body: unknown, type = "application/json") =>
  fetch(pageUrl("/approvals"), { method: "POST", headers: { "content-type": type }, body: JSON.stringify(body) });

const enrolled = () => enrolWallet(client, now);

const pay = ({ address }: Made, ...instructions: readonly Instruction[]) =>
  executeTransactionSyncInstruction({ settings, members: [otherMember, address as Address], instructions });

/** The same instruction with this wallet in the place of the member that the support has. */
function forWallet(instruction: Instruction, { address }: Made): Instruction {
  const accounts = (instruction.accounts ?? []).map((each) =>
    each.address === anAddress(11) ? { ...each, address: address as Address } : each,
  );
  return { ...instruction, accounts };
}

function payloadFor(wallet: Made, instructions: readonly Instruction[], more: object = {}): string {
  const message = messageOf(instructions);
  // Behind the version: how many sign.
  const count = message[1] ?? 0;
  const transaction = Buffer.concat([Uint8Array.of(count), Buffer.alloc(64 * count), message]).toString("base64");
  return payloadOf(wallet.address as Address, now, { params: { transaction, encoding: "base64" }, ...more });
}

const asked = (wallet: Made, instructions: readonly Instruction[], more: object = {}) =>
  post({ payload: payloadFor(wallet, instructions, more), return_to: page.origin });

const described = async (wallet: Made, instructions: readonly Instruction[]) =>
  (await asked(wallet, [pay(wallet, ...instructions)])).json();
