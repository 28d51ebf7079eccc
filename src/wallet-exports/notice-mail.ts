import { type MailContent, renderNoticeMail } from "../people/templates.js";
import type { WalletExportRow } from "./wallet-export.js";

/** What an owner is mailed about an export, by its state. Nothing in it leads anywhere: a mail with a link is imitated. */
export function renderNotice(row: WalletExportRow, senderName: string): MailContent {
  const at = (instant: bigint) => `${new Date(Number(instant)).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const about = `Wallet: ${row.signer_address}. Account: ${row.account_address}. Export: ${row.id}.`;
  const content = {
    waiting: {
      subject: "The key of your wallet is to be exported",
      heading: "The key of your wallet is to be exported",
      paragraphs: [
        `Somebody with a code from this mailbox has asked for the key of your wallet. It can leave from ${at(row.not_before)} on.`,
        "If it was you, there is nothing to do.",
        "If it was not you, cancel it before that time: sign in to the application where you use this account, and cancel the " +
          "export there, or ask those who run it to help you. Then secure this mailbox. Whoever has the key can move all money " +
          "of the account.",
        about,
      ],
    },
    cancelled: {
      subject: "The export of your wallet's key was cancelled",
      heading: "The export was cancelled",
      paragraphs: ["The key of your wallet has not left by it, and will not.", about],
    },
    exported: {
      subject: "The key of your wallet was exported",
      heading: "The key of your wallet was exported",
      paragraphs: [
        "It was handed out, sealed to the key that you named. Whoever has it can move the money of the account, beside you.",
        "If it was not you, move the money at once, or change the account's signers.",
        about,
      ],
    },
  }[row.state];
  return renderNoticeMail({ ...content, senderName });
}
