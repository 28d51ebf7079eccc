import { allOf } from "@trellis/kernel/each-of.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { CustodianLog } from "@trellis/kernel/ports/custodian-log.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { askWitness } from "@trellis/kernel/tlog/ask-witness.js";
import { openCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { createWitnessStore } from "@trellis/kernel/tlog/log-store.js";
import { isSame, type TreeHead } from "@trellis/kernel/tlog/merkle.js";
import { formatVkey, type NoteSigner, type NoteVerifier, parseVkey, verifierOf } from "@trellis/kernel/tlog/note.js";
import { forgetShorter, noteRefused, type RefusalReason } from "@trellis/kernel/tlog/refused-logs.js";
import { addCheckpoint, formatAddCheckpoint } from "@trellis/kernel/tlog/witness.js";
import { auditLog } from "./log-key.js";

/** The logs of custodians in processes of their own. */
export interface CustodianLogs {
  readonly logs: readonly CustodianLog[];
  /** What cosigns them. */
  readonly cosigner: NoteSigner;
  /** What was last wrong with each, by the custodian's name: for the service's readiness. */
  readonly faults: Map<string, string>;
}

/** What cosigning asks of the world. */
export interface CosignNeeds {
  readonly db: Db;
  readonly realClock: Clock;
  readonly log: Log;
  readonly auditSigner: NoteSigner;
  readonly custodianLogs: CustodianLogs;
}

/**
 * Service and custodians watch each other's logs: each cosigns what the other shows it, if that has only grown. A custodian whose log is
 * shorter than it was, or another one, was put back to an older state or shows several: then the cause is in the log and in `faults`.
 */
export async function cosignCustodians(needs: CosignNeeds): Promise<void> {
  const { log, custodianLogs } = needs;
  await allOf(
    custodianLogs.logs.map(async (theirs) => {
      const { name: custodian } = theirs;
      if (!theirs.isRunning()) return;
      try {
        const fault = await cosignEachOther(needs, theirs);
        if (fault === undefined) {
          custodianLogs.faults.delete(custodian);
          return;
        }
        custodianLogs.faults.set(custodian, fault);
        // operator: run trellis custodian audit verify there and trellis audit verify here. Was one of the two databases put back?
        log.error(
          { event: "custodian_log_refused", custodian, reason: fault },
          "log of a custodian is not what it was",
        );
      } catch (error) {
        log.warn({ event: "custodian_log_unreachable", err: error, custodian }, "custodian's log was not read");
      }
    }),
  );
}

async function cosignEachOther(needs: CosignNeeds, theirs: CustodianLog): Promise<string | undefined> {
  const { logKey, witnessKey } = await theirs.getKeys();
  const [log, witness] = [parseVkey(logKey), parseVkey(witnessKey)];
  const isTheirs =
    log?.kind === "ed25519" &&
    log.name === theirs.origin &&
    witness?.kind === "cosignature/v1" &&
    witness.name === theirs.witnessName;
  if (!isTheirs) return "it names keys that are not of its identity";
  // Each whatever the other found.
  const faults = [await cosignTheirs(needs, theirs, log), await haveOursCosigned(needs, theirs, witness)];
  return faults.find((fault) => fault !== undefined);
}

async function haveOursCosigned(
  { db, realClock, auditSigner }: CosignNeeds,
  theirs: CustodianLog,
  verifier: NoteVerifier,
): Promise<string | undefined> {
  const ourKey = formatVkey(verifierOf(auditSigner, "ed25519"));
  const send = (body: string) => theirs.addCheckpoint(ourKey, body);
  const verdict = await askWitness(db, auditLog, { verifier, send, now: realClock.now() });
  return verdict.kind === "refused" ? `it does not cosign the service's log: ${verdict.reason}` : undefined;
}

async function cosignTheirs(
  { db, realClock, custodianLogs }: CosignNeeds,
  theirs: CustodianLog,
  verifier: NoteVerifier,
): Promise<string | undefined> {
  const store = createWitnessStore(db);
  const seen = await store.find(theirs.origin);
  const { checkpoint: note, proof } = await theirs.proveGrowth(seen.size);
  const shown = note === null ? undefined : openCheckpoint(note, verifier);
  if (note !== null && shown === undefined) return "its checkpoint is not signed by the key of its log";
  const fault = faultOf(seen, shown);
  // What it has signed is evidence, and stays: see `refused-logs.ts`.
  const keep = async (reason: RefusalReason): Promise<void> => {
    if (note === null || shown === undefined) return;
    const { size, root } = shown;
    const { origin } = theirs;
    const said = {
      shown: { origin, logKey: formatVkey(verifier), size, root, note },
      seen: { origin, ...seen },
      reason,
    };
    await noteRefused(db, said, realClock.now());
  };
  if (fault !== undefined) {
    await keep(fault.reason);
    return fault.text;
  }
  if (note === null || shown === undefined) return undefined;
  if (shown.size === seen.size) {
    await forgetShorter(db, theirs.origin);
    return undefined;
  }
  const witness = {
    signer: custodianLogs.cosigner,
    logs: [{ origin: theirs.origin, verifier }],
    store,
    now: () => realClock.now(),
  };
  const { status, body } = await addCheckpoint(
    witness,
    formatAddCheckpoint({ old: seen.size, proof, checkpoint: note }),
  );
  // Another process of this service was first.
  if (status === 409) return undefined;
  if (status !== 200) {
    await keep("other");
    return notGrown(seen, shown);
  }
  await forgetShorter(db, theirs.origin);
  const witnessKey = formatVkey(verifierOf(custodianLogs.cosigner, "cosignature/v1"));
  const isKept = await theirs.keepCosignature({ witnessKey, checkpoint: note, line: body.trim() });
  return isKept ? undefined : "it does not believe the service's cosignature";
}

/** What can be said of a log that is no longer than what was seen of it. */
export function faultOf(
  seen: TreeHead,
  shown: TreeHead | undefined,
): { readonly reason: RefusalReason; readonly text: string } | undefined {
  const size = shown?.size ?? 0;
  if (size < seen.size) return { reason: "shorter", text: `its log has ${size} entries, and ${seen.size} were seen` };
  const isOther = shown !== undefined && size === seen.size && !isSame(shown.root, seen.root);
  return isOther ? { reason: "other", text: `its log of ${size} entries is another one than was seen` } : undefined;
}

export const notGrown = (seen: TreeHead, shown: TreeHead): string =>
  `its log of ${shown.size} entries does not begin with the ${seen.size} that were seen`;
