import type { P256PublicKey } from "@trellis/kernel/crypto/p256.js";
import { documented, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Custodian } from "@trellis/kernel/ports/custodian.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, codeText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import {
  askCustodian,
  custodianNames,
  defaultCustodian,
  getSessionCustodian,
  providerNames,
} from "../custody/custodians.js";
import { assertRightCode, type CodeOwner, codeIsOver, getLatestCode, wrongCode } from "../people/check-code.js";
import { parseEmailAddress } from "../people/email-address.js";
import { verifyCode } from "../people/one-time-code.js";
import { openSession, type SessionNeeds } from "../people/open-session.js";
import {
  Authentication,
  getClientKey,
  type OpenedSession,
  SessionKeyConfig,
  sessionLifeMs,
  toAuthentication,
} from "../people/session.js";
import { findUserById } from "../people/user-store.js";
import { assertWithinDailyBudgets } from "../sponsorship/sponsorship.js";
import { createOnChain } from "./create-on-chain.js";
import type { CreatedAccount, Creation, CreationNeeds } from "./creation.js";
import { mostSignersOfEmailAccount } from "./creation-plan.js";
import { beginEmailCreation, claimAnswer, findResumableCreation } from "./email-creation.js";
import { Policies } from "./policy.js";

type Needs = CreationNeeds & SessionNeeds;

/** Interface 4.2, gaps 17 to 22. */
export const verifyAccount = endpoint(
  {
    operation: "verifyAccount",
    summary: "Verify an account's one-time code",
    description:
      "Creates the account on chain and opens the first session. If the answer is lost, the same request resumes: the same " +
      "code with the same public key, until a session has been answered.",
    tag: "Accounts",
    method: "POST",
    path: "/api/service/v1/accounts/verify",
    scope: "accounts:write",
    environment: "optional",
    body: Type.Object({
      email: emailText(),
      otp_code: codeText(),
      provider: Type.Optional(Type.Enum([...providerNames], documented({ enum: custodianNames }))),
      kms_provider_config: SessionKeyConfig,
      expiration: Type.Optional(Type.Integer({ description: "When the session is to end, Unix seconds." })),
    }),
    response: {
      status: 200,
      envelope: true,
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
      "invalid_otp",
      "otp_expired",
      "otp_attempts_exceeded",
      "otp_address_blocked",
      "passkey_required",
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
  async (needs: Needs, { body, caller, network }) => {
    // Everything that can be wrong with the request is found before a try is spent (gap 18).
    const email = parseEmailAddress(body.email);
    const owner: CodeOwner = { tenantId: caller.tenantId, email, purpose: "create", share: "secret" };
    const clientKey = getClientKey(body.kms_provider_config.encryption_public_key);
    const custodian = getSessionCustodian(needs.custodians, body.provider ?? defaultCustodian);
    const lifeMs = sessionLifeMs(body.expiration, needs.realClock.now());

    const { account, session } = await completeCreation(needs, network, owner, {
      code: body.otp_code,
      clientKey,
      custodian,
      lifeMs,
    });
    return {
      data: {
        address: account.address as string,
        grid_user_id: account.userId,
        policies: account.policies,
        authentication: [toAuthentication(session, "account_verify")] as Static<typeof Authentication>[],
      },
    };
  },
);

/**
 * Spends a code that makes an account, sees the account made, and opens its first session. The same again resumes what was
 * broken off. Throws what the operation names.
 */
export async function completeCreation(
  needs: Needs,
  network: Network,
  owner: CodeOwner,
  given: {
    readonly code: string;
    readonly clientKey: P256PublicKey;
    readonly custodian: Custodian;
    readonly lifeMs: number;
  },
): Promise<{ readonly account: CreatedAccount; readonly session: OpenedSession }> {
  const { clientKey, custodian, lifeMs } = given;
  const creation = await redeemCode(needs, network, owner, given.code, clientKey);
  const account = await createOnChain(needs, network, creation);
  const wallet = await askCustodian(
    custodian.ensureWallet({ ownerId: account.userId, environment: network.name, now: network.clock.now() }),
  );
  const session = await openSession(
    needs,
    network,
    { userId: account.userId, custodian, wallet, clientKey, lifeMs },
    claimAnswer(creation),
  );
  if (session !== undefined) return { account, session };
  const user = await findUserById(needs.db, account.userId);
  if (user?.passkey_sign_in === "required") {
    throw new TrellisError("passkey_required", {
      message: "The account is there. Its user signs in with a code and a passkey.",
      suggestion: "Ask for a code with POST /api/service/v1/auth.",
    });
  }
  // A parallel request with the same code was answered first.
  throw wrongCode();
}

/** Parallel requests change a code under each other; the second read decides. */
const refreshesMax = 3;

/** The creation that this code is good for: a new one, or the one it started before. */
async function redeemCode(
  needs: Needs,
  network: Network,
  owner: CodeOwner,
  given: string,
  clientKey: P256PublicKey,
): Promise<Creation> {
  for (let refresh = 0; refresh < refreshesMax; refresh += 1) {
    const latest = await getLatestCode(needs.db, network, owner);
    if (latest.state === "spent") {
      const isInTime = latest.expires_at > BigInt(network.clock.now());
      const resumable =
        isInTime && (await verifyCode(needs.keyring, latest, given))
          ? await findResumableCreation(needs.db, latest.id, clientKey)
          : undefined;
      if (resumable === undefined) throw await codeIsOver(needs.db, network, owner);
      return resumable;
    }
    await assertRightCode(needs, network, owner, latest, given);
    if (owner.share !== "secret") await assertPayable(needs, network, owner.tenantId);
    const begun = await beginEmailCreation(needs, network, owner, latest.id, clientKey);
    if (begun) return begun;
  }
  throw wrongCode();
}

/**
 * Throws `sponsorship_limit_exceeded` before a page's code is spent on an account that no budget pays for today: what was begun is
 * resumed day after day, and a person who opens a page may begin as much as they read mail (gap 123).
 */
async function assertPayable(needs: Needs, network: Network, tenantId: string): Promise<void> {
  const lamports = await needs.creationQueue.mostLamports(network, mostSignersOfEmailAccount);
  const reservation = {
    tenantId,
    accountAddress: null,
    costs: [{ kind: "settings_rent", lamports }],
    realNow: needs.realClock.now(),
  } as const;
  await assertWithinDailyBudgets(needs.db, network, reservation, { isByPage: true });
}
