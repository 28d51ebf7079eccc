import {
  addressOfKey,
  createTrellisClient,
  generateEncryptionKeyPair,
  InvalidKeyError,
  openSession,
  type Permission,
  type SignerKey,
  TransactionMismatchError,
} from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { newKey } from "../proposals/support.js";
import { useTestService } from "../support/scene.js";

const everything: Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const trellis = useTestService();

describe("accounts.update", () => {
  it("changes a policy with keys of the caller's own", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const { address: account } = await trellis.client.accounts.createCustom({
      policies: { signers: [may(a), may(b)], threshold: 2 },
    });
    const updated = await trellis.client.accounts.update({
      account,
      keys: [a, b],
      changes: { signers: [may(a), may(c)], threshold: 1 },
    });
    expect(updated.remainingSpendingLimits).toEqual([]);
    const { signers, threshold } = await policiesOf(account);
    expect(signers.map(({ address }) => address).sort()).toEqual([addressOfKey(a), addressOfKey(c)].sort());
    expect(threshold).toBe(1);
  });

  it("changes it with a session and a key together", async () => {
    const own = newKey();
    const email = "pair@example.org";
    const { address: account } = await trellis.client.accounts.createCustom({
      policies: { signers: [{ type: "email", email, permissions: everything }, may(own)], threshold: 2 },
    });
    await trellis.client.accounts.update({
      account,
      session: await signIn(email),
      keys: [own],
      changes: { threshold: 1 },
    });
    expect((await policiesOf(account)).threshold).toBe(1);
  });

  it("changes it with the admin's key, and gives the admin up only on request", async () => {
    const [a, admin] = [newKey(), newKey()];
    const { address: account } = await trellis.client.accounts.createCustom({
      policies: { signers: [may(a)], threshold: 1, admin_address: addressOfKey(admin), time_lock: 60 },
    });
    await trellis.client.accounts.update({ account, keys: [admin], admin: true, changes: { time_lock: 0 } });
    expect(await policiesOf(account)).toMatchObject({ time_lock: 0, admin_address: addressOfKey(admin) });
    await trellis.client.accounts.update({ account, keys: [admin], admin: true, changes: { admin_address: null } });
    expect((await policiesOf(account)).admin_address).toBeNull();
  });

  it("signs nothing when the service prepared something else", async () => {
    const [a, mallory, admin] = [newKey(), newKey(), newKey()];
    const { address: account } = await trellis.client.accounts.createCustom({
      policies: { signers: [may(a)], threshold: 1, admin_address: addressOfKey(admin) },
    });
    const lies = [
      (body: object) => ({ ...body, signers: [may(a), may(mallory)] }),
      (body: object) => ({ ...body, admin_address: addressOfKey(mallory) }),
      (body: object) => ({ ...body, admin_address: null }),
      (body: object) => ({ ...body, time_lock: 61 }),
    ];
    for (const alter of lies) {
      const { client, submissions } = clientOfLiar(alter);
      const update = client.accounts.update({ account, keys: [admin], admin: true, changes: { time_lock: 60 } });
      await expect(update).rejects.toThrow(TransactionMismatchError);
      expect(submissions()).toBe(0);
    }
    expect(await policiesOf(account)).toMatchObject({ time_lock: 0, admin_address: addressOfKey(admin) });
  });

  it("needs a signer", async () => {
    const update = trellis.client.accounts.update({ account: addressOfKey(newKey()), changes: { threshold: 1 } });
    await expect(update).rejects.toThrow(TypeError);
    const broken = trellis.client.accounts.update({
      account: addressOfKey(newKey()),
      keys: [new Uint8Array(31)],
      changes: { threshold: 1 },
    });
    await expect(broken).rejects.toThrow(InvalidKeyError);
  });
});

describe("transfers.send with keys of the caller's own", () => {
  it("pays from an account of two signers", async () => {
    const [a, b, payee] = [newKey(), newKey(), newKey()];
    const { address: account } = await trellis.client.accounts.create({
      type: "signers",
      signers: [addressOfKey(a), addressOfKey(b)],
      threshold: 2,
    });
    await trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
    const transfer = {
      account,
      currency: "sol",
      destination: addressOfKey(payee),
      amount: 250_000_000n,
    };
    await trellis.client.transfers.send({ ...transfer, keys: [a, b] });
    expect((await trellis.client.accounts.balances(account)).lamports).toBe(750_000_000);

    const { client, submissions } = clientOfLiar((body) => ({ ...body, amount: "250000001" }));
    await expect(client.transfers.send({ ...transfer, keys: [a, b] })).rejects.toMatchObject({ difference: "amount" });
    expect(submissions()).toBe(0);
    await expect(trellis.client.transfers.send({ ...transfer, keys: [a] })).rejects.toMatchObject({
      code: "proposal_required",
    });
  });
});

const may = (key: SignerKey, permissions = everything) => ({ address: addressOfKey(key) as string, permissions });

const policiesOf = async (account: string) => (await trellis.client.accounts.get(account)).policies;

async function signIn(email: string) {
  await trellis.client.auth.start({ email });
  const [mail] = await trellis.client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await trellis.client.auth.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return openSession(verified.authentication[0], keyPair);
}

/** A client whose service has prepared something else than was asked for; counts what it is given to submit. */
function clientOfLiar(alter: (body: Record<string, unknown>) => Record<string, unknown>) {
  let submitted = 0;
  const client = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: (input, init) => {
      if (String(input).endsWith("/submit")) submitted += 1;
      const isAltered = init?.method === "PATCH" || String(input).endsWith("/payment-intent");
      const body = isAltered ? JSON.stringify(alter(JSON.parse(String(init?.body)))) : init?.body;
      return fetch(input, { ...init, ...(body === undefined ? {} : { body }) });
    },
  });
  return { client, submissions: () => submitted };
}
