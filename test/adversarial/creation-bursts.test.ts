import { generateEncryptionKeyPair } from "@trellis/sdk";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/test-service.js";
import { type Answered, apiPath, dataOf, expectError, makeKey } from "./support.js";

/** Runs on from noon: budgets are those of a day, which is not to end in the middle. */
const untilNoonMs = 43_200_000 - (Date.now() % 86_400_000);
const realClock = { now: () => Date.now() + untilNoonMs };
let trellis: TestService;
beforeAll(async () => {
  trellis = await startTestService({}, { realClock });
});
afterAll(() => trellis?.close());

interface Made {
  readonly address: string;
  readonly grid_user_id: string;
  readonly policies: { readonly signers: readonly { readonly address: string }[] };
}

describe("accounts that are asked for together", () => {
  it("have each their own signers, in their order, and an entry and a listing for each", async () => {
    const wanted = Array.from({ length: 24 }, (_, n) => Array.from({ length: 1 + (n % 3) }, () => makeKey().address));
    const answers = await Promise.all(wanted.map((signers, n) => make(signers, { memo: `memo ${n}` })));
    expect(new Set(answers.map((each) => dataOf<Made>(each).address)).size).toBe(24);
    for (const [n, answer] of answers.entries()) {
      const { address, grid_user_id: userId } = dataOf<Made>(answer);
      const { rows } = await sql`
        select account.memo, account.user_id,
          (select json_agg(signer_address order by position) from account_signer where account_address = address) as signers,
          (select json_agg(body::json -> 'details' ->> 'signer' order by sequence) from audit_entry
            where kind = 'account.signer_added' and subject = 'account/' || address) as entered,
          (select count(*)::int4 from signed_account where account_address = address) as listed,
          (select count(*)::int4 from event where type = 'account.created' and object_id = address) as reported,
          (select state from account_creation where account_address = address) as state
        from account where address = ${address}`.execute(trellis.service.db);
      const signers = wanted[n];
      expect(rows).toEqual([
        {
          memo: `memo ${n}`,
          user_id: userId,
          signers,
          entered: signers,
          listed: signers?.length,
          reported: 1,
          state: "landed",
        },
      ]);
    }
  });

  it("are made as far as the tenant's budget reaches, and none that is refused takes another one with it", async () => {
    dataOf(await make([makeKey().address]));
    const { rows } = await sql<{ cost: string }>`
      select sum(reserved_lamports)::text as cost from sponsored_cost
      where submission_id = (select id from submission where purpose = 'account_creation' order by created_at desc, id limit 1)`.execute(
      trellis.service.db,
    );
    const cost = BigInt(rows[0]?.cost ?? "0");
    expect(cost).toBeGreaterThan(0n);
    await sql`update sponsorship_budget set lamports = ceiling - ${(cost * 11n) / 2n}::int8 where scope = 'tenant:default'`.execute(
      trellis.service.db,
    );
    const before = await accountCount();
    const answers = await Promise.all(Array.from({ length: 20 }, () => make([makeKey().address])));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const each of answers) if (each.status !== 201) expectError(each, 429, "sponsorship_limit_exceeded");
    expect((await accountCount()) - before).toBe(5);
    const { rows: open } = await sql`select from account_creation where state = 'pending'`.execute(trellis.service.db);
    expect(open).toHaveLength(0);
    await sql`update sponsorship_budget set lamports = 0 where scope = 'tenant:default'`.execute(trellis.service.db);
  });

  it("are made once under one idempotency key, however often they are asked for beside others", async () => {
    const before = await accountCount();
    const signers = [makeKey().address];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 3 === 0 ? make([makeKey().address]) : make(signers, {}, { "idempotency-key": "one of a burst" }),
      ),
    );
    const same = answers.filter((_, n) => n % 3 !== 0).filter(({ status }) => status === 201);
    expect(new Set(same.map((each) => dataOf<Made>(each).address)).size).toBe(1);
    expect((await accountCount()) - before).toBe(5);
  });

  it("are verified each by their own code, with wallets, a session and the memo of their own", async () => {
    const emails = Array.from({ length: 16 }, (_, n) => `burst-${n}@example.org`);
    await Promise.all(
      emails.map((email) => trellis.request("POST", `${apiPath}/accounts`, { type: "email", email, memo: email })),
    );
    const spki = generateEncryptionKeyPair().publicKeySpkiBase64;
    const codes = await Promise.all(
      emails.map(async (email) => {
        const path = `${apiPath}/sandbox/outbox?email=${encodeURIComponent(email)}`;
        return dataOf<{ otp_code: string }[]>(await trellis.request("GET", path))[0]?.otp_code;
      }),
    );
    const verified = await Promise.all(
      emails.map((email, n) =>
        trellis.request("POST", `${apiPath}/accounts/verify`, {
          email,
          otp_code: codes[n],
          kms_provider_config: { encryption_public_key: spki },
        }),
      ),
    );
    const addresses = verified.map((answer) => dataOf<Made>(answer).address);
    expect(new Set(addresses).size).toBe(16);
    for (const [n, address] of addresses.entries()) {
      const { rows } = await sql`
        select account.memo, app_user.email,
          (select count(*)::int4 from account_signer join wallet on wallet.id = account_signer.wallet_id
            join kms_wallet on kms_wallet.id = wallet.id
            where account_address = account.address and wallet.owner_id = app_user.id and kms_wallet.owner_id = app_user.id
              and wallet.address = signer_address) as wallets,
          (select count(*)::int4 from session join kms_authorization_key as key on key.id = session.authorization_key_id
            and key.wallet_id = session.wallet_id where session.user_id = app_user.id) as sessions,
          exists (select from pending_account where email = app_user.email) as is_pending
        from account join app_user on app_user.id = account.user_id where account.address = ${address}`.execute(
        trellis.service.db,
      );
      expect(rows).toEqual([{ memo: emails[n], email: emails[n], wallets: 2, sessions: 1, is_pending: false }]);
    }
  });
});

function make(signers: readonly string[], more: object = {}, headers: Record<string, string> = {}): Promise<Answered> {
  return trellis.request("POST", `${apiPath}/accounts`, { type: "signers", signers, threshold: 1, ...more }, headers);
}

async function accountCount(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from account`.execute(
    trellis.service.db,
  );
  return rows[0]?.count ?? 0;
}
