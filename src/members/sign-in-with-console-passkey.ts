import { parseP256Point } from "@trellis/kernel/crypto/p256.js";
import { type Assertion, verifyAssertion } from "@trellis/kernel/crypto/webauthn.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import Type, { type Static } from "typebox";
import { recordEntry } from "../audit/actor.js";
import { decodeBase64Url } from "../custody/encodings.js";
import { publicPlace } from "../tenants/public-place.js";
import { type MemberNonce, readMemberNonce, spendMemberNonce } from "./member-nonce.js";
import { userHandleOf } from "./member-passkey.js";
import { findMemberPasskey, type MemberPasskeyRow, noteMemberPasskeyUse } from "./member-passkey-store.js";
import { findMember } from "./member-store.js";
import { endPresented, holdMember, type OpenedSession, openSession } from "./session-store.js";
import { answerSignedIn, SignedIn } from "./signed-in.js";
import type { SignInNeeds } from "./verify-sign-in.js";

const base64Url = (description: string) => Type.String({ maxLength: 4_096, description });

/** What `navigator.credentials.get` answered, as `credential.toJSON()` writes it. Members not named here are not read. */
const AssertionResponse = Type.Object(
  {
    id: Type.String({ maxLength: 1_400, description: "Base64url: the credential's id." }),
    response: Type.Object({
      clientDataJSON: base64Url("Base64url."),
      authenticatorData: base64Url("Base64url."),
      signature: base64Url("Base64url: DER."),
      userHandle: Type.Optional(Type.Union([base64Url("Base64url."), Type.Null()])),
    }),
  },
  { $id: "ConsolePasskeyAssertion" },
);

/** Gap 225. */
export const signInWithConsolePasskey = endpoint(
  {
    operation: "signInWithConsolePasskey",
    summary: "Sign in to the console with a passkey",
    description:
      "Sets the session's cookie. The passkey says whose it is: no address is asked for. Whatever is wrong, the answer is the same. The " +
      "session that the browser had ends.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/passkey",
    scope: null,
    console: "open",
    environment: "none",
    body: Type.Object({ credential: AssertionResponse }, { $id: "ConsolePasskeyRequest" }),
    response: { status: 200, envelope: true, schema: SignedIn },
    errors: ["invalid_passkey", "passkeys_not_configured"],
    idempotent: false,
  },
  async (needs: SignInNeeds, { body, presentedCookie }) => {
    const answer = await readAnswer(needs, body.credential);
    const opened = answer && (await signIn(needs, answer, presentedCookie));
    if (opened === undefined) throw new TrellisError("invalid_passkey");
    return answerSignedIn(needs, opened);
  },
);

interface PasskeyAnswer {
  readonly passkey: MemberPasskeyRow;
  readonly nonce: MemberNonce;
  /** Whether the passkey made it; the second time against how far it had counted. */
  readonly verify: (counter: number | undefined) => ReturnType<typeof verifyAssertion>;
}

/** What a passkey that is known here has signed; undefined for anything else. */
async function readAnswer(
  needs: SignInNeeds,
  { id, response }: Static<typeof AssertionResponse>,
): Promise<PasskeyAnswer | undefined> {
  const { rpId, origin } = publicPlace(needs.publicUrl());
  const assertion = decodeAssertion(response);
  const nonce = assertion && (await readMemberNonce(needs, { origin, sessionId: null }, assertion.clientDataJson));
  if (assertion === undefined || nonce === undefined || decodeBase64Url(id) === undefined) return undefined;
  const passkey = await findMemberPasskey(needs.db, id);
  // What belongs to a former address of the console is good there.
  if (passkey === undefined || passkey.rp_id !== rpId) return undefined;
  const { userHandle } = response;
  if (typeof userHandle === "string" && userHandle !== userHandleOf(passkey.member_id)) return undefined;
  const key = parseP256Point(passkey.public_key);
  assertOurs(key, "a point was stored");
  const expected = { challenge: nonce.bytes, relyingParty: relyingPartyOf(rpId, [origin]), key };
  const verify = (counter: number | undefined) => verifyAssertion(assertion, { ...expected, counter });
  return verify(undefined).ok ? { passkey, nonce, verify } : undefined;
}

function decodeAssertion(response: Static<typeof AssertionResponse>["response"]): Assertion | undefined {
  const authenticatorData = decodeBase64Url(response.authenticatorData);
  const clientDataJson = decodeBase64Url(response.clientDataJSON);
  const signature = decodeBase64Url(response.signature);
  return authenticatorData && clientDataJson && signature && { authenticatorData, clientDataJson, signature };
}

async function signIn(
  needs: SignInNeeds,
  { passkey, nonce, verify }: PasskeyAnswer,
  presentedCookie: string | undefined,
): Promise<OpenedSession | undefined> {
  const now = needs.realClock.now();
  const memberId = passkey.member_id;
  const outcome = await needs.db.transaction().execute(async (trx) => {
    // The member first: who removes a passkey, or the member, waits here, or is waited for.
    const held = await holdMember(trx, memberId);
    const stored = held ? await findMemberPasskey(trx, passkey.credential_id) : undefined;
    if (stored?.id !== passkey.id || !(await spendMemberNonce(trx, needs, nonce))) return undefined;
    const verdict = verify(Number(stored.counter));
    if (!verdict.ok) return verdict.fault === "counter" ? stored.counter : undefined;
    await noteMemberPasskeyUse(trx, stored.id, verdict.counter, now);
    if (presentedCookie !== undefined) await endPresented(trx, needs.keyring, presentedCookie);
    return openSession(trx, needs, { memberId, passkeyId: stored.id }, now);
  });
  if (typeof outcome !== "bigint") return outcome;
  await noteMemberCounter(needs, passkey, outcome);
  return undefined;
}

/** There may be a copy of the authenticator, or this is an old answer: the audit log says so. */
export async function noteMemberCounter(
  { db }: Pick<SignInNeeds, "db">,
  { id, member_id }: Pick<MemberPasskeyRow, "id" | "member_id">,
  counter: bigint,
): Promise<void> {
  const member = await findMember(db, member_id);
  if (member === undefined) return;
  await recordEntry(db, {
    tenantId: member.tenant_id,
    kind: "member.passkey_counter_went_back",
    subject: `member/${member_id}`,
    details: { passkey: id, counter: Number(counter) },
  });
}
