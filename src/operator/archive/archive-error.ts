/** Why an archive is not written, or not taken. The message is for the operator, and names no secret. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}
