/** What a custodian has seen of the service's log. */
export interface SeenServiceLog {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** What is wrong with the one that it has refused last, where no operator has decided about it. */
  readonly refused: "shorter" | "other" | "renamed" | null;
}

/** The log that a custodian in a process of its own keeps, and what it cosigns. Each call throws `CustodianUnavailable` where no answer comes. */
export interface CustodianLog {
  /** The custodian's name. */
  readonly name: string;
  /** The name that its log has: of its pinned identity, so that it cannot begin another one. */
  readonly origin: string;
  /** The name of the key that it cosigns with. */
  readonly witnessName: string;
  /** False: its process was not needed yet, so it enters nothing, and is not started for this. */
  isRunning(): boolean;
  /** The key of its log, and the one that it cosigns with, as tools of others take them. */
  getKeys(): Promise<{ readonly logKey: string; readonly witnessKey: string }>;
  /** What it has seen of the service's log last. Null: nothing. Undefined: it does not say, as its release does not. */
  getServiceLog(): Promise<SeenServiceLog | null | undefined>;
  /** A checkpoint over everything until now, and the proof that it begins with the first `old` entries. */
  proveGrowth(old: number): Promise<{
    readonly size: number;
    /** Null: nothing was entered yet. */
    readonly checkpoint: string | null;
    readonly proof: readonly Uint8Array[];
  }>;
  /** Shows it a checkpoint of the service's log, whose key this is. `body` is one of `add-checkpoint`. */
  addCheckpoint(logKey: string, body: string): Promise<{ readonly status: number; readonly body: string }>;
  /** Gives it the service's cosignature of its own checkpoint; false: it does not believe it. */
  keepCosignature(given: {
    readonly witnessKey: string;
    readonly checkpoint: string;
    readonly line: string;
  }): Promise<boolean>;
}
