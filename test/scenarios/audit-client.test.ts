import { randomBytes } from "node:crypto";
import { parseCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { findCheckpoint, keepCosignature } from "@trellis/kernel/tlog/log-store.js";
import { cosign, formatVkey, verifierOf } from "@trellis/kernel/tlog/note.js";
import { AuditProofError, verifyAuditEvent } from "@trellis/sdk";
import { expect, it } from "vitest";
import { createRealClock } from "../../src/adapters/system.js";
import { recordEntry } from "../../src/audit/actor.js";
import { auditLog } from "../../src/audit/log-key.js";
import { signLog } from "../../src/audit/publish-entries.js";
import { useTestService } from "../support/scene.js";

const test = useTestService({});
const auditSigner = { name: "log.example/audit", seed: randomBytes(32) };
const witness = { name: "witness.example/w", seed: randomBytes(32) };
const log = formatVkey(verifierOf(auditSigner, "ed25519"));
const pinned = { log, witness: formatVkey(verifierOf(witness, "cosignature/v1")) };

it("the client library verifies every entry against the keys of log and witness", async () => {
  const count = await grow(37);
  const verified = [];
  for await (const each of test.client.auditEvents.listVerified(pinned)) verified.push(each);
  expect(verified.length).toBeGreaterThanOrEqual(37);
  const listed = [];
  for await (const event of test.client.auditEvents.list()) listed.push(event);
  expect(verified.map(({ event }) => event)).toEqual(listed);
  expect(verified[0]).toMatchObject({ size: count });
});

it("the client library refuses an entry that is changed anywhere, and keys of others", async () => {
  await grow(1);
  const [event] = (await test.client.auditEvents.page({ limit: 1 })).auditEvents;
  const index = event?.index ?? -1;
  const proven = await test.client.auditEvents.get(index);
  const { proof } = proven;
  if (proof === undefined) throw new Error("no proof");
  expect(verifyAuditEvent(proven, index, pinned)?.event).toEqual(event);
  const { proof: _, ...unproven } = proven;
  expect(verifyAuditEvent(unproven, index, pinned)).toBeUndefined();
  for (const changed of [
    { ...proven, body: proven.body?.replace("audit", "adult") ?? "" },
    { ...proven, salt: "00".repeat(32) },
    { ...proven, leaf: proven.leaf.replace("configuration", "configuratiom") },
    { ...proven, leaf: "no json" },
    { ...proven, proof: { ...proof, hashes: proof.hashes.slice(1) } },
    { ...proven, proof: { ...proof, hashes: [...proof.hashes, proof.hashes[0] ?? ""] } },
    { ...proven, proof: { ...proof, hashes: proof.hashes.toReversed() } },
    { ...proven, proof: { ...proof, checkpoint: proof.checkpoint.replace("\n", "\n1") } },
    { ...proven, proof: { ...proof, checkpoint: proof.checkpoint.replace("log.example", "lag.example") } },
    { ...proven, proof: { ...proof, checkpoint: "" } },
  ]) {
    expect(() => verifyAuditEvent(changed, index, pinned)).toThrow(AuditProofError);
  }
  expect(() => verifyAuditEvent(proven, index + 1, pinned)).toThrow("another entry");
  const stranger = { name: auditSigner.name, seed: randomBytes(32) };
  const others = formatVkey(verifierOf(stranger, "ed25519"));
  expect(() => verifyAuditEvent(proven, index, { log: others })).toThrow("pinned key of the log");
  const cosigner = formatVkey(verifierOf({ ...stranger, name: witness.name }, "cosignature/v1"));
  expect(() => verifyAuditEvent(proven, index, { log, witness: cosigner })).toThrow("witness has not cosigned");
  expect(() => verifyAuditEvent(proven, index, { log: "nonsense" })).toThrow("the log is none");
  expect(() => verifyAuditEvent(proven, index, { log: pinned.witness })).toThrow("the log is none");
});

/** Entries of the tenant, signed as the service does, and cosigned. Returns how many the log has. */
async function grow(entries: number): Promise<number> {
  const { db } = test.service;
  for (let n = 0; n < entries; n += 1) {
    const subject = `configuration/${n}`;
    await recordEntry(db, { tenantId: "default", kind: "configuration.changed", subject, details: { audit: n } });
  }
  await signLog({ db, realClock: createRealClock(), auditSigner });
  const checkpoint = parseCheckpoint((await findCheckpoint(db, auditLog)) ?? "");
  if (checkpoint === undefined) throw new Error("no checkpoint");
  const { size, note } = checkpoint;
  const line = cosign(note.text, witness, 1_700_000_000);
  const [signature] = note.signatures;
  const said = { witness: witness.name, size, line, checkpoint: `${note.text}\n${signature?.line}\n` };
  await keepCosignature(db, auditLog, said, Date.now());
  return size;
}
