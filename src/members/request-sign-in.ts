import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { emailText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { parseEmailAddress } from "../people/email-address.js";
import type { SignInMails } from "./sign-in-mails.js";

/** Gap 216. */
export const requestSignIn = endpoint(
  {
    operation: "requestSignIn",
    summary: "Ask for a code to sign in to the console",
    description:
      "The answer is the same whether there is such a member or not. An active member is mailed a code of six digits where a mail server " +
      "is configured, five in an hour and twenty in a day at most.",
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
      },
      { $id: "ConsoleSignInRequest", examples: [{ email: "ada@example.com" }] },
    ),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        { expires_in_seconds: Type.Integer({ description: "How long a code is good that was mailed." }) },
        { $id: "ConsoleCodeRequested" },
      ),
    },
    errors: ["invalid_email"],
    idempotent: false,
  },
  async ({ signInMails }: { readonly signInMails: SignInMails }, { body }) => {
    const { tenant: tenantId } = body;
    if (!signInMails.request({ email: parseEmailAddress(body.email), tenantId })) {
      throw new TrellisError("rate_limit_exceeded", { retryAfterSeconds: 10 });
    }
    return { data: { expires_in_seconds: limits.memberCodeMs / 1000 } };
  },
);
