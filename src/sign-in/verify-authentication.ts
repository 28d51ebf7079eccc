import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { type Caller, documented, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, codeText, emailText, publicKeyText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { findAccountSigners } from "../accounts/account-store.js";
import type { CreationNeeds } from "../accounts/creation.js";
import { readPolicies } from "../accounts/get-account.js";
import { Policies } from "../accounts/policy.js";
import { completeCreation } from "../accounts/verify-account.js";
import { askCustodian, custodianNames, getSessionCustodian, providerNames } from "../custody/custodians.js";
import { PasskeySignedPayload } from "../custody/passkey/passkey-stamp.js";
import { assertRightCode, type CodeOwner, getLatestCode, spendCode, wrongCode } from "../people/check-code.js";
import { parseEmailAddress } from "../people/email-address.js";
import { openSession, type SessionNeeds } from "../people/open-session.js";
import { Authentication, getClientKey, sessionLifeMs, toAuthentication } from "../people/session.js";
import { takesCodeAlone } from "../people/user-store.js";
import { findShares } from "./code-shares.js";
import { chooseAccount, getKnownUser } from "./known-user.js";
import { requireSecondFactor } from "./second-factor.js";
import { chooseCode } from "./sign-in-or-up.js";
import { translateGrantRefusal } from "./verify-passkey.js";

/** Interface 4.7, gaps 17 to 22. */
export const verifyAuthentication = endpoint(
  {
    operation: "verifyAuthentication",
    summary: "Verify a sign-in code",
    description:
      "Opens a session; its authorization key is sealed to the client's public key. With a publishable key a code that was " +
      "sent to a person without an account makes one first; if the answer is lost, the same request resumes. Where the user has " +
      "asked for it, a right code is 401 `passkey_required`; the same request with the `assertion` of a passkey over " +
      '`{version: 1, method: "signIn", environment, params: {encryption_public_key, otp_id}}` opens the session.',
    tag: "Authentication",
    method: "POST",
    path: "/api/service/v1/auth/verify",
    scope: "auth:write",
    environment: "optional",
    publishable: "open",
    body: Type.Object({
      email: emailText(),
      otp_code: codeText(),
      smart_account_address: Type.Optional(
        addressText({ description: "Needed only for a user with several accounts and no e-mail account." }),
      ),
      provider: Type.Optional(Type.Enum([...providerNames], documented({ enum: custodianNames }))),
      kms_provider: Type.Optional(
        Type.Enum([...providerNames], { deprecated: true, description: "Another name of provider." }),
      ),
      kms_provider_config: Type.Object({
        encryption_public_key: publicKeyText(),
        otp_id: Type.Optional(
          uuidText({ description: "Which code it is; has to match when given. Needed with a publishable key." }),
        ),
      }),
      assertion: Type.Optional(PasskeySignedPayload),
      expiration: Type.Optional(Type.Integer({ description: "When the session is to end, Unix seconds." })),
    }),
    response: {
      status: 200,
      envelope: false,
      schema: Type.Object(
        {
          address: addressText(),
          grid_user_id: uuidText(),
          policies: Policies,
          authentication: Type.Array(Authentication),
        },
        { $id: "VerifiedAccount" },
      ),
    },
    errors: [
      "invalid_email",
      "user_not_found",
      "account_not_found",
      "account_ambiguous",
      "invalid_otp",
      "otp_expired",
      "otp_attempts_exceeded",
      "otp_address_blocked",
      "passkey_required",
      "invalid_passkey",
      "invalid_encryption_public_key",
      "invalid_expiration",
      "provider_not_available",
      "provider_unavailable",
      "account_creation_failed",
      "creation_queue_full",
      "service_unavailable",
      "sponsorship_limit_exceeded",
      "submission_in_progress",
      "chain_unavailable",
    ],
  },
  async (
    needs: SessionNeeds &
      CreationNeeds & { readonly custodians: Custodians; readonly realClock: Clock; readonly log: Log },
    { body, caller, network },
  ) => {
    // Everything that can be wrong with the request is found before a try is spent (gap 18).
    if (caller.isPublishable && body.kms_provider_config.otp_id === undefined) throw codeUnbound();
    const addressee = { tenantId: caller.tenantId, email: parseEmailAddress(body.email) };
    const clientKey = getClientKey(body.kms_provider_config.encryption_public_key);
    const named = body.provider ?? body.kms_provider;
    if (named !== undefined) getSessionCustodian(needs.custodians, named);
    const requestedLifeMs =
      body.expiration === undefined ? undefined : sessionLifeMs(body.expiration, needs.realClock.now());

    const owner: CodeOwner = { ...addressee, ...(await codeTriedBy(needs, network, caller, addressee.email)) };
    const { purpose } = owner;
    const { otp_id: otpId } = body.kms_provider_config;
    const latest = await getLatestCode(needs.db, network, owner);
    const isNamed = otpId === undefined || otpId === latest.id;
    // A response to a publishable key does not say what became of a code (gap 123); a broken-off creation resumes.
    const isAlive = latest.state === "live" && latest.expires_at > BigInt(network.clock.now());
    const isResumable = purpose === "create" && latest.state === "spent" && isNamed;
    if (caller.isPublishable && !(isNamed && (isAlive || isResumable))) throw wrongCode();
    if (!isNamed) {
      throw new TrellisError("invalid_otp", {
        field: "kms_provider_config.otp_id",
        suggestion: "Send the otp_id of the code that was asked for last, or none.",
      });
    }
    const codeLifeMs =
      latest.requested_session_seconds === null ? undefined : Number(latest.requested_session_seconds) * 1000;
    const lifeMs = requestedLifeMs ?? codeLifeMs ?? sessionLifeMs(undefined, needs.realClock.now());
    const custodian = getSessionCustodian(needs.custodians, named ?? latest.provider);
    if (purpose === "create") {
      const made = await completeCreation(needs, network, owner, { code: body.otp_code, clientKey, custodian, lifeMs });
      return {
        data: {
          address: made.account.address as string,
          grid_user_id: made.account.userId,
          policies: made.account.policies,
          authentication: [toAuthentication(made.session)],
        },
      };
    }
    await assertRightCode(needs, network, owner, latest, body.otp_code);

    const known = await getKnownUser(needs, network, caller.tenantId, owner.email);
    const grant = await requireSecondFactor(needs, network, {
      user: known.user,
      owner,
      code: latest,
      encryptionKey: body.kms_provider_config.encryption_public_key,
      assertion: body.assertion,
    });
    const account = chooseAccount(known, body.smart_account_address);
    const [policies, wallet] = await Promise.all([
      findAccountSigners(needs.db, account).then((signers) => readPolicies(network, account, signers)),
      askCustodian(
        custodian.ensureWallet({ ownerId: known.user.id, environment: network.name, now: network.clock.now() }),
      ),
    ]);
    const session = await openSession(
      needs,
      network,
      {
        userId: known.user.id,
        custodian,
        wallet,
        clientKey,
        lifeMs,
        // The custodian of another wallet than the passkey's has no means to check it.
        ...(grant?.walletId === wallet.id && { grant }),
      },
      () => spendCode(network, latest.id, grant === undefined ? takesCodeAlone(known.user.id) : undefined),
    ).catch((error: unknown) => {
      throw translateGrantRefusal(error);
    });
    // A parallel request spent the code, or used up its tries.
    if (session === undefined) throw wrongCode();
    return {
      data: {
        address: account.address,
        grid_user_id: known.user.id,
        policies,
        authentication: [toAuthentication(session)],
      },
    };
  },
);

/** A page's code is good only where it was asked for: what is read over a shoulder, or in a mailbox, is not enough (gap 160). */
function codeUnbound(): TrellisError {
  return new TrellisError("invalid_request", {
    field: "kms_provider_config.otp_id",
    message: "With a publishable key a code is verified together with the otp_id of the request that had it sent.",
    suggestion: "Send the otp_id that POST /api/service/v1/auth answered to this browser.",
  });
}

/** Secret keys sign in alone; who has a publishable one may be about to make an account (gap 123). */
async function codeTriedBy(
  needs: { readonly db: Db; readonly keyring: Keyring },
  network: Network,
  caller: Caller,
  email: string,
): Promise<Pick<CodeOwner, "purpose" | "share">> {
  if (!caller.isPublishable) return { purpose: "authenticate", share: "secret" };
  const shares = await findShares(needs, network, caller, email);
  return chooseCode(needs.db, network, { tenantId: caller.tenantId, email }, shares);
}
