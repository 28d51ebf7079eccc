/** Where a caller stands after a request, in the terms of the `ratelimit-…` headers (gap 7). */
export interface RateStanding {
  readonly allowed: boolean;
  /** Requests a minute. */
  readonly limit: number;
  /** Requests that would pass at once. */
  readonly remaining: number;
  /** Until the whole limit is free again. */
  readonly resetSeconds: number;
  /** Until the next request would pass; 0 when one would now. */
  readonly retryAfterSeconds: number;
}

/** Counts requests by name. */
export interface RateLimiter {
  /** Counts one request, or so many, unless they are over the limit. `now` is real time in Unix milliseconds. */
  take(name: string, now: number, count?: number): RateStanding;
  /** Takes back one request that was counted. */
  giveBack(name: string, now: number): void;
  /** Says without counting whether one request would pass, or so many. */
  peek(name: string, now: number, count?: number): RateStanding;
}

const windowMs = 60_000;
const namesMax = 50_000;

/**
 * The generic cell rate algorithm: up to `perMinute` requests at once, regained evenly over a minute. Held in memory:
 * each process counts for itself. Names that have their whole limit free cost nothing; at most 50 000 are remembered,
 * and beyond that the oldest are forgotten.
 */
export function createRateLimiter(perMinute: number): RateLimiter {
  const costMs = windowMs / perMinute;
  // When each name's limit is wholly free again.
  const freeAt = new Map<string, number>();

  function standing(busyUntil: number, now: number, allowed: boolean, count = 1): RateStanding {
    const usedMs = busyUntil - now;
    return {
      allowed,
      limit: perMinute,
      remaining: Math.max(0, Math.floor((windowMs - usedMs) / costMs + 1e-6)),
      resetSeconds: Math.ceil(usedMs / 1000),
      retryAfterSeconds: Math.max(
        0,
        Math.ceil((usedMs + costMs * Math.min(count, perMinute) - windowMs) / 1000 - 1e-6),
      ),
    };
  }

  return {
    take: (name, now, count = 1) => {
      const before = Math.max(freeAt.get(name) ?? now, now);
      const after = before + costMs * count;
      if (after - now > windowMs + 1e-3) return standing(before, now, false, count);
      if (freeAt.size >= namesMax && !freeAt.has(name)) forgetSome(freeAt, now);
      freeAt.set(name, after);
      return standing(after, now, true);
    },
    giveBack: (name, now) => {
      const before = freeAt.get(name);
      if (before === undefined) return;
      if (before - costMs <= now) freeAt.delete(name);
      else freeAt.set(name, before - costMs);
    },
    peek: (name, now, count = 1) => {
      const before = Math.max(freeAt.get(name) ?? now, now);
      return standing(before, now, before + costMs * count - now <= windowMs + 1e-3, count);
    },
  };
}

/** Makes room: first callers that are free anyway, then the longest known. */
function forgetSome(freeAt: Map<string, number>, now: number): void {
  for (const [name, at] of freeAt) if (at <= now) freeAt.delete(name);
  for (const name of freeAt.keys()) {
    if (freeAt.size < namesMax - namesMax / 10) return;
    freeAt.delete(name);
  }
}

/** What a remote address counts as: itself, or for IPv6 its /64, which is what one customer is given. */
export function addressBucket(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [head = ""] = address.split("%", 1);
  const [left = "", right] = head.split("::");
  const leading = left === "" ? [] : left.split(":");
  const trailing = right === undefined || right === "" ? [] : right.split(":");
  const missing = right === undefined ? 0 : Math.max(0, 8 - leading.length - trailing.length);
  return [...leading, ...Array<string>(missing).fill("0"), ...trailing].slice(0, 4).join(":");
}
