/** What keeps the doctor from an answer, in words for the operator who runs it. */
export class DoctorError extends Error {
  override readonly name = "DoctorError";
}

/** Ends the examination when a node's answer cannot be true, whatever it is about. */
export function assertTrue(condition: unknown, what: string): asserts condition {
  if (!condition) throw new DoctorError(`The node contradicts itself: ${what}. Nothing it says can be relied on.`);
}
