import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { emailText, codeText as oneTimeCodeText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { parseEmailAddress } from "../people/email-address.js";
import { codeText, giveBack, secretMacs, spendSecret, takeTries } from "./secret-store.js";
import { type OpenedSession, openSession } from "./session-store.js";
import { answerSignedIn, SignedIn } from "./signed-in.js";

export interface SignInNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly publicUrl: () => string;
}

/** Gap 216. */
export const verifySignIn = endpoint(
  {
    operation: "verifySignIn",
    summary: "Sign in to the console with a code",
    description:
      "Sets the session's cookie. A code is good for 15 minutes, once, and for three tries; ten wrong tries in a day are all that a member " +
      "has. Whatever is wrong, the answer is the same.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/verify",
    scope: null,
    console: "open",
    environment: "none",
    body: Type.Object(
      { email: emailText(), code: oneTimeCodeText() },
      { $id: "ConsoleVerifyRequest", examples: [{ email: "ada@example.com", code: "093142" }] },
    ),
    response: { status: 200, envelope: true, schema: SignedIn },
    errors: ["invalid_email", "invalid_otp"],
    idempotent: false,
  },
  async (needs: SignInNeeds, { body }) => {
    const email = parseEmailAddress(body.email);
    const opened = await signIn(needs, email, body.code);
    if (opened === undefined) throw new TrellisError("invalid_otp", { field: "code" });
    return answerSignedIn(needs.publicUrl(), opened);
  },
);

async function signIn(needs: SignInNeeds, email: string, code: string): Promise<OpenedSession | undefined> {
  const { db, keyring, realClock } = needs;
  const now = realClock.now();
  const macs = secretMacs(keyring);
  const all = await takeTries(db, email, now);
  for (const tried of all) {
    if (!(await macs.verify(codeText(tried.id, code), tried.secret_hash))) continue;
    const opened = await db.transaction().execute(async (trx) => {
      const session = await openSession(trx, needs, tried.member_id, now);
      if (session === undefined || (await spendSecret(trx, tried.id, now))) return session;
      throw new TrellisError("invalid_otp", { field: "code" });
    });
    // Behind the transaction, so that no two wait for each other's codes.
    if (opened !== undefined)
      await giveBack(
        db,
        all.map(({ id }) => id).filter((id) => id !== tried.id),
      );
    return opened;
  }
  return undefined;
}
