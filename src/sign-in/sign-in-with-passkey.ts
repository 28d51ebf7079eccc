import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Authorized, PasskeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import { sql } from "kysely";
import Type from "typebox";
import { findAccountSigners, findAccountsOfWallets } from "../accounts/account-store.js";
import { readPolicies } from "../accounts/get-account.js";
import { Policies } from "../accounts/policy.js";
import { askCustodian, getCustodian, translateRefusal } from "../custody/custodians.js";
import { faultTexts } from "../custody/passkey/fault-texts.js";
import { PasskeySignedPayload, parsePasskeyStamp, verifyPasskeyStamp } from "../custody/passkey/passkey-stamp.js";
import { findPasskeysByCredential, type SigningPasskey } from "../custody/passkey/passkey-store.js";
import { encodePayload } from "../custody/payload.js";
import { openSession, type SessionNeeds } from "../people/open-session.js";
import { Authentication, getClientKey, SessionKeyConfig, sessionLifeMs, toAuthentication } from "../people/session.js";
import { findUserById } from "../people/user-store.js";
import { originsIn } from "../tenants/relying-party.js";
import { chooseAccount } from "./known-user.js";
import { readNonce } from "./passkey-nonce.js";

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
    const { passkey, grant } = requirePasskey(
      await findPasskeysByCredential(needs.db, scope, stamp.credentialId),
      { payload, stamp, now: network.clock.now(), realNow: needs.realClock.now() },
      network,
    );
    const user = await findUserById(needs.db, passkey.user_id);
    assertOurs(user, "a passkey is of a user");
    const accounts = await findAccountsOfWallets(needs.db, network.name, [passkey.wallet_id]);
    if (accounts.length === 0) throw refused("The wallet of this passkey signs for no account here.");
    const account = chooseAccount({ user, accounts }, body.smart_account_address);
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
      const translated = translateRefusal(error);
      throw translated instanceof TrellisError && ["invalid_signature", "session_expired"].includes(translated.code)
        ? refused("The custodian refused this passkey.")
        : translated;
    });
    if (session === undefined) throw refused("This nonce was used.");
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

const refused = (message: string) => new TrellisError("invalid_passkey", { message });

/** When it ends. Throws `invalid_passkey`. */
async function requireNonce(
  keyring: Keyring,
  scope: Parameters<typeof readNonce>[1],
  nonce: string,
  now: number,
): Promise<number> {
  const expiresAt = await readNonce(keyring, scope, nonce);
  if (expiresAt === undefined) throw refused("This nonce was not given here.");
  if (expiresAt <= now) throw refused("This nonce has expired. Begin again.");
  return expiresAt;
}

/** The passkey that made the assertion, with what its custodian opens a session for. Throws `invalid_passkey`. */
function requirePasskey(
  passkeys: readonly SigningPasskey[],
  asked: Pick<Authorized, "payload" | "now" | "realNow"> & { readonly stamp: PasskeyStamp },
  network: Pick<Network, "name">,
): { readonly passkey: SigningPasskey; readonly grant: Authorized } {
  const [passkey] = passkeys;
  if (passkey === undefined) throw refused("This passkey is not known here.");
  const origins = originsIn(network.name, passkey.terms);
  const verdict = verifyPasskeyStamp(asked.payload, asked.stamp, {
    publicKey: passkey.public_key,
    relyingParty: relyingPartyOf(passkey.rp_id, origins),
    // The custodian judges it.
    counter: undefined,
  });
  if (!verdict.ok) throw refused(faultTexts[verdict.fault]);
  const authority = { kind: "passkey", passkeyId: passkey.id, origins } as const;
  return { passkey, grant: { ...asked, walletId: passkey.wallet_id, authority } };
}
