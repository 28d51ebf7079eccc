/**
 * Writes the log of a custodian of its own process, as it is read over its protocol, into a folder: for `scripts/clients/guardian-log`, which
 * checks it by Go's own packages. Beside it the service's checkpoint with the custodian's cosignature, and what the holder of the custodian's
 * database and key can make of its log: a tail that was cut, and an entry that was flipped, which is another view of the same size.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Db } from "@trellis/kernel/ports/database.js";
import { openCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { findCheckpoint } from "@trellis/kernel/tlog/log-store.js";
import { formatVkey, parseVkey, verifierOf } from "@trellis/kernel/tlog/note.js";
import { tilePath, tileWidth } from "@trellis/kernel/tlog/tile.js";
import { sql } from "kysely";
import { openDatabase } from "../src/adapters/db/open-database.js";
import { createCustodianLog } from "../src/adapters/kms/custodian-log.js";
import { createLogger, createPinoLog } from "../src/adapters/log/pino-log.js";
import { recordEntry } from "../src/audit/actor.js";
import { cosignCustodians } from "../src/audit/cosign-custodians.js";
import { auditLog } from "../src/audit/log-key.js";
import { publishEntries, signLog } from "../src/audit/publish-entries.js";
import { startTestCustodian } from "../test/support/custodian.js";

const [, , folder = "guardian-log"] = process.argv;
const realClock = { now: () => Date.now() };
const signer = { name: "trellis.example/audit", seed: new Uint8Array(32).fill(1) };
const cosigner = { name: "trellis.example/audit", seed: new Uint8Array(32).fill(2) };

const write = (path: string, content: string | Uint8Array) => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};

const custodian = await startTestCustodian();
const client = custodian.clientWith();
const { db, close } = await openDatabase({ kind: "memory" });
try {
  const { log_key: key, witness_key: witness } = await client.ask("getLog", {}, undefined);
  write("key", key);
  write("witness", witness);
  write("service-key", formatVkey(verifierOf(signer, "ed25519")));
  write("service-witness", formatVkey(verifierOf(cosigner, "cosignature/v1")));
  await grow(40);
  await cosign();
  await writeLog("first", key);
  await grow(260);
  await cosign();
  write("service-checkpoint", (await findCheckpoint(db, auditLog)) ?? "");
  await writeLog("second", key);
  await rewrite([sql`update audit_entry set kind = 'passkey.removed' where place = 7`]);
  await writeLog("flipped", key);
  await rewrite([sql`delete from audit_entry where place >= 200`]);
  await writeLog("cut", key);
} finally {
  await custodian.close();
  await close();
}

async function grow(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const owner = `owner-${Math.random()}`;
    const asked = { owner, environment: "sandbox", kind: "session", now: 1, nonce: "0".repeat(64) } as const;
    await client.ask("ensureWallet", {}, asked);
  }
  const entry = { tenantId: null, kind: "configuration.changed", subject: "configuration", details: { count } };
  await recordEntry(db, entry);
  await signLog({ db, realClock, auditSigner: signer });
}

async function cosign(): Promise<void> {
  const theirs = {
    ...createCustodianLog("kms_b", client, custodian.keys),
    isRunning: () => true,
  };
  const faults = new Map<string, string>();
  const custodianLogs = { logs: [theirs], cosigner, faults };
  const log = createPinoLog(createLogger("fatal"));
  await cosignCustodians({ db, realClock, log, auditSigner: signer, custodianLogs });
  for (const fault of faults.values()) throw new Error(fault);
}

/** Its checkpoint, and all tiles of a tree of this size. */
async function writeLog(name: string, key: string): Promise<void> {
  // It was started again meanwhile, at another port.
  const again = custodian.clientWith();
  const verifier = parseVkey(key);
  await again.ask("proveGrowth", {}, { old: 0 });
  const { checkpoint } = await again.ask("getLog", {}, undefined);
  const head = checkpoint === null || verifier === undefined ? undefined : openCheckpoint(checkpoint, verifier);
  if (checkpoint === null || head === undefined) throw new Error("no checkpoint");
  write(`${name}/checkpoint`, checkpoint);
  for (let [level, count] = [0, head.size]; count > 0; [level, count] = [level + 1, Math.floor(count / tileWidth)]) {
    for (let index = 0; index * tileWidth < count; index += 1) {
      const width = Math.min(tileWidth, count - index * tileWidth);
      const params = { level: `${level}`, index: `${index}`, width: `${width}` };
      const { hashes } = await again.ask("getLogTile", params, undefined);
      write(`${name}/${tilePath({ level, index, width })}`, Buffer.from(hashes ?? "", "base64"));
    }
  }
}

/** What the holder of its database and its key can do: another history, signed. */
async function rewrite(changes: readonly ReturnType<typeof sql>[]): Promise<void> {
  await custodian.stop();
  await custodian.inDatabase(async (own) => {
    for (const change of [
      ...changes,
      sql`delete from tlog_tile`,
      sql`delete from tlog_checkpoint`,
      sql`update tlog set size = 0, checkpoint = null, checkpoint_size = 0`,
      sql`update audit_entry set place = null`,
    ])
      await change.execute(own);
    await publishEntries({ db: own as unknown as Db, realClock });
  });
  await custodian.start();
}
