import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { addressText, emailText, isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { type KnownUser, listKnownUsers, type UserFilter } from "./user-list-store.js";

const most = limits.userCountsMax;

/** A user as those see it who run the tenant (gap 205). */
export const User = Type.Object(
  {
    id: uuidText({ description: "The `grid_user_id` of accounts and sessions." }),
    email: emailText(),
    environment: Type.Enum([...environmentNames]),
    created_at: Type.String({ format: "date-time" }),
    last_signed_in_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: `Null: not for as long as sessions are kept, which is ${limits.kept.sessionMs / 86_400_000} days.`,
    }),
    accounts: Type.Array(addressText(), {
      maxItems: most,
      description: `Accounts that are theirs, or that a wallet of theirs signs for: ${most} at most.`,
    }),
    sessions_active: Type.Integer({
      minimum: 0,
      maximum: most,
      description: `Of their last ${most} sessions so many are open.`,
    }),
    passkeys: Type.Integer({ minimum: 0, maximum: most }),
  },
  { $id: "User" },
);

export function toWireUser(user: KnownUser): Static<typeof User> {
  const instant = (at: bigint) => new Date(Number(at)).toISOString();
  return {
    id: user.id,
    email: user.email,
    environment: user.environment as Static<typeof User>["environment"],
    created_at: instant(user.created_at),
    last_signed_in_at: user.last_signed_in_at === null ? null : instant(user.last_signed_in_at),
    accounts: [...user.accounts],
    sessions_active: user.sessions_active,
    passkeys: user.passkeys,
  };
}

/** A user of the tenant's. Throws `user_not_found`: another tenant's does not exist, nor one of another environment. */
export async function getKnownUser(
  db: Db,
  whose: Pick<UserFilter, "tenantId" | "environment">,
  id: string,
  now: number,
): Promise<KnownUser> {
  const [found] = isUuid(id) ? await listKnownUsers(db, { ...whose, id }, now, { limit: 1 }) : [];
  if (found === undefined) throw new TrellisError("user_not_found");
  return found;
}
