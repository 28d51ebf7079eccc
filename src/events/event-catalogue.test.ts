import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { eventCatalogue, modules } from "../modules.js";
import { foldEvents } from "./event-catalogue.js";
import { eventTypeNames } from "./event-types.js";

const ofModules = modules.map(({ events = {} }) => events);

describe("the catalogue of events", () => {
  it("has every type, in the order of their list, with an example that fits its schema", () => {
    expect(Object.keys(eventCatalogue)).toEqual(eventTypeNames);
    for (const { schema, example } of Object.values(eventCatalogue))
      expect([...Value.Errors(schema, example)]).toEqual([]);
  });

  it("is not made where a type has no object, two of them, or is not on the list", () => {
    const [some = {}] = ofModules.filter((events) => Object.keys(events).length > 0);
    expect(() => foldEvents(ofModules.filter((events) => events !== some))).toThrow(
      "every type of event has one object",
    );
    expect(() => foldEvents([...ofModules, some])).toThrow("every type of event has one object");
    const [object] = Object.values(some);
    if (object === undefined) throw new Error("a module with events has an object");
    const others = ofModules.filter((events) => events !== some);
    const misnamed = Object.fromEntries(Object.keys(some).map((type) => [`${type}.other`, object]));
    expect(() => foldEvents([...others, misnamed])).toThrow("every type of event has an object");
  });
});
