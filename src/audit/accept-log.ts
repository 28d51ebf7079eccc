import { Buffer } from "node:buffer";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import {
  closeRefused,
  listRefused,
  lockRefused,
  type RefusedLog,
  takeAsSeen,
} from "@trellis/kernel/tlog/refused-logs.js";
import { asActor, recordEntry } from "./actor.js";

/** What an operator has decided about a log that was refused. */
export interface Acceptance {
  /** The log that is believed from now on: the one that was shown, or the one that had been seen before. */
  readonly believed: "shown" | "seen";
  readonly refused: RefusedLog;
}

/** What follows in the transaction, where another log is believed than before. */
export type AfterAcceptance = (trx: Trx, refused: RefusedLog) => Promise<void>;

/**
 * Believes the log with this root from now on: one that was refused, or the one that had been seen before it. Undefined where none with
 * this root waits for a decision, also when another process has just decided. What was refused stays recorded, with what had been seen,
 * and the decision is an entry of the audit log. The witness compares and writes in one statement, so that it may run beside this.
 */
export function acceptLog(
  db: Db,
  { root, now, after }: { readonly root: string; readonly now: number; readonly after?: AfterAcceptance },
): Promise<Acceptance | undefined> {
  return asActor(db, "operator", async (trx) => {
    const open = await lockRefused(trx);
    const shown = open.find((one) => textOf(one.shown.root) === root);
    const refused = shown ?? open.findLast((one) => textOf(one.seen.root) === root);
    if (refused === undefined) return undefined;
    const believed = shown === undefined ? "seen" : "shown";
    if (believed === "shown") {
      await takeAsSeen(trx, refused, now);
      await after?.(trx, refused);
    }
    await closeRefused(trx, refused.seen.origin, now);
    await recordEntry(trx, {
      tenantId: null,
      kind: "log.accepted",
      subject: `log/${refused.shown.origin}`,
      details: detailsOf(refused, believed),
    });
    return { believed, refused };
  });
}

function detailsOf({ shown, seen, reason }: RefusedLog, believed: Acceptance["believed"]) {
  return {
    believed,
    reason,
    seen: { log: seen.origin, size: seen.size, root: textOf(seen.root) },
    shown: { log: shown.origin, size: shown.size, root: textOf(shown.root) },
    entries_lost: lostOf({ shown, seen }),
  };
}

/** The entries that were seen and that the shown log cannot have. It may lack more: where it was longer again when it was shown. */
export const lostOf = ({ shown, seen }: Pick<RefusedLog, "shown" | "seen">): number =>
  Math.max(0, seen.size - shown.size);

const textOf = (hash: Uint8Array): string => Buffer.from(hash).toString("base64");
const instant = (at: number | undefined): string => (at === undefined ? "" : `, ${new Date(at).toISOString()}`);

/** What waits for a decision, for an operator, and how to decide. `command` is the one that accepts. Empty: nothing does. */
export async function describeRefused(db: Db, command: string): Promise<string> {
  const open = await listRefused(db);
  const origins = [...new Set(open.map(({ seen }) => seen.origin))];
  const describe = (origin: string) =>
    describeLog(
      origin,
      open.filter(({ seen }) => seen.origin === origin),
      command,
    );
  return origins.map(describe).join("\n");
}

const because: Readonly<Record<RefusedLog["reason"], string>> = {
  shorter: "was refused: it has fewer entries than were seen of it.",
  other: "was refused: its key has signed two histories.",
  renamed: "was refused: it has another name or key than the log that is cosigned here.",
};

function describeLog(origin: string, refused: readonly RefusedLog[], command: string): string {
  const [first, last] = [refused[0], refused.at(-1)];
  if (first === undefined || last === undefined) return "";
  const lost = Math.max(...refused.map(lostOf));
  const shownLine = ({ shown, firstAt }: RefusedLog) =>
    `    refused  ${shown.size} entries, root ${textOf(shown.root)}${instant(firstAt)}`;
  const seenRoots = [...new Map(refused.map((one) => [textOf(one.seen.root), one])).values()];
  return [
    `The log ${last.shown.origin} ${because[last.reason]}`,
    ...seenRoots.map(
      ({ seen }) => `    seen     ${seen.size} entries, root ${textOf(seen.root)}${instant(seen.at)}, as ${origin}`,
    ),
    shownLine(first),
    ...(last === first ? [] : [shownLine(last)]),
    `  ${lost === 0 ? "It is as long as what was seen, or longer: how many entries differ is not known." : `At least ${lost} entries that were seen are not in it.`}`,
    `  Its database was put back on purpose? Accept what was refused: ${command} --root ${textOf(last.shown.root)}`,
    `  What was seen is right, and is shown again?  Keep it:          ${command} --root ${textOf(last.seen.root)}`,
    "",
  ].join("\n");
}

/** What became of a command that accepts. */
export interface AcceptReport {
  readonly text: string;
  readonly isDone: boolean;
}

/** Without a root says what waits for a decision; with one decides. */
export async function decideOnLog(
  db: Db,
  command: string,
  { root, now, after }: { readonly root: string | undefined; readonly now: number; readonly after?: AfterAcceptance },
): Promise<AcceptReport> {
  const waiting = await describeRefused(db, command);
  const none = "No log was refused: there is nothing to accept.\n";
  if (root === undefined) {
    return waiting === ""
      ? { text: none, isDone: true }
      : { text: `${waiting}\nNothing was changed.\n`, isDone: false };
  }
  const accepted = await acceptLog(db, { root, now, ...(after === undefined ? {} : { after }) });
  if (accepted === undefined) {
    const text = waiting === "" ? none : `No refused log has this root.\n\n${waiting}\nNothing was changed.\n`;
    return { text, isDone: false };
  }
  const { believed, refused } = accepted;
  const head = refused[believed];
  const text =
    `Believed from now on: ${head.origin} with ${head.size} entries, root ${textOf(head.root)}.\n` +
    "Both checkpoints stay recorded, and the decision is an entry of the audit log.\n";
  return { text, isDone: true };
}
