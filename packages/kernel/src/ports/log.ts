/**
 * The code of a kind of line, for searches and alarms: `noun_what_happened`, a literal at each call. A code has one level and
 * one message wherever it is written; docs/log-events.md lists them all.
 */
export type LogEvent = Lowercase<`${string}_${string}`>;

/** What a line says besides its message. What was thrown is `err`, and nothing else is. */
export interface LogFields {
  readonly event: LogEvent;
  readonly err?: unknown;
  readonly error?: never;
  readonly [name: string]: unknown;
}

/** Where a module may report something that no caller will see. Fields are redacted by the adapter (pino). */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
