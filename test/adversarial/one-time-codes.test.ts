import { randomBytes } from "node:crypto";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { generateEncryptionKeyPair } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/test-service.js";
import { type Answered, expectError } from "./support.js";

let trellis: TestService;
let otherKey: string;
beforeAll(async () => {
  const masterKey = randomBytes(32);
  trellis = await startTestService({ TRELLIS_MASTER_KEY: masterKey.toString("base64") });
  const keyring = createKeyring({ masterKeys: [{ id: "1", key: new Uint8Array(masterKey) }], activeId: "1" });
  otherKey = (await trellis.addTenant("other", keyring.macs("api-key"))).value;
});
afterAll(() => trellis?.close());
const keyPair = generateEncryptionKeyPair();

describe("guessing a code", () => {
  it("three wrong tries end it: the right one is too late", async () => {
    const { email, code } = await askForCode();
    for (let i = 1; i <= 3; i += 1) expectError(await verify(email, wrongCode(code, i)), 400, "invalid_otp");
    expectError(await verify(email, code), 400, "otp_attempts_exceeded");
    expectError(await verify(email, wrongCode(code)), 400, "otp_attempts_exceeded");
    expect(await countAccountsOf(email)).toEqual({ accounts: 0, sessions: 0 });
    const next = await askForCode(email);
    expect((await verify(email, next.code)).status).toBe(200);
  });

  it("fifty tries at once count at most three, and give at most one account and session", async () => {
    const { email, code } = await askForCode();
    const tries = Array.from({ length: 50 }, (_, i) => (i === 25 ? code : wrongCode(code, i + 1)));
    const answers = await Promise.all(tries.map((each) => verify(email, each)));
    const codes = answers.map(({ status, body }) => (status === 200 ? "ok" : (body as { code: string }).code));
    expect(codes.filter((each) => each === "ok").length).toBeLessThanOrEqual(1);
    for (const each of codes) expect(["ok", "invalid_otp", "otp_attempts_exceeded"]).toContain(each);
    const { db } = trellis.service;
    const stored = await db.selectFrom("one_time_code").select(["attempts"]).where("email", "=", email).execute();
    for (const { attempts } of stored) expect(attempts).toBeLessThanOrEqual(3);
    const failures = await db.selectFrom("otp_failure").select("id").where("email", "=", email).execute();
    expect(failures.length).toBeLessThanOrEqual(3);
    const { accounts, sessions } = await countAccountsOf(email);
    expect(accounts).toBeLessThanOrEqual(1);
    expect(sessions).toBe(accounts);
    if (accounts === 0) expectError(await verify(email, code), 400, "otp_attempts_exceeded");
  });

  it("fifty times the right code at once is one account with one session", async () => {
    const { email, code } = await askForCode();
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(email, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answered of answers) if (answered.status !== 200) expect(answered.status).toBeLessThan(500);
    expect(await countAccountsOf(email)).toEqual({ accounts: 1, sessions: 1 });
  });

  it("in other spellings is a wrong type or a wrong code, never a right one", async () => {
    const { email, code } = await askForCode();
    for (const given of [Number(code), [code], { code }, true]) {
      expectError(await verify(email, given), 400, "invalid_request");
    }
    for (const given of [`${code} `, ` ${code}`, `0${code}`, code.slice(1), "", `${code}\u0000`, "٠".repeat(6)]) {
      const answered = await verify(email, given);
      expect(answered.status, JSON.stringify(answered.body)).toBe(400);
    }
  });

  it("ten wrong tries over several codes block the address", async () => {
    const email = "many@example.org";
    let wrong = 0;
    let last: Answered | undefined;
    for (let round = 0; round < 4; round += 1) {
      const { code } = await askForCode(email);
      for (let i = 1; i <= 3; i += 1) {
        last = await verify(email, wrongCode(code, i));
        if (last.status === 400) wrong += 1;
      }
    }
    expect(wrong).toBe(10);
    if (!last) throw new Error("nothing was tried");
    expectError(last, 429, "otp_attempts_exceeded");
  });
});

