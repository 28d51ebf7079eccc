import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import fs from "node:fs";
import { type IncomingMessage, Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";

/*
 * Loaded into a service process by `node --import`, and only by these tests: makes it die by SIGKILL exactly before or
 * after the n-th database statement. The header `crash-at: before 7` counts the statements of that one request; the
 * variable CRASH_AT counts those of the whole process, CRASH_AT_WRITE the embedded database's writes to its files (which
 * dies inside a statement). With CRASH_FROM=request, both begin with the first request. `stop 7` sends SIGTERM instead,
 * before the statement, which then runs.
 */

interface Fuse {
  readonly side: "before" | "after" | "stop";
  readonly at: number;
  count: number;
}

const ofRequest = new AsyncLocalStorage<Fuse>();
const ofProcess = parseFuse(process.env.CRASH_AT);
const writeToDieAt = Number(process.env.CRASH_AT_WRITE ?? Number.NaN);
let counting = process.env.CRASH_FROM !== "request";

function parseFuse(text: string | undefined): Fuse | undefined {
  const [, side, at] = /^(before|after|stop) (\d+)$/.exec(text ?? "") ?? [];
  return side === "before" || side === "after" || side === "stop" ? { side, at: Number(at), count: 0 } : undefined;
}

function die(where: string): void {
  fs.writeSync(2, `\nKILLED ${where}\n`);
  process.kill(process.pid, "SIGKILL");
  // The signal takes this thread away before the call returns; whatever happens, nothing may run on.
  for (;;);
}

/** Counts a statement that is about to run, with the fuses before it; what it returns is called when it has run. */
function enter(statement: string): () => void {
  const fuses = [ofRequest.getStore(), counting ? ofProcess : undefined].filter((fuse) => fuse !== undefined);
  const due = fuses.filter((fuse) => {
    fuse.count += 1;
    return fuse.count === fuse.at;
  });
  const text = statement.replace(/\s+/g, " ").trim().slice(0, 100);
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
    // With a callback nobody waits for a promise; the pool's own calls are of that kind, and not statements of ours.
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
    counting = true;
    const incoming = request as IncomingMessage;
    const fuse = parseFuse(String(incoming.headers["crash-at"] ?? ""));
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

if (!Number.isNaN(writeToDieAt)) {
  let writes = 0;
  patch(fs, "writeSync", (former) => {
    return function (...args) {
      // Whole buffers go to the database's files; what is text goes to the terminal.
      if (counting && typeof args[1] !== "string") {
        writes += 1;
        if (writes === writeToDieAt) {
          former.call(fs, 2, `\nKILLED before file write ${writes}\n`);
          process.kill(process.pid, "SIGKILL");
          for (;;);
        }
      }
      return former.apply(this, args);
    };
  });
  syncBuiltinESMExports();
}
