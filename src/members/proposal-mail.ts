import { limits } from "@trellis/kernel/limits.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { MailMessage } from "@trellis/kernel/ports/mail.js";
import { quoteOutside, showUnlinked } from "./outside-text.js";
import { fillTemplate, type ProposalMailSettings } from "./proposal-mail-settings.js";

/** One thing that happened to a proposal. */
export interface ProposalNews {
  readonly type: "proposal.created" | "proposal.approved" | "proposal.executed";
  /** RFC 3339. */
  readonly at: string;
  readonly account: string;
  readonly proposal: string;
  readonly index: string;
  /** What the tenant's address book calls the account, else its memo; null: neither. */
  readonly name: string | null;
}

/** What one mail to a member tells. */
export interface ProposalDigest {
  readonly environment: EnvironmentName;
  readonly tenantName: string;
  readonly settings: Pick<ProposalMailSettings, "subject" | "text">;
  /** The oldest first, of which `limits.proposalMailItems` are told. */
  readonly news: readonly ProposalNews[];
  /** How many there are in all. */
  readonly count: number;
}

const sentences = {
  "proposal.created": "A proposal waits for votes",
  "proposal.approved": "A proposal was approved",
  "proposal.executed": "A proposal was executed",
} as const satisfies Record<ProposalNews["type"], string>;

const own = {
  subject: "Proposals of {tenant}: {count} new",
  text: "What happened to proposals of {tenant} ({environment}):",
};

/**
 * The plain-text mail of a digest. Names and memos come from outside: they stand in quotation marks, bounded, with hidden letters as their
 * numbers and without a link. So does the tenant's name, without the marks. A subject is one line.
 */
export function renderProposalMail(digest: ProposalDigest, senderName: string): Omit<MailMessage, "to"> {
  const { environment, news, count, settings } = digest;
  const tenant = showUnlinked(digest.tenantName, limits.proposalMailOutsideMax);
  const values = { tenant, environment, count: String(count) };
  const told = news.slice(0, limits.proposalMailItems);
  const others = count - told.length;
  const paragraphs = [
    fillTemplate(settings.text ?? own.text, values),
    ...told.map(describe),
    ...(others > 0 ? [`And ${others} more. The console lists them.`] : []),
    "Sign in to the console to read and vote. These mails can be turned off there.",
    oneLine(senderName),
  ];
  return {
    subject: oneLine(fillTemplate(settings.subject ?? own.subject, values)),
    text: `${paragraphs.join("\n\n")}\n`,
  };
}

function describe({ type, at, account, proposal, index, name }: ProposalNews): string {
  const named = name === null ? "" : ` ${quoteOutside(name, limits.proposalMailOutsideMax)}`;
  return [
    `${sentences[type]}: number ${index} of the account${named}`,
    `  Account: ${account}`,
    `  Proposal: ${proposal}`,
    `  At: ${at.slice(0, 16).replace("T", " ")} UTC`,
  ].join("\n");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
