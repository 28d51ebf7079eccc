import type { Caller } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "../../src/accounts/create-account.js";
import { verifyAccount } from "../../src/accounts/verify-account.js";
import { startAuthentication } from "../../src/sign-in/start-authentication.js";
import { verifyAuthentication } from "../../src/sign-in/verify-authentication.js";
import { useTestNetwork } from "../support/scene.js";
import { createClientKey, errorOf } from "../support/test-network.js";

/** Who may use up whose mail and whose tries (gap 22). */
let mainnet: Network;
const sent: string[] = [];
const mailer = {
  senderName: "Trellis",
  send: async ({ to }: { to: string }) => {
    sent.push(to);
  },
};
const test = useTestNetwork();
beforeAll(async () => {
  mainnet = { ...test.network, name: "mainnet" };
});

describe("mail", () => {
  it("of the sandbox counts towards nothing elsewhere, of another tenant or of one's own", async () => {
    const email = "victim@example.org";
    const stranger = await test.addTenant("sandbox-stranger");
    for (const caller of [stranger, test.caller]) {
      expect(await untilRefused(() => signUp(email, { caller }))).toEqual(refusedAfter(5));
    }
    expect(await untilRefused(() => signUp(email, { network: mainnet }))).toEqual(refusedAfter(5));
    expect(sent.filter((to) => to === email)).toHaveLength(5);
  });

  it("of one tenant leaves another tenant's share alone", async () => {
    const email = "shared@example.org";
    const stranger = await test.addTenant("mainnet-stranger");
    expect(await untilRefused(() => signUp(email, { network: mainnet, caller: stranger }))).toEqual(refusedAfter(5));
    expect(await untilRefused(() => signUp(email, { network: mainnet }))).toEqual(refusedAfter(5));
  });

  it("to sign in cannot be used up by any number of other tenants, nor by signing up", async () => {
    const { email } = await test.openHolder("member@example.org");
    const tenants = Math.ceil(limits.signUpMailsPerAddressPerHour / limits.mailsPerAddressPerHour);
    const refusals = [];
    for (let i = 0; i <= tenants; i += 1) {
      const caller = await test.addTenant(`colluding-${i}`);
      refusals.push(await untilRefused(() => signUp(email, { caller })));
    }
    // All of them together are held to what a mailbox bears; one mail had opened the account.
    const total = refusals.reduce((sum, { times }) => sum + times, 1);
    expect(total).toBe(limits.signUpMailsPerAddressPerHour);
    expect(await untilRefused(() => signIn(email))).toEqual(refusedAfter(5));
    test.needs.realClock.advance(3_600_000);
    await signIn(email);
  });

  it("is refused by the day as well, each share on its own", async () => {
    const { email } = await test.openHolder("daily@example.org");
    let mails = 0;
    let refusal: { times: number; retryAfterSeconds: number | undefined } | undefined;
    for (let hour = 0; hour < 6; hour += 1) {
      test.needs.realClock.advance(3_600_000);
      refusal = await untilRefused(() => signIn(email));
      mails += refusal.times;
    }
    expect(mails).toBe(limits.mailsPerAddressPerDay);
    expect(refusal?.retryAfterSeconds).toBe(19 * 3_600);
  });
});

describe("wrong tries", () => {
  const wrongCode = (code: string, step: number) => String((Number(code) + step) % 1_000_000).padStart(6, "0");

  async function tryWrong(email: string, caller: Caller, times: number): Promise<void> {
    for (let wrong = 0; wrong < times; wrong += 3) {
      test.needs.realClock.advance(3_600_000);
      await test.call(createAccount, { body: { type: "email", email }, caller });
      const code = await test.latestCode(email, caller);
      const key = await createClientKey();
      for (let i = 1; i <= Math.min(3, times - wrong); i += 1) {
        await errorOf(
          test.call(verifyAccount, {
            body: { email, otp_code: wrongCode(code, i), kms_provider_config: { encryption_public_key: key.spki } },
            caller,
          }),
        );
      }
    }
  }

  it("of one tenant block an address for that tenant alone", async () => {
    const { email } = await test.openHolder("guessed@example.org");
    const stranger = await test.addTenant("guessing-stranger");
    await tryWrong(email, stranger, 10);
    await signIn(email);
    const key = await createClientKey();
    const kms_provider_config = { encryption_public_key: key.spki };
    const otp_code = await test.latestCode(email);
    await test.call(verifyAuthentication, { body: { email, otp_code, kms_provider_config } });
    const theirs = { body: { email, otp_code, kms_provider_config }, caller: stranger };
    expect(await errorOf(test.call(verifyAccount, theirs))).toMatchObject({ status: 429, code: "otp_address_blocked" });
  });

  it("in the sandbox raise no alarm for mainnet, and under an alarm three block an address", async () => {
    const caller = await test.addTenant("attacked");
    const failures = Array.from({ length: limits.otpFailuresPerTenantPerHourAlarm }, (_, i) => ({
      id: `failure-${i}`,
      tenant_id: "attacked",
      environment: "sandbox",
      email: `user-${i}@example.org`,
      failed_at: BigInt(test.network.clock.now()),
    }));
    const email = "careful@example.org";
    await tryWrong(email, caller, 3);
    const key = await createClientKey();
    const attempt = async (network: Network) => {
      test.needs.realClock.advance(3_600_000);
      await signUp(email, { caller, network });
      const otp_code = network === test.network ? await test.latestCode(email, caller) : "000000";
      const body = { email, otp_code, kms_provider_config: { encryption_public_key: key.spki } };
      return test.call(verifyAccount, { body, caller, network }).then(
        () => "account",
        (error: { code: string; retryAfterSeconds?: number }) => [error.code, error.retryAfterSeconds],
      );
    };
    await test.needs.db
      .insertInto("otp_failure")
      .values(failures.map((failure) => ({ ...failure, failed_at: BigInt(test.network.clock.now()) + 3_600_000n })))
      .execute();
    expect(await attempt(test.network)).toEqual(["otp_address_blocked", 3_600]);
    expect(await attempt(mainnet)).toEqual(["invalid_otp", undefined]);
    await test.network.sandbox?.advanceClock(3_601);
    expect(await attempt(test.network)).toBe("account");
  });
});

const signUp = (email: string, parts: { caller?: Caller; network?: Network } = {}) =>
  test.call<object>(createAccount, { needs: { mailer }, body: { type: "email", email }, ...parts });

const signIn = (email: string, parts: { caller?: Caller; network?: Network } = {}) =>
  test.call<{ otp_id: string }>(startAuthentication, { needs: { mailer }, body: { email }, ...parts });

/** Asks until it is refused; returns how often it went well, and the refusal. */
async function untilRefused(ask: () => Promise<unknown>, most = 100) {
  for (let times = 0; times < most; times += 1) {
    const outcome = await ask().then(
      () => undefined,
      (error: { code: string; retryAfterSeconds?: number }) => error,
    );
    if (outcome) return { times, code: outcome.code, retryAfterSeconds: outcome.retryAfterSeconds };
  }
  throw new Error("it was never refused");
}

const refusedAfter = (times: number) => ({ times, code: "mail_limit_exceeded", retryAfterSeconds: 3_600 });
