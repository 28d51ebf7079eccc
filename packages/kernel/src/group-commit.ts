import { AssertionFailed } from "./errors.js";
import { DatabaseUnavailable } from "./ports/database.js";

/**
 * How many things one write takes at the most; after how many milliseconds of one another may begin beside it, and how many writes
 * of a lane are then under way at once; and after how many writes in a row that the database gave up the others of their group are
 * not tried.
 */
const bounds = { most: 64, heldUpAfterMs: 5, atOnceHeldUp: 2, givenUpInRow: 2 } as const;

interface Waiting<Thing, Result> {
  readonly thing: Thing;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane<Thing, Result> {
  waiting: Waiting<Thing, Result>[];
  underWay: number;
  /** Of those, how many have taken long, as one that waits for a lock. */
  heldUp: number;
}

/**
 * Makes a function that writes a thing to a place, together with others that arrive while writes are under way: one commit for
 * all of them. A thing that arrives alone is written at once. Once a write takes long, a second one of its lane goes beside it, so
 * that one that waits for a lock does not hold up what comes after it.
 *
 * Only things of the same lane are written together: those for which one statement can be right. Of things with equal keys no two
 * are. They may still be under way in two writes at once, as in two processes: what holds them apart is what the rows say.
 *
 * `write` is all or nothing, and gives a result for each thing, in their order; AssertionFailed where it gives another number. Where it refuses several, each half of them is
 * tried, and so on: one that is refused takes no other with it, and its error is that of its own write. Where the database gave several up,
 * as behind a lock, each is tried alone. Only where the connection was lost, so that what was written is unknown, do all of them fail
 * with that.
 */
export function groupCommit<Place extends object, Thing, Result>(
  { laneOf, keyOf }: { readonly laneOf: (thing: Thing) => string; readonly keyOf?: (thing: Thing) => string },
  write: (place: Place, things: readonly Thing[]) => Promise<readonly Result[]>,
): (place: Place, thing: Thing) => Promise<Result> {
  const places = new WeakMap<Place, Map<string, Lane<Thing, Result>>>();

  const writeAll = async (place: Place, group: readonly Waiting<Thing, Result>[]): Promise<void> => {
    let results: readonly Result[];
    try {
      results = await write(
        place,
        group.map(({ thing }) => thing),
      );
    } catch (error) {
      const isGivenUp = error instanceof DatabaseUnavailable;
      if (group.length === 1 || (isGivenUp && error.isLost)) {
        for (const { reject } of group) reject(error);
        return;
      }
      if (isGivenUp) return writeApart(place, group);
      const half = Math.ceil(group.length / 2);
      await writeAll(place, group.slice(0, half));
      await writeAll(place, group.slice(half));
      return;
    }
    resolveAll(group, results);
  };

  /** Once more for each alone: what took too long may have waited for one of them. */
  const writeApart = async (place: Place, group: readonly Waiting<Thing, Result>[]): Promise<void> => {
    let givenUpInRow = 0;
    for (const [at, each] of group.entries()) {
      try {
        resolveAll([each], await write(place, [each.thing]));
        givenUpInRow = 0;
      } catch (error) {
        each.reject(error);
        givenUpInRow = error instanceof DatabaseUnavailable ? givenUpInRow + 1 : 0;
        if (givenUpInRow < bounds.givenUpInRow) continue;
        // It is not one thing that waits, and the last of them would wait for all the others.
        for (const left of group.slice(at + 1)) left.reject(error);
        return;
      }
    }
  };

  const takeGroup = (lane: Lane<Thing, Result>): readonly Waiting<Thing, Result>[] => {
    if (keyOf === undefined) return lane.waiting.splice(0, bounds.most);
    const group = new Map<string, Waiting<Thing, Result>>();
    const left: Waiting<Thing, Result>[] = [];
    for (const each of lane.waiting) {
      const key = keyOf(each.thing);
      if (group.size < bounds.most && !group.has(key)) group.set(key, each);
      else left.push(each);
    }
    lane.waiting = left;
    return [...group.values()];
  };

  const writeNext = (
    place: Place,
    lanes: Map<string, Lane<Thing, Result>>,
    name: string,
    lane: Lane<Thing, Result>,
  ): void => {
    while (lane.underWay < (lane.heldUp > 0 ? bounds.atOnceHeldUp : 1) && lane.waiting.length > 0) {
      lane.underWay += 1;
      let hasTakenLong = false;
      const soon = setTimeout(() => {
        hasTakenLong = true;
        lane.heldUp += 1;
        writeNext(place, lanes, name, lane);
      }, bounds.heldUpAfterMs);
      void writeAll(place, takeGroup(lane)).then(() => {
        clearTimeout(soon);
        lane.underWay -= 1;
        if (hasTakenLong) lane.heldUp -= 1;
        if (lane.underWay === 0 && lane.waiting.length === 0) lanes.delete(name);
        else writeNext(place, lanes, name, lane);
      });
    }
  };

  return (place, thing) =>
    new Promise((resolve, reject) => {
      const name = laneOf(thing);
      let lanes = places.get(place);
      if (lanes === undefined) {
        lanes = new Map();
        places.set(place, lanes);
      }
      let lane = lanes.get(name);
      if (lane === undefined) {
        lane = { waiting: [], underWay: 0, heldUp: 0 };
        lanes.set(name, lane);
      }
      lane.waiting.push({ thing, resolve, reject });
      const [to, of] = [lane, lanes];
      // In a moment: what is written in this very turn belongs together.
      queueMicrotask(() => writeNext(place, of, name, to));
    });
}

function resolveAll<Thing, Result>(group: readonly Waiting<Thing, Result>[], results: readonly Result[]): void {
  group.forEach(({ resolve, reject }, at) => {
    if (results.length === group.length) resolve(results[at] as Result);
    else reject(new AssertionFailed("a write of a group gave another number of results"));
  });
}
