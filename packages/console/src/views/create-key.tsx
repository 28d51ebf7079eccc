import { useState } from "react";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { ChecksField, ChoiceField, linesOf, TextField } from "../parts/fields.js";
import { usePlace } from "../parts/session.js";
import { texts } from "../texts.js";

const words = texts.keys;

/** What a key in a page can be given at most. */
export const publishableScopes = [
  "auth:write",
  "payments:write",
  "transactions:write",
  "accounts:read",
  "payments:read",
  "virtual-accounts:read",
  "proposals:read",
  "proposals:write",
  "labels:write",
];

/** And a key of an agent, at most. */
export const agentScopes = [
  "accounts:read",
  "proposals:read",
  "proposals:write",
  "payments:read",
  "payments:write",
  "webhooks:read",
  "transactions:write",
  "kyc:read",
  "virtual-accounts:read",
];

type Kind = "secret" | "agent" | "publishable";
const kinds = ["secret", "agent", "publishable"] as const satisfies readonly Kind[];
/** Absent: every scope there is. */
const possibleScopes: Readonly<Partial<Record<string, readonly string[]>>> = {
  publishable: publishableScopes,
  agent: agentScopes,
};

const empty = { name: "", type: "secret", scopes: [], environments: [], origins: "", addresses: "", expires: "" };
type Draft = Omit<typeof empty, "scopes" | "environments"> & {
  readonly scopes: readonly string[];
  readonly environments: readonly string[];
};

/** Makes a key: with no scope and no environment that the member has not. */
export function CreateKey({ onDone }: { readonly onDone: (key: string) => void }) {
  const { session, environment } = usePlace();
  const [draft, setDraft] = useState<Draft>({ ...empty, environments: [environment] });
  const set = (some: Partial<Draft>) => setDraft({ ...draft, ...some });
  const isForPage = draft.type === "publishable";
  const offered = session.scopes.filter((scope) => possibleScopes[draft.type]?.includes(scope) ?? true);
  const scopes = draft.scopes.filter((scope) => offered.includes(scope));
  return (
    <ConfirmButton
      title={words.create}
      run={(idempotencyKey) =>
        call<{ readonly key: string }>({
          method: "POST",
          path: "/api-keys",
          body: requestOf({ ...draft, scopes }),
          environment,
          idempotencyKey,
        })
      }
      onDone={({ data }) => {
        setDraft({ ...empty, environments: [environment] });
        onDone(data.key);
      }}
    >
      <TextField label={words.name} required maxLength={100} value={draft.name} onValue={(name) => set({ name })} />
      <ChoiceField
        label={words.type}
        value={draft.type}
        onValue={(type) => set({ type })}
        options={kinds.map((value) => ({ value, title: words.typesLong[value] }))}
      />
      <ChecksField
        label={words.environments}
        values={draft.environments}
        onValues={(environments) => set({ environments })}
        options={session.environments}
      />
      <ChecksField
        label={words.scopesAsked[draft.type as Kind]}
        values={scopes}
        onValues={(chosen) => set({ scopes: chosen })}
        options={offered}
      />
      {isForPage ? (
        <TextField
          label={words.origins}
          required
          value={draft.origins}
          placeholder="https://app.example"
          onValue={(origins) => set({ origins })}
        />
      ) : null}
      <TextField label={words.addresses} value={draft.addresses} onValue={(addresses) => set({ addresses })} />
      <TextField
        label={words.expiresAsked}
        type="datetime-local"
        value={draft.expires}
        onValue={(expires) => set({ expires })}
      />
      <p>{words.createWhat}</p>
      {draft.type === "agent" ? <p>{words.agentWhat}</p> : null}
    </ConfirmButton>
  );
}

/** What the form says, as the call takes it: what is empty is left out. */
export function requestOf({ name, type, scopes, environments, origins, addresses, expires }: Draft): object {
  return {
    name: name.trim(),
    type,
    environments,
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(type === "publishable" ? { allowed_origins: linesOf(origins) } : {}),
    ...(linesOf(addresses).length === 0 ? {} : { allowed_addresses: linesOf(addresses) }),
    ...(expires === "" ? {} : { expires_at: new Date(expires).toISOString() }),
  };
}
