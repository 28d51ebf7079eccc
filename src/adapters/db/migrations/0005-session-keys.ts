import { type Kysely, sql } from "kysely";

/** Every submission notes that the sessions it was signed by were used, and finds them by their keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`create index session_authorization_key on session (authorization_key_id)`).execute(db);
}
