import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { logCallsIn, logCallsOf } from "./support/log-calls.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { calls, faults } = logCallsIn(root);

/** Words of this code alone: an operator need not know them. */
const ownWords =
  /\b(?:tells?|told|looks?|looked|come|came|gone|whoever|nobody|somebody|anybody|everybody|by itself|taken|shown|letgo|let go|goon|go on|goes on)\b/i;

describe("a log call", () => {
  it("has a literal event first in its fields, a literal message, and what was thrown as err", () => {
    expect(faults).toEqual([]);
    expect(calls.length).toBeGreaterThan(140);
  });

  it("has an event in words of small letters, two at least, between underscores", () => {
    expect(said(calls.filter(({ event }) => !/^[a-z]+(?:_[a-z0-9]+)+$/.test(event)))).toEqual([]);
  });

  it("has the level and the message of every other call with its event", () => {
    const first = new Map(calls.map((call) => [call.event, call]));
    const others = calls.filter(({ event, level, message, operator }) => {
      const one = first.get(event);
      return one?.level !== level || one.message !== message || (operator && one.operator && one.operator !== operator);
    });
    expect(said(others)).toEqual([]);
  });

  it("has the message of no other event", () => {
    const events = new Map(calls.map(({ event, message }) => [message, event]));
    expect(said(calls.filter(({ event, message }) => events.get(message) !== event))).toEqual([]);
  });

  it("has a message that begins with its noun, and has no word that only this code uses", () => {
    const bad = calls.filter(({ message }) => /^(?:an?|the)\b/i.test(message) || ownWords.test(message));
    expect(said(bad)).toEqual([]);
  });

  it("is on the page of events", () => {
    const page = readFileSync(`${root}docs/log-events.md`, "utf8");
    expect(
      said(calls.filter(({ event, message }) => !page.includes(`| \`${event}\` |`) || !page.includes(message))),
    ).toEqual([]);
  });
});

describe("the search for log calls", () => {
  const faultsOf = (code: string) => logCallsOf("a.ts", code).faults;

  it("finds level, event, message, and what an operator has to do", () => {
    const code = `// operator: restart it,\n// then wait\nneeds.log?.warn({ event: "thing_failed", err }, "thing failed");
      request.log.info({ event: "thing_done", ...facts }, "thing done");`;
    expect(logCallsOf("a.ts", code)).toEqual({
      calls: [
        {
          file: "a.ts",
          level: "warn",
          event: "thing_failed",
          message: "thing failed",
          operator: "restart it, then wait",
        },
        { file: "a.ts", level: "info", event: "thing_done", message: "thing done", operator: undefined },
      ],
      faults: [],
    });
  });

  it.each([
    ['log.warn(facts, "m");', "its fields are no object literal"],
    ['log.warn({ a: 1 }, "m");', "has no event, or several"],
    ['log.warn({ ...facts, event: "a_b" }, "m");', "its event is not its first field"],
    ['log.warn({ event: cause ? "a_b" : "c_d" }, "m");', "its event is no literal"],
    ['log.warn({ event: "a_b", error }, "m");', "names what was thrown `error` and not `err`"],
    ['log.warn({ event: "a_b", error: thrown }, "m");', "names what was thrown `error` and not `err`"],
    [
      'log.warn({ event: "a_b", signature }, "m");',
      "names a signature, which the log hides: say transaction_signature",
    ],
    ['log.warn({ event: "a_b" }, message);', "its message is no literal"],
    [`log.warn({ event: "a_b" }, \`m \${cause}\`);`, "its message is no literal"],
    ['log.warn({ event: "a_b" });', "its message is no literal"],
    ["report(log.warn);", "is no call with fields and a message"],
    ['log[level]({ event: "a_b" }, "m");', "takes a level of the log by a computed name"],
    ["const out = needs.log;", "a log has the name out"],
    ["const { warn } = log;", "a log has the name { warn }"],
    ["const { log: out } = needs;", "a log has the name out"],
    ["function report(out: Log) {}", "a log has the name out"],
    ["interface Needs { readonly out: Log }", "a log has the name out"],
  ])("refuses %s", (code, fault) => {
    expect(faultsOf(code)).toEqual([`a.ts:1: ${fault}`]);
  });
});

const said = (of: readonly { file: string; event: string; message: string }[]) =>
  of.map(({ file, event, message }) => `${file}: ${event} "${message}"`);
