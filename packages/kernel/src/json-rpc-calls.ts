/**
 * How many calls a JSON-RPC text makes: one, or those of a batch; undefined where it is no JSON. Nothing else is read of it,
 * and however deep it is, it takes time by its length only.
 */
export function countCalls(text: string): number | undefined {
  try {
    const payload: unknown = JSON.parse(text);
    return Array.isArray(payload) ? payload.length : 1;
  } catch {
    return undefined;
  }
}

/** The id of a question that is answered without being processed: null for a batch, undefined where it wants no answer. */
export function idOfCall(text: string): string | number | null | undefined {
  try {
    const question = JSON.parse(text) as { readonly id?: unknown } | null;
    if (question === null || Array.isArray(question)) return null;
    const { id } = question;
    return typeof id === "string" || typeof id === "number" ? id : undefined;
  } catch {
    return undefined;
  }
}
