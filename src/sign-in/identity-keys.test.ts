import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { createPageOrigins } from "../tenants/page-origins.js";
import { createPublishedKeys, getSigningKey } from "./identity-keys.js";

let queries: number;
const test = useTestNetwork();

it("reads an empty key set a few times for many who ask at once", async () => {
  const published = createPublishedKeys({ db: counted(), clock: test.needs.realClock });
  const before = queries;
  await Promise.all(Array.from({ length: 50 }, () => published.list()));
  expect(queries - before).toBeLessThanOrEqual(2);
});

it("reads the key set once for many, and never misses a key that signs", async () => {
  const clock = test.needs.realClock;
  const published = createPublishedKeys({ db: counted(), clock });
  expect(await published.list()).toEqual([]);
  const first = await getSigningKey(test.needs, clock.now());
  expect((await published.list()).map(({ kid }) => kid)).toEqual([first.id]);
  clock.advance(6 * 60_000);
  await published.list();
  const before = queries;
  await Promise.all(Array.from({ length: 50 }, () => published.list()));
  expect(queries).toBe(before);
  // For months, however the keys change: what signs is in the set that was told within the last seconds.
  for (let day = 0; day < 70; day += 1) {
    clock.advance(24 * 3_600_000 - 9_000);
    await published.list();
    clock.advance(9_000);
    const { id } = await getSigningKey(test.needs, clock.now());
    expect((await published.list()).map(({ kid }) => kid)).toContain(id);
  }
}, 60_000);

it("asks once for many preflights of an origin, and hears within seconds that it is listed, or no more", async () => {
  const clock = test.needs.realClock;
  const pages = createPageOrigins({ db: counted(), clock });
  const origin = "https://listed.example";
  expect(await Promise.all([1, 2, 3].map(() => pages.isListed(origin)))).toEqual([false, false, false]);
  expect(queries).toBe(1);
  await test.needs.db
    .insertInto("api_key")
    .values({
      id: "listing",
      tenant_id: test.caller.tenantId,
      name: "Page",
      kind: "publishable",
      visible_prefix: "pk_test_…",
      key_hash: new Uint8Array(32).fill(3),
      scopes: "[]",
      environments: "[]",
      origin: "created",
      allowed_origins: [origin],
      created_at: 0n,
      expires_at: null,
      disabled_at: null,
    })
    .execute();
  clock.advance(2_001);
  expect(await pages.isListed(origin)).toBe(true);
  for (let i = 0; i < 20; i += 1) await pages.isListed(origin);
  expect(queries).toBe(2);
  await test.needs.db.updateTable("api_key").set({ disabled_at: 1n }).where("id", "=", "listing").execute();
  clock.advance(10_001);
  expect(await pages.isListed(origin)).toBe(false);
  expect(pages.isFamiliar(origin)).toBe(false);
});

/** The database, counting what it is asked in one's own words. */
function counted() {
  queries = 0;
  return new Proxy(test.needs.db, {
    get: (db, name, receiver) => {
      if (name === "selectFrom" || name === "executeQuery") queries += 1;
      const member: unknown = Reflect.get(db, name, receiver);
      return typeof member === "function" ? member.bind(db) : member;
    },
  });
}
