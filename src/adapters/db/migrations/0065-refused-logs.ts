import { refusedLogTables } from "@trellis/kernel/tlog/refused-logs.js";
import { type Kysely, sql } from "kysely";

/** Logs of custodians that contradict what was seen of them, with both checkpoints. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of refusedLogTables) await sql.raw(statement).execute(db);
}
