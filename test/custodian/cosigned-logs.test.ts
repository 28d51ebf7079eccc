import type { CustodianLog } from "@trellis/kernel/ports/custodian-log.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { parseCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { findCheckpoint } from "@trellis/kernel/tlog/log-store.js";
import { findSignature, parseVkey, verifierOf } from "@trellis/kernel/tlog/note.js";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCustodianLog } from "../../src/adapters/kms/custodian-log.js";
import { decideOnLog } from "../../src/audit/accept-log.js";
import { recordEntry } from "../../src/audit/actor.js";
import { compareLogs } from "../../src/audit/compare-logs.js";
import { cosignCustodians } from "../../src/audit/cosign-custodians.js";
import { auditLog } from "../../src/audit/log-key.js";
import { publishEntries, signLog } from "../../src/audit/publish-entries.js";
import { readReadiness } from "../../src/composition/readiness.js";
import { acceptServiceLog } from "../../src/custodian/log-commands.js";
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
    await alterTheirs("passkey.removed");
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

describe("a log that was refused", () => {
  it("is reported with what to do, and believed once an operator names its root: one of two at once, and no second time", async () => {
    await growTheirs(5);
    expect(await cosign()).toBeUndefined();
    expect(await compare()).toEqual([]);
    expect(await decide(undefined)).toEqual({
      text: "No log was refused: there is nothing to accept.\n",
      isDone: true,
    });
    expect(await decide("A".repeat(43))).toMatchObject({ isDone: false });
    const [seen] = await witnessed(test.needs.db);
    await rewriteTheirs(4);
    await cosign();
    expect(await compare()).toEqual([
      expect.stringMatching(
        /^Its log has 5 entries, and \d+ were seen\. Was its database put back\?.*trellis audit accept/,
      ),
    ]);
    const { text, isDone } = await decide(undefined);
    const root = /--root (\S+)\n/.exec(text)?.[1] ?? "";
    expect(isDone).toBe(false);
    expect(text).toContain(`At least ${Number(seen?.size) - 5} entries that were seen are not in it`);
    expect(await decide("A".repeat(43))).toMatchObject({ isDone: false });
    expect(await witnessed(test.needs.db)).toEqual([seen]);
    const both = await Promise.all([decide(root), decide(root)]);
    expect(both.map((one) => one.isDone).toSorted()).toEqual([false, true]);
    expect(await decide(root)).toEqual({ text: "No log was refused: there is nothing to accept.\n", isDone: false });
    await growTheirs(2);
    expect(await cosign()).toBeUndefined();
    expect(await compare()).toEqual([]);
    const kept = await sql<{ seen_note: string; seen_size: bigint }>`
      select seen_note, seen_size from tlog_refused where accepted_at is not null`.execute(test.needs.db);
    expect(kept.rows).toEqual([{ seen_note: seen?.note, seen_size: seen?.size }]);
    const entries = await sql<{ body: string }>`select body from audit_entry where kind = 'log.accepted'`.execute(
      test.needs.db,
    );
    expect(entries.rows.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        actor: "operator",
        details: { believed: "shown", shown: { root, size: 5 }, entries_lost: Number(seen?.size) - 5 },
      },
    ]);
  });

  it("is forgotten where it was only shorter and goes on as it was, and stays where its key has signed two histories", async () => {
    await growTheirs(2);
    expect(await cosign()).toBeUndefined();
    const honest = logs();
    const short = {
      ...honest,
      proveGrowth: async () => ({ ...(await honest.proveGrowth(0)), checkpoint: early, proof: [] }),
    };
    const early = (await witnessed(test.needs.db))[0]?.note ?? "";
    await growTheirs(3);
    expect(await cosign()).toBeUndefined();
    expect(await cosign(short)).toMatch(/^its log has/);
    expect((await decide(undefined)).isDone).toBe(false);
    expect(await cosign()).toBeUndefined();
    expect((await decide(undefined)).isDone).toBe(true);
    // A guardian that shows one reader this, and another one that.
    const [right] = await witnessed(test.needs.db);
    const back = await alterTheirs("passkey.removed");
    expect(await cosign()).toMatch(/is another one than was seen$/);
    await alterTheirs(back);
    expect(await cosign()).toBeUndefined();
    expect(await compare()).toEqual([expect.stringMatching(/^Its key has signed two histories of its log\./)]);
    const root = Buffer.from(right?.root ?? []).toString("base64");
    expect(await decide(root)).toMatchObject({ isDone: true });
    expect(await compare()).toEqual([]);
    expect(await witnessed(test.needs.db)).toEqual([right]);
  });

  it("of the service is reported by both sides, and believed by a command beside the custodian, also under another name", async () => {
    await growOurs(3);
    expect(await cosign()).toBeUndefined();
    const { db } = test.needs;
    await sql`delete from audit_entry where place >= 1`.execute(db);
    await sql`delete from tlog_cosignature`.execute(db);
    await rebuild(db);
    await signLog(test.needs);
    await cosign();
    expect(await compare()).toEqual([
      expect.stringMatching(
        /^It has seen \d+ entries of the service's log, and here are 1\..*trellis custodian audit accept there/,
      ),
    ]);
    await growOurs(30);
    await cosign();
    expect(await compare()).toEqual([
      expect.stringMatching(/^It has seen another log of the service, of \d+ entries\./),
    ]);
    expect(await acceptThere()).toMatchObject({ isDone: true });
    expect(await cosign()).toBeUndefined();
    expect(await compare()).toEqual([]);
    const renamed = { ...test.needs.auditSigner, name: "another.example/audit" };
    await growOurs(1, renamed);
    await cosign(logs(), renamed);
    expect(await compare()).toEqual([expect.stringMatching(/^It cosigns the log .*another name or key now/)]);
    expect(await acceptThere()).toMatchObject({ isDone: true });
    expect(await cosign(logs(), renamed)).toBeUndefined();
    expect(await compare()).toEqual([]);
  });
});

const compare = () => compareLogs(test.needs.db, logs());
const decide = (root: string | undefined) =>
  decideOnLog(test.needs.db, "trellis audit accept", { root, now: Date.now() });

/** What its operator does beside it: reads what is said, and names the root that is named there. */
async function acceptThere() {
  await custodian.stop();
  try {
    const { text } = await acceptServiceLog(custodian.config, undefined);
    return await acceptServiceLog(custodian.config, /--root (\S+)\n/.exec(text)?.[1]);
  } finally {
    await custodian.start();
  }
}

/** Another history of the same size; gives what the entry was. */
async function alterTheirs(kind: string): Promise<string> {
  let former = "";
  await custodian.stop();
  await custodian.inDatabase(async (db) => {
    const { rows } = await sql<{ kind: string }>`select kind from audit_entry where place = 0`.execute(db);
    former = rows[0]?.kind ?? "";
    await sql`update audit_entry set kind = ${kind} where place = 0`.execute(db);
    await rebuild(db as unknown as Db);
  });
  await custodian.start();
  return former;
}

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
  (
    await sql<{ origin: string; size: bigint; root: Uint8Array; note: string }>`
      select origin, size, root, note from tlog_witnessed`.execute(db)
  ).rows;

async function growOurs(count: number, auditSigner = test.needs.auditSigner): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const entry = { tenantId: null, kind: "configuration.changed", subject: `configuration/${n}`, details: {} };
    await recordEntry(test.needs.db, entry);
  }
  await signLog({ ...test.needs, auditSigner });
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
