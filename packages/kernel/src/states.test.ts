import { describe, expect, it } from "vitest";
import { anyOf, anyOfText, defineStates, freeStates, mergeStates, tableOfStates } from "./states.js";

const lamp = defineStates({
  off: ["on", "broken"],
  on: ["off", "broken"],
  broken: [],
});

describe("defineStates", () => {
  it("lists the states in the order of the table, the final ones and the others", () => {
    expect(lamp.all).toEqual(["off", "on", "broken"]);
    expect(lamp.final).toEqual(["broken"]);
    expect(lamp.open).toEqual(["off", "on"]);
    expect(lamp.all.filter(lamp.isFinal)).toEqual(lamp.final);
  });

  it("says which state may follow which, read from either end", () => {
    expect(lamp.mayFollow("off", "on")).toBe(true);
    expect(lamp.mayFollow("broken", "on")).toBe(false);
    expect(lamp.mayFollow("on", "on")).toBe(false);
    expect(lamp.statesAfter("on")).toEqual(["off", "broken"]);
    expect(lamp.statesBefore("broken")).toEqual(["off", "on"]);
    expect(lamp.statesBefore("off")).toEqual(["on"]);
  });

  it("refuses a table that names a state it does not define", () => {
    // @ts-expect-error `lost` has no line of its own.
    defineStates({ off: ["on", "lost"], on: [] });
    // @ts-expect-error `on` of the column is missing.
    defineStates<"off" | "on">({ off: [] });
  });

  it("refuses a name that could end a text of SQL", () => {
    expect(() => defineStates({ "it's": [] })).toThrow("cannot stand in SQL");
  });
});

describe("freeStates", () => {
  it("lets any state follow any other", () => {
    const vane = freeStates(["north", "east", "south"]);
    expect(vane.final).toEqual([]);
    expect(vane.statesAfter("east")).toEqual(["north", "south"]);
    expect(vane.mayFollow("east", "east")).toBe(false);
  });
});

describe("mergeStates", () => {
  it("has what leads from any state of one name to any of another", () => {
    const door = defineStates({ open: ["shut"], shut: ["open", "locked"], locked: ["shut"], gone: [] });
    const seen = mergeStates(["open", "closed", "gone"], door, (state) =>
      state === "shut" || state === "locked" ? "closed" : state,
    );
    expect(seen.all).toEqual(["open", "closed", "gone"]);
    expect(seen.statesAfter("open")).toEqual(["closed"]);
    expect(seen.statesAfter("closed")).toEqual(["open"]);
    expect(seen.final).toEqual(["gone"]);
  });
});

describe("the lists in SQL and in the documents", () => {
  it("writes a list for a condition", () => {
    expect(anyOfText(lamp.statesBefore("broken"))).toBe("('off', 'on')");
    expect(anyOf(lamp.final).toOperationNode()).toMatchObject({ sqlFragments: ["('broken')"], parameters: [] });
  });

  it("writes a line for each state", () => {
    expect(tableOfStates(lamp)).toBe(
      [
        "| State | What may follow |",
        "| --- | --- |",
        "| `off` | `on`, `broken` |",
        "| `on` | `off`, `broken` |",
        "| `broken` | – |",
      ].join("\n"),
    );
  });
});
