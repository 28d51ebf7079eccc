import { randomBytes } from "node:crypto";
import { createKeyring, type Keyring } from "@trellis/kernel/crypto/envelope.js";
import { beforeEach, expect, it } from "vitest";
import { useDatabase } from "../../test/support/use-database.js";
import { sealedColumns } from "../modules.js";
import { resealEverything } from "./reseal.js";

const database = useDatabase();
const masterKeys = ["new", "old"].map((id) => ({ id, key: new Uint8Array(randomBytes(32)) }));
const before = createKeyring({ masterKeys, activeId: "old" });
const after = createKeyring({ masterKeys, activeId: "new" });
const count = 1_200;
const contextOf = (n: number) => `kms_wallet/wallet-${n}`;

beforeEach(async () => {
  await database.db.deleteFrom("kms_wallet").execute();
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `wallet-${n}`,
    provider: "kms_a",
    owner_id: `owner-${n}`,
    environment: "sandbox",
    address: `address-${n}`,
    secret: before.wrap(Buffer.from(`seed-${n}`), contextOf(n)),
    created_at: 0n,
  }));
  await database.db.insertInto("kms_wallet").values(rows).execute();
});

it.each(["rewrap", "rekey"] as const)(
  "%s: what was broken off goes on where it ended, and everything opens with the new key alone",
  async (how) => {
    const former = await readSealed();
    let calls = 0;
    const dying: Keyring = {
      ...after,
      [how]: (envelope: Uint8Array, context: string) => {
        calls += 1;
        if (calls > 700) throw new Error("the process ends");
        return after[how](envelope, context);
      },
    };
    await expect(resealEverything(database.db, dying, sealedColumns, how)).rejects.toThrow("the process ends");
    const moved = await resealEverything(database.db, after, sealedColumns, how);
    expect(moved.get("kms_wallet")).toBeGreaterThan(0);
    expect(moved.get("kms_wallet")).toBeLessThan(count);
    const again = await resealEverything(database.db, after, sealedColumns, how);
    expect(again.get("kms_wallet")).toBe(0);

    const alone = createKeyring({ masterKeys: masterKeys.slice(0, 1), activeId: "new" });
    const sealed = await readSealed();
    for (let n = 0; n < count; n += 1) {
      const id = `wallet-${n}`;
      const value = sealed.get(id) ?? new Uint8Array();
      expect(Buffer.from(alone.unwrap(value, contextOf(n))).toString()).toBe(`seed-${n}`);
      // Behind the outer layer: under the same data key it is the same.
      const isSameInside = tail(value) === tail(former.get(id) ?? new Uint8Array());
      expect(isSameInside).toBe(how === "rewrap");
    }
  },
);

const tail = (envelope: Uint8Array) => Buffer.from(envelope.subarray(-30)).toString("hex");

async function readSealed(): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await database.db.selectFrom("kms_wallet").select(["id", "secret"]).execute();
  return new Map(rows.map(({ id, secret }) => [id, Uint8Array.from(secret ?? [])]));
}
