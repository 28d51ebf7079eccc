import { TrellisError } from "@trellis/kernel/errors.js";
import type { Authority } from "@trellis/kernel/ports/custodian.js";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { findPasskeysOfUser } from "../custody/passkey/passkey-store.js";

/** Whether a passkey has to sign beside the code when a user signs in (gap 164). */
export async function findRequirement(db: Db, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom("app_user")
    .select("passkey_sign_in")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return user.passkey_sign_in === "required";
}

/** Sets it with a nonce that was not used before, by a passkey that is still there; false: nothing was changed. */
export async function setRequirement(
  db: Db,
  asked: {
    readonly userId: string;
    readonly required: boolean;
    readonly passkeyId: string;
    readonly nonce: { readonly nonce: string; readonly expiresAt: number };
  },
): Promise<boolean> {
  const { userId, required, passkeyId, nonce } = asked;
  return db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const isThere = await trx
      .selectFrom("passkey")
      .select("id")
      .where("id", "=", passkeyId)
      .where("removed_at", "is", null)
      .executeTakeFirst();
    if (isThere === undefined) return false;
    const { rows } = await sql`insert into passkey_sign_in (nonce, expires_at)
      values (${nonce.nonce}, ${nonce.expiresAt}::int8) on conflict (nonce) do nothing returning 1`.execute(trx);
    if (rows.length === 0) return false;
    await setPasskeySignIn(trx, userId, required ? "required" : "optional");
    return true;
  });
}

/** From the first passkey on, where its user has asked for that when the account was made. */
export async function requireFromFirst(trx: Trx, userId: string): Promise<void> {
  const user = await lockUser(trx, userId);
  if (user.passkey_sign_in === "from_first") await setPasskeySignIn(trx, userId, "required");
}

/** Behind the removal of a passkey: what no passkey is left for is not required any more. */
export async function liftWithLast(trx: Trx, userId: string): Promise<void> {
  const user = await lockUser(trx, userId);
  if (user.passkey_sign_in !== "required") return;
  if ((await findPasskeysOfUser(trx, userId)).length === 0) await setPasskeySignIn(trx, userId, "optional");
}

/**
 * Throws `wrong_signing_key` where a session's key alone would add or remove a passkey of a user whose passkeys sign beside the code:
 * who holds a session could lift that by a passkey of their own.
 */
export async function requirePasskeyFor(db: Db, userId: string, { kind }: Authority): Promise<void> {
  if (kind === "passkey" || !(await findRequirement(db, userId))) return;
  throw new TrellisError("wrong_signing_key", {
    field: "authorization",
    message:
      "This user signs in with a passkey beside the code: a passkey of the wallet has to sign this, not a session's key.",
  });
}

/** Who changes what a user's passkeys are for changes it after the one before. */
const lockUser = (trx: Trx, userId: string) =>
  trx
    .selectFrom("app_user")
    .select("passkey_sign_in")
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

const setPasskeySignIn = (trx: Trx, userId: string, to: "optional" | "required") =>
  trx.updateTable("app_user").set({ passkey_sign_in: to }).where("id", "=", userId).execute();
