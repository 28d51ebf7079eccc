import type { Db } from "@trellis/kernel/ports/database.js";
import { openCheckpoint, parseCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { findCheckpoint, findLog, proveConsistency, proveInclusion, readTree } from "@trellis/kernel/tlog/log-store.js";
import {
  foldComplete,
  isConsistent,
  isIncluded,
  isSame,
  type NodeReader,
  rootOf,
} from "@trellis/kernel/tlog/merkle.js";
import { verifierOf } from "@trellis/kernel/tlog/note.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openFrailDatabase } from "../../test/support/frail-database.js";
import { addSoftPasskey } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { sessionOf, stampKmsA } from "../../test/support/test-network.js";
import { setRelyingParty } from "../passkeys/relying-party.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { removeOutdated } from "../scheduler/retention.js";
import { endSession } from "../sign-in/end-session.js";
import { listSessions } from "../sign-in/list-sessions.js";
import { refreshSession } from "../sign-in/refresh-session.js";
import { setSessionPolicy } from "../sign-in/session-policy.js";
import { createApiKey } from "../tenants/create-api-key.js";
import { createTenant } from "../tenants/create-tenant.js";
import { revokeApiKey } from "../tenants/revoke-api-key.js";
import { disableTenant } from "../tenants/switch-tenant.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { asActor, recordEntry } from "./actor.js";
import { type AuditEntry, faultOf, hashOfLeaf, leafOf } from "./audit-leaf.js";
import { getAuditEvent } from "./get-audit-event.js";
import { listAuditEvents } from "./list-audit-events.js";
import { auditLog } from "./log-key.js";
import { publishEntries, signLog } from "./publish-entries.js";

const test = useTestNetwork();

describe("what is logged", () => {
  it("is the life of a session and of the key that it commands wallets with", async () => {
    // The first wallet of a custodian makes its root, which is logged, too.
    await test.openHolder("grace@example.org");
    const from = await lastSequence();
    const holder = await test.openHolder("ada@example.org");
    const { address, clientKey, verified } = holder;
    const session = sessionOf(verified);
    await test.call(refreshSession, {
      body: { encryption_public_key: clientKey.spki, kms_payload: { provider: "kms_a", session } },
    });
    const [open] = await test.call<{ id: string }[]>(listSessions, { params: { address } });
    await test.call(endSession, { params: { address, session_id: open?.id } });
    const entries = await entriesBehind(from);
    expect(entries.map(({ kind }) => kind)).toEqual([
      "wallet.created",
      "wallet.created",
      "account.signer_added",
      "account.signer_added",
      "authorization_key.granted",
      "session.opened",
      "authorization_key.granted",
      "session.refreshed",
      "session.ended",
      "authorization_key.revoked",
      "authorization_key.revoked",
    ]);
    const bodies = entries
      .map((entry) => JSON.parse(entry.body ?? ""))
      .filter(({ subject }) => subject === `session/${open?.id}`);
    expect(bodies).toMatchObject([
      {
        details: {
          provider: "kms_a",
          client_public_key: Buffer.from(clientKey.spki, "base64").subarray(-65).toString("hex"),
        },
      },
      { user: verified.grid_user_id, tenant: test.caller.tenantId, environment: "sandbox" },
      { details: { reason: "ended_by_tenant" }, actor: `api_key/${test.caller.apiKeyId}` },
    ]);
    expect(JSON.stringify(entries.map(({ body }) => body))).not.toContain("ada@");
  });

  it("is API keys, tenants and their settings, with who changed them", async () => {
    const from = await lastSequence();
    const caller = { ...test.caller, environments: ["sandbox"] as const };
    const body = { name: "till", scopes: ["payments:read"], environments: ["sandbox"] };
    const key = await test.call<{ id: string; key: string }>(createApiKey, { body, caller });
    await test.call(revokeApiKey, { params: { key_id: key.id }, caller });
    await test.call(revokeApiKey, { params: { key_id: key.id }, caller });
    await test.call(createTenant, { body: { id: "shop" }, caller });
    await test.call(disableTenant, { params: { tenant_id: "shop" }, caller });
    await test.call(setSessionPolicy, { body: { idle_seconds: 900, one_session: false }, caller });
    await test.call(setSessionPolicy, { body: { idle_seconds: 900, one_session: false }, caller });
    await test.call(setSessionPolicy, { body: { idle_seconds: null, one_session: false }, caller });
    const origins = ["https://app.example"];
    await test.call(setRelyingParty, { body: { rp_id: "app.example", name: "App", origins }, caller });
    const entries = await entriesBehind(from);
    expect(entries.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      `api_key.created api_key/${key.id}`,
      `api_key.revoked api_key/${key.id}`,
      "tenant.created tenant/shop",
      "tenant.disabled tenant/shop",
      "session_policy.changed tenant/tenant-1",
      "session_policy.changed tenant/tenant-1",
      "relying_party.changed tenant/tenant-1",
    ]);
    for (const entry of entries) {
      expect(JSON.parse(entry.body ?? "").actor).toBe(`api_key/${test.caller.apiKeyId}`);
      expect(entry.body).not.toContain(key.key);
    }
    await test.needs.db.updateTable("tenant").set({ relying_party: null }).where("id", "=", "tenant-1").execute();
  });

  it("is passkeys, and nothing of a payment", async () => {
    const holder = await test.openHolder("passkeys@example.org", { sol: "1000000000" });
    const from = await lastSequence();
    await addSoftPasskey(test, holder);
    expect((await entriesBehind(from)).map(({ kind }) => kind)).toEqual(["passkey.added"]);
    const { address } = holder;
    const paid = await test.call<{ transaction: string; kms_payloads: readonly { payload: string }[] }>(
      preparePayment,
      {
        params: { address },
        body: {
          amount: "5000000",
          source: { account: address, currency: "sol" },
          destination: { address: "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y", currency: "sol" },
        },
      },
    );
    const signature = stampKmsA(paid.kms_payloads[0]?.payload ?? "", holder.authorizationKey);
    const kms_payloads = [{ provider: "kms_a", kms_signed_payload: { signature } }];
    await test.call(submitTransactions, { params: { address }, body: { transaction: paid.transaction, kms_payloads } });
    expect(await entriesBehind(from)).toHaveLength(1);
  });

  it("is written with the change or not at all, and hashes are over what it says", async () => {
    const from = await lastSequence();
    const failing = asActor(test.needs.db, "operator", async (trx) => {
      await record(trx, "undone");
      throw new Error("changed its mind");
    });
    await expect(failing).rejects.toThrow("changed its mind");
    expect(await entriesBehind(from)).toEqual([]);
    await record(test.needs.db, "ümläut 💶");
    for (const entry of await entriesBehind(0n)) expect(faultOf(entry)).toBeUndefined();
    const [entry] = await entriesBehind(from);
    expect(faultOf({ ...(entry as AuditEntry), tenant_id: "other" })).toContain("tenant");
    expect(faultOf({ ...(entry as AuditEntry), body: entry?.body?.replace("ü", "u") ?? null })).toContain("body");
  });
});