describe("another user's code", () => {
  it("of another address or of another tenant opens nothing", async () => {
    const [mine, theirs] = [await askForCode(), await askForCode()];
    if (mine.code !== theirs.code) expectError(await verify(mine.email, theirs.code), 400, "invalid_otp");
    const asOther = { authorization: `Bearer ${otherKey}` };
    expectError(await verify(mine.email, mine.code, asOther), 400, "invalid_otp");
    const outbox = await trellis.request(
      "GET",
      `/api/service/v1/sandbox/outbox?email=${mine.email}`,
      undefined,
      asOther,
    );
    expect((outbox.body as { data: unknown[] }).data).toEqual([]);
    expect((await verify(mine.email, mine.code)).status).toBe(200);
  });

  it("the same address has an account of its own with every tenant", async () => {
    const { email, code } = await askForCode();
    const first = await verify(email, code);
    const asOther = { authorization: `Bearer ${otherKey}` };
    expect((await trellis.post("/accounts", { type: "email", email }, asOther)).status).toBe(201);
    const outbox = await trellis.request("GET", `/api/service/v1/sandbox/outbox?email=${email}`, undefined, asOther);
    const [mail] = (outbox.body as { data: { otp_code: string }[] }).data;
    if (!mail) throw new Error("there is no mail");
    const second = await verify(email, mail.otp_code, asOther);
    const addressOf = (answered: Answered) => (answered.body as { data: { address: string } }).data.address;
    expect(addressOf(first)).not.toBe(addressOf(second));
  });
});

describe("an old code", () => {
  it("that was spent, or replaced by a newer one, is worth nothing", async () => {
    const first = await askForCode();
    const second = await askForCode(first.email);
    if (first.code !== second.code) expectError(await verify(first.email, first.code), 400, "invalid_otp");
    expect((await verify(first.email, second.code)).status).toBe(200);
    expectError(await verify(first.email, second.code), 400, "invalid_otp");
    expect(await countAccountsOf(first.email)).toEqual({ accounts: 1, sessions: 1 });
  });

  it("that has expired is refused, by the environment's clock", async () => {
    const { email, code } = await askForCode();
    const holder = await trellis.openHolder();
    await trellis.client.sandbox.advanceClock(15 * 60);
    expectError(await verify(email, code), 400, "otp_expired");
    expect(await countAccountsOf(email)).toEqual({ accounts: 0, sessions: 0 });
    expectError(
      await trellis.post("/accounts", { type: "email", email: holder.email }),
      400,
      "grid_account_already_exists_for_user",
    );
    expect(trellis.network.clock.now()).toBeGreaterThan(Date.now());
  });
});

let asked = 0;
function freshEmail(): string {
  asked += 1;
  return `code-${asked}@example.org`;
}

/** Asks for an account; returns the address and the code in its mail. */
async function askForCode(email = freshEmail()): Promise<{ email: string; code: string }> {
  await trellis.client.accounts.create({ type: "email", email });
  const [mail] = await trellis.client.sandbox.outbox(email);
  if (!mail) throw new Error("there is no mail");
  return { email, code: mail.otp_code };
}

function verify(email: string, otp_code: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  const kms_provider_config = { encryption_public_key: keyPair.publicKeySpkiBase64 };
  return trellis.post("/accounts/verify", { email, otp_code, kms_provider_config }, headers);
}

/** Some six digits other than the code. */
function wrongCode(code: string, step = 1): string {
  return String((Number(code) + step) % 1_000_000).padStart(6, "0");
}

async function countAccountsOf(email: string): Promise<{ accounts: number; sessions: number }> {
  const { db } = trellis.service;
  const accounts = await db
    .selectFrom("account")
    .innerJoin("app_user", "app_user.id", "account.user_id")
    .select("account.address")
    .where("app_user.email", "=", email)
    .execute();
  const sessions = await db
    .selectFrom("session")
    .innerJoin("app_user", "app_user.id", "session.user_id")
    .select("session.id")
    .where("app_user.email", "=", email)
    .execute();
  return { accounts: accounts.length, sessions: sessions.length };
}
