import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Authorized, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db, UserTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { Static } from "typebox";
import { getCustodian } from "../custody/custodians.js";
import { challengeFor, type PasskeySignedPayload, parsePasskeyStamp } from "../custody/passkey/passkey-stamp.js";
import { findPasskeysByCredential, findPasskeysOfUser } from "../custody/passkey/passkey-store.js";
import { encodePayload } from "../custody/payload.js";
import { type CodeOwner, countWrongFactor, type LatestCode } from "../people/check-code.js";
import { passkeyRefused, translateGrantRefusal, verifyPasskey } from "./verify-passkey.js";

interface Needs {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly log: Log;
  readonly custodians: Custodians;
  readonly realClock: Clock;
}

/** A sign-in whose code is right. */
interface Asked {
  readonly user: UserTable;
  readonly owner: CodeOwner;
  readonly code: LatestCode;
  /** As the request has it. */
  readonly encryptionKey: string;
  readonly assertion: Static<typeof PasskeySignedPayload> | undefined;
}

/**
 * The passkey's part beside a right code (gap 164): what its custodian opens a session of that wallet for; undefined where there is
 * none and none is needed. A wrong one is a try of the code. Throws `passkey_required`, `invalid_passkey` and
 * `otp_attempts_exceeded`.
 */
export async function requireSecondFactor(
  needs: Needs,
  network: Network,
  asked: Asked,
): Promise<Authorized | undefined> {
  const payload = encodePayload({
    version: 1,
    method: "signIn",
    environment: network.name,
    params: { encryption_public_key: asked.encryptionKey, otp_id: asked.code.id },
  });
  if (asked.assertion === undefined) {
    if (asked.user.passkey_sign_in === "required") throw await passkeyRequired(needs.db, asked, payload);
    return undefined;
  }
  try {
    return await verifyAssertion(needs, network, asked, payload);
  } catch (error) {
    if (!(error instanceof TrellisError) || error.code !== "invalid_passkey") throw error;
    await countWrongFactor(needs, network, asked.owner, asked.code);
    // A try that was counted is an outcome: the same request again must not cost another one.
    throw new TrellisError("invalid_passkey", { message: error.message, isOutcome: true });
  }
}

async function verifyAssertion(needs: Needs, network: Network, asked: Asked, payload: string): Promise<Authorized> {
  const stamp = asked.assertion && parsePasskeyStamp(asked.assertion);
  if (stamp === undefined) throw passkeyRefused("The assertion is not whole.");
  const scope = { tenantId: asked.owner.tenantId, environment: network.name };
  const known = await findPasskeysByCredential(needs.db, scope, stamp.credentialId);
  const { passkey, grant } = verifyPasskey(
    known.filter(({ user_id }) => user_id === asked.user.id),
    { payload, stamp, now: network.clock.now(), realNow: needs.realClock.now() },
    network,
  );
  try {
    await getCustodian(needs.custodians, passkey.provider).checkAuthority(grant);
  } catch (error) {
    throw translateGrantRefusal(error);
  }
  return grant;
}

/** What the first factor alone reveals: which passkeys may sign what. */
async function passkeyRequired(db: Db, { user, code }: Asked, payload: string): Promise<TrellisError> {
  const passkeys = await findPasskeysOfUser(db, user.id);
  const challenge = challengeFor(payload);
  assertOurs(challenge, "a document that is made here has a canonical form");
  return new TrellisError("passkey_required", {
    facts: {
      otp_id: code.id,
      challenge: Buffer.from(challenge).toString("base64url"),
      passkeys: passkeys.map(({ credential_id, rp_id }) => ({ credential_id, rp_id })),
    },
  });
}
