import type { GuardianChangeTable } from "@trellis/kernel/ports/database.js";
import { type MailContent, renderNoticeMail } from "../people/templates.js";

/** What an owner is mailed when a change of settings begins to wait. Nothing in it leads anywhere: a mail with a link is imitated. */
export function renderChangeNotice(
  row: Pick<GuardianChangeTable, "account_address" | "not_before"> & { readonly address: string },
  senderName: string,
): MailContent {
  const from = `${new Date(Number(row.not_before)).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const subject = "The settings of your account are to be changed";
  return renderNoticeMail({
    subject,
    heading: subject,
    paragraphs: [
      `A passkey of yours has asked your guardian to sign a change of who disposes over your account. It can be signed from ${from} on.`,
      "If it was you, there is nothing to do until then.",
      "If it was not you, cancel it before that time: open the application where you use this account, and cancel the change there with " +
        "any passkey of yours. Then remove the passkey that somebody else has.",
      `Account: ${row.account_address}. Guardian's wallet: ${row.address}.`,
    ],
    senderName,
  });
}
