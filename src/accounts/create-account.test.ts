import { createSolanaRpcFromTransport } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { createClientKey, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { createAccount } from "./create-account.js";
import { planKeyAccount } from "./creation-plan.js";
import { getAccount } from "./get-account.js";
import { createFromKeys } from "./key-creation.js";
import { parsePolicy, requestPlainKeys } from "./policy.js";
import { verifyAccount } from "./verify-account.js";

const test = useTestNetwork();
const keyOf = publicKeyOf;
const a: string = keyOf("a");
const b: string = keyOf("b");
const c: string = keyOf("c");
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

describe("email: 201", () => {
  it("answers the pending record and sends a code that lives 15 minutes", async () => {
    const pending = await test.call<Record<string, string>>(createAccount, {
      body: { type: "email", email: "Ada@Example.org", memo: "hello" },
    });
    expect(pending).toMatchObject({
      type: "email",
      status: "pending_verification",
      email: "Ada@Example.org",
      otp_sent: true,
      memo: "hello",
    });
    expect(Date.parse(pending.expires_at ?? "") - Date.parse(pending.created_at ?? "")).toBe(900_000);
    expect(await test.latestCode("ada@example.org")).toMatch(/^\d{6}$/);
  });

  it("keeps one live code per address under many requests at once", async () => {
    const email = "hasty@example.org";
    const outcomes = await Promise.allSettled(
      Array.from({ length: 9 }, () => test.call(createAccount, { body: { type: "email", email } })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const live = await test.needs.db
      .selectFrom("one_time_code")
      .select("id")
      .where("email", "=", email)
      .where("state", "=", "live")
      .execute();
    expect(live).toHaveLength(1);
  });

  it("stores neither code nor mail in clear", async () => {
    const email = "secret@example.org";
    await test.call(createAccount, { body: { type: "email", email } });
    const code = await test.latestCode(email);
    const mails = await test.needs.db.selectFrom("mail").select("message").execute();
    for (const { message } of mails) {
      expect(Buffer.from(message ?? []).includes(code)).toBe(false);
      expect(Buffer.from(message ?? []).includes("example.org")).toBe(false);
    }
    const codes = await test.needs.db.selectFrom("one_time_code").select("code_hmac").execute();
    for (const { code_hmac } of codes) expect(Buffer.from(code_hmac).includes(code)).toBe(false);
  });
});

describe("email: errors", () => {
  it("400 for an address that has its account, in any spelling, and only in its own tenant", async () => {
    await test.openHolder("grace@example.org");
    const body = { type: "email", email: "GRACE@example.org" };
    const error = await errorOf(test.call(createAccount, { body }));
    expect(error).toMatchObject({
      status: 400,
      code: "grid_account_already_exists_for_user",
      message: "Email associated with grid account already exists",
    });
    expect(error.details[0]?.code).toBe("grid_account_already_exists_for_user");
    await test.call(createAccount, { body, caller: await test.addTenant("tenant-2") });
  });

  it("400 while the account's creation is under way", async () => {
    const email = "underway@example.org";
    await test.call(createAccount, { body: { type: "email", email } });
    const key = await createClientKey();
    const network = { ...test.network, sponsorship: { ...test.network.sponsorship, perTransaction: 1n } };
    await errorOf(
      test.call(verifyAccount, {
        body: {
          email,
          otp_code: await test.latestCode(email),
          kms_provider_config: { encryption_public_key: key.spki },
        },
        network,
      }),
    );
    expect((await errorOf(test.call(createAccount, { body: { type: "email", email } }))).code).toBe(
      "grid_account_already_exists_for_user",
    );
  });

  it("400 for anything but one plain address", async () => {
    const error = await errorOf(test.call(createAccount, { body: { type: "email", email: "Ada <a@example.org>" } }));
    expect(error).toMatchObject({ code: "invalid_email" });
    expect(error.details[0]?.field).toBe("email");
  });

  it("429 for the sixth code within an hour and the twenty-first within a day", async () => {
    const email = "often@example.org";
    const request = () => test.call(createAccount, { body: { type: "email", email } });
    for (let hour = 0; hour < 4; hour += 1) {
      for (let i = 0; i < 5; i += 1) await request();
      const error = await errorOf(request());
      expect([error.code, error.retryAfterSeconds]).toEqual(["mail_limit_exceeded", hour < 3 ? 3_600 : 21 * 3_600]);
      test.needs.realClock.advance(3_600_000);
    }
    expect(await errorOf(request())).toMatchObject({
      code: "mail_limit_exceeded",
      status: 429,
      retryAfterSeconds: 20 * 3_600,
    });
    test.needs.realClock.advance(20 * 3_600_000);
    await request();
  });
});

describe("signers: 201", () => {
  it("creates an account in which plain keys hold every permission", async () => {
    const created = await test.call<Created>(createAccount, {
      body: { type: "signers", signers: [a, b], threshold: 2, memo: "treasury" },
    });
    expect(created).toMatchObject({ type: "signers", status: "active", memo: "treasury" });
    expect(created.policies).toEqual({
      signers: [a, b].map((address) => ({ address, permissions: everything, role: "primary", provider: "external" })),
      threshold: 2,
      admin_address: null,
      time_lock: 0,
    });
    expect(await test.call(getAccount, { params: { address: created.address } })).toMatchObject({
      type: "signers",
      memo: "treasury",
      policies: created.policies,
      settings_address: created.settings_address,
    });
  });

  it("takes a whole policy with its roles, providers, time lock and admin", async () => {
    const policies = {
      signers: [
        { address: a, permissions: ["CAN_VOTE", "CAN_INITIATE"], role: "backup", provider: "kms_b" },
        { address: b, permissions: ["CAN_EXECUTE"] },
      ],
      threshold: 1,
      time_lock: 7_776_000,
      admin_address: c,
    };
    const created = await test.call<Created>(createAccount, { body: { type: "signers", policies } });
    expect(created.policies).toEqual({
      signers: [
        { address: a, permissions: ["CAN_INITIATE", "CAN_VOTE"], role: "backup", provider: "kms_b" },
        { address: b, permissions: ["CAN_EXECUTE"], role: "primary", provider: "external" },
      ],
      threshold: 1,
      time_lock: 7_776_000,
      admin_address: c,
    });
    expect(await test.call(getAccount, { params: { address: created.address } })).toMatchObject({
      policies: created.policies,
    });
  });

  it("creates two accounts for two equal requests at once, and says which is which", async () => {
    const body = { type: "signers", signers: [a, b, c], threshold: 2 };
    const created = await Promise.all(Array.from({ length: 6 }, () => test.call<Created>(createAccount, { body })));
    expect(new Set(created.map(({ address }) => address)).size).toBe(6);
  });

  it("creates two accounts for two equal requests although chance made their transactions equal", async () => {
    let equalDraws = 2;
    const random = {
      uuid: () => test.needs.random.uuid(),
      bytes: (length: number) => {
        if (length !== 2 || equalDraws === 0) return test.needs.random.bytes(length);
        equalDraws -= 1;
        return new Uint8Array(2);
      },
    };
    const body = { type: "signers", signers: [c, b], threshold: 1 };
    const created = await Promise.all([1, 2].map(() => test.call<Created>(createAccount, { body, needs: { random } })));
    expect(equalDraws).toBe(0);
    expect(created[0]?.address).not.toBe(created[1]?.address);
  });

  it("creates one account for one operation, however often it is begun", async () => {
    const create = () =>
      createFromKeys(test.needs, test.network, {
        tenantId: test.caller.tenantId,
        type: "signers",
        plan: planKeyAccount(parsePolicy(requestPlainKeys([a], 1), test.network, ""), null),
        operationId: "operation-1",
      });
    const accounts = [];
    for (let i = 0; i < 3; i += 1) accounts.push(await create());
    accounts.push(...(await Promise.all([1, 2].map(create))));
    expect(new Set(accounts.map(({ address }) => address)).size).toBe(1);
  });

  it("creates anew on a cluster that has rolled a confirmed creation back", async () => {
    const sent: string[] = [];
    const isRolledBack = () => sent.length === 1;
    let refreshes = 0;
    let firstHeight: bigint | undefined;
    const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
      const { method, params } = payload as { method: string; params: unknown[] };
      if (method === "sendTransaction") sent.push(String(params[0]));
      const answer = (await test.network.sandbox?.handleRpc(payload)) as { result: { value: object[] } | null };
      if (method === "getTransaction" && isRolledBack()) answer.result = null;
      if (method === "getSignatureStatuses" && isRolledBack()) {
        refreshes += 1;
        // Confirmed at first, and never seen again.
        const [status] = answer.result?.value ?? [];
        if (refreshes === 2) await test.network.sandbox?.advanceClock(1);
        const value = refreshes === 1 ? [{ ...status, confirmationStatus: "confirmed" }] : [null];
        return { ...answer, result: { ...answer.result, value } } as Response;
      }
      return answer as Response;
    }) as unknown as Network["rpc"];
    const network: Network = {
      ...test.network,
      name: "devnet",
      landsInOrder: false,
      rpc,
      judgeUnseen: async (unseen) =>
        unseen.map(({ lastValidBlockHeight: height }) => {
          firstHeight ??= height;
          return { kind: refreshes > 0 && height === firstHeight ? "expired" : "alive" };
        }),
    };
    const body = { type: "signers", signers: [a], threshold: 1, memo: "rolled back" };
    const created = await test.call<Created>(createAccount, { body, network });
    expect(sent).toHaveLength(2);
    const found = await test.call<Created>(getAccount, { params: { address: created.address }, network });
    expect(found.settings_address).toBe(created.settings_address);
  });

  it("stays open, with an alarm, where a cluster forgets a confirmed creation for an unknown reason", async () => {
    const sent: string[] = [];
    let refreshes = 0;
    const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
      const { method, params } = payload as { method: string; params: unknown[] };
      if (method === "sendTransaction") sent.push(String(params[0]));
      const answer = (await test.network.sandbox?.handleRpc(payload)) as { result: { value: object[] } | null };
      if (method !== "getSignatureStatuses") return answer as Response;
      refreshes += 1;
      const [status] = answer.result?.value ?? [];
      const value = refreshes === 1 ? [{ ...status, confirmationStatus: "confirmed" }] : [null];
      return { ...answer, result: { ...answer.result, value } } as Response;
    }) as unknown as Network["rpc"];
    const network: Network = {
      ...test.network,
      name: "devnet",
      landsInOrder: false,
      rpc,
      judgeUnseen: async (unseen) => unseen.map(() => ({ kind: "unprovable", reason: "a short ledger" })),
    };
    const body = { type: "signers", signers: [a], threshold: 1, memo: "forgotten" };
    const alarms = () =>
      test.logLines.filter(({ fields }) => "event" in fields && fields.event === "submissions_undecided");
    const before = alarms().length;
    expect((await errorOf(test.call(createAccount, { body, network }))).code).toBe("submission_in_progress");
    expect(sent).toHaveLength(1);
    expect(alarms()).toHaveLength(before + 1);
  });

  it("gives up for good on a plan that the program refuses", async () => {
    const create = () =>
      createFromKeys(test.needs, test.network, {
        tenantId: test.caller.tenantId,
        type: "signers",
        plan: planKeyAccount(
          {
            signers: [{ address: keyOf("a"), mask: 7, role: "primary", provider: "external" }],
            threshold: 2,
            timeLockSeconds: 0,
            admin: null,
          },
          null,
        ),
        operationId: "operation-refused",
      });
    const submissions = () => test.needs.db.selectFrom("submission").select("id").execute();
    const { length } = await submissions();
    const refused = await errorOf(create());
    expect(refused).toMatchObject({ code: "account_creation_failed", status: 502 });
    expect(refused.details[0]).toMatchObject({ program_error: "InvalidThreshold" });
    expect((await errorOf(create())).code).toBe("account_creation_failed");
    // Its simulation showed it: nothing was signed, and nothing paid.
    expect(await submissions()).toHaveLength(length);
  });

  it("takes ten signers", async () => {
    const signers: string[] = Array.from({ length: 10 }, (_, i) => keyOf(`signer-${i}`));
    const created = await test.call<Created>(createAccount, { body: { type: "signers", signers, threshold: 10 } });
    expect(created.policies.signers.map(({ address }) => address)).toEqual(signers);
  });
});

