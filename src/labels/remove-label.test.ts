import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import { importsOf } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { listAccountLabels } from "./list-labels.js";
import { putAccountLabel, putLabel } from "./put-label.js";
import { removeAccountLabel, removeLabel } from "./remove-label.js";

const test = useTestNetwork();
const { openImported, release, releaseProofOf } = importsOf(test);

const addressOf = () => makeKey().address;
const uniqueName = () => ({ name: `Payee ${randomUUID().slice(0, 8)}`, note: "Flat" });
const remove = (label_address: string, more: CallParts = {}) =>
  test.call(removeLabel, { params: { label_address }, ...more });

const kindsOf = async (address: string) => {
  const { rows } = await sql<{ kind: string; body: string }>`
    select kind, body from audit_entry where subject = ${`label/${address}`} order by sequence`.execute(test.needs.db);
  return rows.map(({ kind, body }) => [kind, (JSON.parse(body) as { details: object }).details] as const);
};

describe("200", () => {
  it("is the label as it was, which is logged, and its name is free", async () => {
    const [address, body] = [addressOf(), uniqueName()];
    const label = await test.call(putLabel, { params: { label_address: address }, body });
    expect(await remove(address)).toEqual(label);
    expect((await errorOf(remove(address))).code).toBe("label_not_found");
    expect((await kindsOf(address)).at(-1)).toEqual(["label.removed", { address, before: body }]);
    await test.call(putLabel, { params: { label_address: addressOf() }, body });
  });

  it("leaves the tenant's label where an account's is removed, and the other way round", async () => {
    const { address: account } = await test.openHolder(`${randomUUID()}@example.org`);
    const [label_address, ofTenant, ofAccount] = [addressOf(), uniqueName(), uniqueName()];
    await test.call(putLabel, { params: { label_address }, body: ofTenant });
    const params = { address: account, label_address };
    const shown = async () => {
      const asked = { params: { address: account }, query: { address: [label_address] } };
      return (await test.call<{ name: string }[]>(listAccountLabels, asked)).map(({ name }) => name);
    };
    for (let time = 0; time < 2; time += 1) {
      await test.call(putAccountLabel, { params, body: ofAccount });
      expect(await shown()).toEqual([ofAccount.name]);
      await test.call(removeAccountLabel, { params });
      expect(await shown()).toEqual([ofTenant.name]);
    }
    await test.call(putAccountLabel, { params, body: ofAccount });
    await remove(label_address);
    expect(await shown()).toEqual([ofAccount.name]);
  });
});

describe("404", () => {
  it("for another tenant's label and account, and for what is no address", async () => {
    const { address } = await test.openHolder(`${randomUUID()}@example.org`);
    const label_address = addressOf();
    await test.call(putLabel, { params: { label_address }, body: uniqueName() });
    const caller = await test.addTenant(`labels-${randomUUID()}`);
    expect((await errorOf(remove(label_address, { caller }))).code).toBe("label_not_found");
    expect((await errorOf(remove("\u0000"))).code).toBe("label_not_found");
    const params = { address, label_address };
    expect((await errorOf(test.call(removeAccountLabel, { params }))).code).toBe("label_not_found");
    expect((await errorOf(test.call(removeAccountLabel, { params, caller }))).code).toBe("account_not_found");
  });
});

it("a released account's labels are removed, and each is logged", async () => {
  const [key, account] = await openImported();
  const label_address = addressOf();
  const params = { address: account.address, label_address };
  await test.call(putAccountLabel, { params, body: uniqueName() });
  await release(account, { proof: await releaseProofOf(key, account) });
  const rows = test.needs.db.selectFrom("label").select("address").where("account_address", "=", account.address);
  expect(await rows.execute()).toEqual([]);
  expect((await kindsOf(label_address)).map(([kind]) => kind)).toEqual(["label.created", "label.removed"]);
});

it("a frozen tenant's labels are not removed", async () => {
  const caller = await test.addTenant(`labels-${randomUUID()}`);
  const label_address = addressOf();
  await test.call(putLabel, { params: { label_address }, body: uniqueName(), caller });
  await sql`update tenant set frozen_at = 1 where id = ${caller.tenantId}`.execute(test.needs.db);
  expect((await errorOf(remove(label_address, { caller }))).code).toBe("tenant_frozen");
});
