import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Log } from "@trellis/kernel/ports/log.js";
import { openCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import {
  createWitnessStore,
  findCheckpoint,
  findLog,
  keepCosignature,
  proveConsistency,
  readTree,
} from "@trellis/kernel/tlog/log-store.js";
import { findSignature, formatVkey, parseSignatureLine, parseVkey, verifierOf } from "@trellis/kernel/tlog/note.js";
import { tilePath } from "@trellis/kernel/tlog/tile.js";
import { addCheckpoint } from "@trellis/kernel/tlog/witness.js";
import { auditLog } from "../audit/log-key.js";
import { createServedLog } from "../audit/served-log.js";
import type { OperationAnswer, OperationBody } from "../custody/protocol/operations.js";
import { type OwnLog, signOwnLog } from "./own-log.js";

interface LogContext {
  readonly ownLog: OwnLog;
  readonly log: Log;
}

type LogOperation = "getLog" | "getLogTile" | "proveGrowth" | "addCheckpoint" | "keepCosignature";

type LogHandlers = {
  readonly [Name in LogOperation]: (
    context: LogContext,
    asked: { readonly params: Readonly<Record<string, string>>; readonly body: OperationBody<Name> },
  ) => Promise<OperationAnswer<Name>>;
};

/** What carries out the operations about logs: the custodian's own, and the service's, which it cosigns. */
export const logHandlers: LogHandlers = {
  async getLog({ ownLog }) {
    return {
      log_key: formatVkey(verifierOf(ownLog.signer, "ed25519")),
      witness_key: formatVkey(verifierOf(ownLog.witness, "cosignature/v1")),
      checkpoint: (await findCheckpoint(ownLog.db, auditLog)) ?? null,
    };
  },

  async getLogTile({ ownLog }, { params }) {
    const { level = "", index = "", width = "" } = params;
    if (![level, index, width].every((text) => /^[0-9]{1,15}$/.test(text))) return { hashes: null };
    const path = tilePath({ level: Number(level), index: Number(index), width: Number(width) });
    const tile = await createServedLog(ownLog.db, ownLog.signer).tile(path);
    return { hashes: tile === undefined ? null : Buffer.from(tile.bytes).toString("base64") };
  },

  async proveGrowth({ ownLog }, { body }) {
    await signOwnLog(ownLog);
    const { checkpoint = null, checkpointSize: size = 0 } = (await findLog(ownLog.db, auditLog)) ?? {};
    const isProvable = body.old > 0 && body.old <= size;
    const proof = isProvable ? await proveConsistency(readTree(ownLog.db, auditLog), body.old, size) : [];
    return { size, checkpoint, proof: proof.map((hash) => Buffer.from(hash).toString("base64")) };
  },

  async addCheckpoint({ ownLog, log }, { body }) {
    const verifier = parseVkey(body.log_key);
    if (verifier?.kind !== "ed25519") return { status: 400, body: "no key of a log\n" };
    const { db, witness: signer, clock } = ownLog;
    const isKnown = await isFirstLog(ownLog, body.log_key);
    const witness = {
      signer,
      logs: isKnown ? [{ origin: verifier.name, verifier }] : [],
      store: createWitnessStore(db),
      now: () => clock.now(),
    };
    const { status, body: answer } = await addCheckpoint(witness, body.request);
    // 409: the service has missed an answer, and asks again with the size that it is given; what it shows then is another log.
    if (status !== 200 && status !== 409) {
      // operator: run trellis audit verify at the service: its log is not the one that was cosigned here, or its key is another one
      log.error({ event: "service_log_refused", status, origin: verifier.name }, "log of the service was not cosigned");
    }
    return { status, body: answer };
  },

  async keepCosignature({ ownLog }, { body }) {
    const { db, signer, clock } = ownLog;
    const verifier = parseVkey(body.witness_key);
    const checkpoint = openCheckpoint(body.checkpoint, verifierOf(signer, "ed25519"));
    const line = parseSignatureLine(body.line);
    if (verifier?.kind !== "cosignature/v1" || checkpoint === undefined || line === undefined) return { kept: false };
    const found = findSignature({ text: checkpoint.note.text, signatures: [line] }, verifier);
    if (found === undefined) return { kept: false };
    const said = { witness: verifier.name, size: checkpoint.size, line: line.line, checkpoint: body.checkpoint };
    await keepCosignature(db, auditLog, said, clock.now());
    return { kept: true };
  },
};

/** Whether a log is the one that the service has shown first: another one would begin with a history of its own. */
async function isFirstLog({ db }: OwnLog, key: string): Promise<boolean> {
  const value = createHash("sha256").update(key).digest("hex");
  await db
    .insertInto("meta")
    .values({ key: "service_log", value })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  const known = await db.selectFrom("meta").select("value").where("key", "=", "service_log").executeTakeFirstOrThrow();
  return known.value === value;
}
