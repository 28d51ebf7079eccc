import { assertOurs } from "@trellis/kernel/errors.js";
import type { Db, DbOrTrx, UserTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { type RawBuilder, sql } from "kysely";
import { makingUsers, newUserId, newUserIds, type UserIdNeeds } from "./user-id.js";

/** Finds the user an address stands for, within one tenant and environment (gap 17). `email` in stored form. */
export async function findUser(
  db: DbOrTrx,
  tenantId: string,
  environment: EnvironmentName,
  email: string,
): Promise<UserTable | undefined> {
  return db
    .selectFrom("app_user")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("environment", "=", environment)
    .where("email", "=", email)
    .executeTakeFirst();
}

/** Finds a user by id. */
export async function findUserById(db: DbOrTrx, id: string): Promise<UserTable | undefined> {
  return db.selectFrom("app_user").selectAll().where("id", "=", id).executeTakeFirst();
}

/** SQL that is true where a code alone signs a user in (gap 164). */
export const takesCodeAlone = (userId: string | RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from app_user where id = ${userId} and passkey_sign_in = 'required')`;

/** The user of an address, made where there is none; its id. `email` in stored form, `now` environment time. */
export async function ensureUser(
  needs: UserIdNeeds & { readonly db: Db },
  tenantId: string,
  environment: EnvironmentName,
  email: string,
  now: number,
): Promise<string> {
  // Writing the row back makes the statement return it.
  const insert = sql<{ id: string }>`
    insert into app_user (id, tenant_id, environment, email, created_at)
    values (${newUserId(newUserIds(needs, { tenantId, environment, email }))}, ${tenantId}, ${environment}, ${email}, ${now})
    on conflict (tenant_id, environment, email) do update set email = excluded.email
    returning id`;
  const { rows } = await makingUsers(() => insert.execute(needs.db));
  const id = rows[0]?.id;
  assertOurs(id, "an address that is ensured has a user");
  return id;
}
