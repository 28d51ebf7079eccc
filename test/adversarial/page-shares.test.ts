import { randomUUID } from "node:crypto";
import { generateKeyPairSigner } from "@solana/kit";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "../../src/accounts/create-account.js";
import { resumePendingCreations } from "../../src/accounts/resume-creations.js";
import { verifyAccount } from "../../src/accounts/verify-account.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { removeOutdated } from "../../src/scheduler/retention.js";
import { startAuthentication } from "../../src/sign-in/start-authentication.js";
import { verifyAuthentication } from "../../src/sign-in/verify-authentication.js";
import { budgetDay } from "../../src/sponsorship/sponsorship.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { useTestNetwork } from "../support/scene.js";
import {
  type ClientKey,
  createClientKey,
  errorOf,
  importAuthorizationKey,
  sessionOf,
  stampKmsA,
  type Verified,
} from "../support/test-network.js";

/** What a caller with nothing but a publishable key can use up of an address (gap 123). */
const shop = "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y";
let page: Caller;
let key: ClientKey;
const sent: string[] = [];
const mailer = {
  senderName: "Trellis",
  send: async ({ to }: { to: string }) => {
    sent.push(to);
  },
};
const test = useTestNetwork();
beforeAll(async () => {
  page = pageOf(test.caller);
  key = await createClientKey();
});

