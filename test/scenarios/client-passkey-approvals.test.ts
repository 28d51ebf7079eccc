import {
  type Address,
  appendTransactionMessageInstruction,
  compileTransaction,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from "@solana/kit";
import { assertTransferMatches, createTrellisClient, decodeTransaction, readApproval } from "@trellis/sdk";
import { memoInstruction } from "@trellis/solana/memo.js";
import { describe, expect, it } from "vitest";
import { assertApproval } from "../../packages/sdk/src/passkey-approval.js";
import { newKey } from "../proposals/support.js";
import { createSoftPasskey } from "../support/authenticator.js";
import { answerOf, openByClient } from "../support/passkey-signers.js";
import { useTestService } from "../support/scene.js";

/** The client library has a passkey approve without a session, before a service that may lie. */
const publicUrl = "http://localhost:3000";
const trellis = useTestService({ TRELLIS_PUBLIC_URL: publicUrl });
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2" as Address;

describe("an approval", () => {
  it("is of what was prepared and checked, and is carried out by the page's call", async () => {
    const { account, passkey, passkeyAccount } = await open();
    const before = await trellis.lamportsOf(payee);
    const { transaction } = await prepare(account);
    const wanted = { from: account as Address, to: payee, mint: null, amount: 5_000_000n };
    assertTransferMatches(decodeTransaction(transaction), wanted);
    await trellis.client.sandbox.advanceClock(1);
    const begun = await trellis.client.passkeySigners.approve({ account, passkeyAccount, transaction, ...page });
    expect(begun.approval).toMatchObject({ ceremony_type: "approve", app_name: "Shop" });
    const { relying_party_id: rpId, origin, challenge } = begun.approval;
    const answer = answerOf(passkey, { challenge: Buffer.from(challenge, "base64url") }, { rpId, origin });
    const data = await complete(answer);
    expect((await trellis.lamportsOf(payee)) - before).toBe(5_000_000n);
    // Whatever the page could not say: a submit of what was prepared does.
    expect(await trellis.client.transactions.submit(account, { transaction })).toMatchObject({
      transaction_signature: data.transaction_signature,
    });
  });

  it("is not begun for anything else than was handed in", async () => {
    const { account, passkeyAccount } = await open();
    const [{ transaction }, other] = [await prepare(account), await prepare(account, "6000000")];
    await trellis.client.sandbox.advanceClock(1);
    const liar = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: (url, init) => {
        const isBegun = init?.method === "POST" && String(url).endsWith("/approvals");
        const body = { ...JSON.parse(String(init?.body ?? "{}")), transaction: other.transaction };
        return fetch(url, isBegun ? { ...init, body: JSON.stringify(body) } : init);
      },
    });
    const wanted = { account, passkeyAccount, transaction, ...page };
    await expect(liar.passkeySigners.approve(wanted)).rejects.toMatchObject(mismatch);
    await trellis.client.sandbox.advanceClock(1);
    const elsewhere = { ...wanted, pageOrigin: "https://evil.example" };
    await expect(trellis.client.passkeySigners.approve(elsewhere)).rejects.toMatchObject(mismatch);
  });
});

describe("a begun approval", () => {
  it("comes with the address of its page, without a call that is counted by the server's address", async () => {
    const { account, passkeyAccount } = await open();
    const { transaction } = await prepare(account);
    await trellis.client.sandbox.advanceClock(1);
    const paths: string[] = [];
    const client = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: (url, init) => {
        paths.push(new URL(String(url)).pathname);
        return fetch(url, init);
      },
    });
    const { approval } = await client.passkeySigners.approve({ account, passkeyAccount, transaction, ...page });
    expect(paths).toEqual([expect.stringMatching(/\/approvals$/)]);
    expect(await shownAt({ challenge: approval.challenge })).toMatchObject({ execution: approval.execution });
  });

  it("says the way back to nobody who has computed its challenge", async () => {
    const { account, passkeyAccount } = await open();
    const { transaction } = await prepare(account);
    await trellis.client.sandbox.advanceClock(1);
    const redirectUrl = "https://shop.example/back";
    const wanted = { account, passkeyAccount, transaction, redirectUrl, ...page };
    const { url, approval } = await trellis.client.passkeySigners.approve(wanted);
    const { challenge } = approval;
    for (const more of [{}, { redirect_url: redirectUrl }, { redirect_url: "" }]) {
      expect(await shownAt({ challenge, ...more })).toBeUndefined();
    }
    const redirect_url = new URL(url).searchParams.get("redirect-url") ?? "";
    expect(redirect_url).toContain("passkey_state=");
    expect(await shownAt({ challenge, redirect_url })).toMatchObject({ redirect_url });
  });
});

