import type { ErrorDetail, TrellisErrorCode } from "./wire.js";

/** The service refused or failed: every answer that is not 2xx (gap 3). */
export class TrellisApiError extends Error {
  override readonly name = "TrellisApiError";
  /** HTTP status. */
  readonly status: number;
  /**
   * Permanent snake_case code; `unexpected_response` when the answer was not the service's error body. A service newer than
   * this library may know others, so handle those that you do not.
   */
  readonly code: TrellisErrorCode | "unexpected_response" | (string & Record<never, never>);
  readonly details: readonly ErrorDetail[];
  /** To be quoted when asking for help; undefined when the answer carried none. */
  readonly requestId: string | undefined;
  /** After how many seconds the service says to try again, where it says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly details: readonly ErrorDetail[];
    readonly requestId: string | undefined;
    readonly retryAfterSeconds?: number | undefined;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.details = answer.details;
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** No answer arrived after every attempt. Whether the last attempt took effect is unknown. */
export class TrellisNetworkError extends Error {
  override readonly name = "TrellisNetworkError";
}
