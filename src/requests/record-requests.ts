import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { RequestLog } from "./request-log.js";
import { insertRequests } from "./request-store.js";

export interface RecordingNeeds {
  readonly db: Db;
  readonly log: Log;
  readonly requestLog: RequestLog;
}

/** Writes what this process has answered since the last time. What the database does not take is lost and counted: no request waits for it. */
export async function recordRequests({ db, log, requestLog }: RecordingNeeds): Promise<void> {
  const calls = requestLog.take();
  if (calls.length === 0) return;
  try {
    await insertRequests(db, calls);
  } catch (error) {
    requestLog.lose(calls.length);
    log.warn({ event: "requests_unrecorded", err: error, count: calls.length }, "answered requests were not recorded");
  }
}
