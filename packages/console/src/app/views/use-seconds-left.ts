import { useEffect, useState } from "react";
import { secondsLeft } from "./countdown.js";

/**
 * How many of `seconds` are left, counted down from when they were read, in Unix milliseconds: what they are counted from is the service's
 * clock, and the page's own measures only what has passed since. Undefined as long as there is nothing to count.
 */
export function useSecondsLeft(seconds: number | undefined, readAtMs: number | undefined): number | undefined {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const isCounting = seconds !== undefined && seconds > 0;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isCounting]);
  if (seconds === undefined || readAtMs === undefined) return undefined;
  return secondsLeft(seconds, Math.max(0, nowMs - readAtMs));
}
