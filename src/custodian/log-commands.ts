import type { Db } from "@trellis/kernel/ports/database.js";
import { findCheckpoint } from "@trellis/kernel/tlog/log-store.js";
import { formatVkey, verifierOf } from "@trellis/kernel/tlog/note.js";
import { openKeyring } from "../adapters/keyring.js";
import { readKeyFolder } from "../adapters/kms/key-folder.js";
import { createRealClock } from "../adapters/system.js";
import { type AcceptReport, decideOnLog } from "../audit/accept-log.js";
import { auditLog } from "../audit/log-key.js";
import { type LogReport, verifyLog } from "../audit/verify-log.js";
import type { CustodianConfig } from "../config/custodian.js";
import { noKeyStores } from "../config/key-stores.js";
import { takeServiceLog } from "./log-handlers.js";
import { openCustodianDatabase } from "./open-custodian-database.js";
import { type OwnLog, openOwnLog, signOwnLog } from "./own-log.js";

/** The key that verifies checkpoints of a custodian's own log. */
export const readCustodianLogKey = (config: CustodianConfig): Promise<string> =>
  withLog(config, async ({ signer }) => formatVkey(verifierOf(signer, "ed25519")));

/** The key that verifies what a custodian cosigns of the service's log. */
export const readCustodianWitnessKey = (config: CustodianConfig): Promise<string> =>
  withLog(config, async ({ witness }) => formatVkey(verifierOf(witness, "cosignature/v1")));

/** Signs a checkpoint over everything until now, and returns the last one. */
export const takeCustodianCheckpoint = (config: CustodianConfig): Promise<string> =>
  withLog(config, async (log) => {
    await signOwnLog(log);
    return (await findCheckpoint(log.db, auditLog)) ?? "";
  });

/** Checks the whole log, also against checkpoints that were kept elsewhere. Changes nothing. */
export const verifyCustodianLog = (config: CustodianConfig, kept: readonly string[]): Promise<LogReport> =>
  withLog(config, async ({ db, signer }) => verifyLog(db, verifierOf(signer, "ed25519"), kept));

/** Says whether the service's log was refused here; with a root, believes the one that has it. */
export const acceptServiceLog = (config: CustodianConfig, root: string | undefined): Promise<AcceptReport> =>
  withLog(config, ({ db, clock }) =>
    decideOnLog(db, "trellis custodian audit accept", {
      root,
      now: clock.now(),
      after: (trx, { shown }) => takeServiceLog(trx, shown.logKey),
    }),
  );

async function withLog<T>(config: CustodianConfig, work: (log: OwnLog) => Promise<T>): Promise<T> {
  const keys = await readKeyFolder(config.keyFolder);
  const database = await openCustodianDatabase(config);
  try {
    const db: Db = database.db;
    const keyring = await openKeyring({ ...config, keyStores: noKeyStores }, db);
    return await work(openOwnLog(db, keyring, keys, createRealClock()));
  } finally {
    await database.close();
  }
}
