import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { askWitness, type SendToWitness } from "@trellis/kernel/tlog/ask-witness.js";
import { parseCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { createWitnessStore, findCheckpoint, findCosigned } from "@trellis/kernel/tlog/log-store.js";
import { findSignature, verifierOf } from "@trellis/kernel/tlog/note.js";
import { addCheckpoint, type Witness } from "@trellis/kernel/tlog/witness.js";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { recordEntry } from "./actor.js";
import { auditLog } from "./log-key.js";
import { publishEntries, signLog } from "./publish-entries.js";

const test = useTestNetwork({ each: true });
const cosigner = { name: "guardian.example/witness", seed: generateEd25519KeyPair().seed };
const verifier = verifierOf(cosigner, "cosignature/v1");

/** What stands on the other side, on a database with the same tables. */
let witness: Witness;
const send: SendToWitness = (body) => addCheckpoint(witness, body);
beforeEach(async () => {
  const log = verifierOf(test.needs.auditSigner, "ed25519");
  witness = {
    signer: cosigner,
    logs: [{ origin: log.name, verifier: log }],
    store: createWitnessStore(test.needs.db),
    now: () => test.needs.realClock.now(),
  };
  await grow(3);
});

describe("a witness of the log", () => {
  it("cosigns as it grows, and its cosignature stands below the checkpoint", async () => {
    expect(await ask()).toEqual({ kind: "cosigned", size: await size() });
    expect(await ask()).toEqual({ kind: "up_to_date", size: await size() });
    await grow(300);
    expect(await ask()).toEqual({ kind: "cosigned", size: await size() });
    const checkpoint = parseCheckpoint((await findCheckpoint(test.needs.db, auditLog)) ?? "");
    if (checkpoint === undefined) throw new Error("no checkpoint");
    expect(findSignature(checkpoint.note, verifier)).toMatchObject({
      time: Math.floor(test.needs.realClock.now() / 1000),
    });
    expect(findSignature(checkpoint.note, verifierOf(test.needs.auditSigner, "ed25519"))).toBeDefined();
    expect((await findCosigned(test.needs.db, auditLog, cosigner.name))?.size).toBe(checkpoint.size);
  });

  it("cosigns again where its answer was lost", async () => {
    const lost: SendToWitness = async (body) => {
      await send(body);
      throw new Error("the connection broke");
    };
    await expect(ask(lost)).rejects.toThrow("the connection broke");
    await grow(5);
    expect(await ask()).toEqual({ kind: "cosigned", size: await size() });
  });

  it("refuses a history that was rewritten", async () => {
    await ask();
    await sql`update audit_entry set kind = 'api_key.revoked' where place = 1`.execute(test.needs.db);
    await rebuild();
    await grow(1);
    expect(await ask()).toEqual({ kind: "refused", reason: "it answered 422" });
  });

  it("refuses a log whose tail was cut, and says how much it has seen", async () => {
    await ask();
    const seen = await size();
    await sql`delete from audit_entry where place >= 1`.execute(test.needs.db);
    await sql`delete from tlog_cosignature`.execute(test.needs.db);
    await rebuild();
    await grow(0);
    expect(await ask()).toEqual({ kind: "refused", reason: `it has seen ${seen} entries, and here are 1` });
  });

  it("is not believed where it answers what is no cosignature of its key", async () => {
    const stranger = { ...witness, signer: { ...cosigner, seed: generateEd25519KeyPair().seed } };
    for (const lying of [
      (body: string) => addCheckpoint(stranger, body),
      async () => ({ status: 200, body: "" }),
      async () => ({ status: 409, body: "many\n" }),
      async () => ({ status: 409, body: "0\n" }),
      async () => ({ status: 500, body: "" }),
    ]) {
      expect((await ask(lying)).kind).toBe("refused");
    }
    expect(await findCosigned(test.needs.db, auditLog, cosigner.name)).toBeUndefined();
  });

  it("cosigns one of two histories that are sent at the same time", async () => {
    const before = (await findCheckpoint(test.needs.db, auditLog)) ?? "";
    const bodies: string[] = [];
    const keep: SendToWitness = async (body) => {
      bodies.push(body);
      return { status: 500, body: "" };
    };
    await ask(keep);
    await sql`update audit_entry set kind = 'api_key.revoked' where place = 0`.execute(test.needs.db);
    await rebuild();
    await grow(0);
    expect(await findCheckpoint(test.needs.db, auditLog)).not.toBe(before);
    await ask(keep);
    const answers = await Promise.all(bodies.map((body) => send(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

async function grow(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const entry = { tenantId: null, kind: "master_key.rotated", subject: `master_key/${n}`, details: {} };
    await recordEntry(test.needs.db, entry);
  }
  await signLog(test.needs);
}

/** What the holder of both the database and the log's key can do: another history, signed. */
async function rebuild(): Promise<void> {
  for (const statement of [
    "delete from tlog_tile",
    "delete from tlog_checkpoint",
    "update tlog set size = 0, checkpoint = null, checkpoint_size = 0",
    "update audit_entry set place = null",
  ])
    await sql.raw(statement).execute(test.needs.db);
  await publishEntries(test.needs);
}

const ask = (by: SendToWitness = send) =>
  askWitness(test.needs.db, auditLog, { verifier, send: by, now: test.needs.realClock.now() });
const size = async () => parseCheckpoint((await findCheckpoint(test.needs.db, auditLog)) ?? "")?.size ?? 0;
