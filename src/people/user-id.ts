import { deriveId } from "@trellis/kernel/crypto/derived-id.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type RawBuilder, sql } from "kysely";

/** What making users asks of the world beside the database. */
export interface UserIdNeeds {
  readonly keyring: Keyring;
  readonly random: Random;
}

/** The address that a user stands for; `email` in stored form. */
interface UserName {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  readonly email: string;
}

/** As many users have had an address before somebody gets an id that nothing reproduces. */
const places = 3;

/**
 * Ids for the user of an address that is to be made, the best first, as a JSON text for `newUserId`. They follow from tenant, environment and
 * address, so that a person whose row was lost with a restored database becomes the same user again, with the same wallets.
 */
export function newUserIds({ keyring, random }: UserIdNeeds, name: UserName): string {
  const secret = keyring.deriveSecret("people/user-id");
  const { tenantId, environment, email } = name;
  const ids = Array.from({ length: places }, (_, n) => deriveId(secret, [tenantId, environment, email, String(n)]));
  return JSON.stringify([...ids, random.uuid()]);
}

/**
 * SQL with the first of those ids that is nobody's. One that is another user's already, who has another address by now, is passed over: a
 * newcomer at a user's former address never gets that user's wallets.
 */
export function newUserId(ids: string | RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(select candidate.id from json_array_elements_text(${ids}::json) with ordinality as candidate (id, n)
    -- Each by its key, whatever the server knows of how many users there are.
    where not exists (select from app_user where app_user.id = candidate.id offset 0) order by candidate.n limit 1)`;
}

/**
 * Runs a statement that makes users: again where another one has made the same user meanwhile, which it finds then. The conflict of ids
 * is reported before that of addresses.
 */
export async function makingUsers<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    if (code !== "23505" || constraint !== "app_user_pkey") throw error;
    return run();
  }
}
