import { randomBytes, randomUUID } from "node:crypto";
import { readPolicyCertificate } from "@trellis/kernel/custodian-policy-certificate.js";
import type { PolicyCertificate } from "@trellis/kernel/ports/wallet-policy.js";
import type { Selectable } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import type { CustodianClient } from "../../src/adapters/kms/custodian-client.js";
import type { CustodianDb, CustodianWalletTable } from "../../src/custodian/custodian-db.js";
import { defaultPolicies, type WalletPolicy } from "../../src/custodian/policy/wallet-policy.js";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { pointOf, wireStampOf } from "../support/custody-payloads.js";
import { enrolWallet } from "../support/enrolled-wallet.js";
import { page, toPayload } from "../support/passkeys.js";
import { createP256Key, stampKmsB } from "../support/test-network.js";
import { use } from "../support/use.js";

/** What the service's whole machine can make of the policy of a guarded wallet: it carries what a passkey has signed. */
describe("the policy of a guarded wallet", () => {
  it("is that of its kind until a passkey sets one, and is certified under the nonce it is asked with", async () => {
    const { params } = await enrolled();
    const nonce = randomBytes(32).toString("hex");
    expect(await read(params, nonce)).toMatchObject({
      policy: defaultPolicies.guarded,
      version: 0,
      next: null,
      nonce,
      as_of: iso(now),
    });
    expect(await read(params, null)).toMatchObject({ nonce: null });
  });

  it("is set by a passkey, waits where it loosens, and holds at its time though nobody asks again", async () => {
    const { params, order } = await enrolled();
    expect(await set(params, order(strict, 0))).toMatchObject({ policy: strict, version: 1, next: null, nonce: "n" });
    const waits = { policy: strict, version: 2, next: { policy: defaultPolicies.guarded, from: iso(now + day) } };
    expect(await set(params, order(defaultPolicies.guarded, 1))).toMatchObject(waits);
    expect(await read(params, null, now + day - 1)).toMatchObject(waits);
    expect(await read(params, null, now + day)).toMatchObject({
      policy: defaultPolicies.guarded,
      version: 2,
      next: null,
    });
  });

  it("that waits is cancelled by another passkey of the wallet, and its document is not taken again", async () => {
    const { params, order, wallet, add } = await enrolled();
    await set(params, order(strict, 0));
    const loosening = order(defaultPolicies.guarded, 1);
    await set(params, loosening);
    const other = await add();
    expect(await set(params, orderOf(wallet, other, strict, 2))).toMatchObject({
      policy: strict,
      version: 3,
      next: null,
    });
    await expect(set(params, loosening)).rejects.toMatchObject({ reason: "policy_outdated" });
    expect(await read(params, null, now + 2 * day)).toMatchObject({ policy: strict, version: 3 });
  });

  it("is missed where its rows are all gone, also of a wallet from before that was noted, and after a restore", async () => {
    const { params, order } = await enrolled();
    const { wallet_id: id } = params;
    const port = Number(new URL(custodian.url).port);
    const rows = { before: {} as Selectable<CustodianWalletTable> };
    const change = async (work: (db: CustodianDb) => Promise<unknown>, more = {}) => {
      await custodian.stop();
      await custodian.inDatabase(async (db) => {
        await work(db);
      });
      await custodian.start(port, more);
    };
    const find = (db: CustodianDb) => db.selectFrom("custodian_wallet").selectAll().where("wallet_id", "=", id);
    await change(async (db) => {
      rows.before = await find(db).executeTakeFirstOrThrow();
    });
    await set(params, order(strict, 0));
    // As the former release left it.
    await change((db) => db.updateTable("custodian_wallet").set(rows.before).where("wallet_id", "=", id).execute());
    expect(await read(params, null)).toMatchObject({ policy: strict });
    const takeAway = async (db: CustodianDb) => {
      expect(await find(db).executeTakeFirstOrThrow()).toMatchObject({ has_policy: true });
      for (const table of [
        "custodian_spent",
        "custodian_pending",
        "custodian_counted",
        "custodian_destination",
      ] as const)
        await db.deleteFrom(table).where("wallet_id", "=", id).execute();
      await db.deleteFrom("custodian_policy").where("wallet_id", "=", id).execute();
    };
    const altered = { reason: "policy", message: "Records of this wallet were altered outside the custodian." };
    for (const more of [{}, { afterRestore: true }]) {
      await change(takeAway, more);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await expect(read(params, null)).rejects.toMatchObject(altered);
        await expect(set(params, order(defaultPolicies.guarded, 0))).rejects.toMatchObject(altered);
      }
    }
    await change((db) =>
      db.updateTable("custodian_wallet").set({ has_policy: false }).where("wallet_id", "=", id).execute(),
    );
    await expect(read(params, null)).rejects.toMatchObject({ reason: "wallet_not_found" });
  });

  it("is not set by a document that was taken before, is of another wallet, is over, or is signed by another key", async () => {
    const { params, order, wallet, passkey, id } = await enrolled();
    const { wallet: others } = await enrolled();
    const first = order(strict, 0);
    const taken = await set(params, first);
    expect(await set(params, first)).toEqual(taken);
    const intruder = { passkey: createSoftPasskey(), id };
    const lent = {
      ...order(looser, 1),
      stamp: { ...wireStampOf(intruder.passkey, order(looser, 1).payload), credential_id: text(passkey.credentialId) },
    };
    const bad: readonly (readonly [object: ReturnType<typeof order>, reason: string])[] = [
      [order(looser, 0), "policy_outdated"],
      [order(looser, 7), "policy_outdated"],
      [orderOf(others, { passkey, id }, looser, 1), "invalid_payload"],
      [order(looser, 1, { environment: "devnet" }), "invalid_payload"],
      [order(looser, 1, { method: "signIn" }), "invalid_payload"],
      [order(looser, 1, { expires_at: iso(now) }), "payload_expired"],
      [order(looser, 1, { expires_at: iso(now + 3_600_001) }), "payload_expired"],
      [order(looser, 1, { nonce: "" }), "invalid_payload"],
      [order({ ...looser, version: 2 } as never, 1), "invalid_policy"],
      [orderOf(wallet, intruder, looser, 1), "invalid_signature"],
      [lent, "invalid_signature"],
      [{ ...order(looser, 1), payload: order(strict, 1).payload }, "invalid_signature"],
      [{ ...order(looser, 1), authority: { kind: "session", authorization_id: "any" } as never }, "not_granted"],
    ];
    for (const [index, [document, reason]] of bad.entries()) {
      await expect(set(params, document), `document ${index}`).rejects.toMatchObject({ reason });
    }
    expect(await read(params, null)).toMatchObject({ policy: strict, version: 1, next: null });
  });

  it("is one of two that are set at once", async () => {
    const { params, order } = await enrolled();
    const answers = await Promise.allSettled([set(params, order(strict, 0)), set(params, order(looser, 0))]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await read(params, null)).toMatchObject({ version: 1 });
  });

  it("is still there, with what waits, when the custodian was stopped in between", async () => {
    const { params, order } = await enrolled();
    await set(params, order(strict, 0));
    const before = await set(params, order(looser, 1));
    await custodian.stop();
    await custodian.start();
    client = custodian.clientWith();
    expect(await read(params, "0".repeat(64))).toEqual({ ...before, nonce: "0".repeat(64) });
  });
});

