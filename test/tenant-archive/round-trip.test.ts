import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import { addressOfKey } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { checkKeys } from "../../src/adapters/check-keys.js";
import { openDatabase } from "../../src/adapters/db/open-database.js";
import { passkeyPurpose, passkeyText } from "../../src/adapters/kms/bindings.js";
import { createBuiltInCustodian } from "../../src/adapters/kms/built-in-custodian.js";
import { systemRandom } from "../../src/adapters/system.js";
import { replaceableSecrets, sealedColumns } from "../../src/modules.js";
import { archivedTables } from "../../src/operator/archive/catalogue-rest.js";
import { createAuthenticator } from "../../src/tenants/authenticate.js";
import { freezeTenant } from "../../src/tenants/tenant-store.js";
import { may, newKey as newSigner } from "../proposals/support.js";
import { between, dayMs, iso, ordersOf } from "../standing-orders/support.js";
import { knownMasterKey } from "../support/other-tenant.js";
import { use, useTestService } from "../support/scene.js";
import { openTestDatabase } from "../support/test-database.js";
import { useDatabase } from "../support/use-database.js";
import {
  type Archive,
  exportFrom,
  type Installation,
  importTo,
  keyringOf,
  newKey,
  readArchive,
  sha256,
} from "./support.js";

const trellis = useTestService({ ...knownMasterKey, TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
const api = ordersOf(trellis);
const a = newSigner();
const account = use(() => api.open({ signers: [may(a)], threshold: 1 }));
const embedded = use(() => openDatabase({ kind: "memory" }));
const back = useDatabase();
const backKey = newKey();
let source: Installation;
let archive: Archive;
let apiKey: string;

beforeAll(async () => {
  source = { db: trellis.service.db, key: Buffer.from(knownMasterKey.TRELLIS_MASTER_KEY, "base64") };
  await trellis.network.sandbox?.airdrop(account.address, 1_000_000_000n);
  apiKey = await live();
  await addPasskey();
  await addWallet();
  await expect(exportFrom(source)).rejects.toThrow("Freeze the tenant first");
  await freezeTenant(source.db, { id: "default", at: Date.now() });
  await expect(exportFrom(source, "default", { settledMs: 60_000 })).rejects.toThrow("frozen a moment ago");
  archive = await exportFrom(source);
}, 120_000);

/** A tenant's life: people, payments, an order, hooks, a verification, keys. Gives an API key. */
async function live(): Promise<string> {
  const { client } = trellis;
  const holder = await trellis.openHolder({ sol: "1000000000" });
  await client.transfers.send({
    account: holder.address,
    session: holder.session,
    currency: "sol",
    destination: addressOfKey(newSigner()),
    amount: 5_000_000n,
  });
  await client.webhookEndpoints.create({ url: "http://127.0.0.1:9/hooks", types: ["session", "standing_order"] });
  await client.kyc.start(holder.address, {
    type: "individual",
    email: holder.email,
    full_name: "Ada Lovelace",
    redirect_uri: "http://localhost:3000/",
  });
  const start_date = iso(api.now() + dayMs);
  const terms = { amount: "5000000", frequency: "daily", start_date, ...between(account, addressOfKey(newSigner())) };
  await api.begin(account, terms, [a]);
  await trellis.request("POST", "/api/service/v1/sandbox/clock/advance", { seconds: (2 * dayMs) / 1000 });
  await client.accounts.create({ type: "email", email: "waits@example.org" });
  const { body } = await trellis.request("POST", "/api/service/v1/api-keys", {
    name: "Server",
    scopes: ["accounts:read"],
    environments: ["sandbox"],
  });
  return (body as { data: { key: string } }).data.key;
}

/** A passkey as its custodian keeps it, of one of the wallets. */
async function addPasskey(): Promise<void> {
  const { db } = source;
  const wallet = await db.selectFrom("kms_wallet").select("id").limit(1).executeTakeFirstOrThrow();
  const row = {
    id: "passkey-1",
    wallet_id: wallet.id,
    credential_id: "credential",
    public_key: new Uint8Array(65).fill(4),
    rp_id: "localhost",
    counter: 3n,
    last_stamp: null,
    aaguid: "x",
    is_synced: true,
    created_at: 1n,
    removed_at: null,
  };
  const binding = (await keyringOf(source)).macs(passkeyPurpose).make(passkeyText(row));
  await db
    .insertInto("kms_passkey")
    .values({ ...row, binding })
    .execute();
}

/** Another wallet of one of the owners, which obeys the first. */
async function addWallet(): Promise<void> {
  const { db } = source;
  const first = await db.selectFrom("kms_wallet").selectAll().orderBy("id").limit(1).executeTakeFirstOrThrow();
  const keyring = await keyringOf(source);
  const provider = first.provider as CustodianName;
  const custodian = createBuiltInCustodian({ provider, db, keyring, random: systemRandom });
  await custodian.ensureWallet({ ownerId: first.owner_id, environment: "sandbox", now: 1, number: 2 });
}

describe("An archive", () => {
  it("has every row of the tenant, and no table but those of the catalogue", async () => {
    const { header, tables } = await readArchive(archive.bytes);
    expect(header).toMatchObject({ version: 1, tenant: "default", environments: { sandbox: "the same chain" } });
    expect(Object.keys(tables)).toEqual(archivedTables.map(({ table }) => table));
    for (const table of [
      "app_user",
      "kms_wallet",
      "account_signer",
      "submission",
      "standing_order_run",
      "event",
      "api_key",
    ]) {
      expect(tables[table]?.length, table).toBeGreaterThan(0);
    }
    for (const [table, { rows }] of Object.entries(archive.tables)) expect(tables[table], table).toHaveLength(rows);
  });

  it("is the same after it was imported and exported again, to a database of another kind and back", async () => {
    const first = { db: embedded.db, key: newKey() };
    const taken = await importTo(first, archive.bytes);
    expect(taken).toMatchObject({ id: archive.id, tenantId: "default" });
    await freezeTenant(first.db, { id: "default", at: Date.now() });
    const second = await exportFrom(first);
    await expectSame(second, archive);

    const third = { db: back.db, key: backKey };
    await importTo(third, second.bytes);
    await freezeTenant(third.db, { id: "default", at: Date.now() });
    await expectSame(await exportFrom(third), archive);
    await freezeTenant(third.db, { id: "default", at: null });

    // Everything opens and holds under a master key and secrets that never saw it before, and the API keys are known.
    const keyring = await keyringOf(third);
    const checked = await checkKeys({ db: third.db, keyring }, sealedColumns, replaceableSecrets);
    expect(checked.columns.flatMap(({ broken }) => broken)).toEqual([]);
    expect([...checked.brokenBindings]).toEqual([]);
    const clock = { now: () => Date.now() } as never;
    const authenticator = createAuthenticator({ db: third.db, secret: keyring.macs("api-key"), clock });
    const place = { address: "127.0.0.1", origin: undefined };
    for (const _ of ["by the carried secret", "by its own"]) {
      expect(await authenticator.authenticate(apiKey, place)).toMatchObject({ tenantId: "default" });
    }
    expect(await checkKeys({ db: third.db, keyring }, [], replaceableSecrets)).toMatchObject({
      secrets: expect.arrayContaining([expect.objectContaining({ purpose: "api-key", state: "active", uses: 1 })]),
    });
  }, 60_000);

  it("reports nothing anew, and stands in both audit logs", async () => {
    const { tables } = await readArchive(archive.bytes);
    const { count } = await back.db
      .selectFrom("event")
      .select(({ fn }) => fn.countAll<bigint>().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(tables.event?.length);
    const kindsOf = async ({ db }: Pick<Installation, "db">) =>
      db
        .selectFrom("audit_entry")
        .select(["kind", "body"])
        .where("kind", "in", ["tenant.exported", "tenant.imported"])
        .execute();
    const [exported] = await kindsOf(source);
    expect(JSON.parse(exported?.body ?? "")).toMatchObject({
      actor: "operator",
      details: { archive: archive.id, sha256: archive.sha256 },
    });
    expect((await kindsOf(back)).map(({ kind }) => kind)).toContain("tenant.imported");
  });
});

it("An archive without API keys has no secret of the installation, and is imported without them", async () => {
  const { bytes } = await exportFrom(source, "default", { withApiKeys: false });
  const { header, tables, text } = await readArchive(bytes);
  expect([header.api_key_secrets, tables.api_key]).toEqual([{}, []]);
  const secret = (await keyringOf(source)).deriveSecret("api-key");
  expect(text).not.toContain(Buffer.from(secret).toString("base64"));
  expect((await readArchive(archive.bytes)).text).toContain(Buffer.from(secret).toString("base64"));
  const database = await openTestDatabase();
  try {
    await importTo({ db: database.db, key: newKey() }, bytes);
    for (const table of ["api_key", "derived_secret"] as const) {
      expect(await database.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  } finally {
    await database.close();
  }
}, 60_000);

describe("Refused, and nothing is changed", () => {
  it("is what was imported before, under whatever name", async () => {
    const to = { db: back.db, key: backKey };
    await expect(importTo(to, archive.bytes)).rejects.toThrow("There is a tenant default already");
    await expect(importTo(to, archive.bytes, { as: "other" })).rejects.toThrow("is here already");
    expect(await back.db.selectFrom("tenant").select("id").execute()).toEqual([{ id: "default" }]);
  });

  it("is a file that was altered, cut, continued, or is another than was exported", async () => {
    const database = await openTestDatabase();
    const to = { db: database.db, key: newKey() };
    try {
      const { bytes } = archive;
      const middle = Math.floor(bytes.length / 2);
      const flipped = Buffer.from(bytes);
      flipped[middle] = (flipped[middle] ?? 0) ^ 1;
      for (const bad of [flipped, bytes.subarray(0, -1), bytes.subarray(0, middle), Buffer.concat([bytes, bytes])]) {
        await expect(importTo(to, bad)).rejects.toThrow(/altered|cut|well formed|SHA-256|whole/);
      }
      await expect(importTo(to, bytes, { sha256: sha256(Buffer.from("another")) })).rejects.toThrow("not the one");
      await expect(importTo(to, bytes, { environments: {} })).rejects.toThrow("not configured here");
      await expect(importTo(to, bytes, { environments: { sandbox: "another" } })).rejects.toThrow("another cluster");
      await expect(importTo(to, bytes, { remoteProviders: ["kms_a"] })).rejects.toThrow("cannot take keys");
      for (const table of ["tenant", "app_user", "derived_secret"] as const) {
        expect(await database.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
      }
      expect((await importTo(to, bytes, { as: "shop" })).tenantId).toBe("shop");
      expect(await database.db.selectFrom("account").select("tenant_id").distinct().execute()).toEqual([
        { tenant_id: "shop" },
      ]);
    } finally {
      await database.close();
    }
  }, 60_000);

  it("is a tenant of which something is under way", async () => {
    const { db } = source;
    const [one] = await db.selectFrom("submission").select("id").where("tenant_id", "=", "default").limit(1).execute();
    await db
      .updateTable("submission")
      .set({ state: "sent" })
      .where("id", "=", one?.id ?? "")
      .execute();
    await expect(exportFrom(source)).rejects.toThrow("1 transactions whose outcome is not known");
    await db
      .updateTable("submission")
      .set({ state: "landed" })
      .where("id", "=", one?.id ?? "")
      .execute();
    await expect(exportFrom(source, "nothing")).rejects.toThrow("There is no tenant nothing");
  });

  it("is a row of a custodian that others have written", async () => {
    await source.db.updateTable("kms_passkey").set({ rp_id: "evil.example" }).execute();
    await expect(exportFrom(source)).rejects.toThrow("kms_passkey passkey-1 was not written by the service");
  });
});

/** What can be read in it alone, and is not imported, aside. */
async function expectSame(one: Archive, other: Archive): Promise<void> {
  const [left, right] = await Promise.all([readArchive(one.bytes), readArchive(other.bytes)]);
  for (const { table, toRead } of archivedTables) {
    if (!toRead) expect(left.tables[table]?.map(unnumbered), table).toEqual(right.tables[table]?.map(unnumbered));
  }
}

/** The number that a secret has at an installation is its own. */
function unnumbered(row: Record<string, unknown>): Record<string, unknown> {
  if (row.key_hash === undefined) return row;
  return { ...row, key_hash: (row.key_hash as { hash: string }).hash };
}
