import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { namesIn } from "../tenants/stored-names.js";
import type { MemberRow } from "./member-store.js";
import { memberRoles } from "./roles.js";

export const MemberRoleText = Type.Enum([...memberRoles], { $id: "MemberRole" });

export const MemberEnvironments = Type.Array(Type.Enum([...environmentNames]), {
  minItems: 1,
  maxItems: environmentNames.length,
});

/** A member as answers show it (gap 215). */
export const memberFields = {
  id: uuidText(),
  email: emailText(),
  name: Type.Union([Type.String(), Type.Null()]),
  role: MemberRoleText,
  is_operator: Type.Boolean({ description: "True: the member administers tenants, too. Commands alone set it." }),
  environments: MemberEnvironments,
  status: Type.Enum(["invited", "active", "disabled"]),
  created_at: Type.String({ format: "date-time" }),
  last_signed_in_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  proposal_mails: Type.Boolean({
    description: "Whether the member wants mails about proposals, where the tenant has them sent.",
  }),
  passkey_required: Type.Boolean({ description: "True: codes by mail do not sign the member in." }),
};

export const Member = Type.Object(memberFields, { $id: "Member" });
export type Member = Static<typeof Member>;

export function toWireMember(row: MemberRow): Member {
  const at = row.last_signed_in_at;
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    is_operator: row.is_operator,
    environments: namesIn(row.environments, environmentNames),
    status: row.status,
    created_at: new Date(Number(row.created_at)).toISOString(),
    last_signed_in_at: at === null ? null : new Date(Number(at)).toISOString(),
    proposal_mails: row.proposal_mails,
    passkey_required: row.passkey_required,
  };
}

export const MemberName = Type.String({ minLength: 1, maxLength: limits.memberNameMax });

// Control characters, and those that turn the direction of what stands around them.
const unfitForNames = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** Throws `invalid_request` for a name that would not be shown as it is. */
export function readMemberName(name: string): string {
  if (name.trim() !== "" && !unfitForNames.test(name)) return name;
  throw new TrellisError("invalid_request", {
    field: "name",
    message: "A name has visible characters, and none that controls how text is shown.",
  });
}
