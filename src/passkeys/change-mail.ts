import type { GuardianChangeTable } from "@trellis/kernel/ports/database.js";
import { type MailContent, renderNoticeMail } from "../people/templates.js";

/** What an owner is mailed when changes of settings begin to wait. Nothing in it leads anywhere: a mail with a link is imitated. */
export function renderChangeNotice(
  {
    changes,
    address,
  }: {
    readonly changes: readonly Pick<GuardianChangeTable, "account_address" | "not_before">[];
    readonly address: string;
  },
  senderName: string,
): MailContent {
  const first = Math.min(...changes.map(({ not_before }) => Number(not_before)));
  const from = `${new Date(first).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const accounts = [...new Set(changes.map(({ account_address }) => account_address))].join(", ");
  const subject = "The settings of your account are to be changed";
  const what =
    changes.length === 1
      ? `sign a change of who disposes over your account. It can be signed from ${from} on.`
      : `sign ${changes.length} changes of who disposes over your account. The first can be signed from ${from} on.`;
  return renderNoticeMail({
    subject,
    heading: subject,
    paragraphs: [
      `A passkey of yours has asked your guardian to ${what}`,
      "If it was you, there is nothing to do until then.",
      "If it was not you, cancel all that waits before that time: open the application where you use this account, and cancel there " +
        "with any passkey of yours. Then remove the passkey that somebody else has.",
      `Account: ${accounts}. Guardian's wallet: ${address}.`,
    ],
    senderName,
  });
}
