import type { SandboxClock } from "@trellis/sdk";
import { texts } from "../texts.js";
import { useRead } from "./reads.js";
import { usePlace } from "./session.js";

/** A point in time with its weekday and zone: for what may be far from the reader's own time. ISO 8601. */
export function ZonedMoment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {spellZoned(at)}
    </time>
  );
}

/** The same as text: in the reader's zone, which it names. */
export const spellZoned = (at: string): string => format.format(new Date(at));

const format = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** The sandbox's time, as it was read last; other environments have that of the world. */
export function useClock() {
  const isSandbox = usePlace().environment === "sandbox";
  return useRead<SandboxClock>("/sandbox/clock", {}, { everyMs: 15_000, enabled: isSandbox });
}

/** Clocks that differ by less tell the same time. */
const sameWithinMs = 120_000;

/** Says what time the service has, where the reader's clock has another. */
export function ClockNotice() {
  const { data, dataUpdatedAt } = useClock();
  if (data === undefined || Math.abs(Date.parse(data.now) - dataUpdatedAt) < sameWithinMs) return null;
  return (
    <p className="notice">
      {texts.clock.differs} <ZonedMoment at={data.now} />
    </p>
  );
}
