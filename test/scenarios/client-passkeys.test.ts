import { createTrellisClient, TransactionMismatchError } from "@trellis/sdk";
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
