import { Buffer } from "node:buffer";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import type { MemberPasskeyRow } from "./member-passkey-store.js";

/** A member's passkey as answers show it (gap 225). */
export const MemberPasskey = Type.Object(
  {
    id: uuidText(),
    credential_id: Type.String({ description: "Base64url: what browsers call it by." }),
    rp_id: Type.String({ description: "The domain it belongs to." }),
    name: Type.String(),
    aaguid: Type.String({ description: "The model of its authenticator, as that says; all zeros: it does not." }),
    synced: Type.Boolean({ description: "It can be on several devices." }),
    created_at: Type.String({ format: "date-time" }),
    last_used_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  },
  { $id: "MemberPasskey" },
);

export function toWireMemberPasskey(row: MemberPasskeyRow): Static<typeof MemberPasskey> {
  const instant = (at: bigint) => new Date(Number(at)).toISOString();
  return {
    id: row.id,
    credential_id: row.credential_id,
    rp_id: row.rp_id,
    name: row.name,
    aaguid: row.aaguid,
    synced: row.is_synced,
    created_at: instant(row.created_at),
    last_used_at: row.last_used_at === null ? null : instant(row.last_used_at),
  };
}

/** What an authenticator keeps beside a passkey, in base64url: the member's id. */
export const userHandleOf = (memberId: string): string =>
  Buffer.from(memberId.replaceAll("-", ""), "hex").toString("base64url");
