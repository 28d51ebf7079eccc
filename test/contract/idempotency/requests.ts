import { type KeyObject, randomUUID } from "node:crypto";
import type { Address } from "@solana/kit";
import { generateEncryptionKeyPair, openSession, signPreparedTransfer } from "@trellis/sdk";
import { expect } from "vitest";
import { makeKey } from "../../adversarial/support.js";
import { createClientKey, importAuthorizationKey } from "../../support/test-network.js";
import { app, client, mails, onceInWorld, send, type Trial, test } from "./world.js";

export const v1 = "/api/service/v1";
export const post = (path: string, body: object, more: Partial<Trial> = {}): Trial => ({
  method: "POST",
  path: v1 + path,
  body,
  environment: "sandbox",
  ...more,
});
export const newEmail = () => `${randomUUID()}@example.org`;
export const codeFor = (email: string) =>
  [...mails]
    .reverse()
    .find(({ to }) => to === email)
    ?.text.match(/\b\d{6}\b/)?.[0] ?? "";
export const encryptionKey = () => generateEncryptionKeyPair().publicKeySpkiBase64;

export const liveCodes = (email: string) => async () =>
  (
    await test.needs.db
      .selectFrom("one_time_code")
      .select("id")
      .where("email", "=", email)
      .where("state", "=", "live")
      .execute()
  ).length;
export const liveSessions = (email: string) => async () =>
  (
    await test.needs.db
      .selectFrom("session")
      .innerJoin("app_user", "app_user.id", "session.user_id")
      .select("session.id")
      .where("email", "=", email)
      .where("state", "=", "live")
      .execute()
  ).length;
/** Accounts with a memo, and creations on their way to one more. */
export const accountsNamed = (memo: string) => async () => {
  const accounts = await test.needs.db.selectFrom("account").select("address").where("memo", "=", memo).execute();
  const pending = await test.needs.db
    .selectFrom("account_creation")
    .select("id")
    .where("plan", "like", `%${memo}%`)
    .where("state", "=", "pending")
    .execute();
  return accounts.length + pending.length;
};

export async function register(): Promise<string> {
  const email = newEmail();
  await send(app, post("/accounts", { type: "email", email }, { environment: "devnet" }));
  return email;
}

/** A user with an account; sessions of the verification are ended, so that they do not count. */
export async function settle(): Promise<string> {
  const email = await register();
  const body = { email, otp_code: codeFor(email), kms_provider_config: { encryption_public_key: encryptionKey() } };
  expect((await send(app, post("/accounts/verify", body, { environment: "devnet" }))).status).toBe(200);
  await test.needs.db.updateTable("session").set({ state: "rotated" }).execute();
  return email;
}

/** A user with a custodian's wallet, and money. */
export const findPayer = onceInWorld(async () => {
  const email = newEmail();
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  await client.sandbox.airdrop({ address: verified.address, currency: "sol", amount: "900000000000" });
  return { account: verified.address, session: await openSession(verified.authentication[0], keyPair) };
});

/** Somebody in the sandbox with an account, and the key of their session. */
export async function settleWithSession(): Promise<{ readonly address: string; readonly key: KeyObject }> {
  const email = newEmail();
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = await createClientKey();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.spki },
  });
  const sealed = verified.authentication[0]?.session.KmsA?.session.encrypted_authorization_key;
  if (sealed === undefined) throw new Error("the answer has no session");
  return { address: verified.address, key: importAuthorizationKey(await keyPair.open(sealed)) };
}

/** Payments from that wallet, signed. */
export async function signPayments(count: number) {
  const { account, session } = await findPayer();
  const payees = Array.from({ length: count }, () => makeKey().address);
  const items = [];
  for (const payee of payees) {
    const prepared = await client.transfers.prepare(account, {
      amount: "10000000",
      source: { account, currency: "sol" },
      destination: { address: payee, currency: "sol" },
    });
    const expected = { from: account as Address, to: payee, mint: null, amount: 10_000_000n };
    const kms_payloads = signPreparedTransfer(prepared, expected, session, "sandbox", test.needs.realClock.now());
    items.push({ transaction: prepared.transaction, kms_payloads });
  }
  /** Every payee once, or what it is instead. */
  const effects = async () => {
    const balances = await Promise.all(payees.map((payee) => test.network.rpc.getBalance(payee).send()));
    const paid = balances.map(({ value }) => Number(value) / 10_000_000);
    return paid.every((times) => times === paid[0]) ? (paid[0] ?? 0) : Number.NaN;
  };
  return { account, items, effects };
}

export const provider = { encryption_public_key: encryptionKey() };
