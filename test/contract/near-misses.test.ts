import { generateKeyPairSigner } from "@solana/kit";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestService } from "../support/scene.js";

const base = "/api/service/v1/accounts";
let key: string;
let admin: string;
let account: string;
const trellis = useTestService();
beforeAll(async () => {
  key = (await generateKeyPairSigner()).address;
  admin = (await generateKeyPairSigner()).address;
  const created = await trellis.request("POST", base, { type: "signers", signers: [key], threshold: 1 });
  account = (created.body as { data: { address: string } }).data.address;
});

describe("a known field in another spelling", () => {
  it.each<[string, "POST" | "PATCH", () => string, () => object, string, string]>([
    [
      "create",
      "POST",
      () => base,
      () => ({ type: "signers", policies: { ...policies(), timeLock: 86_400 } }),
      "policies.timeLock",
      "time_lock",
    ],
    [
      "create, a signer",
      "POST",
      () => base,
      () => ({ type: "signers", policies: { ...policies(), signers: [{ ...policies().signers[0], ROLE: "backup" }] } }),
      "policies.signers.0.ROLE",
      "role",
    ],
    [
      "accounts:custom",
      "POST",
      () => `${base}:custom`,
      () => ({ policies: { ...policies(), "admin-address": admin } }),
      "policies.admin-address",
      "admin_address",
    ],
    ["PATCH", "PATCH", () => `${base}/${account}`, () => ({ threshold: 1, timeLock: 60 }), "timeLock", "time_lock"],
    [
      "PATCH, who pays",
      "PATCH",
      () => `${base}/${account}`,
      () => ({ time_lock: 60, feeConfig: { self_managed_fees: true } }),
      "feeConfig",
      "fee_config",
    ],
    [
      "a proposal",
      "POST",
      () => `${base}/${account}/proposals`,
      () => ({
        type: "settings",
        signer: key,
        actions: [{ type: "AddSigner", newSigner: { address: admin, Permissions: ["CAN_VOTE"], mask: 7 } }],
      }),
      "actions.0.newSigner.Permissions",
      "permissions",
    ],
    [
      "a proposal's spending limit",
      "POST",
      () => `${base}/${account}/proposals`,
      () => ({
        type: "settings",
        signer: key,
        actions: [{ AddSpendingLimit: { amount: "1", period: "day", signers: [key], Destinations: [admin] } }],
      }),
      "actions.0.AddSpendingLimit.Destinations",
      "destinations",
    ],
    [
      "a payment",
      "POST",
      () => `${base}/${account}/payment-intent`,
      () => ({
        amount: "1",
        source: { account, currency: "sol" },
        destination: { address: key, currency: "sol" },
        transactionSigners: [key],
      }),
      "transactionSigners",
      "transaction_signers",
    ],
  ])("is refused and named: %s", async (_what, method, path, body, field, suggestion) => {
    const answer = await trellis.request(method, path(), body());
    expect(answer.status).toBe(400);
    expect(detailOf(answer)).toMatchObject({ field, code: "field_unknown", suggestion });
  });

  it.each<[string, () => string, () => object, string, string]>([
    [
      "create",
      () => base,
      () => ({ type: "signers", signers: [key], threshold: 1, time_lock: 86_400 }),
      "time_lock",
      "policies.time_lock",
    ],
    [
      "create, in another spelling",
      () => base,
      () => ({ type: "signers", signers: [key], threshold: 1, adminAddress: admin }),
      "adminAddress",
      "policies.admin_address",
    ],
    [
      "accounts:custom",
      () => `${base}:custom`,
      () => ({ policies: policies(), time_lock: 86_400 }),
      "time_lock",
      "policies.time_lock",
    ],
  ])("is refused beside the policy it belongs in: %s", async (_what, path, body, field, suggestion) => {
    const answer = await trellis.request("POST", path(), body());
    expect(answer.status).toBe(400);
    expect(detailOf(answer)).toMatchObject({ field, code: "field_unknown", suggestion });
  });

  it("is refused for an account by e-mail, which has no policy of one's own", async () => {
    for (const more of [{ policies: { ...policies(), time_lock: 60 } }, { threshold: 2 }, { signers: [key] }]) {
      const answer = await trellis.request("POST", base, { type: "email", email: "policy@example.org", ...more });
      expect([answer.status, detailOf(answer)]).toMatchObject([400, { field: Object.keys(more)[0] }]);
      expect(JSON.stringify(answer.body)).toContain("accounts:custom");
    }
  });

  it("may be null beside the policy, which says nothing", async () => {
    const body = { type: "signers", signers: [key], threshold: 1, time_lock: null };
    expect((await trellis.request("POST", base, body)).status).toBe(201);
  });

  it("is no excuse to refuse what is simply unknown, null or not", async () => {
    const answer = await trellis.request("POST", base, {
      type: "signers",
      signers: [key],
      threshold: 1,
      label: "mine",
      time: null,
      nested: { timeLock: 1 },
    });
    expect(answer.status).toBe(201);
  });

  it("is refused before an idempotency key is used up", async () => {
    const headers = { "x-idempotency-key": "near-miss" };
    const body = { type: "signers", policies: { ...policies(), timeLock: 5 } };
    expect((await trellis.request("POST", base, body, headers)).status).toBe(400);
    const right = { type: "signers", policies: { ...policies(), time_lock: 5 } };
    expect((await trellis.request("POST", base, right, headers)).status).toBe(201);
  });
});

describe("accounts:custom", () => {
  const create = (more: object) => trellis.request("POST", `${base}:custom`, { policies: { ...policies(), ...more } });
  const policiesOf = ({ body }: { body: unknown }) => (body as { data: { policies: object } }).data.policies;

  it("makes from its own answer an account with the same time lock and the same admin", async () => {
    const first = await create({ time_lock: 86_400, admin_address: admin });
    expect(first.status).toBe(201);
    const second = await trellis.request("POST", `${base}:custom`, { policies: policiesOf(first) });
    expect(second.status).toBe(201);
    expect(policiesOf(second)).toEqual(policiesOf(first));
    expect(policiesOf(second)).toMatchObject({ timeLock: 86_400, adminAddress: admin });
    // An account without an admin and a time lock says so in its own spelling, with null.
    const plain = await create({});
    expect((await trellis.request("POST", `${base}:custom`, { policies: policiesOf(plain) })).status).toBe(201);
  });

  it("takes both spellings when they say the same, and refuses them when they differ", async () => {
    expect((await create({ time_lock: 60, timeLock: 60, admin_address: admin, adminAddress: admin })).status).toBe(201);
    const locks = await create({ time_lock: 60, timeLock: 0 });
    expect([locks.status, detailOf(locks)]).toMatchObject([400, { field: "policies.timeLock" }]);
    const admins = await create({ admin_address: admin, adminAddress: key });
    expect([admins.status, detailOf(admins)]).toMatchObject([400, { field: "policies.adminAddress" }]);
  });
});

const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const policies = () => ({ signers: [{ address: key, permissions: everything }], threshold: 1 });

const detailOf = ({ body }: { body: unknown }) => (body as { details: readonly object[] }).details[0];
