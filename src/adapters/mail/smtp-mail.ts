import { type Mailer, MailRefused } from "@trellis/kernel/ports/mail.js";
import { createTransport } from "nodemailer";

/** Where and as whom to send. */
export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://host:465`. */
  readonly url: string;
  /** The sender: `Trellis <no-reply@example.org>` or a plain address. */
  readonly from: string;
  /** Who the mails speak for, as people know it. */
  readonly senderName: string;
  /** Connections held at once; 4 when absent. */
  readonly connections?: number;
  /** Longest wait for the server at each step, in milliseconds; 10,000 when absent. */
  readonly timeoutMs?: number;
}

/**
 * Sends over SMTP through a pool of connections. Foreign errors end here: the server's answer may quote the message, so
 * none of its text is passed on.
 */
export function createSmtpMailer(options: SmtpOptions): Mailer & { close(): void } {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const transport = createTransport({
    url: options.url,
    pool: true,
    maxConnections: options.connections ?? 4,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A template has no business reading files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    senderName: options.senderName,
    async send(message) {
      try {
        await transport.sendMail({
          from: options.from,
          to: { name: "", address: message.to },
          subject: message.subject,
          text: message.text,
          ...(message.html === undefined ? {} : { html: message.html }),
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        throw translate(error);
      }
    },
    close: () => transport.close(),
  };
}

/** The mailer of an installation without a mail server: it refuses everything. */
export function createUnconfiguredMailer(senderName: string): Mailer {
  return {
    senderName,
    send: async () => {
      throw new MailRefused("not_configured", "No mail server is configured.");
    },
  };
}

function translate(error: unknown): MailRefused {
  const responseCode = (error as { responseCode?: unknown }).responseCode;
  if (typeof responseCode === "number") {
    return new MailRefused("rejected", `The mail server refused the message with code ${responseCode}.`);
  }
  const code = (error as { code?: unknown }).code;
  return new MailRefused(
    "unreachable",
    `The mail server could not be used${typeof code === "string" ? ` (${code})` : ""}.`,
  );
}
