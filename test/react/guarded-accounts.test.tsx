import { useAccount, usePayment, useSignIn } from "@trellis/react";
import { addressOfKey, generateEncryptionKeyPair, openSession } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { newKey } from "../proposals/support.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { use } from "../support/use.js";
import { type Between, codeFor, freshEmail, open, startBackend } from "./support.js";

const guardian = use(() => startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" } }));
const backend = use(async () => {
  const started = await startBackend({
    TRELLIS_GUARDIAN: "kms_c",
    TRELLIS_CUSTODIAN_KMS_C_URL: guardian.url,
    TRELLIS_CUSTODIAN_KMS_C_KEYS: guardian.folders.service,
  });
  return { ...started, close: () => started.trellis.close() };
});

describe("a guarded account on a page", () => {
  it("pays by session and passkey in one act, and by neither alone", async () => {
    const { screen, counts } = await openGuarded();
    const { account } = await screen.until((view) => view.account.data !== undefined);
    expect(account.data).toMatchObject({ protection: "guarded", own: { way: "vote" }, paysWithPasskey: true });
    const destination = makeKey().address;
    const order = { currency: "sol", destination, amount: 5_000_000n } as const;
    for (const alone of [{}, { byPasskey: true }]) {
      const refused = await screen.does(({ payment }) => payment.pay({ ...order, ...alone }));
      expect(refused).toMatchObject({ status: "refused", error: { code: "proposal_required" } });
    }
    counts.asked = 0;
    // Two clicks pay once, and ask for one touch.
    const both = { ...order, withPasskey: true };
    const paid = await screen.does(({ payment }) => Promise.all([payment.pay(both), payment.pay(both)]));
    expect(paid).toMatchObject([{ status: "confirmed" }, { status: "confirmed" }]);
    expect(counts.asked).toBe(1);
    expect(await backend.trellis.lamportsOf(destination)).toBe(5_000_000n);
    await screen.leave();
  });

  it("pays nothing where its user declines, and once where an answer is lost, without another touch", async () => {
    let isLossy = false;
    const between: Between = async ({ path }, go) => {
      const answer = await go();
      if (isLossy && path.endsWith("/submit")) throw new TypeError("the answer was lost");
      return answer;
    };
    const { screen, counts } = await openGuarded(between);
    const destination = makeKey().address;
    const order = { currency: "sol", destination, amount: 5_000_000n, withPasskey: true } as const;
    counts.isDeclined = true;
    const declined = await screen.does(({ payment }) => payment.pay(order));
    expect(declined).toMatchObject({ status: "refused", error: { code: "passkey_declined" } });
    expect(await backend.trellis.lamportsOf(destination)).toBe(0n);
    counts.isDeclined = false;
    counts.asked = 0;
    isLossy = true;
    expect(await screen.does(({ payment }) => payment.pay(order))).toMatchObject({ status: "unknown" });
    isLossy = false;
    expect(await screen.does(({ payment }) => payment.retry())).toMatchObject({ status: "confirmed" });
    expect(counts.asked).toBe(1);
    expect(await backend.trellis.lamportsOf(destination)).toBe(5_000_000n);
    await screen.leave();
  });
});

const useAll = () => ({ signIn: useSignIn(), account: useAccount(), payment: usePayment() });

/** A page whose user has a guarded account with a passkey. */
async function openGuarded(between?: Between) {
  const { client } = backend.trellis;
  const email = freshEmail();
  await client.accounts.create({
    type: "email",
    email,
    protection: "guarded",
    recovery: { address: addressOfKey(newKey()) },
  });
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: await codeFor(backend, email),
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const { address: account, authentication, policies } = verified;
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const device = browserWith(createSoftPasskey());
  const counts = { asked: 0, isDeclined: false };
  const credentials = {
    create: device.create,
    get: async (options?: CredentialRequestOptions) => {
      counts.asked += 1;
      if (counts.isDeclined) throw new DOMException("The user said no.", "NotAllowedError");
      return device.get(options);
    },
  };
  await client.passkeys.add({
    account,
    session: await openSession(authentication[0], keyPair),
    signer: policies.signers.find(({ provider }) => provider === "kms_c")?.address ?? "",
    name: "Phone",
    credentials,
    guardian: { identity: guardian.identity },
  });
  const screen = await open(backend, useAll, { credentials, ...(between === undefined ? {} : { between }) });
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  return { screen, counts };
}
