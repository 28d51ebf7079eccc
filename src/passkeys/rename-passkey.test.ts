import { describe, expect, it } from "vitest";
import { addSoftPasskey } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { renamePasskey } from "./rename-passkey.js";

const test = useTestNetwork();

describe("200", () => {
  it("is the passkey under its new name, and nothing else of it changes", async () => {
    const holder = await test.openHolder("renames@example.org");
    const { wire } = await addSoftPasskey(test, holder);
    expect(await rename(holder.address, wire.id)).toEqual({ ...wire, name: "Key on the ring" });
  });
});

describe("404", () => {
  it("is the answer for an id that is not there, of another account, and to another tenant", async () => {
    const [one, other] = [
      await test.openHolder("renames-1@example.org"),
      await test.openHolder("renames-2@example.org"),
    ];
    const { wire } = await addSoftPasskey(test, one);
    expect((await errorOf(rename(one.address, "no such passkey"))).code).toBe("passkey_not_found");
    expect((await errorOf(rename(other.address, wire.id))).code).toBe("passkey_not_found");
    const caller = await test.addTenant("renames-passkeys");
    expect((await errorOf(rename(one.address, wire.id, { caller }))).code).toBe("account_not_found");
  });
});

const rename = (address: string, id: string, parts: object = {}) =>
  test.call(renamePasskey, { params: { address, passkey_id: id }, body: { name: "Key on the ring" }, ...parts });
