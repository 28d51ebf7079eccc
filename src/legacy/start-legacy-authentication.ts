import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import { emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { askCustodian, getCustodian } from "../custody/custodians.js";
import { parseEmailAddress } from "../people/email-address.js";
import { type IssueCodeNeeds, issueCode } from "../people/issue-code.js";
import { getKnownUser } from "../sign-in/known-user.js";
import { bundleLifeBounds, bundleLifeMs } from "./credential-bundle.js";
import { legacyForm } from "./legacy-custodian.js";

/** Interface 4.16, gaps 47 and 61: for existing users only, and by `kms_a` only. */
export const startLegacyAuthentication = endpoint(
  {
    operation: "startLegacyAuthentication",
    summary: "Send a sign-in code (v0)",
    description: "The older form of POST /api/service/v1/auth.",
    tag: "Legacy",
    method: "POST",
    path: "/api/v0/service/smart-accounts/auth",
    scope: "auth:write",
    environment: "optional",
    body: Type.Object({
      email: emailText(),
      app_name: Type.Optional(Type.String({ description: "Not used: mails carry the name the operator chose." })),
      app_icon_url: Type.Optional(Type.String({ description: "Not used." })),
      expiration: Type.Optional(
        Type.Integer({
          description: "Life of the credential bundle in seconds, unless verify names another one.",
          ...bundleLifeBounds,
        }),
      ),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        otp_id: uuidText(),
        mpc_primary_id: uuidText({ description: "The user's wallet at kms_a; never changes." }),
      }),
    },
    errors: [
      "invalid_email",
      "user_not_found",
      "invalid_expiration",
      "provider_unavailable",
      "mail_limit_exceeded",
      "mail_unavailable",
    ],
  },
  async (needs: IssueCodeNeeds & { readonly custodians: Custodians }, { body, caller, network }) => {
    const email = parseEmailAddress(body.email);
    const lifeMs = bundleLifeMs(body.expiration);
    const { user } = await getKnownUser(needs, network, caller.tenantId, email);
    const custodian = getCustodian(needs.custodians, legacyForm.name);
    const wallet = await askCustodian(
      custodian.ensureWallet({ ownerId: user.id, environment: network.name, now: network.clock.now() }),
    );
    const issued = await issueCode(needs, network, {
      tenantId: caller.tenantId,
      email,
      purpose: "authenticate",
      share: "secret",
      provider: custodian.provider,
      requestedSessionSeconds: lifeMs === undefined ? null : lifeMs / 1000,
    });
    if (issued === undefined) throw new TrellisError("user_not_found");
    return { data: { otp_id: issued.id, mpc_primary_id: wallet.id } };
  },
);
