import type { DbOrTrx, UserTable } from "../../ports/database.js";
import type { EnvironmentName } from "../../ports/environment.js";

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
