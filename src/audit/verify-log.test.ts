import { findCheckpoint } from "@trellis/kernel/tlog/log-store.js";
import { verifierOf } from "@trellis/kernel/tlog/note.js";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { recordEntry } from "./actor.js";
import { auditLog } from "./log-key.js";
import { publishEntries, signLog } from "./publish-entries.js";
import { verifyLog } from "./verify-log.js";

const test = useTestNetwork({ each: true });
let kept: string;
beforeEach(async () => {
  kept = await grow(300);
  await grow(300);
});

describe("a log that is whole", () => {
  it("has no faults, also against a checkpoint that was kept, and with bodies deleted", async () => {
    expect((await verify()).faults).toEqual([]);
    await run("update audit_entry set body = null, salt = null, subject = null, user_id = null where place < 10");
    expect(await verify()).toMatchObject({ withoutBody: 10, faults: [] });
  });
});

describe("a log that was changed", () => {
  it("names an entry whose body was changed", async () => {
    await run("update audit_entry set body = replace(body, 'name', 'mane') where place = 17");
    expect((await verify()).faults).toEqual(["entry 17: its body is not what was logged"]);
  });

  it("names an entry that was given to another tenant", async () => {
    await run("update audit_entry set tenant_id = 'other' where place = 17");
    expect((await verify()).faults).toEqual(["entry 17: its tenant is not what was logged"]);
  });

  it("names an entry that was flipped, hashes and all", async () => {
    await run("update audit_entry set kind = 'api_key.revoked' where place = 17");
    const { faults } = await verify();
    expect(faults).toContain("entry 17 is not what its leaf says");
    expect(faults.join("\n")).toContain("an entry from 0 to");
  });

  it("names entries that were taken out, and a tail that was cut", async () => {
    await run("delete from audit_entry where place = 17");
    expect((await verify()).faults).toContain("entry 17 is missing");
    await run("delete from audit_entry where place > 500");
    expect((await verify()).faults).toContain(`entries from 501 on are missing: the log has ${await size()}`);
  });

  it("names a history that was rewritten with its tree, by what was signed", async () => {
    await run("update audit_entry set kind = 'api_key.revoked' where place = 17");
    await rebuild();
    const { faults } = await verify();
    expect(faults.length).toBeGreaterThan(1);
    expect(faults.every((fault) => fault.includes("was rewritten") && fault.includes("an entry from 0 to"))).toBe(true);
    await run("delete from tlog_checkpoint");
    const elsewhere = (await verify()).faults;
    expect(elsewhere).toEqual([
      expect.stringMatching(/^the checkpoint of size \d+ has another root: an entry from 0 to \d+ was rewritten$/),
    ]);
  });

  it("names a tail that was cut from the tree as well, by a checkpoint that was kept", async () => {
    kept = (await findCheckpoint(test.needs.db, auditLog)) ?? "";
    const before = await size();
    await run("delete from audit_entry where place >= 400");
    await rebuild();
    await run("delete from tlog_checkpoint where size > 400");
    expect((await verify()).faults).toEqual([
      `a checkpoint has ${before} entries, and here are 400: the tail from 400 on was cut`,
    ]);
  });

  it("names a checkpoint that this log has not signed", async () => {
    kept = kept.replace("trellis.example/audit", "another.example/audit");
    expect((await verify()).faults).toEqual(["the given checkpoint 1 is not signed by the key of this log"]);
  });
});

async function grow(count: number): Promise<string> {
  for (let n = 0; n < count; n += 1) {
    const entry = {
      tenantId: "tenant-1",
      kind: "master_key.rotated",
      subject: `master_key/${n}`,
      details: { name: n },
    };
    await recordEntry(test.needs.db, entry);
  }
  return (await signLog(test.needs)) ?? "";
}

/** What one does who has the database and not the key: the tree anew, over entries as they are now. */
async function rebuild(): Promise<void> {
  await run("delete from tlog_tile");
  await run("update tlog set size = 0");
  await run("update audit_entry set place = null");
  await publishEntries(test.needs);
}

const verify = () => verifyLog(test.needs.db, verifierOf(test.needs.auditSigner, "ed25519"), [kept]);
const run = (statement: string) => sql.raw(statement).execute(test.needs.db);
const size = async () =>
  Number((await sql<{ size: bigint }>`select size from tlog`.execute(test.needs.db)).rows[0]?.size);
