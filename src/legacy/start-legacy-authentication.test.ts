import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { authorizationKeysOf, sessionOf } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { startAuthentication } from "../sign-in/start-authentication.js";
import { startLegacyAuthentication } from "./start-legacy-authentication.js";

const test = useTestNetwork();
const ada = use(() => test.openHolder("ada@example.org"));

describe("200", () => {
  it("mails a code, and answers an id of its own and the wallet's, which stays the same", async () => {
    const before = await test.latestCode(ada.email);
    const first = await start({ app_name: "Ada's app", app_icon_url: "https://example.org/icon.png" });
    expect(first).toEqual({
      otp_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      mpc_primary_id: sessionOf(ada.verified).session.wallets[0]?.id,
    });
    expect(await test.latestCode(ada.email)).not.toBe(before);
    const second = await start();
    expect(second.mpc_primary_id).toBe(first.mpc_primary_id);
    expect(second.otp_id).not.toBe(first.otp_id);
  });

  it("knows the address however it is written, and makes no key before it is verified", async () => {
    const keys = await authorizationKeysOf(test, sessionOf(ada.verified));
    expect(await start({ email: "ADA@Example.org" })).toHaveProperty("mpc_primary_id");
    expect(await authorizationKeysOf(test, sessionOf(ada.verified))).toEqual(keys);
  });
});

describe("400", () => {
  it("refuses what is no e-mail address", async () => {
    await expect(start({ email: "nobody" })).rejects.toMatchObject({ status: 400, code: "invalid_email" });
  });

  it("refuses lives of a bundle out of bounds, before a code is mailed", async () => {
    const before = await test.latestCode(ada.email);
    for (const expiration of [0, -1, 30 * 86_400 + 1]) {
      await expect(start({ expiration })).rejects.toMatchObject({ status: 400, code: "invalid_expiration" });
    }
    expect(await test.latestCode(ada.email)).toBe(before);
  });
});

describe("404", () => {
  it("is the answer for strangers, for an address that is not proved, and to another tenant", async () => {
    await test.call(createAccount, { body: { type: "email", email: "pending@example.org" } });
    const caller = await test.addTenant("tenant-2");
    const notFound = { status: 404, code: "user_not_found" };
    await expect(start({ email: "stranger@example.org" })).rejects.toMatchObject(notFound);
    await expect(start({ email: "pending@example.org" })).rejects.toMatchObject(notFound);
    await expect(start({}, { caller })).rejects.toMatchObject(notFound);
  });
});

describe("429", () => {
  it("is the answer after five codes an hour, whichever interface asked for them", async () => {
    test.needs.realClock.advance(86_400_000);
    const byV0 = () => test.call(startLegacyAuthentication, { body: { email: ada.email } });
    for (let sent = 0; sent < 5; sent += 1) {
      await (sent % 2 === 0 ? byV0() : test.call(startAuthentication, { body: { email: ada.email } }));
    }
    await expect(byV0()).rejects.toMatchObject({ status: 429, code: "mail_limit_exceeded" });
  });
});

describe("502", () => {
  it("is the answer where its custodian is away: another one's name has no place in the answer", async () => {
    const [kmsA, kmsB] = [test.needs.custodians.get("kms_a"), test.needs.custodians.get("kms_b")];
    if (!kmsA || !kmsB) throw new Error("a custodian is missing");
    const ensureWallet = () => Promise.reject(new CustodianUnavailable("timeout", "no answer"));
    const custodians = new Map([
      ["kms_a", { ...kmsA, ensureWallet }],
      ["kms_b", kmsB],
    ] as const);
    const refused = start({}, { needs: { custodians } });
    await expect(refused).rejects.toMatchObject({ status: 502, code: "provider_unavailable" });
  });
});

interface Started {
  readonly otp_id: string;
  readonly mpc_primary_id: string;
}

/** A day later each time: the limits of mails count real time. */
function start(body: object = {}, more: object = {}): Promise<Started> {
  test.needs.realClock.advance(86_400_000);
  return test.call<Started>(startLegacyAuthentication, { body: { email: ada.email, ...body }, ...more });
}
