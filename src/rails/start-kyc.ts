import { type Contract, endpoint } from "@trellis/kernel/endpoint.js";
import { type ErrorCode, TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, emailText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { parseEmailAddress } from "../people/email-address.js";
import { getRails, orUnavailable } from "./ask-partner.js";
import { KycLink, showKycLink } from "./kyc-record.js";
import type { RailNeeds } from "./rail-needs.js";
import { parseRedirectUri } from "./redirect-uri.js";
import { recordVerification, type VerificationRow } from "./verification-store.js";
import { refreshVerification } from "./verifications.js";

/** Names of endorsements on the wire; `ach` is the older one of `base`. */
const endorsementNames = ["base", "ach", "sepa", "faster_payments", "spei", "pix"] as const;

/** What starting a verification takes (gap 43). */
export const kycRequest = Type.Object(
  {
    type: Type.Enum(["individual", "business"]),
    email: emailText({ description: "Of the person or business that is checked." }),
    full_name: Type.String({ minLength: 1, maxLength: 200, examples: ["Ada Lovelace"] }),
    endorsements: Type.Optional(
      Type.Array(Type.Enum([...endorsementNames]), {
        maxItems: endorsementNames.length,
        description:
          "What is to be used: `base` (USD; also written `ach`), `sepa`, `faster_payments`, `spei`, `pix`. Default: `base`.",
      }),
    ),
    redirect_uri: Type.Optional(
      Type.String({ maxLength: 2_048, description: "Where the browser goes from the partner's page: https." }),
    ),
  },
  { $id: "KycRequest" },
);

/** What starting one can answer besides. */
export const kycErrors = [
  "account_not_found",
  "invalid_email",
  "rail_not_available",
  "partner_refused",
  "partner_unavailable",
] as const satisfies readonly ErrorCode[];

/**
 * Gap 43. The same person of the same account is one verification: a caller that asks again, under any key, finds it as it
 * stands now, with fresh links.
 */
export const startKyc = endpoint(
  {
    operation: "startKyc",
    summary: "Start a verification",
    description:
      "Begins the check of the person or business behind an account at the environment's partner of bank rails, and gives " +
      "the links under which they continue. Repeated for the same e-mail address it answers the same verification with its " +
      "present state. Names, addresses and links are stored sealed.",
    tag: "KYC",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/kyc",
    scope: "kyc:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    body: kycRequest,
    refusesNearMisses: true,
    response: { status: 201, envelope: true, schema: KycLink },
    errors: kycErrors,
  } as const satisfies Contract,
  async (needs: RailNeeds, { params, body, network, caller }) => {
    const row = await beginKyc(needs, network, { tenantId: caller.tenantId, address: params.address }, body);
    return { data: showKycLink(needs, network, row) };
  },
);

/**
 * Records the wish, and then has the partner begin it. Where the partner does not answer, the wish stays, and a repetition,
 * or the pass, resumes under the key that the partner may have seen.
 */
export async function beginKyc(
  needs: RailNeeds,
  network: Network,
  of: { readonly tenantId: string; readonly address: string },
  body: Static<typeof kycRequest>,
): Promise<VerificationRow> {
  const rails = getRails(needs, network);
  const account = await getAccountRow(needs.db, { ...of, environment: network.name });
  const email = parseEmailAddress(body.email);
  const fullName = parseName(body.full_name);
  const redirectUri = body.redirect_uri === undefined ? undefined : parseRedirectUri(body.redirect_uri, network.name);
  const names = body.endorsements?.map((name) => (name === "ach" ? "base" : name)) ?? [];
  const wanted = names.length === 0 ? ["base"] : names;
  const record = () =>
    recordVerification(needs, network, {
      account: { tenantId: account.tenant_id, environment: network.name, address: account.address },
      partner: rails.partner.name,
      type: body.type,
      person: { email, fullName, ...(redirectUri === undefined ? {} : { redirectUri }) },
      wanted,
    });
  const recorded = await record();
  if (recorded.type !== body.type) {
    throw new TrellisError("invalid_request", {
      field: "type",
      message: `The verification of this e-mail address is one of type ${recorded.type}.`,
    });
  }
  let row = await orUnavailable(refreshVerification(needs, network, rails, recorded.id));
  // The partner had not answered to a caller's earlier wish, which was less: what was added is asked for now.
  if (row !== undefined && !wanted.every((name) => row?.wanted.includes(name))) {
    const { id } = await record();
    row = await orUnavailable(refreshVerification(needs, network, rails, id));
  }
  // Another caller had it deleted while the partner was asked.
  if (row === undefined) throw new TrellisError("kyc_not_found");
  return row;
}

function parseName(text: string): string {
  const name = text.trim();
  if (name === "" || /\p{Cc}/u.test(name)) {
    throw new TrellisError("invalid_request", { field: "full_name", message: "This is not a name." });
  }
  return name;
}
