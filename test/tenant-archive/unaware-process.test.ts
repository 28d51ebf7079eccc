import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { removePasskey } from "../../src/passkeys/remove-passkey.js";
import { freezeTenant } from "../../src/tenants/tenant-store.js";
import { setWalletExportTerms } from "../../src/wallet-exports/export-terms.js";
import { addSoftPasskey, bySession, removing } from "../support/passkeys.js";
import { useTestNetwork } from "../support/scene.js";
import { cancellation, createRecipient, exportsOf } from "../support/wallet-exports.js";

// Endpoints without the guards before them: as a process of a release that knows nothing of freezing calls the database.
const test = useTestNetwork();
const refused = { code: "TF001" };

describe("The database refuses, of a frozen tenant, whatever process asks", () => {
  it("to add and to remove a passkey", async () => {
    const holder = await test.openHolder("owner-1@example.org");
    const { wire, begun } = await addSoftPasskey(test, holder);
    const remove = () =>
      test.call(removePasskey, {
        params: { address: holder.address, passkey_id: wire.id },
        body: removing(test, begun, wire, (document) => bySession(holder, document)),
      });
    await whileFrozen(async () => {
      await expect(addSoftPasskey(test, holder)).rejects.toMatchObject(refused);
      await expect(remove()).rejects.toMatchObject(refused);
    });
    const kept = test.needs.db.selectFrom("kms_passkey").select(["id", "removed_at"]);
    expect(await kept.execute()).toEqual([{ id: wire.id, removed_at: null }]);
    expect(await remove()).toMatchObject({ status: "removed" });
  });

  it("to begin the export of a key and to hand one out, and lets one be cancelled", async () => {
    await test.call(setWalletExportTerms, { body: { delay_seconds: 60 } });
    const holder = await test.openHolder("owner-2@example.org");
    const recipient = createRecipient();
    const exports = exportsOf(test, holder);
    const order = await exports.order(recipient);
    await test.network.sandbox?.advanceClock(60);
    const other = await test.openHolder("owner-3@example.org");
    await whileFrozen(async () => {
      await expect(exports.get(order.id)).rejects.toMatchObject(refused);
      await expect(exportsOf(test, other).order(createRecipient())).rejects.toMatchObject(refused);
      const by = bySession(holder, cancellation(order.signer, order.id));
      expect(await exports.cancel(order.id, by)).toMatchObject({ status: "cancelled" });
    });
    const { rows } = await sql`select from kms_wallet_export where exported_at is not null`.execute(test.needs.db);
    expect(rows).toEqual([]);
  });

  it("to make an account and its wallets", async () => {
    const count = async () => (await test.needs.db.selectFrom("kms_wallet").select("id").execute()).length;
    const before = await count();
    await whileFrozen(() => expect(test.openHolder("owner-4@example.org")).rejects.toMatchObject(refused));
    expect(await count()).toBe(before);
    const owner = await test.needs.db.selectFrom("app_user").select("id").executeTakeFirstOrThrow();
    const wallet = () =>
      sql`insert into wallet (id, provider, owner_id, environment, address, created_at)
        values ('w', 'kms_a', ${owner.id}, 'sandbox', 'w', 0)`.execute(test.needs.db);
    await whileFrozen(() => expect(wallet()).rejects.toMatchObject(refused));
  });

  it("a standing order and a transfer with a bank, before anything else of them is checked", async () => {
    const { db } = test.needs;
    await whileFrozen(async () => {
      for (const table of ["standing_order", "rail_transfer"]) {
        const insert = sql`insert into ${sql.table(table)} (id, tenant_id, environment) values ('x', ${test.caller.tenantId}, 'sandbox')`;
        await expect(insert.execute(db), table).rejects.toMatchObject(refused);
      }
    });
  });
});

async function whileFrozen(work: () => Promise<unknown>): Promise<void> {
  const freeze = (at: number | null) => freezeTenant(test.needs.db, { id: test.caller.tenantId, at });
  await freeze(Date.now());
  try {
    await work();
  } finally {
    await freeze(null);
  }
}
