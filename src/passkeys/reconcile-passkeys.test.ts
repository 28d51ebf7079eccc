import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { describe, expect, it } from "vitest";
import { addSoftPasskey, byPasskey, bySession, removing, requirement, toPayload } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { getAccount } from "../accounts/get-account.js";
import { listPasskeys } from "./list-passkeys.js";
import { removePasskey } from "./remove-passkey.js";
import { renamePasskey } from "./rename-passkey.js";
import { setPasskeyRequirement } from "./set-passkey-requirement.js";

const test = useTestNetwork();

describe("after a process that died between the custodian and the service", () => {
  it("a passkey that was added is listed without its name, reported once, and can be renamed and removed", async () => {
    const { holder, wire, begun } = await added();
    await dieBeforeStoring(wire.id);
    const both = await Promise.all([list(holder.address), list(holder.address)]);
    expect(both.map((rows) => rows.map(({ id, name }) => [id, name]))).toEqual([
      [[wire.id, "Unnamed passkey"]],
      [[wire.id, "Unnamed passkey"]],
    ]);
    const params = { address: holder.address, passkey_id: wire.id };
    await test.call(renamePasskey, { params, body: { name: "Found" } });
    expect(await list(holder.address)).toMatchObject([{ name: "Found" }]);
    const body = removing(test, begun, wire, (document) => bySession(holder, document));
    expect(await test.call(removePasskey, { params, body })).toMatchObject({ status: "removed" });
    expect(await list(holder.address)).toEqual([]);
    expect(await eventsOf(wire.id)).toEqual(["passkey.added", "passkey.added", "passkey.removed"]);
  });

  it("a passkey that is listed before its name was stored gets the name with the same request again", async () => {
    const { holder, wire, request } = await added();
    await dieBeforeStoring(wire.id);
    await list(holder.address);
    expect(await request()).toMatchObject({ id: wire.id, name: "Ada's phone" });
  });

  it("a passkey that was removed is listed no more, and that is reported once", async () => {
    const { holder, wire } = await added();
    await dieBeforeForgetting(wire.id);
    expect(await Promise.all([list(holder.address), list(holder.address)])).toEqual([[], []]);
    expect(await eventsOf(wire.id)).toEqual(["passkey.added", "passkey.removed"]);
  });

  it("the last passkey that is required is not listed, and its removal, repeated, lifts the requirement", async () => {
    const { holder, passkey, wire, begun } = await added();
    const { request } = await requirement(test, holder.address, begun, passkey, true);
    await test.call(setPasskeyRequirement, request);
    await dieBeforeForgetting(wire.id);
    const params = { address: holder.address };
    expect(await list(holder.address)).toEqual([]);
    expect(await test.call(getAccount, { params })).toMatchObject({ passkey_required: true });
    const body = removing(test, begun, wire, (document) => byPasskey(passkey, toPayload(document)));
    await test.call(removePasskey, { params: { ...params, passkey_id: wire.id }, body });
    expect(await test.call(getAccount, { params })).not.toHaveProperty("passkey_required");
  });
});

it("of a frozen tenant it is listed as it is, and noted once the tenant goes on", async () => {
  const { holder, wire } = await added();
  const freeze = (frozen_at: bigint | null) =>
    test.needs.db.updateTable("tenant").set({ frozen_at }).where("id", "=", test.caller.tenantId).execute();
  await dieBeforeStoring(wire.id);
  await freeze(1n);
  try {
    expect(await list(holder.address)).toMatchObject([{ id: wire.id, name: "Unnamed passkey" }]);
    expect(await eventsOf(wire.id)).toEqual(["passkey.added"]);
  } finally {
    await freeze(null);
  }
  expect(await list(holder.address)).toMatchObject([{ id: wire.id }]);
  expect(await eventsOf(wire.id)).toEqual(["passkey.added", "passkey.added"]);
  await dieBeforeForgetting(wire.id);
  await freeze(1n);
  try {
    expect(await list(holder.address)).toEqual([]);
  } finally {
    await freeze(null);
  }
  expect(await list(holder.address)).toEqual([]);
  expect(await eventsOf(wire.id)).toEqual(["passkey.added", "passkey.added", "passkey.removed"]);
});

describe("what was written by others", () => {
  it("at the custodian, is not listed", async () => {
    const { holder, wire } = await added();
    await dieBeforeStoring(wire.id);
    await test.needs.db.updateTable("kms_passkey").set({ rp_id: "evil.example" }).where("id", "=", wire.id).execute();
    expect(await list(holder.address)).toEqual([]);
  });

  it("is not taken for a passkey that the custodian does not have", async () => {
    const { holder, wire } = await added();
    await test.needs.db
      .updateTable("passkey")
      .set({ id: "00000000-0000-4000-8000-000000000000" })
      .where("id", "=", wire.id)
      .execute();
    expect(await list(holder.address)).toEqual([]);
  });
});

it("a custodian that does not answer leaves the list as the service knows it", async () => {
  const { holder, wire } = await added();
  const silent = new Map(
    [...test.needs.custodians].map(([name, custodian]) => {
      const listPasskeysOf = () => Promise.reject(new CustodianUnavailable("timeout", "No answer."));
      return [name, { ...custodian, listPasskeys: listPasskeysOf }] as const;
    }),
  );
  expect(await list(holder.address, { needs: { custodians: silent } })).toMatchObject([{ id: wire.id }]);
  expect((await errorOf(list("7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"))).code).toBe("account_not_found");
});

let people = 0;
async function added() {
  people += 1;
  const holder = await test.openHolder(`reconciled-${people}@example.org`);
  return { holder, ...(await addSoftPasskey(test, holder)) };
}

const list = (address: string, parts: CallParts = {}) =>
  test.call<{ id: string; name: string }[]>(listPasskeys, { params: { address }, ...parts });

/** The custodian has added it, and nothing else has happened. */
const dieBeforeStoring = (id: string) => test.needs.db.deleteFrom("passkey").where("id", "=", id).execute();

/** The custodian has removed it, and nothing else has happened. */
const dieBeforeForgetting = (id: string) => test.needs.db.deleteFrom("kms_passkey").where("id", "=", id).execute();

async function eventsOf(objectId: string) {
  const found = test.needs.db.selectFrom("event").select("type").where("object_id", "=", objectId);
  return (await found.orderBy("created_at").orderBy("type").execute()).map(({ type }) => type);
}
