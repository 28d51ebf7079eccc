import type { Socket } from "node:net";
import type pg from "pg";
import type { PreparingClient } from "./preparing-client.js";

/** A connection that many statements are under way on at once. */
interface Lane {
  readonly client: PreparingClient;
  readonly opened: Promise<unknown>;
  isOpen: boolean;
  underWay: number;
  isHeldBack: boolean;
}

/** What the server says when it ends a connection: administrator's command, crash, idle for too long. */
const connectionEnded = /^57P|^25P0[34]$/;
/** What it says of a statement whose preparing failed for the one in front of it. It has not been run. */
const notPrepared: ReadonlySet<unknown> = new Set(["26000", "42P05"]);
/** Where it finds that the tables have changed since a statement was prepared on this connection. It has not been run. */
const staleRoutine = "RevalidateCachedQuery";
/** What it says of a statement it undid to end a deadlock. */
const deadlock = "40P01";

/**
 * Statements that stand alone, from all over the process, on a few connections: each is sent without waiting for the
 * answers to those before it, and those of one turn of the event loop travel together. Waking the server, and being woken
 * by it, costs more than most of our statements. Each is a transaction of its own: one that fails disturbs no other.
 */
export interface Lanes {
  /**
   * Runs a statement outside any transaction, again if the server says that it has undone it for the sake of others.
   * Rejects with the driver's error.
   */
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  /** Lets the statements under way finish and closes the connections. Nothing may be asked any more. */
  close(): Promise<void>;
}

export interface LanesOptions {
  /** Connections at most; one is opened when all others are in use. */
  readonly most: number;
  /** How many statements of one turn of the event loop go together, and wait for each other, before another lane is taken. */
  readonly together: number;
  /** True for what changes nothing: a statement whose connection is lost under it is asked again on another one. */
  readonly asksAgain: boolean;
}

/** Makes lanes; `open` makes a client in pipeline mode that is not connected yet. */
export function createLanes(open: () => PreparingClient, { most, together, asksAgain }: LanesOptions): Lanes {
  const lanes = new Set<Lane>();
  const ending = new Set<Promise<void>>();
  let closed = false;

  /** Takes a lane out of use. What is under way on it is finished where that is still possible. */
  const retire = (lane: Lane): void => {
    if (!lanes.delete(lane)) return;
    // Ending a client that is about to connect would leave everybody waiting.
    const ended: Promise<void> = lane.opened
      .catch(() => undefined)
      .then(() => lane.client.end())
      .finally(() => ending.delete(ended));
    ending.add(ended);
  };

  const add = (): Lane => {
    if (closed) throw new Error("the database is closed");
    const client = open();
    const lane: Lane = { client, opened: client.connect(), isOpen: false, underWay: 0, isHeldBack: false };
    const drop = () => retire(lane);
    // Without listeners the loss of a connection would end the process. Whoever waits for an answer is told by it.
    client.on("error", drop);
    client.on("end", drop);
    lane.opened.then(() => {
      lane.isOpen = true;
    }, drop);
    lanes.add(lane);
    return lane;
  };

  const choose = (openOnly: boolean): Lane => {
    let chosen: Lane | undefined;
    for (const lane of lanes) {
      if (openOnly && !lane.isOpen) continue;
      if (lane.isHeldBack && lane.underWay < together) return lane;
      if (chosen === undefined || lane.underWay < chosen.underWay) chosen = lane;
    }
    const isMoreWanted = !openOnly && lanes.size < most;
    return chosen === undefined || (chosen.underWay > 0 && isMoreWanted) ? add() : chosen;
  };

  const ask = async (lane: Lane, text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    lane.underWay += 1;
    try {
      if (!lane.isOpen) await lane.opened;
      holdBack(lane);
      return await lane.client.ask(text, values);
    } finally {
      lane.underWay -= 1;
    }
  };

  /** Whether a statement that failed is to be asked again, on another lane. */
  const judge = (lane: Lane, error: unknown): boolean => {
    const { code, routine } = error as { code?: unknown; routine?: unknown };
    const isInvalid = notPrepared.has(code) || routine === staleRoutine;
    const isLost = !lanes.has(lane) || connectionEnded.test(String(code));
    if (isInvalid || isLost) retire(lane);
    // What was never sent can go another way; where there is none, the error says what there is to know.
    if (!lane.isOpen) return Array.from(lanes).some(({ isOpen }) => isOpen);
    return isInvalid || code === deadlock || (isLost && asksAgain);
  };

  return {
    query: async (text, values) => {
      // Several lanes may have gone bad at once, and be noticed only when they are used.
      let isConnected = true;
      for (let failed = 0; ; failed += 1) {
        const lane = choose(!isConnected);
        try {
          return await ask(lane, text, values);
        } catch (error) {
          isConnected = lane.isOpen;
          if (judge(lane, error) && failed < most) continue;
          // Where it was asked says more than where the answer was read.
          if (error instanceof Error) Error.captureStackTrace(error);
          throw error;
        }
      }
    },
    close: async () => {
      closed = true;
      for (const lane of lanes) retire(lane);
      await Promise.all(ending);
    },
  };
}

/** Collects what is written to a lane until the events at hand have been worked on. */
function holdBack(lane: Lane): void {
  if (lane.isHeldBack) return;
  lane.isHeldBack = true;
  const { stream } = (lane.client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  setImmediate(() => {
    lane.isHeldBack = false;
    stream.uncork();
  });
}
