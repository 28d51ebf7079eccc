import { limits } from "@trellis/kernel/limits.js";
import type { Metrics } from "@trellis/kernel/ports/metrics.js";

/** A request that was answered, as it is kept. Every text comes from a list of ours, or is checked to be of its form. */
export interface AnsweredCall {
  readonly tenantId: string;
  readonly apiKeyId: string;
  /** Null: the operation has none, or it was refused before it was known. */
  readonly environment: string | null;
  readonly requestId: string;
  /** When it was received. Unix milliseconds, real time. */
  readonly at: number;
  readonly method: string;
  /** The route, with the names of its parameters. */
  readonly path: string;
  /** An address in the path: kept where it is an account of the tenant. */
  readonly account: string | null;
  readonly status: number;
  /** Of the error catalogue; null: it succeeded. */
  readonly code: string | null;
  readonly durationMs: number;
  readonly remoteAddress: string | null;
}

/** What this process has answered and not written yet. */
export interface RequestLog {
  /** Keeps it until the next write; drops it where there is no room. Never throws, and waits for nothing. */
  note(call: AnsweredCall): void;
  /** All that was noted since the last time. */
  take(): readonly AnsweredCall[];
  /** These are lost: the database did not take them. */
  lose(count: number): void;
}

/**
 * A queue with bounds: of all, of each tenant, and of each tenant's answers of one kind. So a storm of one refusal leaves room for the
 * tenant's other requests, and a storm of one tenant for those of others.
 */
export function createRequestLog(metrics?: Pick<Metrics, "requestsUnrecorded">): RequestLog {
  let calls: AnsweredCall[] = [];
  let counts = new Map<string, number>();
  const hasRoom = (name: string, most: number): boolean => {
    const count = counts.get(name) ?? 0;
    if (count >= most) return false;
    counts.set(name, count + 1);
    return true;
  };
  const { queued, ofTenant, ofKind } = limits.requestLog;
  return {
    note: (call) => {
      const { tenantId, code } = call;
      if (
        calls.length < queued &&
        hasRoom(`${code ?? ""} ${tenantId}`, ofKind) &&
        hasRoom(` of all kinds ${tenantId}`, ofTenant)
      )
        calls.push(call);
      else metrics?.requestsUnrecorded("full", 1);
    },
    take: () => {
      const taken = calls;
      calls = [];
      counts = new Map();
      return taken;
    },
    lose: (count) => metrics?.requestsUnrecorded("database", count),
  };
}
