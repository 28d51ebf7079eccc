import { createTrellisClient, generateEncryptionKeyPair, openSession } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { useTestService } from "../../test/support/scene.js";
import { publicKeyOf } from "../../test/support/test-network.js";

const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const trellis = useTestService();

describe("an account with custom signers", () => {
  it("exists at once, with the policy asked for, in the answer's own spelling", async () => {
    const { status, body } = await create(
      {
        signers: [
          { type: "pubkey", address: keyOf("voter"), permissions: ["CAN_VOTE"] },
          { address: keyOf("all"), permissions: everything },
        ],
        threshold: 2,
        admin_address: keyOf("admin"),
        time_lock: 3600,
      },
      { memo: "treasury" },
    );
    expect(status).toBe(201);
    const { data } = body as Custom;
    expect(data).toMatchObject({
      type: "custom",
      memo: "treasury",
      policies: {
        signers: [
          { address: keyOf("voter"), permissions: ["CAN_VOTE"], role: "primary", provider: "external" },
          { address: keyOf("all"), permissions: everything, role: "primary", provider: "external" },
        ],
        threshold: 2,
        adminAddress: keyOf("admin"),
        timeLock: 3600,
      },
    });
    expect(Object.keys(data.policies).sort()).toEqual(["adminAddress", "signers", "threshold", "timeLock"]);
    const account = await trellis.client.accounts.get(data.address);
    expect(account).toMatchObject({
      type: "custom",
      memo: "treasury",
      settings_address: data.settings_address,
      policies: { threshold: 2, admin_address: keyOf("admin"), time_lock: 3600 },
    });
  });

  it("gives e-mail signers a wallet and no mail; signing in proves the address and the wallet can pay", async () => {
    const email = "Treasurer@Example.org";
    const { status, body } = await create({
      signers: [
        { type: "email", email, provider: "kms_b", permissions: everything },
        { type: "pubkey", address: keyOf("second"), permissions: ["CAN_VOTE"] },
      ],
      threshold: 1,
    });
    expect(status).toBe(201);
    const { data } = body as Custom;
    expect(data.policies.signers[0]).toMatchObject({ provider: "kms_b", permissions: everything });
    expect(await trellis.client.sandbox.outbox("treasurer@example.org")).toEqual([]);

    await trellis.client.auth.start({ email, provider: "kms_b" });
    const [mail] = await trellis.client.sandbox.outbox("treasurer@example.org");
    const keyPair = generateEncryptionKeyPair();
    const verified = await trellis.client.auth.verify({
      email,
      otp_code: mail?.otp_code ?? "",
      provider: "kms_b",
      kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
    });
    expect(verified.address).toBe(data.address);
    const session = await openSession(verified.authentication[0], keyPair);
    expect(session.wallets[0]?.address).toBe(data.policies.signers[0]?.address);

    await trellis.client.sandbox.airdrop({ address: data.address, currency: "sol", amount: "1000000000" });
    const sent = await trellis.client.transfers.send({
      account: data.address,
      session,
      currency: "sol",
      destination: keyOf("payee"),
      amount: 100_000_000n,
    });
    expect(sent.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
  });

  it("shares one user and one wallet between the accounts of an address", async () => {
    const signers = [{ type: "email", email: "shared@example.org", permissions: everything }];
    const first = await create({ signers, threshold: 1 });
    const second = await create({ signers, threshold: 1 });
    const [one, two] = [(first.body as Custom).data, (second.body as Custom).data];
    expect(one.address).not.toBe(two.address);
    expect(one.policies.signers).toEqual(two.policies.signers);
    expect(one.policies.signers[0]?.provider).toBe("kms_a");
  });

  it("is made once under one idempotency key", async () => {
    const headers = { "x-idempotency-key": "custom-once" };
    const policies = { signers: [{ type: "email", email: "once@example.org", permissions: everything }], threshold: 1 };
    const first = await create(policies, {}, headers);
    const again = await create(policies, {}, headers);
    expect(first.status).toBe(201);
    expect((again.body as Custom).data.address).toBe((first.body as Custom).data.address);
  });

  it("takes mainnet's other name for an environment, and refuses one that is not there", async () => {
    const client = createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "production" });
    await expect(client.accounts.get(keyOf("all"))).rejects.toMatchObject({ code: "environment_not_available" });
  });
});

