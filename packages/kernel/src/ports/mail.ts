/** One message to one recipient. */
export interface MailMessage {
  /** A plain addr-spec. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as HTML; absent: the mail is plain text. */
  readonly html?: string;
}

/** The mail was not accepted: nothing will arrive. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  constructor(
    /** `rejected`: the server said no to this mail. `unreachable`: no server answered. `not_configured`: there is none. */
    readonly reason: "rejected" | "unreachable" | "not_configured",
    message: string,
  ) {
    super(message);
  }
}

/** Where mail leaves the house. */
export interface Mailer {
  /** Who the mails speak for, as people know it. */
  readonly senderName: string;
  /** Resolves once a server has accepted the message. Throws MailRefused. */
  send(message: MailMessage): Promise<void>;
}
