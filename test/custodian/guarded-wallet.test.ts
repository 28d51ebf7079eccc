import { randomBytes } from "node:crypto";
import type { Address } from "@solana/kit";
import { verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { verifyReceipt } from "@trellis/kernel/custodian-receipt.js";
import { addressBytes } from "@trellis/program-client";
import { beforeEach, describe, expect, it } from "vitest";
import type { CustodianClient } from "../../src/adapters/kms/custodian-client.js";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { allowStamped, startTestCustodian } from "../support/custodian.js";
import { payloadOf, pointOf, transactionOf, wireStampOf } from "../support/custody-payloads.js";
import { page, toPayload } from "../support/passkeys.js";
import { createP256Key, stampKmsB } from "../support/test-network.js";
import { use } from "../support/use.js";

/** What the service's whole machine can ask of a guarded wallet: it has the service's keys, and none of the holder's. */
describe("a guarded wallet", () => {
  it("signs what its own passkey has stamped, and certifies which passkeys command it", async () => {
    const { wallet, passkey, id } = await enrolled();
    const payload = payloadOf(wallet.address as Address, now);
    const { signature } = await sign(wallet.wallet_id, payload, passkey, id);
    const { messageBytes } = transactionOf(wallet.address as Address);
    const bytes = Buffer.from(signature, "base64url");
    expect(verifyEd25519(addressBytes(wallet.address as Address), messageBytes, bytes)).toBe(true);
    const { receipt } = (await client.ask("getWallet", { wallet_id: wallet.wallet_id }, undefined)).wallet;
    expect(verifyReceipt(custodian.keys.peer, receipt)).toEqual({
      wallet: wallet.wallet_id,
      address: wallet.address,
      passkeys: [{ credential_id: text(passkey.credentialId), public_key: hex(passkey.point) }],
      policy: { kind: "guarded", rp },
    });
  });

  it("obeys no key that the service registers by its own word, nor a sign-in of the holder's", async () => {
    const { wallet, passkey, id } = await enrolled();
    const asked = { public_key: hex(pointOf(createP256Key())), expires_at: now + 3_600_000, now };
    const register = (grant?: object) =>
      client.ask(
        "registerAuthorization",
        { wallet_id: wallet.wallet_id },
        { ...asked, ...(grant && { grant: grant as never }) },
      );
    await expect(register()).rejects.toMatchObject({ reason: "not_granted" });
    const signIn = toPayload({
      version: 1,
      method: "signIn",
      environment: "sandbox",
      params: { encryption_public_key: "x" },
      nonce: "n",
    });
    await expect(register(byPasskey(passkey, id, signIn))).rejects.toMatchObject({ reason: "invalid_payload" });
  });

  it("obeys a key that a passkey granted: this one, until then, and not again once it is revoked", async () => {
    const { wallet, passkey, id } = await enrolled();
    const params = { wallet_id: wallet.wallet_id };
    const key = createP256Key();
    const expiresAt = now + 3_600_000;
    const grantOf = (more: object = {}) =>
      byPasskey(
        passkey,
        id,
        toPayload({
          version: 1,
          method: "authorizeKey",
          environment: "sandbox",
          wallet: wallet.address,
          params: { public_key: hex(pointOf(key)), expires_at: new Date(expiresAt).toISOString() },
          nonce: "g",
          expires_at: new Date(now + 600_000).toISOString(),
          ...more,
        }),
      );
    const asked = { public_key: hex(pointOf(key)), expires_at: expiresAt, now };
    const grant = grantOf();
    const other = { ...asked, public_key: hex(pointOf(createP256Key())) };
    for (const wrong of [other, { ...asked, expires_at: expiresAt + 1 }]) {
      await expect(client.ask("registerAuthorization", params, { ...wrong, grant })).rejects.toMatchObject({
        reason: "invalid_payload",
      });
    }
    const elsewhere = grantOf({ environment: "devnet" });
    await expect(client.ask("registerAuthorization", params, { ...asked, grant: elsewhere })).rejects.toMatchObject({
      reason: "invalid_payload",
    });
    const { authorization_id } = await client.ask("registerAuthorization", params, { ...asked, grant });
    const payload = payloadOf(wallet.address as Address, now);
    const bySession = () => {
      const { public_key, signature, timestamp_ms } = stampKmsB(payload, key, Date.now());
      const stamp = { form: "kms_b", public_key, signature, timestamp_ms };
      return client.ask("sign", params, { payload, stamp, authority: { kind: "session", authorization_id }, now });
    };
    await expect(bySession()).resolves.toBeDefined();
    await client.ask("revokeAuthorization", { authorization_id }, { now });
    await expect(bySession()).rejects.toMatchObject({ reason: "authorization_expired" });
    expect(await client.ask("registerAuthorization", params, { ...asked, grant })).toEqual({ authorization_id });
    await expect(bySession()).rejects.toMatchObject({ reason: "authorization_expired" });
  });

  it("gets its first passkey once: no other without a passkey's word, and the only one is not removed", async () => {
    const { wallet, passkey, id } = await enrolled();
    const params = { wallet_id: wallet.wallet_id };
    await expect(add(wallet.wallet_id, createSoftPasskey())).rejects.toMatchObject({ reason: "not_granted" });
    const removal = toPayload({
      version: 1,
      method: "removePasskey",
      environment: "sandbox",
      wallet: wallet.address,
      params: { credential_id: text(passkey.credentialId), passkey_id: id },
      expires_at: new Date(now + 600_000).toISOString(),
    });
    const authorization = byPasskey(passkey, id, removal);
    const asked = client.ask("removePasskey", { ...params, passkey_id: id }, { authorization, now });
    await expect(asked).rejects.toMatchObject({ reason: "not_granted" });
    await expect(add(wallet.wallet_id, createSoftPasskey())).rejects.toMatchObject({ reason: "not_granted" });
    const payload = payloadOf(wallet.address as Address, now);
    await expect(sign(wallet.wallet_id, payload, passkey, id)).resolves.toBeDefined();
  });

  it("gets one first passkey of two that are enrolled at once, and the same one when its answer was lost", async () => {
    const wallet = await make();
    const [one, two] = [await begin(wallet.wallet_id), await begin(wallet.wallet_id)];
    const passkeys = [createSoftPasskey(), createSoftPasskey()] as const;
    const answers = await Promise.allSettled([
      finish(wallet.wallet_id, one, passkeys[0]),
      finish(wallet.wallet_id, two, passkeys[1]),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const i = answers[0]?.status === "fulfilled" ? 0 : 1;
    const first = answers[i];
    const again = await finish(wallet.wallet_id, [one, two][i] ?? one, passkeys[i]);
    expect(first?.status === "fulfilled" && first.value.passkey).toEqual(again.passkey);
  });

  it("gets another passkey by one of its own, and by no key that one has granted", async () => {
    const { wallet, passkey, id } = await enrolled();
    const begun = await begin(wallet.wallet_id);
    const other = createSoftPasskey();
    const document = toPayload({
      version: 1,
      method: "addPasskey",
      environment: "sandbox",
      wallet: wallet.address,
      params: { credential_id: text(other.credentialId), public_key: hex(other.point) },
      nonce: begun.challenge,
    });
    const bySession = {
      ...byPasskey(passkey, id, document),
      authority: { kind: "session" as const, authorization_id: "any" },
    };
    await expect(finish(wallet.wallet_id, begun, other, bySession)).rejects.toMatchObject({ reason: "not_granted" });
    const intruder = byPasskey(createSoftPasskey(), id, document);
    await expect(finish(wallet.wallet_id, begun, other, intruder)).rejects.toMatchObject({
      reason: "invalid_signature",
    });
    const { receipt } = await finish(wallet.wallet_id, begun, other, byPasskey(passkey, id, document));
    expect(verifyReceipt(custodian.keys.peer, receipt)?.passkeys).toHaveLength(2);
  });

  it("takes neither kind, domain nor origins from the service later", async () => {
    const { wallet, passkey, id } = await enrolled();
    for (const more of [
      { kind: "session" as const },
      { rp: { id: "localhost", origins: ["http://localhost:4000"] } },
      { environment: "devnet" as const },
    ]) {
      const { rp: party, ...rest } = { ...terms(wallet.owner), ...more };
      const asked = rest.kind === "session" ? rest : { ...rest, rp: party };
      await expect(client.ask("ensureWallet", {}, asked)).rejects.toMatchObject({ reason: "invalid_payload" });
    }
    const begun = await client.ask("beginPasskey", { wallet_id: wallet.wallet_id }, { rp_id: "evil.example", now });
    expect(begun.rp_id).toBe("localhost");
    const payload = payloadOf(wallet.address as Address, now);
    const evil = passkey.assert({
      challenge: Buffer.from(challengeOf(payload), "base64url"),
      rpId: page.rpId,
      origin: "http://localhost:4000",
    });
    const stamp = {
      ...wireStampOf(passkey, payload),
      authenticator_data: text(evil.authenticatorData),
      client_data_json: text(evil.clientDataJson),
      signature: text(evil.signature),
    };
    const authority = { kind: "passkey" as const, passkey_id: id, origins: ["http://localhost:4000"] };
    await expect(
      client.ask("sign", { wallet_id: wallet.wallet_id }, { payload, stamp, authority, now }),
    ).rejects.toMatchObject({ reason: "invalid_signature" });
  });

  it("signs nothing for a service that sends its own passkey, another payload, an old stamp, or a clock that goes back", async () => {
    const { wallet, passkey, id } = await enrolled();
    const payload = payloadOf(wallet.address as Address, now);
    const own = createSoftPasskey();
    const params = { wallet_id: wallet.wallet_id };
    const authority = { kind: "passkey" as const, passkey_id: id };
    const counted = wireStampOf(passkey, payload, 7);
    await expect(client.ask("sign", params, { payload, stamp: counted, authority, now })).resolves.toBeDefined();
    const later = payloadOf(wallet.address as Address, now, { nonce: "later" });
    const attempts = [
      { payload, stamp: wireStampOf(own, payload, 8), authority, now },
      {
        payload,
        stamp: { ...wireStampOf(own, payload, 8), credential_id: text(passkey.credentialId) },
        authority,
        now,
      },
      { payload: later, stamp: counted, authority, now },
      { payload: later, stamp: wireStampOf(passkey, later, 7), authority, now },
    ];
    for (const attempt of attempts) {
      await expect(client.ask("sign", params, attempt)).rejects.toMatchObject({ reason: "invalid_signature" });
    }
    const expired = now + 60_000;
    const stamp = wireStampOf(passkey, payload, 9);
    await expect(client.ask("sign", params, { payload, stamp, authority, now: expired })).rejects.toMatchObject({
      reason: "payload_expired",
    });
    await expect(client.ask("sign", params, { payload, stamp, authority, now })).rejects.toMatchObject({
      reason: "payload_expired",
    });
  });

  it("of a cluster goes by the custodian's clock, whatever the service says the time is", async () => {
    const { wallet, passkey, id } = await enrolled("devnet");
    const past = Date.now() - 120_000;
    const payload = payloadOf(wallet.address as Address, past, { environment: "devnet" });
    await expect(sign(wallet.wallet_id, payload, passkey, id, past)).rejects.toMatchObject({
      reason: "payload_expired",
    });
  });

  it("obeys nothing that was written into its database", async () => {
    const { wallet } = await enrolled();
    await custodian.stop();
    await custodian.inDatabase(async (db) => {
      await db
        .updateTable("custodian_wallet")
        .set({ had_passkey: false })
        .where("wallet_id", "=", wallet.wallet_id)
        .execute();
      await db.updateTable("kms_passkey").set({ removed_at: 1n }).where("wallet_id", "=", wallet.wallet_id).execute();
    });
    await custodian.start();
    client = custodian.clientWith();
    await expect(add(wallet.wallet_id, createSoftPasskey())).rejects.toMatchObject({ reason: "wallet_not_found" });
    await custodian.stop();
    await custodian.inDatabase(async (db) => {
      await db.deleteFrom("custodian_wallet").where("wallet_id", "=", wallet.wallet_id).execute();
    });
    await custodian.start();
    client = custodian.clientWith();
    const { rp: _, ...session } = { ...terms(wallet.owner), kind: "session" as const };
    await expect(client.ask("ensureWallet", {}, session)).rejects.toMatchObject({ reason: "provider_error" });
  });
});

const custodian = use(() => startTestCustodian({ policy: allowStamped }));
let client: CustodianClient;
beforeEach(() => {
  client = custodian.clientWith();
});

const now = Date.UTC(2026, 0, 15, 12);
const rp = { id: page.rpId, origins: [page.origin] };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const nonce = () => randomBytes(32).toString("hex");
const terms = (owner: string, environment: "sandbox" | "devnet" = "sandbox") => ({
  owner,
  environment,
  kind: "guarded" as const,
  rp,
  nonce: nonce(),
  now,
});

let owners = 0;
async function make(environment: "sandbox" | "devnet" = "sandbox") {
  owners += 1;
  return (await client.ask("ensureWallet", {}, terms(`owner-${owners}`, environment))).wallet;
}

const begin = (wallet_id: string) => client.ask("beginPasskey", { wallet_id }, { now });

const finish = (
  wallet_id: string,
  begun: { readonly ceremony_id: string; readonly challenge: string },
  passkey: SoftPasskey,
  authorization?: ReturnType<typeof byPasskey> | object,
) => {
  const made = passkey.register({ ...page, challenge: Buffer.from(begun.challenge, "base64url") });
  return client.ask(
    "addPasskey",
    { wallet_id },
    {
      ceremony_id: begun.ceremony_id,
      registration: { authenticator_data: made.authenticatorData, client_data_json: made.clientDataJSON },
      now,
      ...(authorization === undefined ? {} : { authorization: authorization as ReturnType<typeof byPasskey> }),
    },
  );
};

const add = async (walletId: string, passkey: SoftPasskey) => finish(walletId, await begin(walletId), passkey);

/** A new guarded wallet with its first passkey. */
async function enrolled(environment: "sandbox" | "devnet" = "sandbox") {
  const wallet = await make(environment);
  const passkey = createSoftPasskey();
  const { passkey: added } = await add(wallet.wallet_id, passkey);
  return { wallet, passkey, id: added.id };
}

const byPasskey = (passkey: SoftPasskey, passkeyId: string, payload: string) => ({
  payload,
  stamp: wireStampOf(passkey, payload),
  authority: { kind: "passkey" as const, passkey_id: passkeyId },
});

const sign = (wallet_id: string, payload: string, passkey: SoftPasskey, passkeyId: string, at = now) =>
  client.ask("sign", { wallet_id }, { ...byPasskey(passkey, passkeyId, payload), now: at });

const challengeOf = (payload: string): string => {
  const { client_data_json } = wireStampOf(createSoftPasskey(), payload);
  return JSON.parse(Buffer.from(client_data_json, "base64url").toString()).challenge;
};
