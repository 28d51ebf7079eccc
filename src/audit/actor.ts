import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Db, DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";

/**
 * Who changes something, as the audit log names it: an API key, a session of a page, a member of the console, or the operator by a
 * command.
 */
export type Actor = `api_key/${string}` | `session/${string}` | `member/${string}` | "operator" | "configuration";

export const actorOf = ({ apiKeyId, member }: Pick<Caller, "apiKeyId" | "member">): Actor =>
  member === undefined ? `api_key/${apiKeyId}` : `member/${member.id}`;

/** Does the work in one transaction, whose entries in the audit log name the actor. */
export function asActor<T>(db: Db, actor: Actor, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await nameActor(trx, actor);
    return work(trx);
  });
}

/** Has the entries of the rest of a transaction name the actor. */
export async function nameActor(trx: Trx, actor: Actor): Promise<void> {
  await sql`select set_config('trellis.actor', ${actor}::text, true)`.execute(trx);
}

/** Writes an entry that no row of the database stands for. */
export async function recordEntry(
  db: DbOrTrx,
  entry: {
    readonly tenantId: string | null;
    readonly kind: string;
    readonly subject: string;
    readonly details: Readonly<Record<string, unknown>>;
    readonly environment?: string;
    readonly userId?: string;
  },
): Promise<void> {
  await sql`select audit(${entry.tenantId}::text, ${entry.environment ?? null}::text, ${entry.kind}::text, ${entry.subject}::text,
    ${entry.userId ?? null}::text,
    ${JSON.stringify(entry.details)}::text::json)`.execute(db);
}