describe("a holder of the publishable key", () => {
  it("uses up the mails of pages, and none of what secret keys sign in with", async () => {
    const { email } = await test.openHolder("mailed@example.org");
    expect(await useUpMails(() => ask(email, { caller: page }))).toBe(limits.mailsPerAddressPerHour);
    await signsIn(email, { caller: test.caller });
    // The other way round, too: nothing of a server's keeps pages out.
    test.needs.realClock.advance(3_600_000);
    expect(await useUpMails(() => ask(email, { caller: test.caller }))).toBe(limits.mailsPerAddressPerHour);
    await signsIn(email, { caller: page });
  });

  it("uses up the mails to sign up of pages, over all tenants, and none of what secret keys sign up with", async () => {
    const email = "new@example.org";
    const mainnet: Network = { ...test.network, name: "mainnet" };
    let total = 0;
    for (let i = 0; total < limits.pageSignUpMailsPerAddressPerHour; i += 1) {
      const caller = pageOf(await test.addTenant(`pages-${i}`));
      total += await useUpMails(() => ask(email, { caller, network: mainnet }));
    }
    expect(total).toBe(limits.pageSignUpMailsPerAddressPerHour);
    const counted = sent.filter((to) => to === email).length;
    expect(counted).toBe(total);
    const honest = await test.addTenant("honest");
    expect((await errorOf(ask(email, { caller: pageOf(honest), network: mainnet }))).code).toBe("mail_limit_exceeded");
    const own = await useUpMails(() => askToSignUp(email, { caller: honest, network: mainnet }));
    expect(own).toBe(limits.mailsPerAddressPerHour);
    // Another environment, and the other purpose, have what they have.
    await ask(email, { caller: pageOf(honest) });
  });

  it("blocks an address for pages by wrong tries, and for no caller with a secret key", async () => {
    const { email } = await test.openHolder("tried@example.org");
    await useUpTries(email, { caller: page });
    await signsIn(email, { caller: test.caller });
    const stranger = await test.addTenant("other-tenant");
    await signsIn(email, { caller: pageOf(stranger) });
    // A day later by the environment's clock the page has its tries again.
    await test.network.sandbox?.advanceClock(24 * 3_600 + 1);
    await signsIn(email, { caller: page });
  });

  it("voids no code that a secret key asked for, uses up none of its tries, and cannot spend it", async () => {
    const { email } = await test.openHolder("voided@example.org");
    await ask(email, { caller: test.caller });
    const code = await test.latestCode(email);
    expect((await errorOf(verify(email, code, { caller: page }))).code).toBe("invalid_otp");
    await ask(email, { caller: page });
    const theirs = await test.latestCode(email);
    for (let i = 1; i <= 4; i += 1) await errorOf(verify(email, wrongCode(theirs, i), { caller: page }));
    if (theirs !== code) {
      const refusal = await errorOf(verify(email, theirs, { caller: test.caller }));
      expect(refusal).toMatchObject({ code: "invalid_otp" });
    }
    await verify(email, code, { caller: test.caller });
  });

  it("cannot do the same to a person who is signing up", async () => {
    const email = "signing-up@example.org";
    await askToSignUp(email, { caller: test.caller });
    const code = await test.latestCode(email);
    await ask(email, { caller: page });
    const theirs = await test.latestCode(email);
    for (let i = 1; i <= 3; i += 1) await errorOf(verify(email, wrongCode(theirs, i), { caller: page }));
    const made = await test.call<Verified>(verifyAccount, { body: bodyOf(email, code) });
    await signsIn(email, { caller: page }).then((again) => expect(again.address).toBe(made.address));
  });

  it("removes nothing that the tenant has noted of a person who is signing up", async () => {
    const email = "noted@example.org";
    await test.call(createAccount, { needs: { mailer }, body: { type: "email", email, memo: "customer 42" } });
    await ask(email, { caller: page });
    const made = await verify(email, await test.latestCode(email), { caller: page });
    const { memo } = await test.needs.db
      .selectFrom("account")
      .select("memo")
      .where("address", "=", made.address)
      .executeTakeFirstOrThrow();
    expect(memo).toBe("customer 42");
  });

  it("cannot learn from the number of mails that an account was made meanwhile", async () => {
    const email = "watched@example.org";
    expect(await useUpMails(() => ask(email, { caller: page }))).toBe(limits.mailsPerAddressPerHour);
    await askToSignUp(email, { caller: test.caller });
    await test.call<Verified>(verifyAccount, { body: bodyOf(email, await test.latestCode(email)) });
    expect((await errorOf(ask(email, { caller: page }))).code).toBe("mail_limit_exceeded");
    await signsIn(email, { caller: test.caller });
  });

  it("makes one account where a page and a server sign the same address up at once", async () => {
    const email = "both@example.org";
    await askToSignUp(email, { caller: test.caller });
    const byServer = await test.latestCode(email);
    await ask(email, { caller: page });
    const byPage = await test.latestCode(email);
    const both = await Promise.allSettled([
      test.call<Verified>(verifyAccount, { body: bodyOf(email, byServer) }),
      verify(email, byPage, { caller: page }),
    ]);
    const made = both.flatMap((each) => (each.status === "fulfilled" ? [each.value.address] : []));
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made).size).toBe(1);
    const accounts = await test.needs.db
      .selectFrom("account")
      .innerJoin("app_user", "app_user.id", "account.user_id")
      .select("account.address")
      .where("app_user.email", "=", email)
      .execute();
    expect(accounts).toEqual([{ address: made[0] }]);
    expect(await signsIn(email, { caller: page })).toMatchObject({ address: made[0] });
  });

  it("has accounts made for half of what the tenant may spend a day, and leaves the rest to its server", async () => {
    const caller = await test.addTenant("spending");
    const perTenantPerDay = 30_000_000n;
    const network: Network = { ...test.network, sponsorship: { ...test.network.sponsorship, perTenantPerDay } };
    const fromPage = { caller: pageOf(caller), network };
    const signUp = async (email: string) => {
      await ask(email, fromPage);
      return verify(email, await test.latestCode(email, caller), fromPage);
    };
    let made = 0;
    for (let refusal: { code: string } | undefined; refusal === undefined; ) {
      refusal = await signUp(`spent-${made}@example.org`).then(
        () => undefined,
        (error: { code: string }) => error,
      );
      if (refusal === undefined) made += 1;
      else expect(refusal.code).toBe("sponsorship_limit_exceeded");
    }
    expect(made).toBeGreaterThan(1);
    const { lamports } = await test.needs.db
      .selectFrom("sponsorship_budget")
      .select("lamports")
      .where("scope", "=", `tenant:${caller.tenantId}`)
      .executeTakeFirstOrThrow();
    expect(lamports).toBeLessThanOrEqual(perTenantPerDay / 2n);
    // Nothing is begun that would take the next day's.
    const begun = await test.needs.db
      .selectFrom("account_creation")
      .select("state")
      .where("tenant_id", "=", caller.tenantId)
      .execute();
    expect(begun).toEqual(Array.from({ length: made }, () => ({ state: "landed" })));
    // Its server makes accounts still, and a user with one signs in on the page.
    const email = "by-server@example.org";
    await askToSignUp(email, { caller, network });
    const body = bodyOf(email, await test.latestCode(email, caller));
    await test.call<Verified>(verifyAccount, { body, caller, network });
    await signsIn("spent-0@example.org", fromPage);
    // The next day begins with all of it.
    test.needs.realClock.advance(86_400_000);
    await signUp("next-day@example.org");
  });

  it("has what was begun on it paid out of the same half, however late that is", async () => {
    const caller = await test.addTenant("begun-late");
    const network: Network = {
      ...test.network,
      sponsorship: { ...test.network.sponsorship, perTenantPerDay: 30_000_000n },
    };
    const fromPage = { caller: pageOf(caller), network };
    const people: { email: string; code: string }[] = [];
    for (let i = 0; i < 10; i += 1) {
      const email = `late-${i}@example.org`;
      await ask(email, fromPage);
      people.push({ email, code: await test.latestCode(email, caller) });
    }
    // All at once: each finds the day's half still there.
    await Promise.allSettled(people.map(({ email, code }) => verify(email, code, fromPage)));
    const begun = await test.needs.db
      .selectFrom("account_creation")
      .select("id")
      .where("tenant_id", "=", caller.tenantId)
      .where("state", "=", "pending")
      .execute();
    expect(begun.length).toBeGreaterThan(0);
    test.needs.realClock.advance(5 * 86_400_000);
    await test.network.sandbox?.advanceClock(5 * 86_400);
    await removeOutdated(test.needs, [network]);
    await resumePendingCreations(test.needs, network, 0);
    const spent = await test.needs.db
      .selectFrom("sponsorship_budget")
      .select(["scope", "lamports"])
      .where("day", "=", budgetDay(test.needs.realClock.now()))
      .where("scope", "in", [`tenant:${caller.tenantId}`, `page-accounts:tenant:${caller.tenantId}`])
      .orderBy("scope")
      .execute();
    expect(spent.map(({ scope }) => scope)).toEqual([
      `page-accounts:tenant:${caller.tenantId}`,
      `tenant:${caller.tenantId}`,
    ]);
    expect(spent[0]?.lamports).toBeLessThanOrEqual(15_000_000n);
    expect(spent[1]?.lamports).toBeLessThanOrEqual(spent[0]?.lamports ?? 0n);
  });

  it("has the service pay for three quarters of what the tenant may spend a day, and leaves a quarter to its server", async () => {
    const caller = await test.addTenant("paying");
    const email = "payer@example.org";
    await askToSignUp(email, { caller });
    const body = bodyOf(email, await test.latestCode(email, caller));
    const { address } = await test.call<Verified>(verifyAccount, { body, caller });
    await test.airdrop(address, "sol", "1000000000");
    // What the account itself used was yesterday's.
    test.needs.realClock.advance(86_400_000);
    const verified = await signsIn(email, { caller: pageOf(caller) });
    const authorizationKey = importAuthorizationKey(
      await key.open(sessionOf(verified).session.encrypted_authorization_key),
    );
    const pay = payerOf(address, authorizationKey, { amount: "5000000", currency: "sol" });
    await pay({ caller: pageOf(caller) });
    const { lamports: fee } = await test.needs.db
      .selectFrom("sponsorship_budget")
      .select("lamports")
      .where("scope", "=", `tenant:${caller.tenantId}`)
      .orderBy("day", "desc")
      .executeTakeFirstOrThrow();
    // Room for eight payments, of which one was made.
    const sponsorship = { ...test.network.sponsorship, perTenantPerDay: fee * 8n };
    const network: Network = { ...test.network, sponsorship };
    for (let i = 0; i < 5; i += 1) await pay({ caller: pageOf(caller), network });
    expect((await errorOf(pay({ caller: pageOf(caller), network }))).code).toBe("sponsorship_limit_exceeded");
    for (let i = 0; i < 2; i += 1) await pay({ caller, network });
    expect((await errorOf(pay({ caller, network }))).code).toBe("sponsorship_limit_exceeded");
  });

  it("has it open three quarters of the accounts that a day has rent for, and leaves a quarter to its server", async () => {
    const caller = await test.addTenant("opening");
    const email = "opener@example.org";
    await askToSignUp(email, { caller });
    const body = bodyOf(email, await test.latestCode(email, caller));
    const { address } = await test.call<Verified>(verifyAccount, { body, caller });
    await test.airdrop(address, "usdc", "1000000");
    test.needs.realClock.advance(86_400_000);
    const verified = await signsIn(email, { caller: pageOf(caller) });
    const authorizationKey = importAuthorizationKey(
      await key.open(sessionOf(verified).session.encrypted_authorization_key),
    );
    const pay = payerOf(address, authorizationKey, { amount: "1", currency: "usdc" });
    const payAnew = async (as: As) => pay(as, (await generateKeyPairSigner()).address);
    await payAnew({ caller: pageOf(caller) });
    const { lamports: rent } = await test.needs.db
      .selectFrom("sponsorship_budget")
      .select("lamports")
      .where("scope", "=", `given:tenant:${caller.tenantId}`)
      .executeTakeFirstOrThrow();
    // Room for four, of which one was opened.
    const openings = { ...test.network.sponsorship.openings, perTenantPerDay: rent * 4n };
    const network: Network = { ...test.network, sponsorship: { ...test.network.sponsorship, openings } };
    for (let i = 0; i < 2; i += 1) await payAnew({ caller: pageOf(caller), network });
    expect((await errorOf(payAnew({ caller: pageOf(caller), network }))).code).toBe("sponsorship_limit_exceeded");
    await pay({ caller, network });
    expect((await errorOf(payAnew({ caller, network }))).code).toBe("sponsorship_limit_exceeded");
    // What opens nothing is another budget.
    await pay({ caller: pageOf(caller), network });
  });

  it("raises an alarm for pages alone", async () => {
    const caller = await test.addTenant("alarmed");
    const email = "careful@example.org";
    await askToSignUp(email, { caller });
    await test.call<Verified>(verifyAccount, { body: bodyOf(email, await test.latestCode(email, caller)), caller });
    for (const as of [caller, pageOf(caller)]) {
      await ask(email, { caller: as });
      const code = await test.latestCode(email, caller);
      for (let i = 1; i <= limits.otpFailuresPerAddressUnderAlarm; i += 1) {
        await errorOf(verify(email, wrongCode(code, i), { caller: as }));
      }
    }
    const failed_at = BigInt(test.network.clock.now());
    const failures = Array.from({ length: limits.otpFailuresPerTenantPerHourAlarm }, (_, i) => ({
      id: `page-failure-${i}`,
      tenant_id: caller.tenantId,
      environment: "sandbox",
      email: `user-${i}@example.org`,
      share: "publishable" as const,
      failed_at,
    }));
    await test.needs.db.insertInto("otp_failure").values(failures).execute();
    await ask(email, { caller: pageOf(caller) });
    expect((await errorOf(verify(email, "000000", { caller: pageOf(caller) }))).code).toBe("otp_address_blocked");
    await signsIn(email, { caller });
  });
});

