import { Buffer } from "node:buffer";
import { challengeOf, readRegistration } from "@trellis/kernel/crypto/webauthn.js";
import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Authorized, Registration, Unauthorized } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import { addressText, isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getCustodian, translateRefusal } from "../custody/custodians.js";
import { decodeBase64Url } from "../custody/encodings.js";
import { faultTexts } from "../custody/passkey/fault-texts.js";
import { findPasskeysByCredential } from "../custody/passkey/passkey-store.js";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import { findRelyingParty, type RelyingPartyTerms, relyingPartyIn } from "../tenants/relying-party.js";
import { type CommandedWallet, chooseWallet, findCommandedWallets } from "./commanded-wallets.js";
import { AddedPasskey, PasskeyName, toWirePasskey } from "./passkey.js";
import { storePasskey } from "./passkey-changes.js";
import { findRequirement, requirePasskeyFor } from "./passkey-requirement.js";
import { type AskedAuthority, type AuthorityNeeds, requireAuthority } from "./require-authority.js";

const base64Url = (description: string) => Type.String({ maxLength: 4_096, description });

/** What `navigator.credentials.create` answered, as `credential.toJSON()` writes it. Members not named here are not read. */
export const RegistrationResponse = Type.Object(
  {
    response: Type.Object({
      clientDataJSON: base64Url("Base64url."),
      authenticatorData: base64Url("Base64url, as `getAuthenticatorData()` gives it."),
    }),
  },
  { $id: "PasskeyRegistration" },
);

/** Gap 161. */
export const addPasskey = endpoint(
  {
    operation: "addPasskey",
    summary: "Add a passkey",
    description:
      "From now on the passkey signs for the wallet, beside the keys of its sessions. `authorization` is a signature of one of " +
      'those, or of a passkey of the wallet, over the document `{version: 1, method: "addPasskey", environment, wallet, params: ' +
      "{credential_id, public_key}, nonce}`, where `nonce` is the challenge and `public_key` the new key's point in hex: in the " +
      "form in which payloads of the wallet's provider are signed. The first passkey of a guardian's wallet is signed by a session of the holder's at another custodian.",
    tag: "Passkeys",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/wallet-passkeys",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      ceremony_id: uuidText(),
      signer: Type.Optional(addressText({ description: "As it was answered with the ceremony." })),
      name: PasskeyName,
      credential: RegistrationResponse,
      authorization: SignedKmsPayload,
    }),
    response: { status: 201, envelope: true, schema: AddedPasskey },
    errors: [
      "account_not_found",
      "insufficient_permissions",
      "invalid_registration",
      "invalid_signature",
      "missing_signature",
      "passkey_exists",
      "passkey_limit",
      "passkeys_not_configured",
      "payload_already_used",
      "payload_expired",
      "provider_not_available",
      "provider_unavailable",
      "session_expired",
      "wrong_signing_key",
    ],
  },
  async (needs: AuthorityNeeds, { params, body, caller, network }) => {
    const { db } = needs;
    const wallets = await findCommandedWallets(db, caller, network, params.address);
    const wallet = chooseWallet(wallets, body.signer, needs.custodians);
    const relyingParty = relyingPartyIn(network.name, await findRelyingParty(db, caller.tenantId));
    const { registration, challenge, passkey } = readCredential(body.credential.response, relyingParty);
    if (!isUuid(body.ceremony_id)) throw refused("ceremony_id", "There is no such ceremony.");
    const custodian = getCustodian(needs.custodians, wallet.provider);
    const authorized = await authorize(needs, network, caller, {
      // A passkey that only the guardian knows adds one where the user is signed in, and nothing has to sign beside the code: a guardian
      // that made it up has no session.
      asksGuardian: caller.isPublishable === true && !(await findRequirement(db, wallet.userId)),
      wallet,
      wallets,
      isGuarded: custodian.isGuardian === true,
      document: {
        method: "addPasskey",
        params: {
          credential_id: Buffer.from(passkey.credentialId).toString("base64url"),
          public_key: Buffer.from(passkey.publicKey.point).toString("hex"),
        },
        nonce: challenge,
      },
      authorization: body.authorization,
    });
    await requireUnknown(db, { tenantId: caller.tenantId, environment: network.name }, wallet, passkey.credentialId);
    const { origins } = relyingParty;
    try {
      const added = await custodian.addPasskey({ ...authorized, ceremonyId: body.ceremony_id, registration, origins });
      const row = await storePasskey(db, {
        id: added.id,
        tenant_id: caller.tenantId,
        environment: network.name,
        user_id: wallet.userId,
        provider: wallet.provider,
        wallet_id: wallet.commanderId,
        signer_address: wallet.address,
        credential_id: added.credentialId,
        public_key: added.publicKey,
        rp_id: relyingParty.id,
        name: body.name,
        aaguid: added.aaguid,
        is_synced: added.isSynced,
        created_at: BigInt(network.clock.now()),
        last_used_at: null,
        removed_at: null,
      });
      return { data: { ...toWirePasskey(row), ...(added.receipt && { receipt: added.receipt }) } };
    } catch (error) {
      throw translateRefusal(error);
    }
  },
);

