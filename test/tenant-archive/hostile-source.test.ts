import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { addressOfBytes } from "@trellis/program-client";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { walletContext } from "../../src/adapters/kms/wallet-keys.js";
import { useDatabase } from "../support/use-database.js";
import { type Archive, exportFrom, forgeArchive, type Installation, importTo, keyringOf, newKey } from "./support.js";

const database = useDatabase();
const elsewhere = useDatabase();
const key = newKey();
const elsewhereKey = newKey();
let source: Installation;
let target: Installation;
let archive: Archive;

beforeAll(async () => {
  source = { db: database.db, key };
  target = { db: elsewhere.db, key: elsewhereKey };
  await fillTenant(source, "shop");
  await fillTenant(target, "victim");
  archive = await exportFrom(source, "shop");
});

/** A frozen tenant with one of each that others' rows could refer to. Every id ends with its name. */
async function fillTenant(at: Installation, id: string): Promise<void> {
  const { seed, publicKey } = generateEd25519KeyPair();
  const address = addressOfBytes(publicKey);
  const secret = (await keyringOf(at)).wrap(seed, walletContext(`wallet-${id}`));
  const statements = [
    sql`insert into tenant (id, name, created_at) values (${id}, 'Shop', 0)`,
    sql`insert into api_key (id, tenant_id, name, kind, visible_prefix, scopes, environments, key_hash, origin, created_at)
      values (${`key-${id}`}, ${id}, 'Server', 'secret', 'sk_', '[]', '[]', sha256(${id}::text::bytea), 'made', 0)`,
    sql`insert into app_user (id, tenant_id, environment, email, created_at)
      values (${`user-${id}`}, ${id}, 'sandbox', 'a@example.org', 0)`,
    sql`insert into kms_wallet (id, provider, owner_id, environment, address, secret, created_at)
      values (${`wallet-${id}`}, 'kms_a', ${`user-${id}`}, 'sandbox', ${address}, ${secret}, 0)`,
    sql`insert into account (environment, address, tenant_id, settings_address, type, user_id, created_at, updated_at)
      values ('sandbox', ${`account-${id}`}, ${id}, ${`settings-${id}`}, 'email', ${`user-${id}`}, 0, 0)`,
    sql`insert into account_signer (environment, account_address, signer_address, role, provider, wallet_id, position)
      values ('sandbox', ${`account-${id}`}, ${address}, 'primary', 'kms_a', ${`wallet-${id}`}, 0)`,
    sql`insert into event (id, tenant_id, environment, type, object_id, data, created_at)
      values (${`event-${id}`}, ${id}, 'sandbox', 'session.created', 'x', '{}', 0)`,
    sql`insert into webhook_endpoint (id, tenant_id, environment, url, types, status, created_at, updated_at)
      values (${`endpoint-${id}`}, ${id}, 'sandbox', 'http://127.0.0.1:9/', '{"*"}', 'enabled', 0, 0)`,
    sql`insert into webhook_delivery (endpoint_id, event_id, environment, state, created_at)
      values (${`endpoint-${id}`}, ${`event-${id}`}, 'sandbox', 'pending', 0)`,
    sql`insert into wallet_export (id, tenant_id, environment, user_id, account_address, provider, wallet_id, signer_address,
        recipient_public_key, state, notice_due_at, requested_at, not_before, expires_at)
      values (${`export-${id}`}, ${id}, 'sandbox', ${`user-${id}`}, ${`account-${id}`}, 'kms_a', ${`wallet-${id}`}, ${address},
        'x', 'waiting', 0, 0, 1, 2)`,
    sql`update tenant set frozen_at = 1 where id = ${id}`,
  ];
  for (const statement of statements) await statement.execute(at.db);
}

/** The archive with columns of one table changed. */
const forged = (table: string, changed: Record<string, unknown>) =>
  forgeArchive(archive.bytes, (name, row) => [name === table ? { ...row, ...changed } : row]);

/** The archive without the rows of a table. */
const without = (table: string) => forgeArchive(archive.bytes, (name, row) => (name === table ? [] : [row]));

async function expectRefused(bytes: Uint8Array, reason: string): Promise<void> {
  const kinds = () => target.db.selectFrom("audit_entry").select("kind").execute();
  const before = await kinds();
  await expect(importTo(target, bytes)).rejects.toThrow(reason);
  expect(await target.db.selectFrom("tenant").select("id").execute()).toEqual([{ id: "victim" }]);
  expect(await kinds()).toEqual(before);
}

