import { findCheckpoint } from "@trellis/kernel/tlog/log-store.js";
import { formatVkey, type NoteSigner, verifierOf } from "@trellis/kernel/tlog/note.js";
import { openKeyring } from "../adapters/keyring.js";
import { createRealClock } from "../adapters/system.js";
import { type AcceptReport, decideOnLog } from "../audit/accept-log.js";
import { auditLog, logSigner, witnessSigner } from "../audit/log-key.js";
import { signLog } from "../audit/publish-entries.js";
import { type LogReport, verifyLog } from "../audit/verify-log.js";
import type { Config } from "../config/config.js";
import { withDatabase } from "./with-database.js";

/** The key that verifies checkpoints of the audit log, as tools of others take it. */
export function readLogKey(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => formatVkey(verifierOf(await signerOf(config, db), "ed25519")));
}

/** The key that verifies what this service cosigns of logs of others. */
export function readWitnessKey(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const signer = witnessSigner(await openKeyring(config, db), config.auditOrigin);
    return formatVkey(verifierOf(signer, "cosignature/v1"));
  });
}

/** Gives all entries their leaves, signs a checkpoint where there is something new, and returns the last one. */
export function takeCheckpoint(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    const auditSigner = await signerOf(config, db);
    await signLog({ db, realClock: createRealClock(), auditSigner });
    return (await findCheckpoint(db, auditLog)) ?? "";
  });
}

/** Checks the whole log, also against checkpoints that were kept elsewhere. Changes nothing. */
export function verifyAuditLog(config: Config, kept: readonly string[]): Promise<LogReport> {
  return withDatabase(config, async ({ db }) => verifyLog(db, verifierOf(await signerOf(config, db), "ed25519"), kept));
}

/** Says which logs of custodians were refused here; with a root, believes the one that has it. */
export function acceptCustodianLog(config: Config, root: string | undefined): Promise<AcceptReport> {
  return withDatabase(config, ({ db }) =>
    decideOnLog(db, "trellis audit accept", { root, now: createRealClock().now() }),
  );
}

async function signerOf(config: Config, db: Parameters<typeof openKeyring>[1]): Promise<NoteSigner> {
  return logSigner(await openKeyring(config, db), config.auditOrigin);
}
