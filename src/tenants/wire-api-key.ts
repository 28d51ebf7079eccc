import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { scopes } from "@trellis/kernel/scope.js";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import type { ApiKeyRow } from "./api-key-store.js";
import { namesIn } from "./stored-names.js";

const fields = {
  id: uuidText(),
  name: Type.String(),
  type: Type.Enum(["secret", "publishable", "agent"]),
  visible_prefix: Type.String({ description: "Its beginning, to know it by.", examples: ["sk_test_3xJ9…"] }),
  scopes: Type.Array(Type.Enum([...scopes])),
  environments: Type.Array(Type.Enum([...environmentNames])),
  allowed_origins: Type.Array(Type.String(), { description: "Of a publishable key: the pages that may use it." }),
  allowed_addresses: Type.Array(Type.String(), {
    description: "Ranges of remote addresses that may use it; empty: all.",
  }),
  status: Type.Enum(["active", "expired", "disabled", "revoked"], {
    description: "`disabled`: it was configured once, and is not any more.",
  }),
  created_at: Type.String({ format: "date-time" }),
  expires_at: Type.Optional(Type.String({ format: "date-time" })),
  last_used_at: Type.Optional(Type.String({ format: "date-time", description: "To the minute." })),
  revoked_at: Type.Optional(Type.String({ format: "date-time" })),
};

/** A key as answers show it (gap 122). */
export const ApiKey = Type.Object(fields, { $id: "ApiKey" });
export type ApiKey = Static<typeof ApiKey>;

/** The same with the key itself, in the only answer that has it. */
export const ApiKeyWithValue = Type.Object(
  {
    ...fields,
    key: Type.String({
      description: "`sk_test_…`, `sk_live_…`, `pk_test_…` or `pk_live_…`. It is not returned again.",
    }),
  },
  { $id: "CreatedApiKey" },
);

/** The wire form of a row. `realNow`: Unix milliseconds. */
export function showApiKey(row: ApiKeyRow, realNow: number): ApiKey {
  const at = <Name extends string>(name: Name, instant: bigint | null) =>
    instant === null ? {} : ({ [name]: new Date(Number(instant)).toISOString() } as Record<Name, string>);
  return {
    id: row.id,
    name: row.name,
    type: row.kind,
    visible_prefix: row.visible_prefix,
    scopes: namesIn(row.scopes, scopes),
    environments: namesIn(row.environments, environmentNames),
    allowed_origins: row.allowed_origins,
    allowed_addresses: row.allowed_addresses,
    status: statusOf(row, realNow),
    created_at: new Date(Number(row.created_at)).toISOString(),
    ...at("expires_at", row.expires_at),
    ...at("last_used_at", row.last_used_at),
    ...at("revoked_at", row.revoked_at),
  };
}

function statusOf(row: ApiKeyRow, realNow: number): ApiKey["status"] {
  if (row.revoked_at !== null) return "revoked";
  if (row.disabled_at !== null) return "disabled";
  return row.expires_at !== null && Number(row.expires_at) <= realNow ? "expired" : "active";
}
