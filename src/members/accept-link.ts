import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Trx } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { nameActor } from "../audit/actor.js";
import { findLink, spendSecret } from "./secret-store.js";
import { endPresented, type OpenedSession, openSession } from "./session-store.js";
import { answerSignedIn, SignedIn } from "./signed-in.js";
import type { SignInNeeds } from "./verify-sign-in.js";

/** Gap 216. */
export const acceptLink = endpoint(
  {
    operation: "acceptLink",
    summary: "Sign in to the console with a link",
    description:
      "Accepts an invitation, or a link that a command has printed, and sets the session's cookie. A link works once. The session that the browser had ends.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/accept",
    scope: null,
    console: "open",
    environment: "none",
    body: Type.Object(
      { token: Type.String({ maxLength: 100, description: "What stands behind `#accept=` in the link." }) },
      { $id: "ConsoleAcceptRequest" },
    ),
    response: { status: 200, envelope: true, schema: SignedIn },
    errors: ["invalid_sign_in_link"],
    idempotent: false,
  },
  async (needs: SignInNeeds, { body, presentedCookie }) => {
    const now = needs.realClock.now();
    const link = await findLink(needs.db, needs.keyring, body.token);
    if (link === undefined) throw new TrellisError("invalid_sign_in_link");
    const opened = await needs.db.transaction().execute(async (trx): Promise<OpenedSession> => {
      // The member first, as whoever disables the member does: neither waits for the other in a circle.
      await nameActor(trx, `member/${link.memberId}`);
      if (link.kind === "invitation") await becomeActive(trx, link.memberId);
      const session = await openSession(trx, needs, { memberId: link.memberId }, now);
      if (session === undefined || !(await spendSecret(trx, link.id, now)))
        throw new TrellisError("invalid_sign_in_link");
      if (presentedCookie !== undefined) await endPresented(trx, needs.keyring, presentedCookie);
      return session;
    });
    return answerSignedIn(needs, opened);
  },
);

/** Throws `invalid_sign_in_link` where the member is not invited any more. */
async function becomeActive(trx: Trx, memberId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("member")
    .set({ status: "active" })
    .where("id", "=", memberId)
    .where("status", "=", "invited")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new TrellisError("invalid_sign_in_link");
}