describe("a browser that had a session of the address", () => {
  it("signs in however much of the page's share is used up, also when its session is long over", async () => {
    const { email } = await test.openHolder("returning@example.org");
    const viewToken = tokenOf(await signsIn(email, { caller: page }));
    await test.network.sandbox?.advanceClock(2 * 24 * 3_600);
    await useUpTries(email, { caller: page });
    await useUpMails(() => ask(email, { caller: page }));
    const returning = { caller: { ...page, presentedToken: viewToken } };
    await ask(email, returning);
    const code = await test.latestCode(email);
    // Codes that a caller without the token asks for block no one either.
    test.needs.realClock.advance(3_600_000);
    await test.network.sandbox?.advanceClock(0);
    expect((await errorOf(verify(email, code, { caller: page }))).code).toBe("otp_address_blocked");
    expect((await signsIn(email, returning)).address).toBeDefined();
  });

  it("is known by a token of that address, tenant and environment alone, and not by one that was revoked", async () => {
    const { email } = await test.openHolder("owner@example.org");
    const other = await test.openHolder("somebody-else@example.org");
    const stranger = await test.addTenant("stranger-with-token");
    const good = await signsIn(email, { caller: page });
    const elsewhere = await signsIn(email, { caller: pageOf(stranger) });
    const tokens = {
      good: tokenOf(good),
      refresh: sessionOf(good).refresh_token ?? "",
      elsewhere: tokenOf(elsewhere),
      other: tokenOf(other.verified),
      none: "short",
    };
    const shares = new Map<string, string>();
    for (const [name, viewToken] of Object.entries(tokens)) {
      test.needs.realClock.advance(3_600_000);
      await ask(email, { caller: { ...page, presentedToken: viewToken } });
      shares.set(name, await newestShare(email));
    }
    expect(Object.fromEntries(shares)).toEqual({
      good: "returning",
      refresh: "publishable",
      elsewhere: "publishable",
      other: "publishable",
      none: "publishable",
    });
    await test.needs.db.updateTable("session").set({ state: "revoked" }).execute();
    test.needs.realClock.advance(3_600_000);
    await ask(email, { caller: { ...page, presentedToken: tokens.good } });
    expect(await newestShare(email)).toBe("publishable");
  });

  it("may show its token with the code although it was asked for without", async () => {
    const { email } = await test.openHolder("late@example.org");
    const viewToken = tokenOf(await signsIn(email, { caller: page }));
    await ask(email, { caller: page });
    await verify(email, await test.latestCode(email), { caller: { ...page, presentedToken: viewToken } });
  });

  it("has a share with an end: it mails no more than the others", async () => {
    const { email } = await test.openHolder("bounded@example.org");
    const viewToken = tokenOf(await signsIn(email, { caller: page }));
    const returning = { caller: { ...page, presentedToken: viewToken } };
    expect(await useUpMails(() => ask(email, returning))).toBe(limits.mailsPerAddressPerHour);
  });

  async function newestShare(email: string): Promise<string> {
    const row = await test.needs.db
      .selectFrom("one_time_code")
      .select("share")
      .where("email", "=", email)
      .where("tenant_id", "=", test.caller.tenantId)
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    return row.share;
  }
});

