import type { EnvironmentName } from "./environment.js";

/** A request that was answered. */
export interface AnsweredRequest {
  /** The contract's operation; `other` for pages and paths that have none. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
  /** Of the error catalogue, as the wire shows it; undefined where nothing was refused. */
  readonly code: string | undefined;
}

/** A call of a cluster's JSON-RPC that was answered, or was not. */
export interface RpcCall {
  readonly environment: EnvironmentName;
  /** Without path and query, which hold keys. */
  readonly host: string;
  readonly method: string;
  readonly outcome: "answered" | "error" | "slow" | "failed";
  readonly seconds: number;
}

/** One run of something that recurs. */
export interface PassRun {
  readonly pass: string;
  /** `all`: of every environment at once. */
  readonly environment: EnvironmentName | "all";
  readonly seconds: number;
  readonly isOk: boolean;
  /** Unix seconds, real time. */
  readonly endedAt: number;
}

/**
 * Receives what happens, for operators who monitor the service. Nothing reported may name a tenant, an account, a key, a path
 * as it was asked for, or a URL: every word comes from a list that this code or its configuration holds.
 */
export interface Metrics {
  requestAnswered(request: AnsweredRequest): void;
  rpcCalled(call: RpcCall): void;
  /** A pass is there from `at` on (Unix seconds): one that never ends well is late from then. */
  passMade(pass: {
    readonly pass: string;
    readonly environment: string;
    readonly everyMs: number;
    readonly at: number;
  }): void;
  passEnded(run: PassRun): void;
  /** Answered requests that the list of requests will not have: there was no room for them, or the database did not take them. */
  requestsUnrecorded(cause: "full" | "database", count: number): void;
  /** An event was sent to a receiver, with this outcome: `2xx` to `5xx`, or what went wrong. */
  eventSent(outcome: string): void;
}
