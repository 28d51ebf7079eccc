/** Waits `ms` milliseconds of real time. A port, so that nothing in a module holds a timer of its own. */
export type Pause = (ms: number) => Promise<void>;
