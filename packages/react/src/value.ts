/** Something that changes, and notifies its subscribers. */
export type Value<T> = {
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
};

/** A value and the right to change it. Listeners hear of it once for each change. */
export type MutableValue<T> = Value<T> & { readonly set: (next: T) => void };

export function createValue<T>(initial: T): MutableValue<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (next) => {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
