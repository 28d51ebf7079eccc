import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import type { Log } from "@trellis/kernel/ports/log.js";

/** The guardian of a laptop: a process beside the service, which runs from the first time that it is needed. */
export interface GuardianProcess {
  /** Where it answers. Starts it where it does not run yet. Throws CustodianUnavailable where it is not ready in time. */
  url(): Promise<string>;
  /** Whether it was ever asked for, and so started. */
  isRunning(): boolean;
  /** Ends it, and does not start it again. */
  close(): Promise<void>;
}

/** The program, and what it is given: nothing of the service's own environment, which holds the service's secrets. */
interface GuardianCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** How long things may take; a test waits less. */
export interface GuardianBounds {
  /** A caller waits so long for a guardian that is being started. */
  readonly callerMs: number;
  /** One that is not ready by then is ended, and started again. */
  readonly startMs: number;
  /** Before it is started again: doubled with each failure, up to the longest. */
  readonly backoffMs: readonly [first: number, longest: number];
  /** One that ran so long has not failed to start. */
  readonly steadyMs: number;
  /** Given to end by itself. */
  readonly endMs: number;
}

const usualBounds: GuardianBounds = {
  callerMs: 20_000,
  startMs: 60_000,
  backoffMs: [500, 30_000],
  steadyMs: 60_000,
  endMs: 5_000,
};

/** With this it says that its empty database is made: the process that makes one keeps half a gigabyte of memory. */
export const preparedExitCode = 75;

/** How long to wait before the next start. `failures`: how many there were in a row, one or more. */
export function backoffOf(failures: number, [first, longest]: GuardianBounds["backoffMs"]): number {
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 30));
}

/** A guardian that is started when it is first asked for, and again whenever it ends, until it is closed. */
export function createGuardianProcess(
  command: GuardianCommand,
  log: Log,
  bounds: GuardianBounds = usualBounds,
): GuardianProcess {
  const closing = new AbortController();
  let ready = defer<string>();
  let running: Promise<void> | undefined;
  let child: ChildProcess | undefined;

  /** One life of the process, from its start to its end. */
  const live = async (): Promise<Ending> => {
    const begunAt = performance.now();
    const mine = ready;
    child = launch(command);
    const ended = endOf(child);
    const late = setTimeout(() => child?.kill("SIGKILL"), bounds.startMs);
    child.once("message", (message) => {
      const url = urlIn(message);
      if (url === undefined) return;
      clearTimeout(late);
      const tookMs = Math.round(performance.now() - begunAt);
      log.info({ event: "guardian_started", pid: child?.pid, took_ms: tookMs }, "guardian started");
      mine.resolve(url);
    });
    const ending = await ended;
    clearTimeout(late);
    // Those that wait already wait for the next one.
    ready = defer<string>();
    mine.resolve(ready.promise);
    return { ...ending, ranMs: performance.now() - begunAt };
  };

  const keepRunning = async (): Promise<void> => {
    let failures = 0;
    let wasPrepared = false;
    while (!closing.signal.aborted) {
      const { code, signal, ranMs } = await live();
      if (closing.signal.aborted) return;
      if (code === preparedExitCode && !wasPrepared) {
        wasPrepared = true;
        continue;
      }
      failures = ranMs >= bounds.steadyMs ? 1 : failures + 1;
      const retryMs = backoffOf(failures, bounds.backoffMs);
      // operator: the lines before it say why, where the guardian itself failed; plain accounts are served meanwhile
      log.warn({ event: "guardian_ended", code, signal, retry_ms: retryMs }, "guardian ended: it is started again");
      await wait(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  return {
    async url() {
      if (closing.signal.aborted) throw new CustodianUnavailable("provider_error", "The guardian is being stopped.");
      running ??= keepRunning();
      const timer = new AbortController();
      const late = wait(bounds.callerMs, undefined, { signal: AbortSignal.any([timer.signal, closing.signal]) });
      try {
        const url = await Promise.race([ready.promise, late.catch(() => undefined)]);
        if (url !== undefined) return url;
        throw new CustodianUnavailable("timeout", "The guardian beside the service is not ready.");
      } finally {
        timer.abort();
      }
    },
    isRunning: () => running !== undefined,
    async close() {
      closing.abort();
      child?.kill("SIGTERM");
      const late = setTimeout(() => child?.kill("SIGKILL"), bounds.endMs);
      await running;
      clearTimeout(late);
    },
  };
}

function defer<T>() {
  let resolve: (value: T | Promise<T>) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ranMs: number;
}

/** Its lines join the service's. The channel ends with this process, however it ends: that is how the guardian learns of it. */
function launch({ program, args, environment }: GuardianCommand): ChildProcess {
  return spawn(program, args, { env: environment, stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

async function endOf(child: ChildProcess): Promise<Pick<Ending, "code" | "signal">> {
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    return { code, signal };
  } catch {
    // It could not be started at all: no memory, no process left.
    return { code: null, signal: null };
  }
}

/** The one thing that it says. */
function urlIn(message: unknown): string | undefined {
  const url = typeof message === "object" && message !== null && "url" in message ? message.url : undefined;
  return typeof url === "string" && /^https:\/\/127\.0\.0\.1:\d+$/.test(url) ? url : undefined;
}
