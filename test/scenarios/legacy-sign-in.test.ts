/** A user signs in by v0 and pays by the present interface, through the client library and over a real socket. */
import {
  generateEncryptionKeyPair,
  InvalidKeyError,
  openCredentialBundle,
  openLegacySession,
  signLegacyPaymentIntent,
  TransactionMismatchError,
} from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { expectError, makeKey, stamp } from "../adversarial/support.js";
import { use, useTestService } from "../support/scene.js";

const legacyPath = "/api/v0/service/smart-accounts";
const trellis = useTestService();
const ada = use(() => trellis.openHolder({ sol: "2000000000" }));

describe("a v0 sign-in", () => {
  it("signs a payment that the present interface prepared, and it is confirmed", async () => {
    const { verified, keyPair } = await signIn();
    const session = await openLegacySession(verified, keyPair);
    const destination = makeKey().address;
    const sent = await trellis.client.transfers.send({
      account: session.account,
      session,
      currency: "sol",
      destination,
      amount: 5_000_000n,
    });
    expect(sent.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
    expect(await trellis.lamportsOf(destination)).toBe(5_000_000n);
  });

  it("pays by v0 from beginning to end, whatever is confirmed twice", async () => {
    const { verified, keyPair } = await signIn();
    const session = await openLegacySession(verified, keyPair);
    const { legacy, paymentIntents } = trellis.client;
    const destination = makeKey().address;
    const created = await legacy.createPaymentIntent(session.account, {
      amount: "5000000",
      source: { currency: "sol" },
      destination: { address: destination },
    });
    const { id } = created.PaymentProvider;
    const expected = { from: ada.address, to: destination, mint: null, amount: 5_000_000n };
    expect(() => signLegacyPaymentIntent(created, { ...expected, amount: 1n }, session, "sandbox")).toThrow(
      TransactionMismatchError,
    );
    const request = signLegacyPaymentIntent(created, expected, session, "sandbox");
    const confirmed = await legacy.confirmPaymentIntent(session.account, id, request);
    expect(confirmed.PaymentProvider).toMatchObject({ id, state: "payment_processed" });
    expect(await legacy.confirmPaymentIntent(session.account, id, request)).toEqual(confirmed);
    expect(await trellis.lamportsOf(destination)).toBe(5_000_000n);
    expect(await legacy.paymentIntent(session.account, id)).toEqual(confirmed);
    expect(await legacy.paymentIntents(session.account, { state: "payment_processed" })).toContainEqual(confirmed);

    const intent = await paymentIntents.get(session.account, id);
    expect(intent).toMatchObject({ state: "payment_processed", amount: "5000000" });
    const listed = [];
    for await (const each of paymentIntents.list(session.account, { limit: 1 })) listed.push(each);
    expect(listed).toContainEqual(intent);
    const older = [];
    for await (const each of legacy.allPaymentIntents(session.account, { limit: 1 }))
      older.push(each.PaymentProvider.id);
    expect(older).toEqual(listed.map((each) => each.id));
    expect(older.length).toBeGreaterThan(1);
    const path = `${legacyPath}/${session.account}/payment-intents`;
    const page = await trellis.request("GET", `${path}?limit=1`);
    expect(page.headers.get("x-next-cursor")).toBeTruthy();
    const next = await trellis.request("GET", `${path}?limit=1&cursor=${page.headers.get("x-next-cursor")}`);
    expect([next.status, (next.body as unknown[]).length]).toEqual([200, 1]);
    expectError(await trellis.request("GET", `${path}?limit=101`), 400, "invalid_request");
    expectError(await trellis.request("GET", `${path}/none`), 404, "payment_intent_not_found");
    expectError(
      await trellis.request("GET", path, undefined, { "x-service-environment": "production" }),
      400,
      "environment_not_available",
    );
  });

  it("signs nothing once its time is over", async () => {
    const { verified, keyPair } = await signIn(30);
    const session = await openLegacySession(verified, keyPair);
    await trellis.client.sandbox.advanceClock(31);
    const prepared = await trellis.preparePayment(ada, { amount: "1000000", currency: "sol", to: makeKey().address });
    const signed = stamp(prepared, { ...ada.session, authorizationKey: session.authorizationKey });
    expectError(await trellis.submit(ada.address, prepared.transaction, signed), 401, "session_expired");
  });

  it("gives a bundle that only its own key opens, and that no character may be missing of", async () => {
    const { verified, keyPair } = await signIn();
    const { credential_bundle: bundle } = verified;
    await expect(openCredentialBundle(bundle, generateEncryptionKeyPair())).rejects.toThrow(InvalidKeyError);
    await expect(openCredentialBundle(bundle.slice(1), keyPair)).rejects.toThrow(InvalidKeyError);
    await expect(openCredentialBundle("", keyPair)).rejects.toThrow(InvalidKeyError);
  });

  it("takes the environment from the header, in the words of v0", async () => {
    const ask = (environment: string) =>
      trellis.request("POST", `${legacyPath}/auth`, { email: ada.email }, { "x-service-environment": environment });
    expect((await ask("sandbox")).status).toBe(200);
    expectError(await ask("production"), 400, "environment_not_available");
    expectError(await ask("staging"), 400, "invalid_environment");
  });

  it("answers an error body like any other", async () => {
    const ask = (body: unknown) => trellis.request("POST", `${legacyPath}/verify-otp`, body);
    expectError(await ask({}), 400, "invalid_request");
    const request = { mpc_primary_id: "m", otp_id: "o", otp_code: "1", auth_public_key: "k" };
    expectError(await ask(request), 400, "invalid_encryption_public_key");
  });
});

async function signIn(expiration?: number) {
  const started = await trellis.client.legacy.auth({ email: ada.email, app_name: "Old app", app_icon_url: "" });
  const [mail] = await trellis.client.sandbox.outbox(ada.email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await trellis.client.legacy.verifyOtp({
    ...started,
    otp_code: mail?.otp_code ?? "",
    auth_public_key: keyPair.publicKeySpkiBase64,
    ...(expiration === undefined ? {} : { expiration }),
  });
  return { verified, keyPair };
}
