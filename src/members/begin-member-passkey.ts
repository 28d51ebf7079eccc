import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type, { type Static } from "typebox";
import { CreationOptions } from "../passkeys/begin-passkey.js";
import { type PublicPlace, publicPlace } from "../tenants/public-place.js";
import { findTenant } from "../tenants/tenant-store.js";
import { requireFresh } from "./fresh-session.js";
import { memberOf } from "./get-console-session.js";
import { issueMemberNonce, type NonceNeeds } from "./member-nonce.js";
import { userHandleOf } from "./member-passkey.js";
import { listMemberPasskeys, type MemberPasskeyRow } from "./member-passkey-store.js";
import { findMember, type MemberRow } from "./member-store.js";

/** Gap 225. */
export const beginMemberPasskey = endpoint(
  {
    operation: "beginMemberPasskey",
    summary: "Begin to add a passkey of one's own",
    description:
      "Answers what the browser is to be asked for. Its answer goes to `POST /console/passkeys` within five minutes, in the same session. " +
      "The challenge is good once.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/passkeys:options",
    scope: null,
    console: "member",
    environment: "none",
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        { expires_at: Type.String({ format: "date-time" }), public_key: CreationOptions },
        { $id: "BeginMemberPasskeyResult" },
      ),
    },
    errors: ["fresh_sign_in_required", "passkeys_not_configured"],
    idempotent: false,
  },
  async (needs: NonceNeeds & { readonly db: Db; readonly publicUrl: () => string }, { caller }) => {
    const { db, realClock } = needs;
    const { id, sessionId } = memberOf(caller);
    const place = publicPlace(needs.publicUrl());
    await requireFresh(db, { memberId: id, sessionId, now: realClock.now() });
    const [member, tenant, known] = await Promise.all([
      findMember(db, id),
      findTenant(db, caller.tenantId),
      listMemberPasskeys(db, id),
    ]);
    // Removed between two statements.
    if (member === undefined || tenant === undefined) throw new TrellisError("sign_in_required");
    const { challenge, expiresAt } = issueMemberNonce(needs, { origin: place.origin, sessionId });
    return {
      data: {
        expires_at: new Date(expiresAt).toISOString(),
        public_key: creationOptions(place, member, tenant.name, challenge, known),
      },
    };
  },
);

function creationOptions(
  { rpId }: PublicPlace,
  { id, email }: MemberRow,
  tenantName: string,
  challenge: string,
  known: readonly MemberPasskeyRow[],
): Static<typeof CreationOptions> {
  return {
    rp: { id: rpId, name: "Trellis" },
    // A device keeps one passkey for a domain and such an id: who is a member of two tenants has one for each.
    user: { id: userHandleOf(id), name: email, displayName: `${email} (${tenantName})` },
    challenge,
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    timeout: limits.passkeyCeremonyMs,
    excludeCredentials: known
      .filter(({ rp_id }) => rp_id === rpId)
      .map(({ credential_id }) => ({ type: "public-key", id: credential_id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
  };
}
