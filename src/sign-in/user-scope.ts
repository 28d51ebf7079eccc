import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { isUuid } from "@trellis/kernel/wire-texts.js";
import type { UserSessions } from "../people/end-sessions.js";
import { findUserById } from "../people/user-store.js";

/** All sessions of a user, for a secret key. Throws `user_not_found`: another tenant's does not exist, nor one of another environment. */
export async function getUserScope(db: Db, caller: Caller, network: Network, userId: string): Promise<UserSessions> {
  const user = isUuid(userId) ? await findUserById(db, userId) : undefined;
  if (user === undefined || user.tenant_id !== caller.tenantId || user.environment !== network.name) {
    throw new TrellisError("user_not_found");
  }
  return { tenantId: caller.tenantId, environment: network.name, userId: user.id };
}
