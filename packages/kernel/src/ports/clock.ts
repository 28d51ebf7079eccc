/**
 * A source of time. Every environment has its own (chain time, codes, sessions, due dates); real time is a second one
 * for rate limits, idempotency and webhook headers (gap 50). Only the sandbox's can be moved.
 */
export interface Clock {
  /** Unix milliseconds, an integer, never going backwards. */
  now(): number;
}
