import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase } from "../../test/support/test-database.js";
import type { OpenDatabase } from "../adapters/db/open-database.js";
import { createWriteBudget } from "./write-budget.js";

const dayMs = 86_400_000;
let database: OpenDatabase;
let now = 20_000 * dayMs + 1_000;
const clock = { now: () => now };

beforeAll(async () => {
  database = await openTestDatabase();
  for (const id of ["one", "two", "many"]) {
    await database.db.insertInto("tenant").values({ id, name: id, created_at: 0n }).execute();
  }
});
afterAll(() => database?.close());
const refused = { code: "daily_limit_exceeded", status: 429 };

describe("what a tenant may write in a day", () => {
  it("is bounded over all processes, of each kind and tenant apart, and anew on the next day", async () => {
    const processes = [open(30), open(30), open(30)];
    const takes = Array.from({ length: 90 }, (_, i) => processes[i % 3]?.take("one", "prepares", 1) as Promise<void>);
    expect(await passed(takes)).toBe(30);
    await expect(processes[0]?.take("one", "prepares", 1)).rejects.toMatchObject({
      ...refused,
      retryAfterSeconds: dayMs / 1000 - 1,
    });
    await processes[0]?.take("one", "others", 2);
    await processes[0]?.take("one", "page_prepares", 1);
    await processes[0]?.take("two", "prepares", 30);
    await expect(processes[1]?.take("two", "prepares", 1)).rejects.toMatchObject(refused);
    now += dayMs;
    await processes[0]?.take("one", "prepares", 1);
  });

  it("is never more than there is where processes take many at a time", async () => {
    const perDay = 10_050;
    const processes = [open(perDay), open(perDay)];
    const takes = Array.from(
      { length: 12_000 },
      (_, i) => processes[i % 2]?.take("many", "others", 1) as Promise<void>,
    );
    const count = await passed(takes);
    expect(count).toBeLessThanOrEqual(perDay);
    expect(count).toBeGreaterThanOrEqual(10_000 - 200);
  });
});

const open = (perDay: number) => createWriteBudget({ db: database.db, clock, perDay });

/** How many of so many at once were let through. */
async function passed(takes: readonly Promise<void>[]): Promise<number> {
  const ended = await Promise.allSettled(takes);
  return ended.filter(({ status }) => status === "fulfilled").length;
}
