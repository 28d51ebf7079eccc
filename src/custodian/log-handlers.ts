import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
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
import { isSame, type TreeHead } from "@trellis/kernel/tlog/merkle.js";
import {
  findSignature,
  formatVkey,
  type NoteVerifier,
  parseSignatureLine,
  parseVkey,
  verifierOf,
} from "@trellis/kernel/tlog/note.js";
import { forgetShorter, listRefused, noteRefused, type RefusalReason } from "@trellis/kernel/tlog/refused-logs.js";
import { tilePath } from "@trellis/kernel/tlog/tile.js";
import { addCheckpoint, parseAddCheckpoint } from "@trellis/kernel/tlog/witness.js";
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
      service_log: await readServiceLog(ownLog),
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
    if (status === 200) await forgetShorter(db, verifier.name);
    else await noteRefusal(ownLog, { verifier, logKey: body.log_key, request: body.request, isKnown, status });
    // 409: the service has missed an answer, and asks again with the size that it is given; what it shows then is another log.
    if (status !== 200 && status !== 409) {
      // operator: run trellis audit verify at the service: its log is not the one that was cosigned here, or its key is another one. trellis custodian audit accept shows both
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

/** What was seen of the service's log. One log is cosigned here, and no other. */
async function readServiceLog({ db }: OwnLog): Promise<NonNullable<OperationAnswer<"getLog">["service_log"]> | null> {
  const seen = await findServiceLog(db);
  if (seen === undefined) return null;
  const refused = (await listRefused(db)).at(-1)?.reason ?? null;
  return { origin: seen.origin, size: seen.size, root: Buffer.from(seen.root).toString("base64"), refused };
}

async function findServiceLog(db: Db): Promise<(TreeHead & { readonly origin: string }) | undefined> {
  const row = await db
    .selectFrom("tlog_witnessed")
    .select(["origin", "size", "root"])
    .orderBy("size", "desc")
    .executeTakeFirst();
  return row && { origin: row.origin, size: Number(row.size), root: new Uint8Array(row.root) };
}

/**
 * Keeps what contradicts what was seen, as its key has signed it. A shorter log can be an answer that came late: it is forgotten once the log
 * goes on from what was seen.
 */
async function noteRefusal(
  { db, clock }: OwnLog,
  given: {
    readonly verifier: NoteVerifier;
    readonly logKey: string;
    readonly request: string;
    readonly isKnown: boolean;
    readonly status: number;
  },
): Promise<void> {
  const { verifier, logKey, isKnown, status } = given;
  const note = parseAddCheckpoint(given.request)?.checkpoint;
  const shown = note === undefined ? undefined : openCheckpoint(note, verifier);
  const seen = await findServiceLog(db);
  if (note === undefined || shown === undefined || seen === undefined) return;
  const reason = isKnown ? contradictionOf(seen, shown, status) : "renamed";
  if (reason === undefined) return;
  const { size, root } = shown;
  await noteRefused(db, { shown: { origin: verifier.name, logKey, size, root, note }, seen, reason }, clock.now());
}

/** Undefined: the service has not known what was seen, and asks again. */
function contradictionOf(seen: TreeHead, shown: TreeHead, status: number): RefusalReason | undefined {
  if (status === 422) return "other";
  if (status !== 409) return undefined;
  if (shown.size < seen.size) return "shorter";
  return shown.size === seen.size && !isSame(shown.root, seen.root) ? "other" : undefined;
}

/** From now on the log of this key is the service's. */
export async function takeServiceLog(trx: Trx, key: string): Promise<void> {
  await trx
    .updateTable("meta")
    .set({ value: pinOf(key) })
    .where("key", "=", "service_log")
    .execute();
}

const pinOf = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Whether a log is the one that the service has shown first: another one would begin with a history of its own. */
async function isFirstLog({ db }: OwnLog, key: string): Promise<boolean> {
  const value = pinOf(key);
  await db
    .insertInto("meta")
    .values({ key: "service_log", value })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  const known = await db.selectFrom("meta").select("value").where("key", "=", "service_log").executeTakeFirstOrThrow();
  return known.value === value;
}
