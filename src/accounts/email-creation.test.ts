import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { createClientKey } from "../../test/support/test-network.js";
import type { CodeOwner } from "../people/check-code.js";
import { getClientKey } from "../people/session.js";
import { ensureUser } from "../people/user-store.js";
import { beginEmailCreation } from "./email-creation.js";

const test = useTestNetwork();

it("one address begins one account, with two codes at once, of a new user and of a known one", async () => {
  for (let round = 0; round < 10; round += 1) {
    const email = `twice-${round}@example.org`;
    if (round % 2 === 0) await ensureUser(test.needs, test.caller.tenantId, "sandbox", email, 1);
    const codes = [await makeCode(email, "secret"), await makeCode(email, "publishable")];
    const begun = await Promise.all([begin(email, "secret", codes[0]), begin(email, "publishable", codes[1])]);
    expect(begun.filter((creation) => creation !== undefined)).toHaveLength(1);
    expect(await creationsOf(email)).toBe(1);
  }
});

it("one address begins one account, also where one of its codes has waited for a stranger's", async () => {
  const [stranger, email] = ["stranger@example.org", "waits@example.org"];
  const codes = [await makeCode(stranger, "secret"), await makeCode(email, "secret")];
  const other = await makeCode(email, "publishable");
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const holding = test.needs.db.transaction().execute(async (trx) => {
    await sql`select from one_time_code where id = ${codes[0]} for update`.execute(trx);
    isHeld();
    await released;
  });
  await held;
  const together = [begin(stranger, "secret", codes[0]), begin(email, "secret", codes[1])];
  const alone = begin(email, "publishable", other);
  // Of the embedded database, which has one connection, all of them wait.
  await Promise.race([alone, new Promise((resolve) => setTimeout(resolve, 500))]);
  release();
  await holding;
  const [ofStranger, waited] = await Promise.all(together);
  expect(ofStranger).toBeDefined();
  expect([waited, await alone].filter((creation) => creation !== undefined)).toHaveLength(1);
  expect(await creationsOf(email)).toBe(1);
});

let codes = 0;

/** A live code of an address, as it is made for a key of that kind. */
async function makeCode(email: string, share: string): Promise<string> {
  codes += 1;
  const id = `00000000-0000-4000-8000-${String(codes).padStart(12, "0")}`;
  const now = test.network.clock.now();
  await sql`insert into one_time_code (id, tenant_id, environment, email, purpose, share, provider, code_hmac, attempts, state,
      created_at, expires_at)
    values (${id}, ${test.caller.tenantId}, 'sandbox', ${email}, 'create', ${share}, 'kms_a', '\\x00', 0, 'live', ${now}::int8,
      ${now + 600_000}::int8)`.execute(test.needs.db);
  return id;
}

async function begin(email: string, share: CodeOwner["share"], codeId = "") {
  const { spki } = await createClientKey();
  const owner: CodeOwner = { tenantId: test.caller.tenantId, email, purpose: "create", share };
  return beginEmailCreation(test.needs, test.network, owner, codeId, getClientKey(spki));
}

async function creationsOf(email: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from account_creation
    join app_user on app_user.id = account_creation.user_id where app_user.email = ${email}`.execute(test.needs.db);
  return rows[0]?.count ?? 0;
}
