import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import { describe, expect, it } from "vitest";
import { createLogger, createPinoLog } from "../log/pino-log.js";
import { createOutage } from "./outage.js";

const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });

describe("a database that does not answer", () => {
  it("is reported once when it is lost and once when it is back, whatever fails meanwhile", () => {
    const { log, outage, advance, events } = open();
    for (let number = 0; number < 100; number += 1) {
      outage.lost(refused);
      log.error(
        { event: "pass_failed", err: new DatabaseUnavailable({ cause: refused, isLost: true }) },
        "scheduled pass failed",
      );
      advance(100);
    }
    outage.answered();
    expect(events()).toEqual([
      { level: "error", event: "database_lost", code: "ECONNREFUSED", reason: refused.message },
    ]);
    advance(1_000);
    outage.answered();
    outage.answered();
    expect(events().slice(1)).toEqual([{ level: "warn", event: "database_back", seconds: 10, failures: 100 }]);
    outage.lost(refused);
    expect(events()).toHaveLength(3);
  });

  it("does not hide a statement that takes too long, or anything else that fails", () => {
    const { log, events } = open();
    const slow = new DatabaseUnavailable({ cause: new Error("canceling statement") });
    log.error({ event: "pass_failed", err: slow }, "scheduled pass failed");
    log.error({ event: "pass_failed", err: new Error("a bug") }, "scheduled pass failed");
    expect(events()).toHaveLength(2);
  });
});

function open() {
  let now = 0;
  const lines: string[] = [];
  const log = createPinoLog(createLogger("info", { write: (line) => lines.push(line) }));
  const outage = createOutage(log, { now: () => now });
  const advance = (ms: number) => {
    now += ms;
  };
  const events = () =>
    lines.map((line) => JSON.parse(line)).map(({ level, time: _, msg: __, ...rest }) => ({ level, ...rest }));
  return { log, outage, advance, events };
}
