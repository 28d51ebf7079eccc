import type { KeyObject } from "node:crypto";
import { describe, expect } from "vitest";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { refreshSession } from "../../src/sign-in/refresh-session.js";
import { startAuthentication } from "../../src/sign-in/start-authentication.js";
import { verifyAuthentication } from "../../src/sign-in/verify-authentication.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { createSoftPasskey } from "../support/authenticator.js";
import { byPasskey, bySessionKey } from "../support/passkeys.js";
import {
  createClientKey,
  createP256Key,
  errorOf,
  importAuthorizationKey,
  sessionOf,
  stampKmsA,
  stampKmsB,
  type Verified,
} from "../support/test-network.js";
import { attempt } from "../support/thief-on-chain.js";
import { askService, type Prepared, useThievesScene, type Victim } from "../support/thieves-scene.js";
import { plays } from "../support/thieves-table.js";

/** Thieves who ask the service, and sign with what they have. */
const scene = useThievesScene();
const { test } = scene;

describe("a thief who asks the service with", () => {
  plays(scene, "An API key", (victim) => tryStampsOf(victim, createP256Key()));

  plays(scene, "The tenant's application", async (victim) => {
    // The user signs in, and types the code into an application that sends a key of the thief's with it.
    await test.call(startAuthentication, { body: { email: victim.email } });
    await tryStampsOf(victim, await verifyWith(victim.email));
  });

  plays(scene, "A session's authorization key", (victim) => tryStampsOf(victim, victim.authorizationKey));

  plays(scene, "The client's encryption key", async (victim) => {
    // Whatever was sealed to somebody else, and nothing that was sealed to this key.
    const other = sessionOf((await scene.open("plain")).verified).session.encrypted_authorization_key;
    await expect(victim.clientKey.open(other)).rejects.toThrow();
    await tryStampsOf(victim, createP256Key());
  });

  plays(scene, "A refresh token", async (victim) => {
    const refresh = async (spki: string) => {
      const { refresh_token } = sessionOf(victim.verified);
      return test.call<{ kms_payload: Verified["authentication"][number] }>(refreshSession, {
        body: {
          encryption_public_key: spki,
          kms_payload: { provider: "kms_a", session: { KmsA: { refresh_token } } },
        },
      });
    };
    const own = await createClientKey();
    expect((await errorOf(refresh(own.spki))).code).toBe("session_key_mismatch");
    const { kms_payload } = await refresh(victim.clientKey.spki);
    const sealed = sessionOf({ authentication: [kms_payload] }).session.encrypted_authorization_key;
    await expect(own.open(sealed)).rejects.toThrow();
    await tryStampsOf(victim, createP256Key());
  });

  plays(scene, "The mailbox", async (victim) => tryStampsOf(victim, await signIn(victim.email)));

  plays(scene, "Writing to the database", async (victim) => {
    const { db } = test.needs;
    const own = `thief-${victim.email}`;
    await db.updateTable("app_user").set({ email: own }).where("email", "=", victim.email).execute();
    const key = await signIn(own);
    // Whatever commands the wallets is written over with what commands the thief's.
    const ids = (
      await db
        .selectFrom("wallet")
        .select("id")
        .where(
          "address",
          "in",
          victim.verified.policies.signers.map(({ address }) => address),
        )
        .execute()
    ).map(({ id }) => id);
    const passkey = createSoftPasskey();
    await db
      .updateTable("passkey")
      .set({ credential_id: Buffer.from(passkey.credentialId).toString("base64url") })
      .where("wallet_id", "in", ids)
      .execute();
    await tryStampsOf(victim, key, passkey);
  });

  plays(scene, "The page the client library runs in", async (victim) => {
    await tryStampsOf(victim, victim.authorizationKey);
    const { passkey } = victim;
    if (passkey === undefined) return undefined;
    // The user means to pay a shop. The page has the finger for a payment to the thief.
    const approved = 400_000_000n;
    const prepared = await pay(victim, approved);
    await submit(victim, prepared, ({ payload, provider }) =>
      provider === "kms_c"
        ? byPasskey(passkey, payload, {}, provider)
        : stampOf(payload, provider, victim.authorizationKey),
    );
    // Nothing beyond it: neither twice, nor another one.
    await attempt(() => submit(victim, prepared, ({ payload }) => byPasskey(passkey, payload, {}, "kms_c")));
    await tryStampsOf(victim, victim.authorizationKey);
    return approved;
  });
});

/** Everything that the service can be asked, signed by a key of P-256 and a passkey of the thief's own. */
async function tryStampsOf(victim: Victim, key: KeyObject, passkey = createSoftPasskey()): Promise<void> {
  await askService(scene, victim, (payload, provider) => stampOf(payload, provider, key));
  await askService(scene, victim, (payload, provider) =>
    provider === "kms_a" ? stampOf(payload, provider, key) : byPasskey(passkey, payload, {}, provider),
  );
  await askService(scene, victim, (payload, provider) => ({ ...stampOf(payload, "kms_a", key), provider }));
  // A passkey of the thief's own, which the next payment would be signed with.
  const added = await attempt(() => scene.enrol(victim.address, (document) => bySessionKey(key, document), passkey));
  if (victim.kind === "guarded") expect(added).toBe(false);
  await askService(scene, victim, (payload, provider) => byPasskey(passkey, payload, {}, provider));
}

/** In the form of the custodian that the payload is for. */
const stampOf = (payload: string, provider: string, key: KeyObject) => ({
  provider,
  kms_signed_payload:
    provider === "kms_a" ? { signature: stampKmsA(payload, key) } : stampKmsB(payload, key, test.needs.realClock.now()),
});

async function signIn(email: string): Promise<KeyObject> {
  // The newest mail is the one that is read.
  test.needs.realClock.advance(1);
  await test.call(startAuthentication, { body: { email } });
  return verifyWith(email);
}

async function verifyWith(email: string): Promise<KeyObject> {
  const clientKey = await createClientKey();
  const verified = await test.call<Verified>(verifyAuthentication, {
    body: {
      email,
      otp_code: await test.latestCode(email),
      kms_provider_config: { encryption_public_key: clientKey.spki },
    },
  });
  return importAuthorizationKey(await clientKey.open(sessionOf(verified).session.encrypted_authorization_key));
}

const pay = ({ address }: Victim, lamports: bigint) =>
  test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: String(lamports),
      source: { account: address, currency: "sol" },
      destination: { address: scene.thiefAddress, currency: "sol" },
    },
  });

const submit = (
  { address }: Victim,
  { transaction, kms_payloads }: Prepared,
  stamp: (one: Prepared["kms_payloads"][number]) => object,
) =>
  test.call(submitTransactions, { params: { address }, body: { transaction, kms_payloads: kms_payloads.map(stamp) } });
