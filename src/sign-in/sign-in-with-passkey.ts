import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import { sql } from "kysely";
import Type from "typebox";
import { findAccountSigners, findAccountsOfWallets, findCommandedBy } from "../accounts/account-store.js";
import { readPolicies } from "../accounts/get-account.js";
import { Policies } from "../accounts/policy.js";
import { askCustodian, getCustodian } from "../custody/custodians.js";
import { decodeBase64Url } from "../custody/encodings.js";
import { PasskeySignedPayload, parsePasskeyStamp } from "../custody/passkey/passkey-stamp.js";
import { findPasskeysByCredential } from "../custody/passkey/passkey-store.js";
import { encodePayload } from "../custody/payload.js";
import { openSession, type SessionNeeds } from "../people/open-session.js";
import { Authentication, getClientKey, SessionKeyConfig, sessionLifeMs, toAuthentication } from "../people/session.js";
import { type NonceScope, readNonce } from "../people/sign-in-nonce.js";
import { findUserById } from "../people/user-store.js";
import { chooseAccount } from "./known-user.js";
import { passkeyRefused, translateGrantRefusal, verifyPasskey } from "./verify-passkey.js";

/** Gap 163. */
export const signInWithPasskey = endpoint(
  {
    operation: "signInWithPasskey",
    summary: "Sign in with a passkey",
    description:
      "Opens a session of the wallet that the passkey commands, without a code. What the passkey signs is the SHA-256 of the " +
      'canonical JSON of `{version: 1, method: "signIn", environment, params: {encryption_public_key}, nonce}`, so that the session ' +
      "is sealed to the key that its holder meant.",
    tag: "Authentication",
    method: "POST",
    path: "/api/service/v1/auth/passkey",
    scope: "auth:write",
    environment: "optional",
    publishable: "open",
    body: Type.Object({
      nonce: Type.String({ maxLength: 128 }),
      assertion: PasskeySignedPayload,
      smart_account_address: Type.Optional(
        addressText({
          description: "Needed only where the wallet signs for several accounts and none is its user's own.",
        }),
      ),
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
          email: emailText(),
          policies: Policies,
          authentication: Type.Array(Authentication),
        },
        { $id: "PasskeySignInResult" },
      ),
    },
    errors: [
      "account_ambiguous",
      "account_not_found",
      "chain_unavailable",
      "invalid_encryption_public_key",
      "invalid_expiration",
      "invalid_passkey",
      "provider_not_available",
      "provider_unavailable",
    ],
  },
  async (needs: SessionNeeds & { readonly realClock: Clock }, { body, caller, network }) => {
    const scope = { tenantId: caller.tenantId, environment: network.name };
    const encryptionKey = body.kms_provider_config.encryption_public_key;
    const clientKey = getClientKey(encryptionKey);
    const lifeMs = sessionLifeMs(body.expiration, needs.realClock.now());
    const expiresAt = await requireNonce(needs.keyring, scope, body.nonce, network.clock.now());
    const stamp = parsePasskeyStamp(body.assertion);
    assertOurs(stamp, "the schema asks for all of it");
    const payload = encodePayload({
      version: 1,
      method: "signIn",
      environment: network.name,
      params: { encryption_public_key: encryptionKey },
      nonce: body.nonce,
    });
    const { passkey, grant } = verifyPasskey(
      await findPasskeysByCredential(needs.db, scope, stamp.credentialId),
      { payload, stamp, now: network.clock.now(), realNow: needs.realClock.now() },
      network,
    );
    // It would be enough for both of the signatures that a guarded account asks for.
    if (getCustodian(needs.custodians, passkey.provider).isGuardian === true) {
      throw passkeyRefused("This passkey guards an account, so that it does not sign in alone: sign in with a code.");
    }
    const user = await findUserById(needs.db, passkey.user_id);
    assertOurs(user, "a passkey is of a user");
    const accounts = await findAccountsOfWallets(
      needs.db,
      network.name,
      await findCommandedBy(needs.db, user.id, passkey.wallet_id),
    );
    if (accounts.length === 0) throw passkeyRefused("The wallet of this passkey signs for no account here.");
    const account = chooseAccount({ user, accounts, unheld: [] }, body.smart_account_address);
    const policies = await readPolicies(network, account, await findAccountSigners(needs.db, account));
    const custodian = getCustodian(needs.custodians, passkey.provider);
    const wallet = await askCustodian(
      custodian.ensureWallet({ ownerId: user.id, environment: network.name, now: grant.now }),
    );
    const session = await openSession(
      needs,
      network,
      { userId: user.id, custodian, wallet, clientKey, lifeMs, grant },
      () => sql`insert into passkey_sign_in (nonce, expires_at) values (${body.nonce}, ${expiresAt}::int8)
        on conflict (nonce) do nothing returning 1`,
    ).catch((error: unknown) => {
      throw translateGrantRefusal(error);
    });
    if (session === undefined) throw passkeyRefused("This nonce was used.");
    return {
      data: {
        address: account.address,
        grid_user_id: user.id,
        email: user.email,
        policies,
        authentication: [toAuthentication(session)],
      },
    };
  },
);

/** When it ends. Throws `invalid_passkey`. */
async function requireNonce(keyring: Keyring, scope: NonceScope, nonce: string, now: number): Promise<number> {
  const expiresAt = await readNonce(keyring, scope, decodeBase64Url(nonce));
  if (expiresAt === undefined) throw passkeyRefused("This nonce was not given here.");
  if (expiresAt <= now) throw passkeyRefused("This nonce has expired. Begin again.");
  return expiresAt;
}
