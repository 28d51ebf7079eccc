import type { CustodianLog } from "@trellis/kernel/ports/custodian-log.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { openCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { createWitnessStore, findLog, readTree } from "@trellis/kernel/tlog/log-store.js";
import { isConsistent, isSame, rootOf } from "@trellis/kernel/tlog/merkle.js";
import { parseVkey } from "@trellis/kernel/tlog/note.js";
import { listRefused } from "@trellis/kernel/tlog/refused-logs.js";
import { faultOf, notGrown } from "./cosign-custodians.js";
import { auditLog } from "./log-key.js";

const theirsPutBack =
  "Was its database put back? Run trellis custodian audit verify there; where it was put back on purpose, run trellis audit accept here.";
const oursPutBack =
  "Was this service's database put back? Run trellis audit verify here; where it was put back on purpose, run trellis custodian audit accept there.";

/**
 * Holds a custodian's log against what the service has seen of it, and the service's log against what the custodian has seen. Changes
 * nothing. Each sentence is a contradiction, with what to do; none: both are what they were.
 */
export async function compareLogs(db: Db, theirs: CustodianLog): Promise<readonly string[]> {
  const fault = (await compareTheirs(db, theirs)) ?? (await findSplit(db, theirs));
  const found = [fault, await compareOurs(db, theirs)];
  return found.filter((sentence) => sentence !== undefined);
}

async function compareTheirs(db: Db, theirs: CustodianLog): Promise<string | undefined> {
  const verifier = parseVkey((await theirs.getKeys()).logKey);
  if (verifier?.kind !== "ed25519" || verifier.name !== theirs.origin) {
    return "It names keys that are not of its identity: something else answers in its place, or its files were mixed up.";
  }
  const seen = await createWitnessStore(db).find(theirs.origin);
  const { checkpoint: note, proof } = await theirs.proveGrowth(seen.size);
  const shown = note === null ? undefined : openCheckpoint(note, verifier);
  if (note !== null && shown === undefined) return "Its checkpoint is not signed by the key of its log.";
  const fault = faultOf(seen, shown)?.text;
  if (fault !== undefined) return sentence(fault, theirsPutBack);
  const hasGrown = shown === undefined || seen.size === 0 || isConsistent(seen, shown, proof);
  return hasGrown ? undefined : sentence(notGrown(seen, shown), theirsPutBack);
}

async function compareOurs(db: Db, theirs: CustodianLog): Promise<string | undefined> {
  const seen = await theirs.getServiceLog();
  if (seen === undefined || seen === null) return undefined;
  if (seen.refused === "renamed") {
    return `It cosigns the log ${seen.origin}, and the service's has another name or key now. Where that is meant, run trellis custodian audit accept there.`;
  }
  // Read after what was seen: it has only grown since.
  const size = (await findLog(db, auditLog))?.size ?? 0;
  if (seen.size > size) {
    return sentence(`it has seen ${seen.size} entries of the service's log, and here are ${size}`, oursPutBack);
  }
  if (seen.size > 0 && !isSame(await rootOf(seen.size, readTree(db, auditLog)), seen.root)) {
    return sentence(`it has seen another log of the service, of ${seen.size} entries`, oursPutBack);
  }
  if (seen.refused !== "other") return undefined;
  return sentence(
    "the service's key has signed another history, which it has refused",
    splitView("there", "custodian "),
  );
}

/** Evidence stays, also where the log that is shown now is what was seen. */
async function findSplit(db: Db, theirs: CustodianLog): Promise<string | undefined> {
  const split = (await listRefused(db)).some(
    ({ shown, reason }) => shown.origin === theirs.origin && reason === "other",
  );
  return split ? sentence("its key has signed two histories of its log", splitView("here", "")) : undefined;
}

const splitView = (where: string, side: string) =>
  `Who holds that key shows different logs to different readers, or a database was put back. Both checkpoints are kept ${where}: run trellis ${side}audit accept.`;

const sentence = (fault: string, advice: string): string =>
  `${fault.slice(0, 1).toUpperCase()}${fault.slice(1)}. ${advice}`;
