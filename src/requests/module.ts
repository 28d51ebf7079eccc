import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { type RecordingNeeds, recordRequests } from "./record-requests.js";

export const requests: Module<RecordingNeeds> = {
  name: "requests",
  sharedPasses: (needs) => [
    {
      name: "record_requests",
      everyMs: limits.recordRequestsEveryMs,
      run: () => recordRequests(needs),
      // What was answered last is written, too.
      stop: () => recordRequests(needs),
    },
  ],
  retention: [{ table: "request_record", since: "at", keptMs: limits.kept.requestMs, clock: "real" }],
};
