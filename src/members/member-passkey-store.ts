import type { DbOrTrx, MemberPasskeyTable, Trx } from "@trellis/kernel/ports/database.js";
import type { Selectable } from "kysely";

/** A member's passkey as the table has it. */
export type MemberPasskeyRow = Selectable<MemberPasskeyTable>;

/** A member's own, the oldest first. */
export async function listMemberPasskeys(db: DbOrTrx, memberId: string): Promise<readonly MemberPasskeyRow[]> {
  return db
    .selectFrom("member_passkey")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** How many of a member's own sign in at a domain. */
export async function countMemberPasskeys(db: DbOrTrx, memberId: string, rpId: string): Promise<number> {
  const own = await listMemberPasskeys(db, memberId);
  return own.filter(({ rp_id }) => rp_id === rpId).length;
}

/** Of whichever member of whichever tenant: no two have the same. */
export async function findMemberPasskey(db: DbOrTrx, credentialId: string): Promise<MemberPasskeyRow | undefined> {
  return db.selectFrom("member_passkey").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();
}

/** Undefined: some member has it already. The member's row is held. */
export async function insertMemberPasskey(
  trx: Trx,
  row: Omit<MemberPasskeyRow, "last_used_at">,
): Promise<MemberPasskeyRow | undefined> {
  return trx
    .insertInto("member_passkey")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Notes a use, and how far the authenticator has counted. The member's row is held. */
export async function noteMemberPasskeyUse(trx: Trx, id: string, counter: number, now: number): Promise<void> {
  await trx
    .updateTable("member_passkey")
    .set({ counter: BigInt(counter), last_used_at: BigInt(now) })
    .where("id", "=", id)
    .execute();
}

/** Undefined: the member has no such passkey. */
export async function renameMemberPasskey(
  db: DbOrTrx,
  { id, memberId, name }: { readonly id: string; readonly memberId: string; readonly name: string },
): Promise<MemberPasskeyRow | undefined> {
  return db
    .updateTable("member_passkey")
    .set({ name })
    .where("id", "=", id)
    .where("member_id", "=", memberId)
    .returningAll()
    .executeTakeFirst();
}

/** Removes one, and ends the sessions that it has opened, but for that of the member who asks. Undefined: the member has no such passkey. */
export async function deleteMemberPasskey(
  trx: Trx,
  { id, memberId, sessionId }: { readonly id: string; readonly memberId: string; readonly sessionId: string },
): Promise<MemberPasskeyRow | undefined> {
  await trx
    .deleteFrom("member_session")
    .where("passkey_id", "=", id)
    .where("member_id", "=", memberId)
    .where("id", "<>", sessionId)
    .execute();
  return trx
    .deleteFrom("member_passkey")
    .where("id", "=", id)
    .where("member_id", "=", memberId)
    .returningAll()
    .executeTakeFirst();
}

/** Removes all of a member who is signed in no more. */
export async function deleteMemberPasskeys(trx: Trx, memberId: string): Promise<void> {
  await trx.deleteFrom("member_passkey").where("member_id", "=", memberId).execute();
}
