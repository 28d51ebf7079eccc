import { userInfo } from "node:os";
import { parseConfig } from "../config/config.js";
import { listFailedRefunds, settleRefund } from "../operator/settle-refunds.js";
import type { Acknowledgement, FailedRefunds, Settlement } from "../rails/failed-refunds.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `trellis rails refunds`: what a bank returned, could not be given back, and no operator has seen to (gap 132). Throws
 * `DataDirectoryInUseError` while the service runs on the embedded database.
 */
export async function listRefunds(environment: Environment): Promise<void> {
  process.stdout.write(describeRefunds(await listFailedRefunds(parseConfig(environment))));
}

/** A line for each, and a last one where there are more; banks' words stay sealed, as they may name people. */
export function describeRefunds({ refunds, isWhole }: FailedRefunds): string {
  if (refunds.length === 0) return "There is no failed refund that is not settled.\n";
  const lines = refunds.map(
    ({ id, kind, why, tenant_id: tenant, environment, partner, partner_ref: ref, amount, currency, since }) =>
      `${id}  ${kind}  ${tenant}  ${environment}  ${amount} ${currency}  since ${instant(since)}  ` +
      `${why === "astray" ? `${partner} moves it no further` : `a bank gave it back, and ${partner} could not give it back`}: ` +
      `ask for ${ref ?? id}`,
  );
  if (!isWhole) lines.push("These are the oldest. There are more: they are listed once these are settled.");
  return `${lines.join("\n")}\n`;
}

/**
 * `trellis rails refunds settle`: says who has seen to it, and ends with 1 where that is not by this call and not in these
 * words, or where there is nothing to see to.
 */
export async function settleOne(
  environment: Environment,
  id: string,
  { note, by }: { readonly note: string; readonly by: string | undefined },
): Promise<void> {
  const word = { note: note.trim(), by: by?.trim() || systemUser() };
  const { text, isDone } = describeSettlement(id, word.note, await settleRefund(parseConfig(environment), id, word));
  (isDone ? process.stdout : process.stderr).write(`${text}\n`);
  if (!isDone) process.exitCode = 1;
}

/** What is said of it, and whether these words stand. */
export function describeSettlement(
  id: string,
  note: string,
  made: Settlement | undefined,
): { readonly text: string; readonly isDone: boolean } {
  if (made === undefined) return { text: `There is neither a payment nor a payout ${id}.`, isDone: false };
  const { acknowledged, isDone, state } = made;
  if (acknowledged === null) return { text: `${id} is no refund that failed: it is ${state}.`, isDone: false };
  if (isDone) return { text: `${id} is seen to: ${wordsOf(acknowledged)}.`, isDone };
  const text = `${id} was seen to before: ${wordsOf(acknowledged)}. Nothing was changed.`;
  return { text, isDone: acknowledged.acknowledged_for === note };
}

const wordsOf = ({ acknowledged_at_real: at, acknowledged_by: by, acknowledged_for: note }: Acknowledgement): string =>
  `${instant(at)}, ${by}, "${note}"`;

const instant = (at: bigint): string => new Date(Number(at)).toISOString();

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
