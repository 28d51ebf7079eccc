import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { ensureUser } from "./user-store.js";

const test = useTestNetwork();

const ensure = (email: string, environment: "sandbox" | "devnet" = "sandbox") =>
  ensureUser(test.needs, test.caller.tenantId, environment, email, test.network.clock.now());
const users = () => test.needs.db.updateTable("app_user");

it("makes the same user of an address again whose row was lost, and another one in another environment", async () => {
  const id = await ensure("ada@example.org");
  expect(await ensure("ada@example.org")).toBe(id);
  await test.needs.db.deleteFrom("app_user").where("id", "=", id).execute();
  expect(await ensure("ada@example.org")).toBe(id);
  expect(await ensure("ada@example.org", "devnet")).not.toBe(id);
  expect(await ensure("ada@example.com")).not.toBe(id);
});

it("makes another user of an address that was somebody else's, who keeps theirs", async () => {
  const former = [];
  for (let n = 0; n < 5; n += 1) {
    const id = await ensure("shared@example.org");
    former.push(id);
    await users()
      .set({ email: `moved-${n}@example.org` })
      .where("id", "=", id)
      .execute();
  }
  expect(new Set(former).size).toBe(former.length);
  expect(await ensure("moved-0@example.org")).toBe(former[0]);
});

it("makes one user of an address that many ask for at once", async () => {
  for (let round = 0; round < 10; round += 1) {
    const email = `crowd-${round}@example.org`;
    const ids = await Promise.all(Array.from({ length: 12 }, () => ensure(email)));
    expect(new Set(ids).size).toBe(1);
  }
});
