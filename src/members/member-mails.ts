import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { type Mailer, type MailMessage, MailRefused } from "@trellis/kernel/ports/mail.js";
import { renderCodeMail, renderNoticeMail } from "../people/templates.js";
import { firstOwnerEmail } from "./first-owner.js";
import type { MemberRow } from "./member-store.js";
import { quoteOutside } from "./outside-text.js";

/** Where the console takes a link. What stands behind the `#` is not sent to a server, so that no log has it. */
export const linkTo = (publicUrl: string, token: string): string => `${publicUrl}/console/#accept=${token}`;

/** The mail that carries a code to sign in to the console of a tenant. */
export function codeMail(to: string, code: string, senderName: string): MailMessage {
  return { to, ...renderCodeMail("console", { code, senderName, lifetimeMs: limits.memberCodeMs }) };
}

/** The mail that carries an invitation. */
export function invitationMail(
  to: string,
  { tenantName, url, senderName }: { readonly tenantName: string; readonly url: string; readonly senderName: string },
): MailMessage {
  const paragraphs = [
    `You are invited to the console of ${tenantName}. Open this link to accept, within seven days. It works once:`,
    url,
    "If you do not expect an invitation, ignore this mail.",
  ];
  const content = renderNoticeMail({
    subject: "Your invitation to the console",
    heading: "You are invited",
    paragraphs,
    senderName,
  });
  return { to, ...content };
}

/** What sends a mail to a member, and reads whom. */
export interface MailNeeds {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly log: Log;
}

/** What has changed of how a member signs in. */
export type SignInChange =
  | { readonly what: "added" | "removed"; readonly name: string }
  | { readonly what: "required" | "lifted" };

/**
 * Mails a member that something has changed of how they sign in. Nothing in it leads anywhere: a mail with a link is imitated. The change
 * stays where no mail could be sent; the audit log has it.
 */
export async function mailAboutSignIn(
  needs: Pick<MailNeeds, "mailer" | "log">,
  member: Pick<MemberRow, "email"> | undefined,
  change: SignInChange,
): Promise<void> {
  // Removed meanwhile, or without an address that a mail could be sent to.
  if (member === undefined || member.email === firstOwnerEmail) return;
  const { subject, lead } = wordsOf(change);
  const paragraphs = [
    lead,
    "If it was you, there is nothing to do.",
    "If it was not you, open the console as you always do, remove the passkeys that are not yours, and sign out everywhere. Where you cannot " +
      "sign in, have an owner disable you.",
  ];
  const content = renderNoticeMail({ subject, heading: subject, paragraphs, senderName: needs.mailer.senderName });
  await trySend(needs, { to: member.email, ...content });
}

function wordsOf(change: SignInChange): { readonly subject: string; readonly lead: string } {
  switch (change.what) {
    case "added":
      return {
        subject: "A passkey was added for the console",
        lead: `The passkey ${quoteOutside(change.name, 64)} now signs you in to the console.`,
      };
    case "removed":
      return {
        subject: "A passkey was removed from the console",
        lead: `The passkey ${quoteOutside(change.name, 64)} does not sign you in to the console any more.`,
      };
    case "required":
      return {
        subject: "Only passkeys sign you in to the console now",
        lead: "You have chosen that codes by mail do not sign you in to the console any more.",
      };
    case "lifted":
      return {
        subject: "Codes by mail sign you in to the console again",
        lead: "A passkey is not required any more: a code by mail signs you in to the console, too.",
      };
  }
}

/** Sends a mail. False: there is no mail server, or it refused the mail, which is logged without what the mail says. */
export async function trySend(
  { mailer, log }: { readonly mailer: Mailer; readonly log: Log },
  mail: MailMessage,
): Promise<boolean> {
  try {
    await mailer.send(mail);
    return true;
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    if (error.reason !== "not_configured") {
      log.warn(
        { event: "console_mail_refused", reason: error.reason, cause: error.message },
        "mail to a member of the console was refused by the mail server",
      );
    }
    return false;
  }
}