describe("the memo of a payment", () => {
  it("is under the passkey's signature, and a payment with one beside it is not begun", async () => {
    const { account, passkey, passkeyAccount } = await open();
    const { transaction } = await prepare(account, "5000000", "customer 4711");
    const wanted = { from: account as Address, to: payee, mint: null, amount: 5_000_000n, memo: "customer 4711" };
    assertTransferMatches(decodeTransaction(transaction), wanted);
    await trellis.client.sandbox.advanceClock(1);
    const begun = await trellis.client.passkeySigners.approve({ account, passkeyAccount, transaction, ...page });
    expect(readApproval(begun.approval)).toMatchObject([
      { entry: { type: "memo", text: "customer 4711" } },
      { entry: { type: "transfer", to: payee, amount: "5000000" } },
    ]);
    const read = decompileTransactionMessage(
      getCompiledTransactionMessageDecoder().decode(
        getTransactionDecoder().decode(Buffer.from(transaction, "base64")).messageBytes,
      ),
    );
    const beside = compileTransaction(appendTransactionMessageInstruction(memoInstruction("customer 666"), read));
    const bent = getBase64EncodedWireTransaction(beside);
    const { url } = begun;
    const { origin } = new URL(publicUrl);
    const expected = { transaction: bent, account, passkeyAccount, url, origin };
    expect(() => assertApproval(begun.approval, { ...expected, transaction })).not.toThrow();
    expect(() => assertApproval(begun.approval, expected)).toThrow(expect.objectContaining({ difference: "memo" }));
    const { relying_party_id: rpId, challenge } = begun.approval;
    const answer = answerOf(passkey, { challenge: Buffer.from(challenge, "base64url") }, { rpId, origin });
    expect(await complete(answer)).toHaveProperty("transaction_signature");
  });
});

const shownAt = async (query: Readonly<Record<string, string>>) => {
  const response = await fetch(`${trellis.url}/api/service/v1/passkeys/ceremony?${new URLSearchParams(query)}`);
  return ((await response.json()) as { data?: object }).data;
};

const complete = async (authenticatorResponse: object) => {
  const response = await fetch(`${trellis.url}/api/service/v1/passkeys/ceremony`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ authenticatorResponse }),
  });
  return ((await response.json()) as { data: { transaction_signature: string } }).data;
};

const page = { appName: "Shop", pageOrigin: publicUrl } as const;
const mismatch = { name: "TransactionMismatchError", difference: "payload" };

const prepare = (account: string, amount = "5000000", memo?: string) =>
  trellis.client.transfers.prepare(account, {
    amount,
    source: { account, currency: "sol" },
    destination: { address: payee, currency: "sol" },
    passkey_approval: true,
    ...(memo === undefined ? {} : { memo }),
  });

/** An account of a passkey signer alone, with some SOL, whose session has ended. */
async function open() {
  const passkey = createSoftPasskey();
  const { passkeyAccount } = await openByClient(trellis.client, passkey, newKey());
  await openByClient(trellis.client, passkey, newKey(), { kind: "auth", seconds: 0 });
  const { address: account } = await trellis.client.accounts.create({
    type: "signers",
    signers: [passkeyAccount],
    threshold: 1,
  });
  await trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  return { account, passkey, passkeyAccount };
}
