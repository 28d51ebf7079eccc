import type { CustodianLog } from "@trellis/kernel/ports/custodian-log.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { parseCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { findCheckpoint } from "@trellis/kernel/tlog/log-store.js";
import { findSignature, parseVkey, verifierOf } from "@trellis/kernel/tlog/note.js";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCustodianLog } from "../../src/adapters/kms/custodian-log.js";
import { recordEntry } from "../../src/audit/actor.js";
import { cosignCustodians } from "../../src/audit/cosign-custodians.js";
import { auditLog } from "../../src/audit/log-key.js";
import { publishEntries, signLog } from "../../src/audit/publish-entries.js";
import { readReadiness } from "../../src/composition/readiness.js";
import { startTestCustodian } from "../support/custodian.js";
import { useTestNetwork } from "../support/scene.js";

const test = useTestNetwork({ each: true });
let custodian: Awaited<ReturnType<typeof startTestCustodian>>;

beforeEach(async () => {
  custodian = await startTestCustodian();
  await growOurs(3);
  await growTheirs(3);
});

afterEach(() => custodian.close());

describe("service and custodian", () => {
  it("cosign each other's log as it grows, and keep what the other has signed", async () => {
    for (let round = 0; round < 2; round += 1) {
      expect(await cosign()).toBeUndefined();
      const { witness_key } = await custodian.clientWith().ask("getLog", {}, undefined);
      const ours = parseCheckpoint((await findCheckpoint(test.needs.db, auditLog)) ?? "");
      const theirWitness = parseVkey(witness_key);
      if (ours === undefined || theirWitness === undefined) throw new Error("no checkpoint");
      expect(findSignature(ours.note, theirWitness)).toBeDefined();
      const { checkpoint } = await custodian.clientWith().ask("getLog", {}, undefined);
      const theirs = parseCheckpoint(checkpoint ?? "");
      const ourWitness = verifierOf(test.needs.custodianLogs.cosigner, "cosignature/v1");
      expect(theirs && findSignature(theirs.note, ourWitness)).toBeDefined();
      expect(await witnessed(test.needs.db)).toMatchObject([
        { origin: logs().origin, size: BigInt(theirs?.size ?? 0) },
      ]);
      await growOurs(300);
      await growTheirs(2);
    }
    expect(await readiness()).not.toHaveProperty("kms_b_log");
  });

  it("notice that the custodian was put back to an older state, also once its log is longer again", async () => {
    await growTheirs(5);
    expect(await cosign()).toBeUndefined();
    await rewriteTheirs(4);
    expect(await cosign()).toMatch(/^its log has 5 entries, and \d+ were seen$/);
    expect(await readiness()).toMatchObject({ kms_b_log: { ok: false } });
    await growTheirs(30);
    expect(await cosign()).toMatch(/^its log of \d+ entries does not begin with the \d+ that were seen$/);
  });

  it("notice that the custodian shows another history of the same size", async () => {
    expect(await cosign()).toBeUndefined();
    await custodian.stop();
    await custodian.inDatabase(async (db) => {
      await sql`update audit_entry set kind = 'passkey.removed' where place = 0`.execute(db);
      await rebuild(db as unknown as Db);
    });
    await custodian.start();
    expect(await cosign()).toMatch(/^its log of \d+ entries is another one than was seen$/);
  });

  it("notice that the service's tail was cut, or its history rewritten", async () => {
    await growOurs(3);
    expect(await cosign()).toBeUndefined();
    const { db } = test.needs;
    await sql`delete from audit_entry where place >= 1`.execute(db);
    await sql`delete from tlog_cosignature`.execute(db);
    await rebuild(db);
    await signLog(test.needs);
    expect(await cosign()).toMatch(/^it does not cosign the service's log: it has seen \d+ entries, and here are 1$/);
    await growOurs(30);
    expect(await cosign()).toMatch(/^it does not cosign the service's log: it answered 422$/);
  });

  it("believe no log under another name, and no other log of the service", async () => {
    const honest = logs();
    const { logKey, witnessKey } = await honest.getKeys();
    const renamed = { ...honest, origin: "trellis-custodian/another" };
    expect(await cosign(renamed)).toBe("it names keys that are not of its identity");
    const swapped = { ...honest, getKeys: async () => ({ logKey: witnessKey, witnessKey: logKey }) };
    expect(await cosign(swapped)).toBe("it names keys that are not of its identity");
    expect(await cosign()).toBeUndefined();
    const other = { ...test.needs.auditSigner, name: "another.example/audit" };
    await sql`delete from tlog_cosignature`.execute(test.needs.db);
    expect(await cosign(honest, other)).toMatch(/^it does not cosign the service's log/);
  });

  it("go on where the custodian does not answer, and where its answer was lost", async () => {
    const honest = logs();
    const lost = {
      ...honest,
      async keepCosignature(): Promise<boolean> {
        throw new Error("the connection broke");
      },
    };
    expect(await cosign(lost)).toBeUndefined();
    await growTheirs(1);
    expect(await cosign()).toBeUndefined();
    const { checkpoint } = await custodian.clientWith().ask("getLog", {}, undefined);
    expect(checkpoint).toContain("trellis.example/audit");
  });
});

const logs = (): CustodianLog => ({
  ...createCustodianLog("kms_b", custodian.clientWith(), custodian.keys),
  isRunning: () => true,
});

/** What is wrong with the custodian's log, if anything. */
async function cosign(
  theirs: CustodianLog = logs(),
  auditSigner = test.needs.auditSigner,
): Promise<string | undefined> {
  const { custodianLogs } = test.needs;
  await cosignCustodians({ ...test.needs, auditSigner, custodianLogs: { ...custodianLogs, logs: [theirs] } });
  return custodianLogs.faults.get("kms_b");
}

const readiness = async () => (await readReadiness(test.needs.db, new Map(), test.needs.custodianLogs)).checks;

const witnessed = async (db: Db) =>
  (await sql<{ origin: string; size: bigint; note: string }>`select origin, size, note from tlog_witnessed`.execute(db))
    .rows;

async function growOurs(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const entry = { tenantId: null, kind: "configuration.changed", subject: `configuration/${n}`, details: {} };
    await recordEntry(test.needs.db, entry);
  }
  await signLog(test.needs);
}

let owners = 0;
async function growTheirs(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    owners += 1;
    const asked = { owner: `owner-${owners}`, environment: "sandbox", kind: "session", now: 1, nonce: "0".repeat(64) };
    await custodian.clientWith().ask("ensureWallet", {}, asked as never);
  }
}

/** What restoring an older dump leaves: the first entries alone. A start enters nothing, as the configuration is what it was. */
async function rewriteTheirs(last: number): Promise<void> {
  await custodian.stop();
  await custodian.inDatabase(async (db) => {
    await sql`delete from audit_entry where place > ${last}::int8 or place is null`.execute(db);
    await rebuild(db as unknown as Db);
  });
  await custodian.start();
}

/** What the holder of a database and of the log's key can do: another history. */
async function rebuild(db: Db): Promise<void> {
  for (const statement of [
    "delete from tlog_tile",
    "delete from tlog_checkpoint",
    "update tlog set size = 0, checkpoint = null, checkpoint_size = 0",
    "update audit_entry set place = null",
  ])
    await sql.raw(statement).execute(db);
  await publishEntries({ db, realClock: { now: () => Date.now() } });
}
