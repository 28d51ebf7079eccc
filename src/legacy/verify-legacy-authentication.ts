import { documented, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { addressText, codeText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { askCustodian, getCustodian } from "../custody/custodians.js";
import { assertRightCode, getCodeOwner, getLatestCode, spendCode, wrongCode } from "../people/check-code.js";
import { openSession, type SessionNeeds } from "../people/open-session.js";
import { takesCodeAlone } from "../people/user-store.js";
import { chooseAccount, getKnownUser } from "../sign-in/known-user.js";
import { getLegacyClientKey } from "./client-key.js";
import { bundleLifeBounds, bundleLifeMs, encodeCredentialBundle } from "./credential-bundle.js";
import { legacyForm } from "./legacy-custodian.js";

/** Interface 4.16 and 5.10, gaps 47 and 61. */
export const verifyLegacyAuthentication = endpoint(
  {
    operation: "verifyLegacyAuthentication",
    summary: "Verify a sign-in code (v0)",
    description:
      "Answers with an authorization key in a credential bundle, sealed to the client's key. What it signs is submitted " +
      "by the present interface, as a kms_a payload.",
    tag: "Legacy",
    method: "POST",
    path: "/api/v0/service/smart-accounts/verify-otp",
    scope: "auth:write",
    environment: "optional",
    body: Type.Object({
      mpc_primary_id: uuidText({ description: "As auth answered it." }),
      otp_id: uuidText({ description: "As auth answered it." }),
      otp_code: codeText(),
      auth_public_key: Type.String({
        description: "P-256 public key: base64 SPKI DER, or the uncompressed point in hex.",
        ...documented({ pattern: "^[A-Za-z0-9+/]{66,130}={0,2}$" }),
      }),
      expiration: Type.Optional(
        Type.Integer({
          description: "Life of the bundle in seconds; one hour unless auth or this names another.",
          ...bundleLifeBounds,
        }),
      ),
      smart_account_address: Type.Optional(
        addressText({ description: "Needed only for a user with several accounts and no e-mail account." }),
      ),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        credential_bundle: Type.String({
          description: "Base58check of the 33-byte encapsulated key and the ciphertext behind it.",
        }),
        account_info: Type.Object({
          mpc_primary_id: uuidText(),
          smart_account_signer_public_key: addressText({ description: "Base58: the address of the wallet." }),
          wallet_id: uuidText(),
          smart_account_address: addressText(),
          grid_user_id: uuidText(),
        }),
      }),
    },
    errors: [
      "user_not_found",
      "account_not_found",
      "account_ambiguous",
      "invalid_otp",
      "otp_expired",
      "otp_attempts_exceeded",
      "otp_address_blocked",
      "passkey_required",
      "invalid_encryption_public_key",
      "invalid_expiration",
      "provider_unavailable",
    ],
  },
  async (needs: SessionNeeds & { readonly custodians: Custodians; readonly log: Log }, { body, caller, network }) => {
    // As in the present interface: whatever else is wrong is found before a try is spent (gap 18).
    const clientKey = getLegacyClientKey(body.auth_public_key);
    const requestedLifeMs = bundleLifeMs(body.expiration);
    const owner = await getCodeOwner(needs.db, network, caller.tenantId, "authenticate", body.otp_id);
    const latest = await getLatestCode(needs.db, network, owner);
    if (latest.id !== body.otp_id) throw wrongCode();
    const known = await getKnownUser(needs, network, caller.tenantId, owner.email);
    const custodian = getCustodian(needs.custodians, legacyForm.name);
    const wallet = await askCustodian(
      custodian.ensureWallet({ ownerId: known.user.id, environment: network.name, now: network.clock.now() }),
    );
    if (wallet.id !== body.mpc_primary_id) throw wrongCode();
    await assertRightCode(needs, network, owner, latest, body.otp_code);
    if (known.user.passkey_sign_in === "required") throw passkeyNeeded();
    const account = chooseAccount(known, body.smart_account_address);

    const codeLifeSeconds = latest.requested_session_seconds;
    const codeLifeMs = codeLifeSeconds === null ? undefined : Number(codeLifeSeconds) * 1000;
    const session = await openSession(
      needs,
      network,
      {
        userId: known.user.id,
        custodian,
        wallet,
        clientKey,
        lifeMs: requestedLifeMs ?? codeLifeMs ?? limits.credentialBundleDefaultMs,
      },
      () => spendCode(network, latest.id, takesCodeAlone(known.user.id)),
    );
    // A parallel request spent the code, or used up its tries.
    if (session === undefined) throw wrongCode();
    return {
      data: {
        credential_bundle: encodeCredentialBundle(session.sealed),
        account_info: {
          mpc_primary_id: wallet.id,
          smart_account_signer_public_key: wallet.address,
          wallet_id: wallet.id,
          smart_account_address: account.address,
          grid_user_id: known.user.id,
        },
      },
    };
  },
);

/** This form has no place for an assertion (gap 164); the code stays good. */
const passkeyNeeded = () =>
  new TrellisError("passkey_required", {
    message: "This user signs in with the code and a passkey, which v0 does not take.",
    suggestion: "Send the same code to POST /api/service/v1/auth/verify, with the passkey's assertion.",
  });
