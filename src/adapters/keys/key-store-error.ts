/**
 * Why a key store did not do what it was asked. `refused`: it will not, until its operator or ours changes something.
 * `unavailable`: it may the next time. `wrong`: its answer is not what it would have to be. The message is for the
 * operator: it holds no secret, and nothing that the key store wrote.
 */
export class KeyStoreError extends Error {
  override readonly name = "KeyStoreError";
  constructor(
    readonly kind: "refused" | "unavailable" | "wrong",
    message: string,
  ) {
    super(message);
  }
}
