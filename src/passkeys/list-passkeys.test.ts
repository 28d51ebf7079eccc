import { describe, expect, it } from "vitest";
import { addSoftPasskey } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { listPasskeys } from "./list-passkeys.js";
import { renamePasskey } from "./rename-passkey.js";

const test = useTestNetwork();

describe("200", () => {
  it("lists the passkeys of the account's wallets, oldest first, by the names that they have now", async () => {
    const holder = await test.openHolder("lists-passkeys@example.org");
    const { address } = holder.verified;
    expect(await list(address)).toEqual([]);
    const first = await addSoftPasskey(test, holder);
    await test.network.sandbox?.advanceClock(60);
    const second = await addSoftPasskey(test, holder);
    const params = { address, passkey_id: second.wire.id };
    const renamed = await test.call(renamePasskey, { params, body: { name: "Key on the ring" } });
    expect(await list(address)).toEqual([first.wire, renamed]);
    expect(renamed).toEqual({ ...second.wire, name: "Key on the ring" });
  });
});

describe("404", () => {
  it("is the answer to another tenant, and for an id that is not there", async () => {
    const holder = await test.openHolder("lists-no-passkeys@example.org");
    const { address } = holder.verified;
    const caller = await test.addTenant("lists-passkeys");
    expect((await errorOf(test.call(listPasskeys, { params: { address }, caller }))).code).toBe("account_not_found");
    const params = { address, passkey_id: "no such passkey" };
    expect((await errorOf(test.call(renamePasskey, { params, body: { name: "A" } }))).code).toBe("passkey_not_found");
  });
});

const list = (address: string) => test.call<object[]>(listPasskeys, { params: { address } });
