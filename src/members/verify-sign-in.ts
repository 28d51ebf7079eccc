import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { codeText, secretMacs, spendSecret, takeTry } from "./secret-store.js";
import { type OpenedSession, openSession } from "./session-store.js";
import { answerSignedIn, SignedIn } from "./signed-in.js";

export interface SignInNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly publicUrl: () => string;
}

const codeForm = `^[0-9]{${limits.memberCodeDigits}}$`;

/** Gaps 216, 226. */
export const verifySignIn = endpoint(
  {
    operation: "verifySignIn",
    summary: "Sign in to the console with a code",
    description:
      "Sets the session's cookie. A code is good for 15 minutes, once, for three tries, and with the id of the request that it was mailed for. " +
      "Whatever is wrong, the answer is the same.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/verify",
    scope: null,
    console: "open",
    environment: "none",
    body: Type.Object(
      {
        request_id: uuidText({ description: "As the request for the code answered it." }),
        code: Type.String({ pattern: codeForm, description: "Eight digits, leading zeros kept." }),
      },
      {
        $id: "ConsoleVerifyRequest",
        examples: [{ request_id: "5f0c1f7e-1d0a-4c3e-9f43-5d7a7a0f9b1e", code: "09314207" }],
      },
    ),
    response: { status: 200, envelope: true, schema: SignedIn },
    errors: ["invalid_otp"],
    idempotent: false,
  },
  async (needs: SignInNeeds, { body }) => {
    const opened = await signIn(needs, body.request_id, body.code);
    if (opened === undefined) throw wrongCode();
    return answerSignedIn(needs, opened);
  },
);

async function signIn(needs: SignInNeeds, requestId: string, code: string): Promise<OpenedSession | undefined> {
  const { db, keyring, realClock } = needs;
  const now = realClock.now();
  const tried = isUuid(requestId) ? await takeTry(db, requestId, now) : undefined;
  if (tried === undefined) return undefined;
  if (!(await secretMacs(keyring).verify(codeText(tried.id, code), tried.secret_hash))) return undefined;
  return db.transaction().execute(async (trx) => {
    // A passkey that was required meanwhile has used the code up.
    const session = await openSession(trx, needs, { memberId: tried.member_id }, now);
    if (session === undefined || (await spendSecret(trx, tried.id, now))) return session;
    throw wrongCode();
  });
}

const wrongCode = () =>
  new TrellisError("invalid_otp", { field: "code", message: "This is not the code of this request, or it is over." });
