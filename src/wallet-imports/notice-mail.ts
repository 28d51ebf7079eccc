import { type MailContent, renderNoticeMail } from "../people/templates.js";
import type { CompletedImportRow } from "./wallet-import.js";

/** What an owner is mailed about an import. Nothing in it leads anywhere: a mail with a link is imitated. */
export function renderNotice(row: CompletedImportRow, senderName: string): MailContent {
  const at = new Date(Number(row.imported_at)).toISOString().slice(0, 16).replace("T", " ");
  return renderNoticeMail({
    subject: "A key of your account was imported",
    heading: "A key of your account was imported",
    paragraphs: [
      `The key of a signer of your account was imported at ${at} UTC. From now on you sign with it as you sign in here.`,
      "Whoever had the key before still has it, and can sign with it without this service. If others may have it, move the money, or " +
        "change the account's signers.",
      "If it was not you, ask those who run the application where you use this account, and end your sessions there.",
      `Key: ${row.signer_address}. Account: ${row.account_address}. Import: ${row.id}.`,
    ],
    senderName,
  });
}
