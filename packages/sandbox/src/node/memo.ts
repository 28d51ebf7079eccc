import type { CheckedMessage } from "./guard.js";

/** The memo program that every VM here has. */
export const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const memoPrograms: ReadonlySet<string> = new Set([memoProgram, "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"]);

/** The memos of a transaction as getSignaturesForAddress shows them: `[length] text`, joined by `; `. */
export function memoOf(message: CheckedMessage): string | null {
  const memos = message.instructions
    .filter(({ programIndex }) => memoPrograms.has(message.staticAddresses[programIndex] ?? ""))
    // PostgreSQL's text cannot hold the character 0.
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString("utf8").replaceAll("\0", "\uFFFD")}`);
  return memos.length === 0 ? null : memos.join("; ");
}
