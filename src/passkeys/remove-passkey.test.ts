import { describe, expect, it } from "vitest";
import { addSoftPasskey, byPasskey, bySession, removal, toPayload } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { listPasskeys } from "./list-passkeys.js";
import { removePasskey } from "./remove-passkey.js";

const test = useTestNetwork();

describe("200", () => {
  it("ends the passkey at once, also at its custodian, by a session; again is the same", async () => {
    const { holder, wire, remove, begun } = await added();
    const authorization = bySession(holder, removal(begun, wire));
    expect(await remove(authorization)).toEqual({ id: wire.id, status: "removed" });
    expect(await remove(authorization)).toEqual({ id: wire.id, status: "removed" });
    expect(await list(holder.address)).toEqual([]);
    const kept = test.needs.db.selectFrom("kms_passkey").select("removed_at").where("id", "=", wire.id);
    expect((await kept.executeTakeFirst())?.removed_at).not.toBeNull();
    const { rows } = await events(wire.id);
    expect(rows).toEqual(["passkey.added", "passkey.removed"]);
  });

  it("is the answer where its custodian keeps nothing of it any more", async () => {
    const { holder, wire, remove, begun } = await added();
    await test.needs.db.deleteFrom("kms_passkey").where("id", "=", wire.id).execute();
    expect(await remove(bySession(holder, removal(begun, wire)))).toMatchObject({ status: "removed" });
    expect(await list(holder.address)).toEqual([]);
  });

  it("is the answer to the passkey itself, too", async () => {
    const { passkey, wire, remove, begun } = await added();
    expect(await remove(byPasskey(passkey, toPayload(removal(begun, wire))))).toMatchObject({ status: "removed" });
  });

  it("leaves a passkey alone that was added again under the same document", async () => {
    const { holder, passkey, wire, remove, begun } = await added();
    const authorization = bySession(holder, removal(begun, wire));
    await remove(authorization);
    const again = await addSoftPasskey(test, holder, { passkey });
    const other = test.call(removePasskey, {
      params: { address: holder.address, passkey_id: again.wire.id },
      body: { authorization },
    });
    expect((await errorOf(other)).code).toBe("invalid_signature");
    expect(await list(holder.address)).toHaveLength(1);
  });
});

describe("400", () => {
  it("is the answer where another user's session, or a document about another passkey, asks for it", async () => {
    const { holder, wire, remove, begun } = await added();
    const stranger = await added();
    expect((await errorOf(remove(bySession(stranger.holder, removal(begun, wire))))).code).toBe("invalid_signature");
    const other = removal(begun, { ...wire, id: stranger.wire.id });
    expect((await errorOf(remove(bySession(holder, other)))).code).toBe("invalid_signature");
    expect(await list(holder.address)).toHaveLength(1);
  });
});

describe("404", () => {
  it("is the answer for a passkey of another account, and to another tenant", async () => {
    const [one, other] = [await added(), await added()];
    const body = { authorization: bySession(one.holder, removal(one.begun, one.wire)) };
    const params = { address: other.holder.address, passkey_id: one.wire.id };
    expect((await errorOf(test.call(removePasskey, { params, body }))).code).toBe("passkey_not_found");
    const caller = await test.addTenant("removes-passkeys");
    const own = { ...params, address: one.holder.address };
    expect((await errorOf(test.call(removePasskey, { params: own, body, caller }))).code).toBe("account_not_found");
  });
});

let people = 0;
async function added() {
  people += 1;
  const holder = await test.openHolder(`removing-${people}@example.org`);
  const made = await addSoftPasskey(test, holder);
  const params = { address: holder.address, passkey_id: made.wire.id };
  const remove = (authorization: object) => test.call(removePasskey, { params, body: { authorization } });
  return { holder, ...made, remove };
}

const list = (address: string) => test.call<object[]>(listPasskeys, { params: { address } });

async function events(objectId: string) {
  const found = test.needs.db.selectFrom("event").select("type").where("object_id", "=", objectId);
  return { rows: (await found.orderBy("created_at").orderBy("type").execute()).map(({ type }) => type) };
}