describe("a policy is refused, with the field named", () => {
  const key = (label: string, permissions: string[] = everything) => ({ address: keyOf(label), permissions });
  const mail = (email: string, provider?: string) => ({ type: "email", email, permissions: everything, provider });
  it.each<[string, unknown, string, string]>([
    ["a threshold above the voters", { signers: [key("a")], threshold: 2 }, "invalid_policies", "policies.threshold"],
    ["no voter", { signers: [key("a", ["CAN_INITIATE"])], threshold: 1 }, "invalid_policies", "policies.signers"],
    ["no signer", { signers: [], threshold: 1 }, "invalid_policies", "policies.signers"],
    [
      "a signer twice",
      { signers: [key("a"), key("a")], threshold: 1 },
      "invalid_policies",
      "policies.signers.1.address",
    ],
    [
      "an address twice, however it is written",
      { signers: [mail("two@example.org"), mail("TWO@EXAMPLE.ORG")], threshold: 1 },
      "invalid_policies",
      "policies.signers.1.address",
    ],
    ["no permission", { signers: [key("a", [])], threshold: 1 }, "invalid_policies", "policies.signers.0.permissions"],
    [
      "a time lock too long",
      { signers: [key("a")], threshold: 1, time_lock: 7_776_001 },
      "invalid_policies",
      "policies.time_lock",
    ],
    [
      "no address",
      { signers: [{ address: "nobody", permissions: everything }], threshold: 1 },
      "invalid_address",
      "policies.signers.0.address",
    ],
    [
      "no custodian",
      { signers: [mail("a@example.org", "kms_c")], threshold: 1 },
      "provider_not_available",
      "policies.signers.0.provider",
    ],
  ])("%s", async (_what, policies, code, field) => {
    const refused = await create(policies);
    expect([refused.status, codeOf(refused), fieldOf(refused)]).toEqual([400, code, field]);
  });

  it("a key that is the wallet of an e-mail signer", async () => {
    const known = await create({ signers: [mail("twin@example.org")], threshold: 1 });
    const address = (known.body as Custom).data.policies.signers[0]?.address;
    const refused = await create({
      signers: [{ address, permissions: everything }, mail("twin@example.org")],
      threshold: 1,
    });
    expect([refused.status, codeOf(refused)]).toEqual([400, "invalid_policies"]);
  });

  it("a key of the service, as signer and as admin", async () => {
    const { fee } = await prepareSomething();
    for (const policies of [
      { signers: [{ address: fee.paid_by, permissions: everything }], threshold: 1 },
      { signers: [key("a")], threshold: 1, admin_address: fee.paid_by },
    ]) {
      const refused = await create(policies);
      expect([refused.status, codeOf(refused)]).toEqual([400, "forbidden_account"]);
    }
  });

  it("an address that is not one mailbox, and leaves no user behind", async () => {
    const refused = await create({ signers: [mail("stay@example.org"), mail("a@b@c")], threshold: 1 });
    expect([refused.status, codeOf(refused)]).toEqual([400, "invalid_email"]);
    await expect(trellis.client.auth.start({ email: "stay@example.org" })).rejects.toMatchObject({
      code: "user_not_found",
    });
  });
});

const keyOf = (label: string): string => publicKeyOf(label);

interface Custom {
  readonly data: {
    readonly address: string;
    readonly settings_address: string;
    readonly policies: {
      readonly signers: readonly { address: string; permissions: string[]; role: string; provider: string }[];
      readonly threshold: number;
      readonly adminAddress: string | null;
      readonly timeLock: number;
    };
  };
}

const path = "/api/service/v1/accounts:custom";
const create = (policies: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  trellis.request("POST", path, { policies, ...more }, headers);

/** Any prepared transaction tells who pays the fees. */
async function prepareSomething() {
  const { body } = await create({ signers: [{ address: keyOf("payer"), permissions: everything }], threshold: 1 });
  const { address } = (body as Custom).data;
  await trellis.client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
  return trellis.client.transfers.prepare(address, {
    amount: "100000000",
    source: { account: address, currency: "sol" },
    destination: { address: keyOf("payee"), currency: "sol" },
    transaction_signers: [keyOf("payer")],
  });
}

const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;

const fieldOf = ({ body }: { body: unknown }) => (body as { details: { field?: string }[] }).details[0]?.field;