/**
 * What lets the custodian take the passkey: a signature of the wallet's holder. The first passkey of a guardian's wallet has nothing
 * there that could sign: a session of the holder's at another custodian signs, for the service, and the guardian judges itself
 * whether it is the first.
 */
async function authorize(
  needs: AuthorityNeeds,
  network: Network,
  { tenantId }: Pick<Caller, "tenantId">,
  asked: AskedAuthority & {
    readonly isGuarded: boolean;
    readonly wallets: readonly CommandedWallet[];
    readonly asksGuardian: boolean;
  },
): Promise<Authorized | Unauthorized> {
  const { wallet, wallets, isGuarded, authorization } = asked;
  const { provider } = authorization;
  const own = wallets.find((each) => each.provider === provider && each.userId === wallet.userId);
  const isFirst = isGuarded && own !== undefined && provider !== wallet.provider;
  const signer = isFirst ? { wallet: own, about: wallet } : { wallet };
  const authorized = await requireAuthority(needs, network, tenantId, { ...asked, ...signer });
  await requirePasskeyFor(needs.db, wallet.userId, authorized.authority);
  if (!isFirst) return authorized;
  const { payload, now, realNow } = authorized;
  return { walletId: wallet.walletId, payload, now, realNow };
}

/** A passkey commands one wallet: who is known by it signs in to that one, and to none that somebody else gave it. */
async function requireUnknown(
  db: Db,
  scope: { readonly tenantId: string; readonly environment: string },
  { commanderId }: CommandedWallet,
  credentialId: Uint8Array,
): Promise<void> {
  const known = await findPasskeysByCredential(db, scope, Buffer.from(credentialId).toString("base64url"));
  if (known.some(({ wallet_id }) => wallet_id !== commanderId)) throw new TrellisError("passkey_exists");
}

const refused = (field: string, message: string) => new TrellisError("invalid_registration", { field, message });

/** What the browser answered, as far as it says so itself: whether it was asked for is the custodian's to judge. */
function readCredential(
  response: { readonly clientDataJSON: string; readonly authenticatorData: string },
  { id, origins }: RelyingPartyTerms,
) {
  const clientDataJson = decodeBase64Url(response.clientDataJSON);
  const authenticatorData = decodeBase64Url(response.authenticatorData);
  const challenge = clientDataJson && challengeOf(clientDataJson);
  const bytes = challenge === undefined ? undefined : decodeBase64Url(challenge);
  if (!clientDataJson || !authenticatorData || challenge === undefined || bytes === undefined) {
    throw refused("credential.response", "Send it as the browser answers it: texts in base64url without padding.");
  }
  const registration: Registration = { clientDataJson, authenticatorData };
  const read = readRegistration(registration, { challenge: bytes, relyingParty: relyingPartyOf(id, origins) });
  if (read.ok) return { registration, challenge, passkey: read.passkey };
  throw refused("credential.response", faultTexts[read.fault]);
}
