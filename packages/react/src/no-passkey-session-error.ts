/** A payment was to be signed by the session of a passkey, and there is none on this page. */
export class NoPasskeySessionError extends Error {
  override readonly name = "NoPasskeySessionError";

  constructor() {
    super("no session of a passkey is open here");
  }
}
