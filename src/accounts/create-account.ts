import { type Answer, type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { defaultCustodian } from "../custody/custodians.js";
import { parseEmailAddress } from "../people/email-address.js";
import { type IssueCodeNeeds, issueCode } from "../people/issue-code.js";
import type { CreationNeeds } from "./creation.js";
import { planKeyAccount } from "./creation-plan.js";
import { hasEmailAccount, rememberPending } from "./email-creation.js";
import { confirmForeignPasskeys, type HostNeeds, refuseForeignPasskeys } from "./foreign-passkeys.js";
import { Protection, RecoverySigner, readProtection } from "./guarded-account.js";
import { createFromKeys } from "./key-creation.js";
import { requireSigners } from "./member-address.js";
import { Memo, parseMemo } from "./memo.js";
import {
  type CheckedPolicy,
  membersOf,
  Policies,
  parsePolicy,
  RequestedPolicies,
  requestPlainKeys,
  signerListBounds,
  thresholdBounds,
} from "./policy.js";

const EmailForm = Type.Object(
  {
    type: Type.Literal("email"),
    email: emailText(),
    protection: Type.Optional(Protection),
    recovery: Type.Optional(RecoverySigner),
    memo: Type.Optional(Memo),
    passkey_required: Type.Optional(
      Type.Boolean({
        description: "From the first passkey that is added on, a code alone does not sign the user in. For a new user.",
      }),
    ),
  },
  { description: "An account whose keys custodians hold; it exists once the code sent to the address is verified." },
);

const SignersForm = Type.Object(
  {
    type: Type.Literal("signers"),
    signers: Type.Optional(
      Type.Array(addressText(), {
        description: "Ed25519 public keys, base58; each gets every permission.",
        ...signerListBounds,
      }),
    ),
    threshold: Type.Optional(Type.Integer({ description: "How many of `signers` have to sign.", ...thresholdBounds })),
    policies: Type.Optional(RequestedPolicies),
    confirm_foreign_passkeys: confirmForeignPasskeys,
    memo: Type.Optional(Memo),
  },
  { description: "An account of keys that exist already: `signers` with `threshold`, or `policies`." },
);

const PendingAccount = Type.Object(
  {
    type: Type.Literal("email"),
    status: Type.Literal("pending_verification"),
    email: emailText(),
    otp_sent: Type.Literal(true),
    protection: Protection,
    memo: Type.Optional(Type.String()),
    created_at: Type.String({ format: "date-time" }),
    expires_at: Type.String({ format: "date-time", description: "When the code stops working." }),
  },
  { $id: "PendingAccount" },
);

const SignersAccount = Type.Object(
  {
    type: Type.Literal("signers"),
    status: Type.Literal("active"),
    address: addressText(),
    settings_address: addressText(),
    grid_user_id: uuidText(),
    policies: Policies,
    memo: Type.Optional(Type.String()),
  },
  { $id: "SignersAccount" },
);

/** Interface 4.1, gaps 13, 14, 16. */
export const createAccount = endpoint(
  {
    operation: "createAccount",
    summary: "Create an account",
    description:
      "The `email` form sends a one-time code; the account is created when it is verified. The `signers` form creates the " +
      "account on chain and answers its address.",
    tag: "Accounts",
    method: "POST",
    path: "/api/service/v1/accounts",
    scope: "accounts:write",
    environment: "optional",
    body: Type.Union([EmailForm, SignersForm]),
    refusesNearMisses: true,
    refusesFieldsBeside: "policies",
    response: { status: 201, envelope: true, schema: Type.Union([PendingAccount, SignersAccount]) },
    errors: [
      "invalid_email",
      "grid_account_already_exists_for_user",
      "mail_limit_exceeded",
      "mail_unavailable",
      "guardian_not_configured",
      "passkeys_not_configured",
      "invalid_policies",
      "invalid_address",
      "forbidden_account",
      "account_creation_failed",
      "creation_queue_full",
      "service_unavailable",
      "sponsorship_limit_exceeded",
      "submission_in_progress",
      "chain_unavailable",
    ],
  },
  async (
    needs: IssueCodeNeeds & CreationNeeds & HostNeeds,
    { body, caller, network, operationId },
  ): Promise<Answer<Static<typeof PendingAccount> | Static<typeof SignersAccount>>> => {
    if (body.type === "email") return { data: await requestEmailAccount(needs, network, caller, body) };
    return { data: await createSignersAccount(needs, network, caller, body, operationId) };
  },
);

async function requestEmailAccount(
  needs: IssueCodeNeeds & Pick<CreationNeeds, "custodians">,
  network: Network,
  caller: Caller,
  body: Static<typeof EmailForm>,
): Promise<Static<typeof PendingAccount>> {
  refuseOwnPolicy(body);
  const email = parseEmailAddress(body.email);
  const owner = { tenantId: caller.tenantId, email };
  const plan = await readProtection(needs, network, caller, body);
  const issued = await issueCode(
    needs,
    network,
    { ...owner, purpose: "create", share: "secret", provider: defaultCustodian, requestedSessionSeconds: null },
    {
      refuseWhen: hasEmailAccount(network, owner),
      alongside: rememberPending(network, owner, {
        memo: parseMemo(body.memo),
        plan,
        requiresPasskey: body.passkey_required === true,
      }),
    },
  );
  if (issued === undefined) {
    throw new TrellisError("grid_account_already_exists_for_user", {
      field: "email",
      suggestion: "This address has an account here: sign in with POST /api/service/v1/auth.",
    });
  }
  return {
    type: "email",
    status: "pending_verification",
    email: body.email,
    otp_sent: true,
    protection: plan === undefined ? "plain" : "guarded",
    ...(body.memo === undefined ? {} : { memo: body.memo }),
    created_at: new Date(issued.createdAt).toISOString(),
    expires_at: new Date(issued.expiresAt).toISOString(),
  };
}

/** What the other form has means nothing in this one, and ignoring it would make an account without the lock that was asked for. */
function refuseOwnPolicy(body: Static<typeof EmailForm> & { readonly [further: string]: unknown }): void {
  const field = ["policies", "signers", "threshold"].find((name) => (body[name] ?? null) !== null);
  if (field === undefined) return;
  throw new TrellisError("invalid_request", {
    field,
    message: `An account of type email has the policy of its two wallets, and no ${field} of its own.`,
    suggestion:
      'For another policy: POST /api/service/v1/accounts:custom, where a signer may be {"type": "email", "email": …}.',
  });
}

async function createSignersAccount(
  needs: CreationNeeds & HostNeeds,
  network: Network,
  caller: Caller,
  body: Static<typeof SignersForm>,
  operationId: string | undefined,
): Promise<Static<typeof SignersAccount>> {
  const policy = readPolicy(network, body);
  await requireSigners(network, membersOf(policy, body.policies === undefined ? "" : "policies."));
  const isConfirmed = body.confirm_foreign_passkeys;
  const deciders = { ...policy, settingsAuthority: policy.admin };
  await refuseForeignPasskeys(needs, network, caller.tenantId, deciders, { isConfirmed });
  const account = await createFromKeys(needs, network, {
    tenantId: caller.tenantId,
    type: "signers",
    plan: planKeyAccount(policy, parseMemo(body.memo)),
    operationId,
  });
  return {
    type: "signers",
    status: "active",
    address: account.address,
    settings_address: account.settingsAddress,
    grid_user_id: account.userId,
    policies: account.policies,
    ...(body.memo === undefined ? {} : { memo: body.memo }),
  };
}

/** The two ways to say who signs (gap 14). */
function readPolicy(network: Network, body: Static<typeof SignersForm>): CheckedPolicy {
  if (body.policies !== undefined) {
    if (body.signers !== undefined || body.threshold !== undefined) {
      throw new TrellisError("invalid_request", {
        field: "policies",
        message: "Send either signers with threshold, or policies.",
      });
    }
    return parsePolicy(body.policies, network);
  }
  if (body.signers === undefined || body.threshold === undefined) {
    throw new TrellisError("invalid_request", {
      field: body.signers === undefined ? "signers" : "threshold",
      message: "An account of type signers needs signers and threshold, or policies.",
    });
  }
  return parsePolicy(requestPlainKeys(body.signers, body.threshold), network, "");
}
