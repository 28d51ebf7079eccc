import { type Custodian, CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openTestNetwork, type TestNetwork } from "../../test/support/test-network.js";
import { endAllForOperator, endSessions } from "./end-sessions.js";
import { removeEndedKeys } from "./remove-ended-keys.js";

let test: TestNetwork;
let email: string;
let number = 0;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test?.close());
beforeEach(async () => {
  number += 1;
  email = `ended-${number}@example.org`;
  await test.openHolder(email);
  test.logLines.length = 0;
});

it("the key of a session that an operator has ended is revoked at its custodian", async () => {
  await endAllForOperator(test.needs.db, { email }, now());
  expect(await session()).toMatchObject({ key_revoked_at: null, revoked_at: null });
  expect(await pass()).toBe(0);
  await clock(21);
  expect(await pass()).toBe(1);
  const { key_revoked_at, revoked_at } = await session();
  expect([key_revoked_at, revoked_at]).toEqual([BigInt(now()), BigInt(now())]);
  expect(await due()).toEqual([]);
});

it("a custodian that is away is asked again each minute, and logged once in a pass", async () => {
  await test.openHolder(`also-${email}`);
  await endAllForOperator(test.needs.db, {}, now());
  await clock(21);
  const away = withRevocation(() => Promise.reject(new CustodianUnavailable("timeout", "no answer")));
  expect(await pass(away)).toBe(0);
  expect(test.logLines.filter(({ level }) => level === "warn")).toHaveLength(1);
  expect(await pass()).toBe(0);
  await clock(61);
  expect(await pass()).toBe(2);
  expect(await due()).toEqual([]);
});

it("leaves no work to the pass where the end itself revoked the key", async () => {
  const { chain_id } = await session();
  await endSessions(test.needs, [chain_id], now(), "signed_out");
  expect(await due()).toEqual([]);
});

it("a key that has expired is left to its end", async () => {
  await endAllForOperator(test.needs.db, { email }, now());
  await clock(400 * 86_400);
  const asked: string[] = [];
  expect(
    await pass(
      withRevocation(async ({ id }) => {
        asked.push(id);
      }),
    ),
  ).toBe(0);
  expect([asked, await due()]).toEqual([[], []]);
});

const now = () => test.network.clock.now();

const clock = (seconds: number) => test.network.sandbox?.advanceClock(seconds);

const pass = (needs: object = {}) => removeEndedKeys({ ...test.needs, ...needs }, test.network);

const due = () => test.needs.db.selectFrom("key_removal").selectAll().execute();

const session = () =>
  test.needs.db
    .selectFrom("session")
    .innerJoin("app_user", "app_user.id", "session.user_id")
    .innerJoin("kms_authorization_key as key", "key.id", "session.authorization_key_id")
    .select(["session.id", "session.chain_id", "session.key_revoked_at", "key.revoked_at"])
    .where("app_user.email", "=", email)
    .executeTakeFirstOrThrow();

const withRevocation = (revokeAuthorizationKey: Custodian["revokeAuthorizationKey"]) => {
  const kmsA = test.needs.custodians.get("kms_a") as Custodian;
  return { custodians: new Map(test.needs.custodians).set("kms_a", { ...kmsA, revokeAuthorizationKey }) };
};
