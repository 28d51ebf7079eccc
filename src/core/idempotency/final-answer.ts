/**
 * Whether an answer is the last word on its request, to be stored and replayed (gap 6): successes and the caller's own
 * errors are. A missing session, a limit, a failure of ours and anything still in progress can turn out otherwise later.
 */
export function isFinalAnswer(status: number, code: string | undefined): boolean {
  if (status >= 200 && status < 300) return true;
  if (status < 400 || status >= 500 || status === 401 || status === 429) return false;
  return !(status === 409 && code?.endsWith("_in_progress"));
}
