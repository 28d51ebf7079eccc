/**
 * Virtual time. Everything that takes time is an event on one line; one event runs at a time, and the next one starts when
 * everything the former one set in motion has come to rest. So the order of all that happens follows from the times alone.
 */
export interface Timeline {
  /** Real time of the services, Unix milliseconds. */
  now(): number;
  /** Real time of the chain's machine, Unix milliseconds: it may run at another pace. */
  chainNow(): number;
  /** From now on the chain makes so many milliseconds of every thousand. */
  setPace(perMille: number): void;
  /** Has `run` run at an instant, after whatever was planned for the same one before. */
  at(time: number, run: () => Promise<void> | void): void;
  /** The same for what may happen in one event with whatever `whose` has at the same instant. */
  together(time: number, whose: object, run: () => void): void;
  /** Reads something that takes real time and no virtual time: no event happens meanwhile. */
  aside<Value>(refresh: () => Promise<Value>): Promise<Value>;
  /**
   * Runs events until `work` is done, and gives its result. Throws when nothing is planned and it still is not, and after
   * so many events.
   */
  run<Value>(work: Promise<Value>, eventsMost?: number): Promise<Value>;
  /** Runs everything that is planned. */
  drain(): Promise<void>;
  /** Lets time pass with nothing happening. Only where nothing is planned. */
  skip(ms: number): void;
  /** All clocks jump forward while whatever is planned stays as far ahead as it was: machines slept, or were set right. */
  leap(ms: number): void;
  /** Begins a slot of the chain with the present, so that no history depends on when it starts. */
  align(): void;
}

interface Event {
  readonly at: number;
  readonly run: () => Promise<void> | void;
  /** What else happens in it, and whose that is. */
  readonly shared?: { readonly whose: object; readonly runs: (() => void)[] };
}

/** A program that waits for something that never happens. */
class TimelineStuck extends Error {
  override readonly name = "TimelineStuck";
}

/** How often the event loop may turn with nothing planned before that counts as stuck: the crypto pool answers in few. */
const patienceTurns = 300_000;
/** No history has as many events. */
const stepsMax = 20_000;
const slotMs = 400;

/** Starts a line at an instant (Unix milliseconds). */
export function createTimeline(start: number): Timeline {
  const events: Event[] = [];
  let now = start;
  let chainMicros = BigInt(start) * 1000n;
  let pace = 1000n;

  const moveTo = (time: number): void => {
    if (time <= now) return;
    chainMicros += BigInt(time - now) * pace;
    now = time;
  };
  const chainNow = (): number => Number(chainMicros / 1000n);

  const refreshes = new Set<Promise<unknown>>();

  const step = async (): Promise<boolean> => {
    await turn();
    while (refreshes.size > 0) {
      await Promise.allSettled(refreshes);
      await turn();
    }
    const event = events.shift();
    if (event === undefined) return false;
    moveTo(event.at);
    await event.run();
    return true;
  };

  const plan = (event: Event): void => {
    let place = events.length;
    while (place > 0 && (events[place - 1]?.at ?? 0) > event.at) place -= 1;
    events.splice(place, 0, event);
  };

  return {
    now: () => now,
    chainNow,
    setPace: (perMille) => {
      pace = BigInt(perMille);
    },
    at: (time, run) => plan({ at: time, run }),
    together: (time, whose, run) => {
      const same = events.find(({ at, shared }) => at === time && shared?.whose === whose);
      if (same?.shared) {
        same.shared.runs.push(run);
        return;
      }
      const runs = [run];
      const runAll = () => {
        for (const each of runs) each();
      };
      plan({ at: time, run: runAll, shared: { whose, runs } });
    },
    aside: (refresh) => {
      const refreshing = refresh();
      refreshes.add(refreshing);
      const done = () => void refreshes.delete(refreshing);
      refreshing.then(done, done);
      return refreshing;
    },
    run: async (work, eventsMost = stepsMax) => {
      let outcome: "open" | "done" = "open";
      const finish = () => {
        outcome = "done";
      };
      work.then(finish, finish);
      let turns = 0;
      let eventsSeen = 0;
      const isOpen = () => outcome === "open";
      while (isOpen()) {
        turns = (await step()) ? 0 : turns + 1;
        if (turns === 0) eventsSeen += 1;
        if (eventsSeen > eventsMost) throw new TimelineStuck(`a history goes on after ${eventsMost} events`);
        if (turns > patienceTurns) throw new TimelineStuck("a history waits for something that never happens");
      }
      return work;
    },
    drain: async () => {
      while (await step());
    },
    skip: (ms) => moveTo(now + ms),
    leap: (ms) => {
      now += ms;
      chainMicros += BigInt(ms) * 1000n;
      for (const [place, event] of events.entries()) events[place] = { ...event, at: event.at + ms };
    },
    align: () => {
      const past = chainNow() % slotMs;
      chainMicros = BigInt(chainNow() + (past === 0 ? 0 : slotMs - past)) * 1000n;
    },
  };
}

/** One turn of the event loop: all promises that can move on have moved on after it. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
