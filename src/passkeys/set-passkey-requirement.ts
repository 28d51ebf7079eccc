import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getCustodian, translateRefusal } from "../custody/custodians.js";
import { decodeBase64Url } from "../custody/encodings.js";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import { readNonce } from "../people/sign-in-nonce.js";
import { chooseWallet, findCommandedWallets } from "./commanded-wallets.js";
import { findRequirement, setRequirement } from "./passkey-requirement.js";
import { type AuthorityNeeds, requireAuthority } from "./require-authority.js";

/** Gap 164. Again: the same. */
export const setPasskeyRequirement = endpoint(
  {
    operation: "setPasskeyRequirement",
    summary: "Require a passkey beside the code",
    description:
      "Whether a code alone signs the user in from now on, at every custodian and for all accounts. `authorization` is the signature " +
      'of a passkey of the wallet over the document `{version: 1, method: "requirePasskey", environment, wallet, params: {required}, ' +
      "nonce}`, where `nonce` is one that `POST /auth/passkey:options` answered. A session does not sign this.",
    tag: "Passkeys",
    method: "PUT",
    path: "/api/service/v1/accounts/{address}/passkey-requirement",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      required: Type.Boolean(),
      signer: Type.Optional(
        addressText({
          description:
            "The wallet that the passkey commands. By default the guardian's where one signs for the account, else the primary one.",
        }),
      ),
      nonce: Type.String({ maxLength: 128 }),
      authorization: SignedKmsPayload,
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        { grid_user_id: uuidText({ description: "Whose sign-in it is about." }), required: Type.Boolean() },
        { $id: "PasskeyRequirement" },
      ),
    },
    errors: [
      "account_not_found",
      "insufficient_permissions",
      "invalid_passkey",
      "invalid_signature",
      "missing_signature",
      "payload_already_used",
      "provider_not_available",
      "provider_unavailable",
      "session_expired",
      "wrong_signing_key",
    ],
  },
  async (needs: AuthorityNeeds & { readonly keyring: Keyring }, { params, body, caller, network }) => {
    const { db } = needs;
    const { required, nonce } = body;
    const now = network.clock.now();
    const wallet = chooseWallet(
      await findCommandedWallets(db, caller, network, params.address),
      body.signer,
      needs.custodians,
    );
    const data = { grid_user_id: wallet.userId, required };
    const scope = { tenantId: caller.tenantId, environment: network.name };
    const expiresAt = await readNonce(needs.keyring, scope, decodeBase64Url(nonce));
    if (expiresAt === undefined || expiresAt <= now) throw nonceIsOver();
    const authorized = await requireAuthority(needs, network, caller.tenantId, {
      wallet,
      document: { method: "requirePasskey", params: { required }, nonce },
      authorization: body.authorization,
    });
    if (authorized.authority.kind !== "passkey") throw passkeyAlone();
    try {
      await getCustodian(needs.custodians, wallet.provider).checkAuthority(authorized);
    } catch (error) {
      throw translateRefusal(error);
    }
    const { passkeyId } = authorized.authority;
    const isSet = await setRequirement(db, { userId: wallet.userId, required, passkeyId, nonce: { nonce, expiresAt } });
    // The same request whose answer was lost.
    if (!isSet && (await findRequirement(db, wallet.userId)) !== required) throw nonceIsOver();
    return { data };
  },
);

const nonceIsOver = () =>
  new TrellisError("invalid_passkey", {
    field: "nonce",
    message: "This nonce was used, has expired or was not given here.",
    suggestion: "Ask for another one with POST /api/service/v1/auth/passkey:options.",
  });

/** The error where a session's key signed what a passkey alone decides. */
const passkeyAlone = () =>
  new TrellisError("wrong_signing_key", {
    field: "authorization",
    message: "A passkey of the wallet has to sign this, not a session's key.",
  });
