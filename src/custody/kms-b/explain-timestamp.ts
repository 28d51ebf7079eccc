import { limits } from "@trellis/kernel/limits.js";

/** What is wrong with the time a stamp names, by the mistakes that are known to happen. */
export function explainTimestamp(text: string, realNow: number): string | undefined {
  const tolerance = limits.kmsTimestampToleranceMs;
  if (!/^(0|[1-9][0-9]*)$/.test(text)) {
    const isDate = /^[0-9]{4}-|[A-Za-z]{3}/.test(text) && !Number.isNaN(Date.parse(text));
    const what = isDate
      ? "a date"
      : /^[0-9]+[.eE]/.test(text)
        ? "a number with a fraction or an exponent"
        : "no number";
    return `timestamp_ms is ${what}, not the Unix time in whole milliseconds.`;
  }
  const milliseconds = Number(text);
  const isNear = (time: number) => Math.abs(time - realNow) <= tolerance;
  if (isNear(milliseconds)) return undefined;
  if (isNear(milliseconds * 1_000)) return "timestamp_ms is in seconds, not in milliseconds.";
  if (isNear(milliseconds / 1_000)) return "timestamp_ms is in microseconds, not in milliseconds.";
  if (isNear(milliseconds / 1_000_000)) return "timestamp_ms is in nanoseconds, not in milliseconds.";
  const off = Math.round((milliseconds - realNow) / 1_000);
  const seconds = `${Math.abs(off)} seconds ${off < 0 ? "before" : "after"} the service's clock`;
  return `timestamp_ms lies more than five minutes from now: ${seconds}.`;
}
