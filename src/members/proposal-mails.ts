import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { type ProposalMailSettings, proposalMailKindNames, requireTemplate } from "./proposal-mail-settings.js";
import { findSettings, setSettings } from "./proposal-mail-store.js";

const kinds = Type.Array(Type.Enum([...proposalMailKindNames]), {
  minItems: 1,
  maxItems: proposalMailKindNames.length,
  description: "`waiting`: a vote was opened. `approved`: enough have approved. `executed`: it was carried out.",
});
const environments = Type.Array(Type.Enum([...environmentNames]), {
  minItems: 1,
  maxItems: environmentNames.length,
});
const subject = Type.String({
  minLength: 1,
  maxLength: limits.proposalMailSubjectMax,
  description: "A template. `{tenant}`, `{environment}` and `{count}` stand for what they say.",
  examples: ["[Aldine Press] {count} new on proposals"],
});
const text = Type.String({
  minLength: 1,
  maxLength: limits.proposalMailTextMax,
  description: "The same, before the list of what happened. It may have several lines.",
  examples: ["News of {tenant}:"],
});

const ProposalMails = Type.Object(
  { kinds, environments, subject: Type.Union([subject, Type.Null()]), text: Type.Union([text, Type.Null()]) },
  { $id: "ProposalMails" },
);

const RequestedProposalMails = Type.Object(
  {
    kinds,
    environments: Type.Optional(environments),
    subject: Type.Optional(subject),
    text: Type.Optional(text),
  },
  { $id: "RequestedProposalMails", examples: [{ kinds: ["waiting", "executed"], environments: ["mainnet"] }] },
);

const own = {
  tag: "Members",
  path: "/api/service/v1/proposal-mails",
  scope: "admin:keys",
  environment: "none",
  response: { status: 200, envelope: true, schema: ProposalMails },
} as const;

interface Needs {
  readonly db: Db;
}

/** Gap 210. */
export const getProposalMails = endpoint(
  {
    ...own,
    operation: "getProposalMails",
    summary: "Read the mails about proposals",
    description: "About what, and in which environments, the tenant's members are mailed.",
    method: "GET",
    errors: ["proposal_mails_not_found"],
  },
  async ({ db }: Needs, { caller }) => ({ data: await requireSettings(db, caller.tenantId) }),
);

/** Gap 210. */
export const setProposalMails = endpoint(
  {
    ...own,
    operation: "setProposalMails",
    summary: "Turn mails about proposals on",
    description: "The tenant's members are mailed what happens to proposals from now on, several things in one mail.",
    method: "PUT",
    body: RequestedProposalMails,
    refusesNearMisses: true,
    errors: [],
  },
  async ({ db }: Needs, { body, caller }) => {
    requireTemplate("subject", body.subject);
    requireTemplate("text", body.text);
    const settings: ProposalMailSettings = {
      kinds: body.kinds,
      environments: body.environments ?? environmentNames,
      subject: body.subject ?? null,
      text: body.text ?? null,
    };
    return {
      data: await asActor(db, actorOf(caller), async (trx) => {
        await setSettings(trx, caller.tenantId, settings);
        return requireSettings(trx, caller.tenantId);
      }),
    };
  },
);

/** Gap 210. */
export const deleteProposalMails = endpoint(
  {
    ...own,
    operation: "deleteProposalMails",
    summary: "Turn mails about proposals off",
    description: "The answer is what they were. What waits to be mailed is not mailed.",
    method: "DELETE",
    errors: ["proposal_mails_not_found"],
  },
  async ({ db }: Needs, { caller }) => ({
    data: await asActor(db, actorOf(caller), async (trx) => {
      const settings = await requireSettings(trx, caller.tenantId);
      await setSettings(trx, caller.tenantId, undefined);
      return settings;
    }),
  }),
);

async function requireSettings(db: DbOrTrx, tenantId: string): Promise<Static<typeof ProposalMails>> {
  const settings = await findSettings(db, tenantId);
  if (settings === undefined) throw new TrellisError("proposal_mails_not_found");
  const { kinds, environments, subject, text } = settings;
  return { kinds: [...kinds], environments: [...environments], subject, text };
}
