/** Another payment of the same slot is under way, here or in another tab. Nothing was paid for the call that rejects so. */
export class PaymentUnderWayError extends Error {
  override readonly name = "PaymentUnderWayError";

  constructor() {
    super("another payment is under way; wait for its end, or use another name for this one");
  }
}
