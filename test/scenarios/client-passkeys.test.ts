import {
  createTrellisClient,
  generateEncryptionKeyPair,
  TransactionMismatchError,
  TrellisNetworkError,
} from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { useTestService } from "../support/scene.js";

/** The client library's passkeys, before a service that may lie. */
const trellis = useTestService();
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

describe("the client library", () => {
  it("pays by a passkey alone, after it has checked what it is asked to sign", async () => {
    const { account, session, credentials } = await open();
    const passkey = await trellis.client.passkeys.add({ account, session, name: "Phone", credentials });
    const before = await trellis.lamportsOf(payee);
    const passkeys = { passkeys: [passkey], credentials };
    await trellis.client.transfers.send({ account, passkeys, currency: "sol", destination: payee, amount: 5_000_000n });
    expect((await trellis.lamportsOf(payee)) - before).toBe(5_000_000n);
  });

  it("asks no passkey for anything but the payment that was ordered", async () => {
    const { account, session, credentials } = await open();
    const passkey = await trellis.client.passkeys.add({ account, session, name: "Phone", credentials });
    let asked = 0;
    const counting = {
      ...credentials,
      get: (options?: CredentialRequestOptions) => {
        asked += 1;
        return credentials.get(options);
      },
    };
    const liar = lying("/payment-intent", (body) => ({ ...body, amount: "6000000" }));
    const order = { account, currency: "sol", destination: payee, amount: 5_000_000n } as const;
    const passkeys = { passkeys: [passkey], credentials: counting };
    await expect(liar.transfers.send({ ...order, passkeys })).rejects.toBeInstanceOf(TransactionMismatchError);
    expect(asked).toBe(0);
  });

  it("lets no passkey command another wallet than it asked for, and makes none without an authority", async () => {
    const { account, session, credentials } = await open();
    const { policies } = await trellis.client.accounts.get(account);
    const backup = policies.signers.find(({ provider }) => provider === "kms_b")?.address ?? "";
    let made = 0;
    const counting = {
      ...credentials,
      create: (options?: CredentialCreationOptions) => {
        made += 1;
        return credentials.create(options);
      },
    };
    const liar = lying(":options", (body) => ({ ...body, signer: backup }));
    const wanted = { account, session, name: "Phone", credentials: counting };
    await expect(liar.passkeys.add(wanted)).rejects.toBeInstanceOf(TransactionMismatchError);
    await expect(trellis.client.passkeys.add({ ...wanted, signer: backup })).rejects.toBeInstanceOf(TypeError);
    await expect(trellis.client.passkeys.add({ account, name: "Phone", credentials: counting })).rejects.toBeInstanceOf(
      TypeError,
    );
    expect(made).toBe(0);
  });

  it("signs in by a passkey, and what it opens signs", async () => {
    const { account, session, credentials } = await open();
    await trellis.client.passkeys.add({ account, session, name: "Phone", credentials });
    const signedIn = await trellis.client.auth.signInWithPasskey({ credentials });
    expect(signedIn.account).toBe(account);
    const order = {
      account,
      session: signedIn.session,
      currency: "sol",
      destination: payee,
      amount: 1_000_000n,
    } as const;
    expect(await trellis.client.transfers.send(order)).toMatchObject({ signature: expect.any(String) });
  });
});

describe("a sign-in with a passkey beside the code", () => {
  it("asks the browser for the passkey, and opens a session that signs and is refreshed", async () => {
    const { account, email, credentials, passkeys } = await openRequired();
    const { verify } = await trellis.client.auth.signIn(email, { credentials });
    const { session, keyPair } = await verify(await codeOf(email));
    const order = { account, session, currency: "sol", destination: payee, amount: 1_000_000n } as const;
    expect(await trellis.client.transfers.send(order)).toMatchObject({ signature: expect.any(String) });
    const encryption_public_key = keyPair.publicKeySpkiBase64;
    const kms_payload = session.authentication;
    const next = await trellis.client.auth.refresh({ encryption_public_key, kms_payload });
    expect(next).toHaveProperty("kms_payload");
    await trellis.client.passkeys.setRequirement({ account, required: false, passkeys });
    expect(await trellis.client.accounts.get(account)).not.toHaveProperty("passkey_required");
  });

  it("is asked again with the same assertion where the answer was lost, and leaves the code where the user declines", async () => {
    const { account, email, credentials } = await openRequired();
    let asked = 0;
    const declining = {
      ...credentials,
      get: async (options?: CredentialRequestOptions) => {
        asked += 1;
        if (asked === 1) throw new DOMException("declined", "NotAllowedError");
        return credentials.get(options);
      },
    };
    let lost = 0;
    const frail = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      maxRetries: 0,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (!String(init?.body).includes("assertion") || lost > 0) return answer;
        lost += 1;
        throw new TypeError("the connection broke");
      },
    });
    const { verify } = await frail.auth.signIn(email, { credentials: declining });
    const code = await codeOf(email);
    await expect(verify(code)).rejects.toThrow("declined");
    await expect(verify(code)).rejects.toBeInstanceOf(TrellisNetworkError);
    expect(await verify(code)).toMatchObject({ account });
    expect([asked, lost]).toEqual([2, 1]);
  });

  it("signs this client's key and code, whatever the service names", async () => {
    const { email, credentials } = await openRequired();
    await trellis.client.auth.start({ email });
    const { publicKeySpkiBase64: encryption_public_key } = generateEncryptionKeyPair();
    const request = { email, otp_code: await codeOf(email), kms_provider_config: { encryption_public_key } };
    expect(await trellis.client.auth.verify(request, { credentials })).toHaveProperty("authentication");
  });
});

async function openRequired() {
  const { address: account, session, email } = await trellis.openHolder({ sol: "1000000000" });
  const credentials = browserWith(createSoftPasskey());
  const passkey = await trellis.client.passkeys.add({ account, session, name: "Phone", credentials });
  const passkeys = { passkeys: [passkey], credentials };
  await trellis.client.passkeys.setRequirement({ account, required: true, passkeys });
  return { account, email, credentials, passkeys };
}

async function codeOf(email: string): Promise<string> {
  const [mail] = await trellis.client.sandbox.outbox(email);
  return mail?.otp_code ?? "";
}

async function open() {
  const { address: account, session } = await trellis.openHolder({ sol: "1000000000" });
  return { account, session, credentials: browserWith(createSoftPasskey()) };
}

/** A client whose service does something else than requests to a path ask for. */
function lying(path: string, change: (body: Record<string, unknown>) => object) {
  return createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: async (url, init) => {
      if (!String(url).endsWith(path)) return fetch(url, init);
      const sent = change(JSON.parse(String(init?.body)));
      return fetch(url, { ...init, body: JSON.stringify(sent) });
    },
  });
}
