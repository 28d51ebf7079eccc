import type { Mailer } from "@trellis/kernel/ports/mail.js";
import { createSmtpMailer, createUnconfiguredMailer } from "../adapters/mail/smtp-mail.js";
import type { Config } from "../config/config.js";

/** The configured mail server, or one that refuses everything. What has to be closed is added to `opened`. */
export function openMailer(config: Config, opened: { close(): Promise<unknown> }[]): Mailer {
  if (!config.smtp) return createUnconfiguredMailer(config.appName);
  const mailer = createSmtpMailer({ ...config.smtp, senderName: config.appName });
  opened.push({ close: async () => mailer.close() });
  return mailer;
}
