import { environmentNames } from "@trellis/kernel/ports/environment.js";
import Type, { type Static } from "typebox";
import { type AuditEntry, hex } from "./audit-leaf.js";

/** Every type of entry, in the order of the documentation. */
export const auditTypes = [
  "api_key.created",
  "api_key.changed",
  "api_key.disabled",
  "api_key.enabled",
  "api_key.revoked",
  "agent.called",
  "member.invited",
  "member.changed",
  "member.removed",
  "member.link_issued",
  "member.signed_in",
  "member.passkey_added",
  "member.passkey_removed",
  "member.passkey_counter_went_back",
  "tenant.created",
  "tenant.disabled",
  "tenant.enabled",
  "tenant.frozen",
  "tenant.unfrozen",
  "tenant.export_started",
  "tenant.exported",
  "tenant.imported",
  "session_policy.changed",
  "relying_party.changed",
  "account_defaults.changed",
  "treasury_page.changed",
  "proposal_mails.changed",
  "session.opened",
  "session.refreshed",
  "session.ended",
  "wallet.created",
  "wallet.imported",
  "wallet_export_policy.changed",
  "wallet_export.requested",
  "wallet_export.cancelled",
  "wallet_export.completed",
  "authorization_key.granted",
  "authorization_key.revoked",
  "authorization_key.restored",
  "passkey.added",
  "passkey.removed",
  "passkey.restored",
  "passkey.counter_went_back",
  "passkey_requirement.changed",
  "passkey_session.opened",
  "passkey_session.ended",
  "account.signer_added",
  "account.signer_removed",
  "account.settings_changed",
  "account.released",
  "label.created",
  "label.changed",
  "label.removed",
  "standing_order.suspended",
  "standing_order.released",
  "spending_grant.given",
  "spending_grant.ended",
  "identity_key.created",
  "wallet_root.created",
  "wallet_root.retired",
  "secret.created",
  "secret.activated",
  "secret.retired",
  "master_key.rotation_started",
  "master_key.rotated",
  "configuration.changed",
  "log.accepted",
] as const;

export const AuditEventType = Type.Enum([...auditTypes], { $id: "AuditEventType" });

const fields = {
  index: Type.Integer({ minimum: 0, description: "Its leaf in the log, counted from 0: the same for good." }),
  type: AuditEventType,
  occurred_at: Type.String({ format: "date-time", description: "By the database's clock." }),
  environment: Type.Optional(Type.Enum([...environmentNames], { description: "Absent: of all environments." })),
  subject: Type.Optional(Type.String({ description: "What it is about.", examples: ["session/5f3c…"] })),
  user_id: Type.Optional(Type.String({ description: "Whose it is." })),
  actor: Type.Optional(
    Type.String({
      description:
        "`api_key/<id>`, `session/<id>`, `member/<id>`, `operator` or `configuration`. Absent: see the type.",
      examples: ["operator"],
    }),
  ),
  details: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: "What it was afterwards, by its type." }),
  ),
};

/** An entry of the audit log as answers show it. */
export const AuditEvent = Type.Object(fields, { $id: "AuditEvent" });

/** The same with what proves it. */
export const ProvenAuditEvent = Type.Object(
  {
    ...fields,
    leaf: Type.String({ description: "Canonical JSON: the leaf is the SHA-256 of a zero byte and this text." }),
    salt: Type.Optional(Type.String({ description: "32 bytes in hexadecimal digits." })),
    body: Type.Optional(
      Type.String({ description: "JSON: `body_hash` in the leaf is the SHA-256 of the salt and this text." }),
    ),
    proof: Type.Optional(
      Type.Object(
        {
          checkpoint: Type.String({ description: "A signed note that says how large the log is, and its root." }),
          hashes: Type.Array(Type.String(), {
            description: "Base64: what leads from the leaf to the root, from the leaf's sibling upwards (RFC 6962).",
          }),
        },
        { description: "Absent until the next checkpoint, 10 seconds at most." },
      ),
    ),
  },
  { $id: "ProvenAuditEvent" },
);

/** An entry that has its place. */
export function showEntry(entry: AuditEntry): Static<typeof AuditEvent> {
  const said = (entry.body === null ? {} : JSON.parse(entry.body)) as { actor?: string; details?: object };
  return {
    index: Number(entry.place),
    type: entry.kind as Static<typeof AuditEvent>["type"],
    occurred_at: new Date(Number(entry.at)).toISOString(),
    ...(entry.environment === null ? {} : { environment: entry.environment as (typeof environmentNames)[number] }),
    ...(entry.subject === null ? {} : { subject: entry.subject }),
    ...(entry.user_id === null ? {} : { user_id: entry.user_id }),
    ...(said.actor === undefined ? {} : { actor: said.actor }),
    ...(said.details === undefined ? {} : { details: said.details }),
  };
}

/** What its hashes are over, as far as it was not deleted. */
export const showSecrets = ({ salt, body }: AuditEntry): { salt?: string; body?: string } =>
  salt === null || body === null ? {} : { salt: hex(salt), body };
