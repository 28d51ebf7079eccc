/** Where a module may report something that no caller will see. Fields are redacted by the adapter (pino). */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
