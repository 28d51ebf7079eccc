import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import { holdMember } from "./session-store.js";

/** A session of a member, and real time. */
export interface FreshNeed {
  readonly memberId: string;
  readonly sessionId: string;
  readonly now: number;
}

/**
 * Throws `fresh_sign_in_required` for a session that did not begin lately, or that no passkey of a member who requires one has opened, and
 * `sign_in_required` for one that has ended.
 */
export async function requireFresh(db: DbOrTrx, { memberId, sessionId, now }: FreshNeed): Promise<void> {
  const session = await db
    .selectFrom("member_session")
    .innerJoin("member", "member.id", "member_session.member_id")
    .select(["member_session.created_at", "member_session.passkey_id", "member.passkey_required"])
    .where("member_session.id", "=", sessionId)
    .where("member.id", "=", memberId)
    .executeTakeFirst();
  if (session === undefined) throw new TrellisError("sign_in_required");
  if (Number(session.created_at) <= now - limits.memberFreshMs) throw new TrellisError("fresh_sign_in_required");
  if (session.passkey_required && session.passkey_id === null) {
    throw new TrellisError("fresh_sign_in_required", {
      message: "You require a passkey: this takes a session that one of yours has opened. Sign in with it.",
    });
  }
}

/**
 * The same in a change of what signs the member in. The member's row is held from here on, so that of several changes at once each sees
 * what the one before has left, and a session that is being ended changes nothing.
 */
export async function holdFresh(trx: Trx, need: FreshNeed): Promise<void> {
  if (!(await holdMember(trx, need.memberId))) throw new TrellisError("sign_in_required");
  await requireFresh(trx, need);
}