describe("the log", () => {
  it("has each entry once, without gaps, and proves it", async () => {
    for (let n = 0; n < 5; n += 1) await record(test.needs.db, `${n}`);
    const note = await signLog(test.needs);
    expect(await signLog(test.needs)).toBeUndefined();
    const head = openCheckpoint(note ?? "", verifierOf(test.needs.auditSigner, "ed25519"));
    const { entries, size } = await checkWhole();
    expect(head?.size).toBe(size);
    for (const [index, entry] of entries.entries()) {
      const proof = await proveInclusion(readTree(test.needs.db, auditLog), index, size);
      const leaf = hashOfLeaf(leafOf(entry, index));
      expect(isIncluded({ index, size, leaf, root: head?.root as Uint8Array }, proof)).toBe(true);
    }
  });

  it("gives out places once where several publish at the same time", async () => {
    for (let n = 0; n < 30; n += 1) await record(test.needs.db, `at once ${n}`);
    const counts = await Promise.all(Array.from({ length: 6 }, () => publishEntries(test.needs)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
    const notes = await Promise.all(Array.from({ length: 4 }, () => signLog(test.needs)));
    expect(notes.filter((note) => note !== undefined)).toHaveLength(1);
    await checkWhole();
  });

  it("is whole wherever publishing or signing breaks off, and grows from what was signed", async () => {
    const frail = openFrailDatabase(test.needs.db);
    const needs = { ...test.needs, db: frail.db };
    await record(test.needs.db, "counted");
    frail.countStatements();
    await signLog(needs);
    const statements = frail.countStatements();
    expect(statements).toBeGreaterThan(8);
    for (let statement = 0; statement < statements; statement += 1) {
      for (const when of ["before", "after"] as const) {
        const before = parseCheckpoint((await findCheckpoint(test.needs.db, auditLog)) ?? "");
        await record(test.needs.db, `broken at ${statement}`);
        frail.breakAt(statement, when);
        await signLog(needs).catch(() => undefined);
        frail.countStatements();
        await signLog(test.needs);
        const after = parseCheckpoint((await findCheckpoint(test.needs.db, auditLog)) ?? "");
        if (before === undefined || after === undefined) throw new Error("there are checkpoints");
        const proof = await proveConsistency(readTree(test.needs.db, auditLog), before.size, after.size);
        expect(after.size).toBe(before.size + 1);
        expect(isConsistent(before, after, proof)).toBe(true);
      }
    }
    await checkWhole();
  });

  it("has a proof for an entry as soon as a checkpoint is over it", async () => {
    const caller = { ...test.caller, environments: ["sandbox"] as const };
    await record(test.needs.db, "to prove");
    const [newest] = await test.call<{ index: number }[]>(listAuditEvents, { caller });
    const params = { index: String(newest?.index) };
    expect(await test.call(getAuditEvent, { caller, params })).not.toHaveProperty("proof");
    await signLog(test.needs);
    expect(await test.call(getAuditEvent, { caller, params })).toHaveProperty("proof");
  });

  it("signs nothing over a history that was rewritten", async () => {
    await signLog(test.needs);
    const tile = () =>
      sql`select set_byte(hashes, 0, (get_byte(hashes, 0) + 1) % 256) from tlog_tile where level = 0 and index = 0`;
    await sql`update tlog_tile set hashes = (${tile()}) where level = 0 and index = 0`.execute(test.needs.db);
    await record(test.needs.db, "behind it");
    await expect(signLog(test.needs)).rejects.toThrow("does not begin with");
    await sql`update tlog_tile set hashes = set_byte(hashes, 0, (get_byte(hashes, 0) + 255) % 256)
      where level = 0 and index = 0`.execute(test.needs.db);
    expect(await signLog(test.needs)).toBeDefined();
  });

  it("keeps every proof when what entries say is deleted in time", async () => {
    await signLog(test.needs);
    const ahead = { now: () => test.needs.realClock.now() + 800 * 86_400_000 };
    await removeOutdated({ db: test.needs.db, realClock: ahead }, []);
    const { entries } = await checkWhole();
    for (const { body, salt, subject, user_id } of entries)
      expect([body, salt, subject, user_id]).toEqual([null, null, null, null]);
    expect(await findCheckpoint(test.needs.db, auditLog)).toBeDefined();
  });
});

/** Every entry has its leaf, in order, and the tree is over exactly these. */
async function checkWhole() {
  const entries = await entriesBehind(0n);
  const size = (await findLog(test.needs.db, auditLog))?.size ?? 0;
  expect(entries.map(({ place }) => Number(place)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: size }, (_, i) => i),
  );
  const inOrder = entries.toSorted((a, b) => Number(a.place) - Number(b.place));
  const leaves = inOrder.map((entry, i) => hashOfLeaf(leafOf(entry, i)));
  const read: NodeReader = async (nodes) =>
    nodes.map(({ level, index }) => foldComplete(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)));
  const root = await rootOf(size, read);
  expect(isSame(root, await rootOf(size, readTree(test.needs.db, auditLog)))).toBe(true);
  return { entries: inOrder, size };
}

const record = (db: Parameters<typeof recordEntry>[0], name: string) =>
  recordEntry(db, {
    tenantId: test.caller.tenantId,
    kind: "master_key.rotated",
    subject: `master_key/${name}`,
    details: { name },
  });

const entriesBehind = (sequence: bigint): Promise<AuditEntry[]> =>
  (test.needs.db as Db)
    .selectFrom("audit_entry")
    .selectAll()
    .where("sequence", ">", sequence)
    .orderBy("sequence")
    .execute();

async function lastSequence(): Promise<bigint> {
  return (await entriesBehind(0n)).at(-1)?.sequence ?? 0n;
}
