import { createHmac } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { nameActor } from "../audit/actor.js";
import type { MemberRow } from "./member-store.js";
import { drawToken, isToken } from "./secret-store.js";

/** The keyed hashes of the console's cookies. */
export const sessionMacs = (keyring: Keyring): Macs => keyring.macs("member-session");

/** A member who was just signed in. */
export interface OpenedSession {
  readonly member: MemberRow;
  /** The cookie, which exists here and nowhere else. */
  readonly token: string;
}

/**
 * Whether a member is active in a tenant that is not disabled. The member's row is held from here on: who disables or removes the member,
 * or changes what signs them in, waits for the end of the transaction.
 */
export async function holdMember(trx: Trx, memberId: string): Promise<boolean> {
  const held = await trx
    .selectFrom("member")
    .innerJoin("tenant", "tenant.id", "member.tenant_id")
    .select("member.id")
    .where("member.id", "=", memberId)
    .where("member.status", "=", "active")
    .where("tenant.disabled_at", "is", null)
    .forUpdate("member")
    .executeTakeFirst();
  return held !== undefined;
}

/**
 * Signs a member in who is active in a tenant that is not disabled, in the transaction that uses up what signs in; undefined for others.
 * The session is always a fresh one, whatever the browser has sent. The member's row is held, so that who disables the member ends this
 * session, too.
 */
export async function openSession(
  trx: Trx,
  { keyring, random }: { readonly keyring: Keyring; readonly random: Random },
  { memberId, passkeyId = null }: { readonly memberId: string; readonly passkeyId?: string | null },
  now: number,
): Promise<OpenedSession | undefined> {
  if (!(await holdMember(trx, memberId))) return undefined;
  await nameActor(trx, `member/${memberId}`);
  const token = drawToken(random);
  const row = {
    id: random.uuid(),
    member_id: memberId,
    token_hash: sessionMacs(keyring).make(token),
    created_at: BigInt(now),
    last_used_at: BigInt(now),
    expires_at: BigInt(now + limits.memberSessionMs),
    passkey_id: passkeyId,
  };
  await trx.insertInto("member_session").values(row).execute();
  const member = await trx
    .updateTable("member")
    .set({ last_signed_in_at: BigInt(now) })
    .where("id", "=", memberId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { member, token };
}

/** Ends one session of a member, or all; how many there were. */
export async function endSessions(db: DbOrTrx, memberId: string, sessionId?: string): Promise<number> {
  let sessions = db.deleteFrom("member_session").where("member_id", "=", memberId);
  if (sessionId !== undefined) sessions = sessions.where("id", "=", sessionId);
  const ended = await sessions.returning("id").execute();
  return ended.length;
}

/** Ends those that no passkey has opened, but for that of the member who asks. */
export async function endSessionsByCode(trx: Trx, memberId: string, sessionId: string): Promise<void> {
  await trx
    .deleteFrom("member_session")
    .where("member_id", "=", memberId)
    .where("passkey_id", "is", null)
    .where("id", "<>", sessionId)
    .execute();
}

/** Ends the session that a browser loses, as its cookie is replaced. */
export async function endPresented(trx: Trx, keyring: Keyring, token: string): Promise<void> {
  if (!isToken(token)) return;
  await sessionMacs(keyring).find(token, (forms) =>
    trx
      .deleteFrom("member_session")
      .where("token_hash", "in", [...forms])
      .returning("id")
      .executeTakeFirst(),
  );
}

/** What a page sends with a change: known to who has read an answer of the session, which no other site's page can. */
export const csrfTokenOf = (token: string): string =>
  createHmac("sha256", token).update("csrf-token").digest("base64url");
