import { describe, expect, it } from "vitest";
import { addSoftPasskey, byPasskey, bySession, removal, removing, toPayload } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { listPasskeys } from "./list-passkeys.js";
import { removePasskey } from "./remove-passkey.js";

const test = useTestNetwork();

describe("200", () => {
  it("ends the passkey at once, also at its custodian, by a session; again is the same", async () => {
    const { holder, wire, remove, begun } = await added();
    const body = removing(test, begun, wire, (document) => bySession(holder, document));
    expect(await remove(body)).toEqual({ id: wire.id, status: "removed" });
    expect(await remove(body)).toEqual({ id: wire.id, status: "removed" });
    expect(await list(holder.address)).toEqual([]);
    const kept = test.needs.db.selectFrom("kms_passkey").select("removed_at").where("id", "=", wire.id);
    expect((await kept.executeTakeFirst())?.removed_at).not.toBeNull();
    const { rows } = await events(wire.id);
    expect(rows).toEqual(["passkey.added", "passkey.removed"]);
  });

  it("is the answer where its custodian keeps nothing of it any more", async () => {
    const { holder, wire, remove, begun } = await added();
    await test.needs.db.deleteFrom("kms_passkey").where("id", "=", wire.id).execute();
    expect(await remove(removing(test, begun, wire, (document) => bySession(holder, document)))).toMatchObject({
      status: "removed",
    });
    expect(await list(holder.address)).toEqual([]);
  });

  it("is the answer to the passkey itself, too", async () => {
    const { passkey, wire, remove, begun } = await added();
    expect(
      await remove(removing(test, begun, wire, (document) => byPasskey(passkey, toPayload(document)))),
    ).toMatchObject({ status: "removed" });
  });

  it("leaves a passkey alone that was added again under the same document", async () => {
    const { holder, passkey, wire, remove, begun } = await added();
    const body = removing(test, begun, wire, (document) => bySession(holder, document));
    await remove(body);
    const again = await addSoftPasskey(test, holder, { passkey });
    const other = test.call(removePasskey, {
      params: { address: holder.address, passkey_id: again.wire.id },
      body,
    });
    expect((await errorOf(other)).code).toBe("invalid_signature");
    expect(await list(holder.address)).toHaveLength(1);
  });
});

describe("400", () => {
  it("is the answer where another user's session, or a document about another passkey, asks for it", async () => {
    const { holder, wire, remove, begun } = await added();
    const stranger = await added();
    expect(
      (await errorOf(remove(removing(test, begun, wire, (document) => bySession(stranger.holder, document))))).code,
    ).toBe("invalid_signature");
    const other = removing(test, begun, { ...wire, id: stranger.wire.id }, (document) => bySession(holder, document));
    expect((await errorOf(remove(other))).code).toBe("invalid_signature");
    expect(await list(holder.address)).toHaveLength(1);
  });

  it("is the answer to a removal that was kept back, or that is good for longer than an hour; one that was carried out stays so", async () => {
    const { holder, wire, begun, remove } = await added();
    const signedNow = removing(test, begun, wire, (document) => bySession(holder, document));
    const other = await addSoftPasskey(test, holder);
    const ends = (ms: number) => new Date(test.network.clock.now() + ms).toISOString();
    for (const expires_at of [ends(0), ends(3_600_001)]) {
      const authorization = bySession(holder, removal(begun, wire, expires_at));
      expect((await errorOf(remove({ expires_at, authorization }))).code).toBe("payload_expired");
    }
    const { expires_at: _, ...undated } = removal(begun, wire, "");
    const never = { expires_at: ends(60_000), authorization: bySession(holder, undated) };
    expect((await errorOf(remove(never))).code).toBe("invalid_signature");
    await test.network.sandbox?.advanceClock(601);
    expect((await errorOf(remove(signedNow))).code).toBe("payload_expired");
    expect(await list(holder.address)).toHaveLength(2);
    const params = { address: holder.address, passkey_id: other.wire.id };
    const body = removing(test, other.begun, other.wire, (document) => bySession(holder, document));
    expect(await test.call(removePasskey, { params, body })).toMatchObject({ status: "removed" });
    await test.network.sandbox?.advanceClock(3_600);
    expect(await test.call(removePasskey, { params, body })).toMatchObject({ status: "removed" });
  });
});

describe("404", () => {
  it("is the answer for a passkey of another account, and to another tenant", async () => {
    const [one, other] = [await added(), await added()];
    const body = removing(test, one.begun, one.wire, (document) => bySession(one.holder, document));
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
  const remove = (body: object) => test.call(removePasskey, { params, body });
  return { holder, ...made, remove };
}

const list = (address: string) => test.call<object[]>(listPasskeys, { params: { address } });

async function events(objectId: string) {
  const found = test.needs.db.selectFrom("event").select("type").where("object_id", "=", objectId);
  return { rows: (await found.orderBy("created_at").orderBy("type").execute()).map(({ type }) => type) };
}
