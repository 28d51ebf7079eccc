import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import {
  candidatesOf,
  forgetNoted,
  hasPlace,
  isFull,
  joinLine,
  type Lane,
  leavePlace,
  nextOnesOf,
  noteLanded,
  openLane,
  takeNext,
  takeOverdue,
  takePlace,
} from "./creation-lane.js";

const { creationsUnderWayMax: places, creationLeeway, creationsUnderWayInOrderMax, creationLeewayInOrder } = limits;

describe("the places of a lane", () => {
  const free = { landed: 0, left: [] as number[] };
  it.each([
    { on: "a cluster, at first", isInOrder: false, ...free, more: Math.min(places, creationLeeway + 1) },
    { on: "a cluster, with its second gone", isInOrder: false, ...free, left: [1], more: 0 },
    { on: "a cluster, with its oldest gone", isInOrder: false, ...free, left: [0], more: 1 },
    { on: "a cluster, with its oldest three gone", isInOrder: false, ...free, left: [0, 1, 2], more: 3 },
    { on: "a chain in order, at first", isInOrder: true, ...free, more: creationLeewayInOrder + 1 },
    { on: "a chain in order, once two have landed", isInOrder: true, ...free, landed: 2, more: 2 },
    {
      on: "a chain in order, once a thousand have landed",
      isInOrder: true,
      ...free,
      landed: 1_000,
      more: creationsUnderWayInOrderMax - creationLeewayInOrder - 1,
    },
    { on: "a chain in order, with one landed and gone", isInOrder: true, landed: 1, left: [0], more: 2 },
  ])("are $more more on $on", ({ isInOrder, landed, left, more }) => {
    const lane = openLane(isInOrder);
    const first = fill(lane);
    if (landed === 0 && left.length === 0) return expect(first).toBe(more);
    for (let i = 0; i < landed; i += 1) noteLanded(lane, undefined);
    for (const ticket of left) leavePlace(lane, ticket, true);
    expect(fill(lane)).toBe(more);
  });

  it("are few again once what was noted is forgotten", () => {
    const lane = openLane(true);
    noteLanded(lane, 9n);
    noteLanded(lane, 7n);
    expect([lane.noted, lane.landed]).toEqual([9n, 2]);
    forgetNoted(lane);
    expect([lane.noted, lane.landed]).toEqual([0n, 0]);
    expect(fill(lane)).toBe(creationLeewayInOrder + 1);
  });

  it("give the ticket of a creation that never began to the next one, and of one that began to none", () => {
    const lane = openLane(false);
    leavePlace(lane, takePlace(lane), false);
    expect(takePlace(lane)).toBe(0);
    leavePlace(lane, 0, true);
    expect(takePlace(lane)).toBe(1);
    takePlace(lane);
    // Somebody stands behind it: its number stays its own.
    leavePlace(lane, 1, false);
    expect(takePlace(lane)).toBe(3);
  });
});

describe("the line of a lane", () => {
  const waiting = (...who: readonly (readonly [tenant: string, name: string, since: number])[]) => {
    const lane = openLane<Named>(false);
    for (const [tenant, name, since] of who) joinLine(lane, tenant, { name, since });
    return lane;
  };
  const drain = (lane: Lane<Named>) => {
    const names: string[] = [];
    for (let next = takeNext(lane); next !== undefined; next = takeNext(lane)) names.push(next.name);
    return names;
  };

  it.each([
    { line: "of nobody", who: [], order: [] },
    {
      line: "of one tenant's",
      who: [
        ["a", "a1", 0],
        ["a", "a2", 0],
      ],
      order: ["a1", "a2"],
    },
    {
      line: "in which one tenant has many",
      who: [
        ["a", "a1", 0],
        ["a", "a2", 0],
        ["a", "a3", 0],
        ["b", "b1", 0],
        ["c", "c1", 0],
        ["b", "b2", 0],
      ],
      order: ["a1", "b1", "c1", "a2", "b2", "a3"],
    },
  ] as const)("$line lets tenants take turns: $order", ({ who, order }) => {
    const lane = waiting(...who);
    expect(lane.waitingCount).toBe(who.length);
    expect(drain(lane)).toEqual(order);
    expect([lane.waitingCount, lane.waiting.size]).toEqual([0, 0]);
  });

  it("dismisses those that have waited too long, of every tenant, and no others", () => {
    const lane = waiting(["a", "a1", 0], ["b", "b1", 5], ["a", "a2", 10]);
    expect(takeOverdue(lane, limits.creationWaitMaxMs - 1)).toEqual([]);
    expect(takeOverdue(lane, limits.creationWaitMaxMs + 5).map(({ name }) => name)).toEqual(["a1", "b1"]);
    expect([lane.waitingCount, drain(lane)]).toEqual([1, ["a2"]]);
  });

  it("is full for a tenant with many creations in it, and for every tenant when all have many", () => {
    const lane = openLane<Named>(false);
    for (let i = 0; i < limits.creationsWaitingPerTenantMax; i += 1) joinLine(lane, "a", { name: "", since: 0 });
    expect([isFull(lane, "a"), isFull(lane, "b")]).toEqual([true, false]);
    for (let i = lane.waitingCount; i < limits.creationsWaitingMax; i += 1)
      joinLine(lane, `${i}`, { name: "", since: 0 });
    expect(isFull(lane, "b")).toBe(true);
    takeNext(lane);
    expect([isFull(lane, "a"), isFull(lane, "b")]).toEqual([false, false]);
  });
});

describe("the account numbers of a creation", () => {
  const width = 2 * creationLeewayInOrder + 1;
  const leeway = BigInt(creationLeewayInOrder);
  it.each([
    { when: "nothing is noted, first in", noted: 0n, index: 10n, ticket: 0, low: 11n, next: 11n },
    { when: "nothing is noted, fourth in", noted: 0n, index: 10n, ticket: 3, low: 14n - leeway, next: 11n },
    { when: "more is noted than was read, first in", noted: 20n, index: 10n, ticket: 0, low: 21n, next: 21n },
    { when: "more is noted than was read, fourth in", noted: 20n, index: 10n, ticket: 3, low: 24n - leeway, next: 21n },
    { when: "more was read than is noted", noted: 5n, index: 10n, ticket: 3, low: 11n, next: 11n },
  ])("are $low and up where $when", ({ noted, index, ticket, low, next }) => {
    const lane = openLane(true);
    for (let i = 0; i < 4; i += 1) takePlace(lane);
    lane.noted = noted;
    const lowest = low > next ? low : next;
    expect(candidatesOf(lane, ticket, index)).toEqual({ low: lowest, count: width });
    expect(nextOnesOf(lane, ticket, index, 1)).toEqual({ low: next, count: Number(lowest - next) + width });
  });

  it("are no more in a simulation than fit a packet beside the signers", () => {
    const lane = openLane(true);
    for (let i = 0; i < 30; i += 1) takePlace(lane);
    expect(nextOnesOf(lane, 29, 10n, 10)).toEqual({ low: 11n, count: 15 });
  });
});

interface Named {
  readonly since: number;
  readonly name: string;
}

/** Lets in as many as there is place for, and says how many those were. */
function fill(lane: Lane): number {
  let admitted = 0;
  for (; hasPlace(lane); admitted += 1) takePlace(lane);
  return admitted;
}
