import { Buffer } from "node:buffer";
import { type NewPasskey, readRegistration, type WebAuthnFault } from "@trellis/kernel/crypto/webauthn.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Trx } from "@trellis/kernel/ports/database.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { decodeBase64Url } from "../custody/encodings.js";
import { faultTexts } from "../custody/passkey/fault-texts.js";
import { RegistrationResponse } from "../passkeys/add-passkey.js";
import { PasskeyName } from "../passkeys/passkey.js";
import { type PublicPlace, publicPlace } from "../tenants/public-place.js";
import { holdFresh } from "./fresh-session.js";
import { memberOf } from "./get-console-session.js";
import { type MailNeeds, mailAboutSignIn } from "./member-mails.js";
import { type MemberNonce, type NonceNeeds, readMemberNonce, spendMemberNonce } from "./member-nonce.js";
import { MemberPasskey, toWireMemberPasskey } from "./member-passkey.js";
import { insertMemberPasskey, listMemberPasskeys, type MemberPasskeyRow } from "./member-passkey-store.js";
import { findMember } from "./member-store.js";
import { readMemberName } from "./wire-member.js";

export interface AddPasskeyNeeds extends NonceNeeds, MailNeeds {
  readonly publicUrl: () => string;
}

/** Gap 225. */
export const addMemberPasskey = endpoint(
  {
    operation: "addMemberPasskey",
    summary: "Add a passkey of one's own",
    description:
      "From now on it signs the member in to the console. Takes a session that began in the last 15 minutes, the one that the challenge was " +
      "given in. The member is mailed.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/passkeys",
    scope: null,
    console: "member",
    environment: "none",
    body: Type.Object({ name: PasskeyName, credential: RegistrationResponse }, { $id: "AddMemberPasskeyRequest" }),
    response: { status: 201, envelope: true, schema: MemberPasskey },
    errors: [
      "fresh_sign_in_required",
      "invalid_registration",
      "passkey_exists",
      "passkey_limit",
      "passkeys_not_configured",
    ],
    idempotent: false,
  },
  async (needs: AddPasskeyNeeds, { body, caller }) => {
    const { id: memberId, sessionId } = memberOf(caller);
    const now = needs.realClock.now();
    const place = publicPlace(needs.publicUrl());
    const name = readMemberName(body.name);
    const { nonce, passkey } = await readAnswer(needs, place, sessionId, body.credential);
    const row = await asActor(needs.db, actorOf(caller), async (trx) => {
      await holdFresh(trx, { memberId, sessionId, now });
      if (!(await spendMemberNonce(trx, needs, nonce)))
        throw refused("This challenge was used, or is over. Begin again.");
      return store(trx, {
        id: needs.random.uuid(),
        member_id: memberId,
        credential_id: Buffer.from(passkey.credentialId).toString("base64url"),
        public_key: passkey.publicKey.point,
        rp_id: place.rpId,
        counter: BigInt(passkey.counter),
        name,
        aaguid: passkey.aaguid,
        is_synced: passkey.isSynced,
        created_at: BigInt(now),
      });
    });
    await mailAboutSignIn(needs, await findMember(needs.db, memberId), { what: "added", name });
    return { data: toWireMemberPasskey(row) };
  },
);

async function store(trx: Trx, row: Omit<MemberPasskeyRow, "last_used_at">): Promise<MemberPasskeyRow> {
  const known = await listMemberPasskeys(trx, row.member_id);
  if (known.length >= limits.passkeysPerMember) {
    throw new TrellisError("passkey_limit", { message: "You have the most passkeys that a member can have." });
  }
  const stored = await insertMemberPasskey(trx, row);
  if (stored !== undefined) return stored;
  throw new TrellisError("passkey_exists", { message: "This passkey signs a member in already." });
}

const refused = (message: string) => new TrellisError("invalid_registration", { field: "credential", message });

const ownTexts: Readonly<Record<WebAuthnFault, string>> = {
  ...faultTexts,
  origin: "A page of another origin than the console's asked for this passkey.",
  rp_id: "This passkey belongs to another domain than the console's.",
};

/** Throws `invalid_registration`. */
async function readAnswer(
  needs: NonceNeeds,
  { rpId, origin }: PublicPlace,
  sessionId: string,
  { response }: Static<typeof RegistrationResponse>,
): Promise<{ readonly nonce: MemberNonce; readonly passkey: NewPasskey }> {
  const clientDataJson = decodeBase64Url(response.clientDataJSON);
  const authenticatorData = decodeBase64Url(response.authenticatorData);
  if (!clientDataJson || !authenticatorData) throw refused(ownTexts.malformed);
  const nonce = await readMemberNonce(needs, { origin, sessionId }, clientDataJson);
  if (nonce === undefined) throw refused("This challenge was not given in this session, or is over. Begin again.");
  const expected = { challenge: nonce.bytes, relyingParty: relyingPartyOf(rpId, [origin]) };
  const read = readRegistration({ clientDataJson, authenticatorData }, expected);
  if (!read.ok) throw refused(ownTexts[read.fault]);
  return { nonce, passkey: read.passkey };
}
