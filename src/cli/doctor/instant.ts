/** The last second that a date of this language can name, from 1970 on, and the first one before. */
const namedSecondsMax = 8_640_000_000_000n;

/** A time of Unix seconds in words: its date, or its number where it is too far away for one. */
export function describeInstant(unixSeconds: bigint): string {
  return unixSeconds > namedSecondsMax || unixSeconds < -namedSecondsMax
    ? `second ${unixSeconds} of Unix time`
    : new Date(Number(unixSeconds) * 1_000).toISOString();
}
