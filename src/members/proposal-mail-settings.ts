import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { namesIn } from "../tenants/stored-names.js";
import { hidesLetters } from "./outside-text.js";

/** What a mail can be about, with the type of the event that says it happened. */
export const proposalMailKinds = {
  waiting: "proposal.created",
  approved: "proposal.approved",
  executed: "proposal.executed",
} as const;
export type ProposalMailKind = keyof typeof proposalMailKinds;
export const proposalMailKindNames = Object.keys(proposalMailKinds) as ProposalMailKind[];

/** Which mails about proposals a tenant's members get (gap 210). */
export interface ProposalMailSettings {
  readonly kinds: readonly ProposalMailKind[];
  readonly environments: readonly EnvironmentName[];
  /** A template; null: the service's own. */
  readonly subject: string | null;
  readonly text: string | null;
}

/** What stands for something else in a template. */
export const placeholders = ["tenant", "environment", "count"] as const;
export type Placeholder = (typeof placeholders)[number];

/** A template with values in it. A value is not searched for further placeholders. */
export const fillTemplate = (template: string, values: Readonly<Record<Placeholder, string>>): string =>
  template.replace(/\{(\w+)\}/g, (all, name: string) => (isPlaceholder(name) ? values[name] : all));

const isPlaceholder = (name: string): name is Placeholder => (placeholders as readonly string[]).includes(name);

/** Throws `invalid_request` for a template that says nothing, has letters that are not seen, or a placeholder that stands for nothing. */
export function requireTemplate(field: "subject" | "text", template: string | undefined): void {
  if (template === undefined) return;
  const refuse = (message: string) => new TrellisError("invalid_request", { field, message });
  if (template.trim() === "") throw refuse("A template says something. Leave it out for the service's own.");
  if (hidesLetters(field === "text" ? template.replaceAll("\n", "") : template)) {
    throw refuse("A template has visible characters, and none that controls how text is shown.");
  }
  const [, unknown] = [...template.matchAll(/\{([^{}]*)\}/g)].find(([, name = ""]) => !isPlaceholder(name)) ?? [];
  if (unknown === undefined) return;
  throw refuse(`Placeholders are ${placeholders.map((name) => `{${name}}`).join(", ")}.`);
}

export const storeSettings = ({ kinds, environments, subject, text }: ProposalMailSettings): string =>
  JSON.stringify({
    kinds: proposalMailKindNames.filter((kind) => kinds.includes(kind)),
    environments: environmentNames.filter((name) => environments.includes(name)),
    subject,
    text,
  });

export function parseSettings(stored: string): ProposalMailSettings {
  const { kinds, environments, subject, text } = JSON.parse(stored) as Readonly<Record<string, unknown>>;
  assertOurs(
    (subject === null || typeof subject === "string") && (text === null || typeof text === "string"),
    "what mails about proposals say is stored whole",
  );
  return {
    kinds: namesIn(JSON.stringify(kinds), proposalMailKindNames),
    environments: namesIn(JSON.stringify(environments), environmentNames),
    subject,
    text,
  };
}