it("the policy of a session wallet is set by no passkey: the service could have added it", async () => {
  const { wallet, ...added } = await enrolledSession();
  const params = { wallet_id: wallet.wallet_id };
  await expect(set(params, orderOf(wallet, added, strict, 0))).rejects.toMatchObject({ reason: "not_granted" });
  expect(await read(params, null)).toMatchObject({ policy: defaultPolicies.session, version: 0, next: null });
});

const custodian = use(() => startTestCustodian());
let client: CustodianClient;
beforeEach(() => {
  client = custodian.clientWith();
});

const now = Date.UTC(2026, 0, 15, 12);
const day = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const strict: WalletPolicy = {
  ...defaultPolicies.guarded,
  transfers: {
    limits: [{ mint: null, per_transaction: "1000" }],
    other_mints: "refuse",
    destinations: { type: "any" },
  },
};
const looser: WalletPolicy = { ...strict, opaque: "passkey" };

type Params = { readonly wallet_id: string };
type Order = Parameters<typeof client.ask<"setPolicy">>[2]["authorization"];

const certified = async (answer: Promise<{ certificate: { document: string; signature: string } }>) => {
  const content: PolicyCertificate | undefined = readPolicyCertificate(custodian.keys.peer, (await answer).certificate);
  expect(content).toBeDefined();
  return content;
};
const read = (params: Params, nonce: string | null, at = now) =>
  certified(client.ask("readPolicy", params, { nonce, now: at }));
const set = (params: Params, authorization: Order, at = now) =>
  certified(client.ask("setPolicy", params, { authorization, now: at }));

/** The document of a policy, stamped by a passkey. */
function orderOf(
  wallet: { readonly address: string },
  { passkey, id }: { readonly passkey: SoftPasskey; readonly id: string },
  policy: WalletPolicy,
  replaces: number,
  more: object = {},
): Order {
  const payload = toPayload({
    version: 1,
    method: "setWalletPolicy",
    environment: "sandbox",
    wallet: wallet.address,
    params: { policy, replaces },
    nonce: "n",
    expires_at: iso(now + 600_000),
    ...more,
  });
  return { payload, stamp: wireStampOf(passkey, payload), authority: { kind: "passkey", passkey_id: id } };
}

/** A session wallet with a passkey, all made by the service alone. */
async function enrolledSession() {
  const terms = { owner: randomUUID(), environment: "sandbox", kind: "session", nonce: "0".repeat(64), now } as const;
  const { wallet } = await client.ask("ensureWallet", {}, terms);
  const params = { wallet_id: wallet.wallet_id };
  const key = createP256Key();
  const public_key = Buffer.from(pointOf(key)).toString("hex");
  const registered = await client.ask("registerAuthorization", params, { public_key, expires_at: now + day, now });
  const begun = await client.ask("beginPasskey", params, { rp_id: page.rpId, now });
  const passkey = createSoftPasskey();
  const made = passkey.register({ ...page, challenge: Buffer.from(begun.challenge, "base64url") });
  const payload = toPayload({
    version: 1,
    method: "addPasskey",
    environment: "sandbox",
    wallet: wallet.address,
    params: { credential_id: text(passkey.credentialId), public_key: Buffer.from(passkey.point).toString("hex") },
    nonce: begun.challenge,
  });
  const stamp = { form: "kms_b" as const, ...stampKmsB(payload, key, Date.now()) };
  const authority = { kind: "session" as const, authorization_id: registered.authorization_id };
  const { passkey: added } = await client.ask("addPasskey", params, {
    ceremony_id: begun.ceremony_id,
    registration: { authenticator_data: made.authenticatorData, client_data_json: made.clientDataJSON },
    origins: [page.origin],
    authorization: { payload, stamp, authority },
    now,
  });
  return { wallet, passkey, id: added.id };
}

async function enrolled() {
  const made = await enrolWallet(client, now);
  const order = (policy: WalletPolicy, replaces: number, more: object = {}) =>
    orderOf(made.wallet, made, policy, replaces, more);
  return { ...made, order, params: { wallet_id: made.wallet.wallet_id } };
}
