import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useChosenAccount } from "./account-provider.js";
import type { ReadOfAccount } from "./connection.js";
import { type ExplainedError, explainError } from "./explain-error.js";
import { useConnection } from "./provider.js";
import { nothingRead, type Reading } from "./resource.js";

export type ReadOptions = {
  /** How often it is read again while it is displayed and the page is visible; 0: only on request. */
  readonly pollMs?: number;
};

/** What a reading hook answers. */
export type Read<Data> = {
  /** The last value, also while it is read again. Undefined before the first, and while no user is signed in. */
  readonly data: Data | undefined;
  /** Why the last attempt failed; `data` is the value from before. */
  readonly error: ExplainedError | undefined;
  readonly isLoading: boolean;
  /** Unix milliseconds at which `data` was read. */
  readonly readAtMs: number | undefined;
  /** Reads anew, and resolves when that was answered. Never rejects. */
  readonly refetch: () => Promise<void>;
};

const subscribeToNothing = () => () => undefined;

/** Shows something of the chosen account. `name` stands for `read` and everything it depends on. */
export function useReading<Data>(name: string, read: ReadOfAccount<Data>, pollMs: number): Read<Data> {
  return useReadingOf(useChosenAccount(), name, read, pollMs);
}

/** The same of an account that is named; of none there is nothing. */
export function useReadingOf<Data>(
  account: string | undefined,
  name: string,
  read: ReadOfAccount<Data>,
  pollMs: number,
): Read<Data> {
  const connection = useConnection();
  const resource = account === undefined ? undefined : connection.resource(account, name, read);
  const get = resource?.get ?? nothing;
  const reading = useSyncExternalStore<Reading<Data>>(resource?.subscribe ?? subscribeToNothing, get, get);
  useEffect(() => resource?.watch(pollMs), [resource, pollMs]);
  const refetch = useCallback(async () => resource?.refetch(), [resource]);
  const { data, error, isLoading, readAtMs } = reading;
  return { data, error: error && explainError(error), isLoading, readAtMs, refetch };
}

const nothing = (): Reading<never> => nothingRead;
