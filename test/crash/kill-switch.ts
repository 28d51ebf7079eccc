import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import fs from "node:fs";
import { type IncomingMessage, Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";

/*
 * Loaded into a service process by `node --import`, and only by these tests: makes it die by SIGKILL at an exact point.
 * `before 7` and `after 7` name its seventh database statement, `write 7` the embedded database's seventh write to its
 * files (inside some statement); `stop 7` sends SIGTERM instead, before a statement that then runs. Words after the
 * number, as in `before 7 update submission`, count only statements that begin with them, or with one of several that `|`
 * parts. The header `crash-at` counts
 * what one request does, `crash-process-at` all from that request on, the variable CRASH_AT all from the start.
 */

interface Fuse {
  readonly side: "before" | "after" | "stop" | "write";
  readonly at: number;
  readonly beginnings: readonly string[];
  count: number;
}

const ofRequest = new AsyncLocalStorage<Fuse>();
let ofProcess = parseFuse(process.env.CRASH_AT);

function parseFuse(text: unknown): Fuse | undefined {
  const [, side, at, beginning = ""] = /^(before|after|stop|write) (\d+)(?: (.+))?$/.exec(String(text)) ?? [];
  if (side !== "before" && side !== "after" && side !== "stop" && side !== "write") return undefined;
  return { side, at: Number(at), beginnings: beginning.split("|"), count: 0 };
}

function die(where: string): void {
  fs.writeSync(2, `\nKILLED ${where}\n`);
  process.kill(process.pid, "SIGKILL");
  // The signal takes this thread away before the call returns; whatever happens, nothing may run on.
  for (;;);
}

/** Counts a statement that is about to run, with the fuses before it; what it returns is called when it has run. */
function enter(statement: string): () => void {
  const text = statement.replace(/\s+/g, " ").trim().slice(0, 100);
  const due = [ofRequest.getStore(), ofProcess].filter((fuse) => {
    if (fuse === undefined || fuse.side === "write" || !fuse.beginnings.some((each) => text.startsWith(each)))
      return false;
    fuse.count += 1;
    return fuse.count === fuse.at;
  }) as Fuse[];
  for (const { side, at } of due) {
    if (side === "before") die(`before statement ${at}: ${text}`);
    if (side === "stop") process.kill(process.pid, "SIGTERM");
  }
  return () => {
    for (const { side, at } of due) if (side === "after") die(`after statement ${at}: ${text}`);
  };
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a method by one that is given the former. */
function patch(target: object, name: string, make: (former: AnyFunction) => AnyFunction): void {
  const former = Reflect.get(target, name) as AnyFunction;
  Object.defineProperty(target, name, { value: make(former), configurable: true, writable: true });
}

const countQuery = (former: AnyFunction): AnyFunction =>
  async function (...args) {
    const [first] = args;
    const leave = enter(typeof first === "string" ? first : String((first as { text?: unknown }).text));
    try {
      return await former.apply(this, args);
    } finally {
      leave();
    }
  };

patch(pg.Client.prototype, "query", (former) => {
  const withCount = countQuery(former);
  return function (...args) {
    // With a callback no caller waits for a promise; the pool's own calls are of that kind, and not statements of ours.
    return typeof args.at(-1) === "function" ? former.apply(this, args) : withCount.apply(this, args);
  };
});

patch(PGlite.prototype, "query", countQuery);
patch(
  PGlite.prototype,
  "transaction",
  (former) =>
    async function (work) {
      const begun = enter("begin");
      let committed: () => void = () => undefined;
      const result = await former.call(this, async (tx: object) => {
        begun();
        patch(tx, "query", countQuery);
        const value = await (work as (tx: object) => Promise<unknown>)(tx);
        committed = enter("commit");
        return value;
      });
      committed();
      return result;
    },
);

patch(Server.prototype, "emit", (former) => {
  return function (...args) {
    const [event, request] = args;
    if (event !== "request") return former.apply(this, args);
    const incoming = request as IncomingMessage;
    ofProcess = parseFuse(incoming.headers["crash-process-at"]) ?? ofProcess;
    const fuse = parseFuse(incoming.headers["crash-at"]);
    if (fuse === undefined) return former.apply(this, args);
    return ofRequest.run(fuse, () => {
      // The body arrives in the connection's own context: without this the handler would run there.
      for (const name of ["on", "once", "addListener"]) {
        patch(incoming, name, (listen) => {
          return function (type, listener) {
            return listen.call(this, type, AsyncResource.bind(listener as (...args: unknown[]) => unknown));
          };
        });
      }
      return former.apply(this, args);
    });
  };
});

patch(fs, "writeSync", (former) => {
  return function (...args) {
    // Bytes go to the database's files; what is text goes to the terminal.
    if (ofProcess?.side === "write" && typeof args[1] !== "string") {
      ofProcess.count += 1;
      if (ofProcess.count === ofProcess.at) die(`before file write ${ofProcess.at}`);
    }
    return former.apply(this, args);
  };
});
syncBuiltinESMExports();
