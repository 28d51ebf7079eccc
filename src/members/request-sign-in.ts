import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { parseEmailAddress } from "../people/email-address.js";
import type { SignInMails } from "./sign-in-mails.js";

/** Gaps 216, 226. */
export const requestSignIn = endpoint(
  {
    operation: "requestSignIn",
    summary: "Ask for a code to sign in to the console",
    description:
      "The answer is the same whether there is such a member or not. An active member is mailed a code of eight digits where a mail server " +
      "is configured, five in an hour and twenty in a day at most. Browsers that have signed the member in have as many of their own.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/sign-in",
    scope: null,
    console: "open",
    environment: "none",
    body: Type.Object(
      {
        email: emailText(),
        tenant: Type.Optional(
          Type.String({ maxLength: 63, description: "For members of several: by default the one last signed in to." }),
        ),
        browser: Type.Optional(
          Type.String({
            maxLength: 100,
            description: "The `browser_token` that this browser got when it last signed in.",
          }),
        ),
      },
      { $id: "ConsoleSignInRequest", examples: [{ email: "ada@example.com" }] },
    ),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          request_id: uuidText({ description: "To send with the code. Only who asked has it: keep it from others." }),
          expires_in_seconds: Type.Integer({ description: "How long a code is good that was mailed." }),
        },
        { $id: "ConsoleCodeRequested" },
      ),
    },
    errors: ["invalid_email"],
    idempotent: false,
  },
  async ({ signInMails, random }: { readonly signInMails: SignInMails; readonly random: Random }, { body }) => {
    const { tenant: tenantId, browser } = body;
    const id = random.uuid();
    if (!signInMails.request({ id, email: parseEmailAddress(body.email), tenantId, browser })) {
      throw new TrellisError("rate_limit_exceeded", { retryAfterSeconds: 10 });
    }
    return { data: { request_id: id, expires_in_seconds: limits.memberCodeMs / 1000 } };
  },
);
