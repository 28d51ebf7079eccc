import { createRealClock } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import {
  endAllForOperator,
  type FoundSession,
  findSessionsForOperator,
  type OpenSessionFilter,
} from "../people/end-sessions.js";
import { withDatabase } from "./with-database.js";

/** Which sessions an operator means, and whether they are to end. Members that are absent narrow nothing. */
export type SessionCommand = OpenSessionFilter & { readonly ends: boolean };

/**
 * Finds the open sessions that an operator means, the first thousand; or ends all of them, where that is asked (gap 158), in
 * the database alone: their keys command nothing from then on, in every process.
 */
export function commandSessions(config: Config, command: SessionCommand): Promise<readonly FoundSession[]> {
  return withDatabase(config, ({ db }) =>
    command.ends
      ? endAllForOperator(db, command, createRealClock().now())
      : findSessionsForOperator(db, command, createRealClock().now(), 1_000),
  );
}
