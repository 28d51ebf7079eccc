import { limits } from "@trellis/kernel/limits.js";
import type { Metrics } from "@trellis/kernel/ports/metrics.js";

/** A request that was answered, as it is kept. Every text comes from a list of ours, or is checked to be of its form. */
export interface AnsweredCall {
  readonly tenantId: string;
  readonly apiKeyId: string;
  /** With a publishable key, which anybody can read in a page. */
  readonly isByPage: boolean;
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
 * tenant's other requests, and a storm of one tenant for those of others. Of what pages ask a few each second are kept: whoever reads a key in
 * a page must not push out what the tenant itself has asked.
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
  let second = 0;
  let ofPages = new Map<string, number>();
  const hasPageRoom = ({ tenantId, isByPage, at, durationMs }: AnsweredCall): boolean => {
    if (!isByPage) return true;
    const answeredIn = Math.floor((at + durationMs) / 1000);
    if (answeredIn !== second) {
      second = answeredIn;
      ofPages = new Map();
    }
    const count = ofPages.get(tenantId) ?? 0;
    ofPages.set(tenantId, count + 1);
    return count < ofPagesASecond;
  };
  const { queued, ofTenant, ofKind, ofPagesASecond } = limits.requestLog;
  return {
    note: (call) => {
      const { tenantId, code } = call;
      if (
        calls.length < queued &&
        hasPageRoom(call) &&
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
