import { limits } from "@trellis/kernel/limits.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { type Mailer, type MailMessage, MailRefused } from "@trellis/kernel/ports/mail.js";
import { renderCodeMail, renderNoticeMail } from "../people/templates.js";

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