describe("The archive of a source that lies is refused, and nothing is changed", () => {
  it.each([
    ["account_signer", { account_address: "account-victim" }],
    ["account_signer", { wallet_id: "wallet-victim" }],
    ["account", { user_id: "user-victim" }],
    ["webhook_delivery", { endpoint_id: "endpoint-victim" }],
    ["webhook_delivery", { event_id: "event-victim" }],
    ["wallet_export", { wallet_id: "wallet-victim" }],
    ["wallet_export", { user_id: "user-victim" }],
    ["wallet_export", { environment: "devnet" }],
  ])("where a row of %s is another tenant's with %o", async (table, changed) => {
    await expectRefused(await forged(table, changed), `rows of ${table} that are not of its tenant alone`);
  });

  it("where a wallet has another key than that of its address", async () => {
    const { seed, publicKey } = generateEd25519KeyPair();
    const secret = Buffer.from(seed).toString("base64");
    await expectRefused(await forged("kms_wallet", { secret }), "is not the one of its address");
    await expectRefused(await forged("kms_wallet", { secret: "" }), "is not the one of its address");
    const address = addressOfBytes(publicKey);
    await expectRefused(await forged("kms_wallet", { address, secret }), "wallets without their keys");
    await expectRefused(await forged("wallet", { address }), "wallets without their keys");
  });

  it("where a wallet says otherwise than its key's row whether it was imported", async () => {
    for (const table of ["wallet", "kms_wallet"]) {
      const bytes = await forgeArchive(archive.bytes, (name, row) => [
        name === table ? { ...row, imported_at: row.created_at } : row,
      ]);
      await expectRefused(bytes, "wallets without their keys");
    }
  });

  it("where a wallet would obey what commands another owner's", async () => {
    const numbered = (commanded_by: string, ...tables: string[]) =>
      forgeArchive(archive.bytes, (name, row) => [tables.includes(name) ? { ...row, number: 2, commanded_by } : row]);
    const both = ["wallet", "kms_wallet"];
    await expectRefused(await numbered("wallet-victim", ...both), "rows of wallet that are not of its tenant alone");
    await expectRefused(await numbered("wallet-shop", ...both), "would obey what is not their owner's");
    await expectRefused(await numbered("wallet-shop", "wallet"), "wallets without their keys");
  });
  it.each([7, -1, "__proto__"])(
    "where an API key is hashed with a secret %s that has not come along",
    async (secret) => {
      const key_hash = { secret, hash: Buffer.alloc(32).toString("base64") };
      await expectRefused(await forged("api_key", { key_hash }), "without the secret that they are hashed with");
    },
  );

  it("where a wallet has no key, or the tenant is left out", async () => {
    await expectRefused(await without("kms_wallet"), "wallets without their keys");
    const empty = await forgeArchive(archive.bytes, () => []);
    await expectRefused(empty, "rows of tenant that are not of its tenant alone");
  });
});

describe("An export", () => {
  const exportRow = () => source.db.updateTable("wallet_export").where("id", "=", "export-shop");

  it("is refused while the export of a wallet's key waits or can be read", async () => {
    await exportRow()
      .set({ expires_at: BigInt(Date.now() + 60_000) })
      .execute();
    await expect(exportFrom(source, "shop")).rejects.toThrow("1 exports of wallets that wait for their owners");
    await exportRow().set({ state: "cancelled" }).execute();
    await exportFrom(source, "shop");
  });

  it("that breaks off is in the audit log with its recipients", async () => {
    const started = () =>
      source.db.selectFrom("audit_entry").select("body").where("kind", "=", "tenant.export_started").execute();
    const before = await started();
    const { seed } = generateEd25519KeyPair();
    const secret = (await keyringOf(source)).wrap(seed, walletContext("wallet-shop"));
    const wallet = source.db.updateTable("kms_wallet").where("id", "=", "wallet-shop");
    const { secret: good } = await source.db.selectFrom("kms_wallet").select("secret").executeTakeFirstOrThrow();
    await wallet.set({ secret }).execute();
    await expect(exportFrom(source, "shop")).rejects.toThrow("wallet wallet-shop is not the one of its address");
    await wallet.set({ secret: good }).execute();
    const after = await started();
    expect(after).toHaveLength(before.length + 1);
    expect(JSON.parse(after.at(-1)?.body ?? "")).toMatchObject({
      actor: "operator",
      details: { recipients: [expect.stringMatching(/^age1/)], environments: ["sandbox"] },
    });
  });

  it("of an honest source is imported", async () => {
    expect(await importTo(target, archive.bytes)).toMatchObject({ tenantId: "shop" });
  });
});
