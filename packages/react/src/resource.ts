import { TrellisApiError } from "@trellis/sdk";
import type { Visibility } from "./platform.js";
import { createValue, type Value } from "./value.js";

/** What was read, and how that stands. `data` stays while it is read again, and when that fails. */
export type Reading<Data> = {
  readonly data: Data | undefined;
  /** Of the last attempt, where it failed. */
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** Unix milliseconds at which `data` was read. */
  readonly readAtMs: number | undefined;
};

/** Something of the service that is read once for all components that display it, and again from time to time while one does. */
export type Resource<Data> = Value<Reading<Data>> & {
  /** Reads anew, and resolves when what was asked for after this call has been answered. Never rejects. */
  readonly refetch: () => Promise<void>;
  /** Something has happened to what it is about: it is read anew, at once where a component displays it. Never rejects. */
  readonly invalidate: () => Promise<void>;
  /** Has it read every so often while it is visible; 0: once, where it was not read yet. The answer ends that. */
  readonly watch: (pollMs: number) => () => void;
};

export const nothingRead: Reading<never> = { data: undefined, error: undefined, isLoading: false, readAtMs: undefined };

/** After errors polling takes longer and longer breaks, up to so many times the usual one. */
const longestBackOff = 8;

export function createResource<Data>(needs: {
  readonly read: () => Promise<Data>;
  readonly visibility: Visibility;
}): Resource<Data> {
  const reading = createValue<Reading<Data>>(nothingRead);
  const watchers = new Set<{ readonly pollMs: number }>();
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopRefreshing: (() => void) | undefined;
  let attemptedAtMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let isStale = true;

  const readOnce = async (): Promise<void> => {
    attemptedAtMs = Date.now();
    isStale = false;
    reading.set({ ...reading.get(), isLoading: true });
    try {
      const data = await needs.read();
      failures = 0;
      reading.set({ data, error: undefined, isLoading: false, readAtMs: Date.now() });
    } catch (error) {
      failures += 1;
      reading.set({ ...reading.get(), error: asError(error), isLoading: false });
    }
  };

  const begin = (): Promise<void> => {
    running = readOnce().finally(() => {
      running = undefined;
      plan();
    });
    return running;
  };

  const refetch = (): Promise<void> => {
    if (running === undefined) return begin();
    // What is under way may have been asked before that which the caller wants to see.
    waiting ??= running.then(() => {
      waiting = undefined;
      return running ?? begin();
    });
    return waiting;
  };

  /** Sets the one timer to when the next reading is due. */
  const plan = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const periods = [...watchers].map(({ pollMs }) => pollMs).filter((pollMs) => pollMs > 0);
    if (running !== undefined || periods.length === 0 || !needs.visibility.isVisible()) return;
    const { error } = reading.get();
    const askedForMs = error instanceof TrellisApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    const breakMs = Math.max(askedForMs, Math.min(...periods) * Math.min(2 ** failures, longestBackOff));
    timer = setTimeout(() => void refetch(), Math.max(0, attemptedAtMs + breakMs - Date.now()));
  };

  return {
    get: reading.get,
    subscribe: reading.subscribe,
    refetch,
    invalidate: async () => {
      isStale = true;
      if (watchers.size > 0) await refetch();
    },
    watch: (pollMs) => {
      const reader = { pollMs };
      watchers.add(reader);
      stopRefreshing ??= needs.visibility.subscribe(plan);
      const isUnread = isStale || reading.get().readAtMs === undefined;
      if (isUnread && running === undefined) void refetch();
      else plan();
      return () => {
        watchers.delete(reader);
        plan();
        if (watchers.size > 0) return;
        stopRefreshing?.();
        stopRefreshing = undefined;
      };
    },
  };
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