interface As {
  readonly caller: Caller;
  readonly network?: Network;
}

const pageOf = (caller: Caller): Caller => ({ ...caller, apiKeyId: `page-${caller.tenantId}`, isPublishable: true });

/** The codes that pages asked for last, by address: a page's code is good together with its id alone. */
const askedFor = new Map<string, string>();
/** A second later each: of two mails of one moment the newest cannot be determined. */
async function ask(email: string, as: As): Promise<unknown> {
  test.needs.realClock.advance(1_000);
  const started = await test.call<{ otp_id: string }>(startAuthentication, {
    needs: { mailer },
    body: { email },
    ...as,
  });
  if (as.caller.isPublishable) askedFor.set(email, started.otp_id);
  return started;
}

async function askToSignUp(email: string, as: As): Promise<unknown> {
  test.needs.realClock.advance(1_000);
  return test.call(createAccount, { needs: { mailer }, body: { type: "email", email }, ...as });
}

const bodyOf = (email: string, otp_code: string, named: { readonly otp_id?: string } = {}) => ({
  email,
  otp_code,
  kms_provider_config: { encryption_public_key: key.spki, ...named },
});

const verify = (email: string, otp_code: string, as: As) => {
  const named = as.caller.isPublishable ? { otp_id: askedFor.get(email) ?? randomUUID() } : {};
  return test.call<Verified>(verifyAuthentication, { body: bodyOf(email, otp_code, named), ...as });
};