describe("signers: 400", () => {
  const all = { permissions: everything };
  it.each<[string, object, string, string]>([
    ["no signer", { signers: [], threshold: 1 }, "invalid_policies", "signers"],
    [
      "eleven signers",
      { signers: Array.from({ length: 11 }, (_, i) => keyOf(`${i}`)), threshold: 1 },
      "invalid_policies",
      "signers",
    ],
    ["a signer twice", { signers: [a, b, a], threshold: 1 }, "invalid_policies", "signers.2.address"],
    ["a threshold of 0", { signers: [a], threshold: 0 }, "invalid_policies", "threshold"],
    ["a threshold above the signers", { signers: [a], threshold: 2 }, "invalid_policies", "threshold"],
    ["something that is no address", { signers: ["nobody"], threshold: 1 }, "invalid_address", "signers.0.address"],
    ["no threshold", { signers: [a] }, "invalid_request", "threshold"],
    ["nobody at all", {}, "invalid_request", "signers"],
    ["half a character in the memo", { signers: [a], threshold: 1, memo: "a\ud800" }, "invalid_request", "memo"],
    [
      "both forms",
      { signers: [a], threshold: 1, policies: { signers: [{ address: a, ...all }], threshold: 1 } },
      "invalid_request",
      "policies",
    ],
    [
      "a signer without a permission",
      { policies: { signers: [{ address: a, permissions: [] }], threshold: 1 } },
      "invalid_policies",
      "policies.signers.0.permissions",
    ],
    [
      "nobody to execute",
      { policies: { signers: [{ address: a, permissions: ["CAN_VOTE", "CAN_INITIATE"] }], threshold: 1 } },
      "invalid_policies",
      "policies.signers",
    ],
    [
      "a threshold above the voters",
      {
        policies: {
          signers: [
            { address: a, ...all },
            { address: b, permissions: ["CAN_EXECUTE"] },
          ],
          threshold: 2,
        },
      },
      "invalid_policies",
      "policies.threshold",
    ],
    [
      "a time lock above 90 days",
      { policies: { signers: [{ address: a, ...all }], threshold: 1, time_lock: 7_776_001 } },
      "invalid_policies",
      "policies.time_lock",
    ],
    [
      "a negative time lock",
      { policies: { signers: [{ address: a, ...all }], threshold: 1, time_lock: -1 } },
      "invalid_policies",
      "policies.time_lock",
    ],
  ])("for %s, with the field named", async (_what, body, code, field) => {
    const error = await errorOf(test.call(createAccount, { body: { type: "signers", ...body } }));
    expect([error.status, error.code, error.details[0]?.field]).toEqual([400, code, field]);
  });

  it("for a key of the service as signer or admin", async () => {
    const own = test.network.feePayer.address;
    const asSigner = { type: "signers", signers: [a, own], threshold: 1 };
    expect((await errorOf(test.call(createAccount, { body: asSigner }))).code).toBe("forbidden_account");
    const asAdmin = {
      type: "signers",
      policies: { signers: [{ address: a, ...all }], threshold: 1, admin_address: own },
    };
    expect((await errorOf(test.call(createAccount, { body: asAdmin }))).code).toBe("forbidden_account");
  });
});

interface Created {
  address: string;
  settings_address: string;
  policies: { signers: { address: string; permissions: string[]; role: string; provider: string }[] };
}
