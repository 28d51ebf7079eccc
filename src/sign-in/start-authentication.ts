import { type Caller, type Contract, documented, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import {
  type Custodian,
  type CustodianName,
  type Custodians,
  CustodianUnavailable,
} from "@trellis/kernel/ports/custodian.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import {
  backupCustodian,
  custodianNames,
  defaultCustodian,
  getSessionCustodian,
  providerNames,
} from "../custody/custodians.js";
import { parseEmailAddress } from "../people/email-address.js";
import { type IssueCodeNeeds, type IssuedCode, issueCode } from "../people/issue-code.js";
import { sessionLifeMs } from "../people/session.js";
import { findShares } from "./code-shares.js";
import { getKnownUser, userNotFound } from "./known-user.js";
import { issueCodeToAnybody } from "./sign-in-or-up.js";

type Needs = IssueCodeNeeds & { readonly custodians: Custodians };

const Body = Type.Object(
  {
    email: emailText(),
    provider: Type.Optional(Type.Enum([...providerNames], documented({ enum: custodianNames }))),
    kms_provider: Type.Optional(
      Type.Enum([...providerNames], { deprecated: true, description: "Another name of provider." }),
    ),
    expiration: Type.Optional(Type.Integer({ description: "When the session is to end, Unix seconds." })),
  },
  { $id: "StartAuthenticationRequest" },
);

const Response = Type.Object(
  {
    otp_id: uuidText(),
    email: emailText(),
    otp_sent: Type.Literal(true),
    provider: Type.Enum([...custodianNames]),
    requested_provider: Type.Optional(Type.Enum([...custodianNames])),
    fallback_reason: Type.Optional(Type.Enum(["timeout", "provider_error"])),
    status: Type.Literal("pending_verification"),
    type: Type.Literal("email"),
    created_at: Type.String({ format: "date-time" }),
    expires_at: Type.String({ format: "date-time", description: "When the code stops working." }),
  },
  { $id: "SentCode" },
);

const contract = {
  summary: "Send a sign-in code",
  description:
    "To the address of a user with an account. With a publishable key to any address: a person without an account gets a " +
    "code that makes one when it is verified, and the answer does not say which it was. A page shows `x-session-token` of an " +
    "earlier session where it has one: requests by others with the bare key then block no user.",
  tag: "Authentication",
  method: "POST",
  scope: "auth:write",
  environment: "optional",
  publishable: "open",
  body: Body,
  response: { status: 200, envelope: false, schema: Response },
  errors: [
    "invalid_email",
    "user_not_found",
    "invalid_expiration",
    "provider_not_available",
    "provider_unavailable",
    "mail_limit_exceeded",
    "mail_unavailable",
  ],
} as const satisfies Omit<Contract, "operation" | "path">;

/** Gap 21. */
export const startAuthentication = endpoint(
  { ...contract, operation: "startAuthentication", path: "/api/service/v1/auth" },
  (needs: Needs, call) => start(needs, call, defaultCustodian),
);

/** Gap 21: the same with the custodian of backup wallets unless another provider is named. */
export const initAuthentication = endpoint(
  { ...contract, operation: "initAuthentication", path: "/api/service/v1/auth/init" },
  (needs: Needs, call) => start(needs, call, backupCustodian),
);

async function start(
  needs: Needs,
  { body, caller, network }: { readonly body: Static<typeof Body>; readonly caller: Caller; readonly network: Network },
  providerByDefault: CustodianName,
): Promise<{ data: Static<typeof Response> }> {
  const email = parseEmailAddress(body.email);
  const lifeMs = body.expiration === undefined ? undefined : sessionLifeMs(body.expiration, needs.realClock.now());
  const asked = getSessionCustodian(needs.custodians, body.provider ?? body.kms_provider ?? providerByDefault);
  if (caller.isPublishable) return startForAnybody(needs, network, caller, body, asked, lifeMs);
  const { user } = await getKnownUser(needs, network, caller.tenantId, email);
  const { custodian, fallbackReason } = await chooseCustodian(needs.custodians, network, asked, user.id);
  const issued = await issueCode(needs, network, {
    tenantId: caller.tenantId,
    email,
    purpose: "authenticate",
    share: "secret",
    provider: custodian.provider,
    requestedSessionSeconds: toSeconds(lifeMs),
  });
  if (issued === undefined) throw userNotFound();
  const instead =
    fallbackReason === undefined ? {} : { requested_provider: asked.provider, fallback_reason: fallbackReason };
  return { data: { ...toStarted(issued, body.email, custodian.provider), ...instead } };
}

async function startForAnybody(
  needs: Needs,
  network: Network,
  caller: Caller,
  body: Static<typeof Body>,
  { provider }: Custodian,
  lifeMs: number | undefined,
): Promise<{ data: Static<typeof Response> }> {
  const to = { tenantId: caller.tenantId, email: parseEmailAddress(body.email) };
  const [share] = await findShares(needs, network, caller, to.email);
  const issued = await issueCodeToAnybody(needs, network, to, {
    share,
    provider,
    requestedSessionSeconds: toSeconds(lifeMs),
  });
  return { data: toStarted(issued, body.email, provider) };
}

const toSeconds = (lifeMs: number | undefined) => (lifeMs === undefined ? null : Math.floor(lifeMs / 1000));

function toStarted(issued: IssuedCode, email: string, provider: CustodianName): Static<typeof Response> {
  return {
    otp_id: issued.id,
    email,
    otp_sent: true,
    provider,
    status: "pending_verification",
    type: "email",
    created_at: new Date(issued.createdAt).toISOString(),
    expires_at: new Date(issued.expiresAt).toISOString(),
  };
}

/** The asked custodian, or another that answers while it is down. Throws `provider_unavailable` when none does. */
async function chooseCustodian(
  custodians: Custodians,
  network: Network,
  asked: Custodian,
  ownerId: string,
): Promise<{ custodian: Custodian; fallbackReason?: CustodianUnavailable["reason"] }> {
  let reason: CustodianUnavailable["reason"] | undefined;
  for (const custodian of [
    asked,
    ...[...custodians.values()].filter((other) => other !== asked && !other.isGuardian),
  ]) {
    try {
      await custodian.check?.();
      await custodian.ensureWallet({ ownerId, environment: network.name, now: network.clock.now() });
      return { custodian, ...(reason === undefined ? {} : { fallbackReason: reason }) };
    } catch (error) {
      if (!(error instanceof CustodianUnavailable)) throw error;
      reason ??= error.reason;
    }
  }
  throw new TrellisError("provider_unavailable");
}
