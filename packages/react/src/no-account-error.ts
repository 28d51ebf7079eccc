/** The wallet that signed in signs for no account here, or not for the one that was named. */
export class NoAccountError extends Error {
  override readonly name = "NoAccountError";

  constructor() {
    super("this wallet signs for no such account");
  }
}
