/**
 * Why something could not be done, with what led to it: `fetch failed` says nothing, and `connect ECONNREFUSED 127.0.0.1:8899`
 * behind it everything.
 */
export function whyOf(error: unknown): string {
  const reasons: string[] = [];
  for (let one: unknown = error, depth = 0; one !== undefined && one !== null && depth < 4; depth += 1) {
    const { message, code, cause } = one as { message?: unknown; code?: unknown; cause?: unknown };
    // Where a name has several addresses, the errors of all of them stand in one without a message.
    const reason = [message, code].find((text) => typeof text === "string" && text !== "") ?? String(one);
    if (!reasons.some((said) => said.includes(String(reason)))) reasons.push(String(reason));
    one = one instanceof Error ? cause : undefined;
  }
  return reasons.join(": ");
}
