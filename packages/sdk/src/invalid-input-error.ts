/**
 * What the caller gave cannot be meant: nothing was asked of the service. `code` is the one the service would answer, and `reason`
 * what about it, where an application can say it in words of its own.
 */
export class InvalidInputError extends TypeError {
  override readonly name = "InvalidInputError";
  readonly code: "invalid_amount" | "invalid_address" | "unsupported_currency";
  readonly reason: "comma" | "too_many_decimals" | undefined;

  constructor(code: InvalidInputError["code"], message: string, reason?: InvalidInputError["reason"]) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}
