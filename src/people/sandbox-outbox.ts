import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { parseEmailAddress } from "./email-address.js";
import { openMail, recipientForms } from "./outgoing-mail.js";

/** As many as anyone reads. */
const mailsView = 50;

/** Gap 49: what other environments send by mail. */
export const readOutbox = endpoint(
  {
    operation: "readOutbox",
    summary: "Read the sandbox's outbox",
    description: "The newest mails of your own, newest first, with the code where one carries it.",
    tag: "Sandbox",
    method: "GET",
    path: "/api/service/v1/sandbox/outbox",
    scope: "sandbox:use",
    environment: "sandbox",
    query: Type.Object({
      email: Type.Optional(emailText({ description: "Only mail to this address." })),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Array(
        Type.Object(
          {
            id: uuidText(),
            to: Type.String(),
            subject: Type.String(),
            text: Type.String(),
            html: Type.String({ description: "Empty where the mail is plain text." }),
            otp_code: Type.String({ description: "Empty where the mail carries none.", examples: ["123456"] }),
            created_at: Type.String({ format: "date-time" }),
          },
          { $id: "SentMail" },
        ),
      ),
    },
    errors: ["invalid_email"],
  },
  async (needs: { readonly db: Db; readonly keyring: Keyring }, { query, caller, network }) => {
    let mails = needs.db
      .selectFrom("mail")
      .select(["id", "message", "created_at"])
      .where("tenant_id", "=", caller.tenantId)
      .where("environment", "=", network.name)
      .where("message", "is not", null)
      .orderBy("created_at", "desc")
      .orderBy("queued_at_real", "desc")
      .limit(mailsView);
    if (query.email !== undefined) {
      const forms = recipientForms(needs.keyring, parseEmailAddress(query.email));
      mails = mails.where("recipient_hash", "in", [...forms]);
    }
    const rows = await mails.execute();
    return {
      data: rows.flatMap(({ id, message, created_at }) => {
        if (message === null) return [];
        const { to, subject, text, html, otpCode } = openMail(needs.keyring, { id, message });
        return [
          {
            id,
            to,
            subject,
            text,
            html: html ?? "",
            otp_code: otpCode ?? "",
            created_at: new Date(Number(created_at)).toISOString(),
          },
        ];
      }),
    };
  },
);