const wrongCode = (code: string, step: number) => String((Number(code) + step) % 1_000_000).padStart(6, "0");

/** Asks until it is refused: how often it went well. */
async function useUpMails(asking: () => Promise<unknown>): Promise<number> {
  for (let times = 0; times < 100; times += 1) {
    const refusal = await asking().then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    if (refusal === undefined) continue;
    expect(refusal).toBe("mail_limit_exceeded");
    return times;
  }
  throw new Error("it was never refused");
}

/** Tries wrong codes until the address is blocked for callers of this kind. */
async function useUpTries(email: string, as: As): Promise<void> {
  for (let tries = 0; tries < limits.otpFailuresPerAddressPerDay; ) {
    test.needs.realClock.advance(3_600_000);
    await ask(email, as);
    const code = await test.latestCode(email, as.caller);
    for (let i = 1; i <= 3 && tries < limits.otpFailuresPerAddressPerDay; i += 1, tries += 1) {
      expect((await errorOf(verify(email, wrongCode(code, i), as))).code).toBe("invalid_otp");
    }
  }
  expect((await errorOf(verify(email, "000000", as))).code).toBe("otp_address_blocked");
}

async function signsIn(email: string, as: As): Promise<Verified> {
  await ask(email, as);
  return verify(email, await test.latestCode(email, as.caller), as);
}

/** Pays to an address, with the key of a session. */
function payerOf(
  account: string,
  authorizationKey: ReturnType<typeof importAuthorizationKey>,
  { amount, currency }: { readonly amount: string; readonly currency: "sol" | "usdc" },
) {
  return async (as: As, to = shop) => {
    const prepared = await test.call<{ transaction: string; kms_payloads: readonly { payload: string }[] }>(
      preparePayment,
      {
        params: { address: account },
        body: { amount, source: { account, currency }, destination: { address: to, currency } },
        ...as,
      },
    );
    const signature = stampKmsA(prepared.kms_payloads[0]?.payload ?? "", authorizationKey);
    const kms_payloads = [{ provider: "kms_a", kms_signed_payload: { signature } }];
    const submitted = { transaction: prepared.transaction, kms_payloads };
    return test.call(submitTransactions, { params: { address: account }, body: submitted, ...as });
  };
}

const tokenOf = (verified: Verified): string => sessionOf(verified).token ?? "";
