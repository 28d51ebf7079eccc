import { Buffer } from "node:buffer";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { defaultCustodian, getCustodian, translateRefusal } from "../custody/custodians.js";
import { findPasskeysOfWallets, type PasskeyRow } from "../custody/passkey/passkey-store.js";
import { findRelyingParty, type RelyingPartyTerms, relyingPartyIn } from "../tenants/relying-party.js";
import { type CommandedWallet, chooseWallet, findCommandedWallets } from "./commanded-wallets.js";

export interface PasskeyNeeds {
  readonly db: Db;
  readonly custodians: Custodians;
}

/** What the browser is asked for, by the names and in the encodings of WebAuthn's JSON. */
export const CreationOptions = Type.Object(
  {
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    challenge: Type.String({ description: "Base64url, 32 bytes." }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal("public-key"), alg: Type.Literal(-7) })),
    timeout: Type.Integer({ description: "Milliseconds." }),
    excludeCredentials: Type.Array(Type.Object({ type: Type.Literal("public-key"), id: Type.String() })),
    authenticatorSelection: Type.Object({
      residentKey: Type.Enum(["preferred", "required"]),
      userVerification: Type.Literal("required"),
    }),
    attestation: Type.Literal("none"),
  },
  {
    $id: "PasskeyCreationOptions",
    description: "`PublicKeyCredential.parseCreationOptionsFromJSON` reads it, for `navigator.credentials.create`.",
  },
);

/** Gap 161. */
export const beginPasskey = endpoint(
  {
    operation: "beginPasskey",
    summary: "Begin to add a passkey",
    description:
      "Answers what the browser is to be asked for. Its answer goes to `POST …/wallet-passkeys` within five minutes. The challenge is " +
      "the custodian's own, and good once.",
    tag: "Passkeys",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/wallet-passkeys:options",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    idempotent: false,
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      signer: Type.Optional(
        addressText({
          description:
            "The custodian's wallet that it is to command. By default the guardian's where one signs for the account, else the primary one.",
        }),
      ),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          ceremony_id: uuidText(),
          signer: addressText({ description: "The wallet that it will command." }),
          expires_at: Type.String({ format: "date-time" }),
          public_key: CreationOptions,
        },
        { $id: "BeginPasskeyResult" },
      ),
    },
    errors: [
      "account_not_found",
      "insufficient_permissions",
      "invalid_signature",
      "passkeys_not_configured",
      "provider_not_available",
      "provider_unavailable",
    ],
  },
  async ({ db, custodians }: PasskeyNeeds, { params, body, caller, network }) => {
    const wallets = await findCommandedWallets(db, caller, network, params.address);
    const wallet = chooseWallet(wallets, body.signer, custodians);
    const relyingParty = relyingPartyIn(network.name, await findRelyingParty(db, caller.tenantId));
    const known = await findPasskeysOfWallets(db, [wallet.commanderId]);
    const begun = await getCustodian(custodians, wallet.provider)
      .beginPasskey({ walletId: wallet.walletId, rpId: relyingParty.id, now: network.clock.now() })
      .catch((error: unknown) => {
        throw translateRefusal(error);
      });
    return {
      data: {
        ceremony_id: begun.ceremonyId,
        signer: wallet.address,
        expires_at: new Date(begun.expiresAt).toISOString(),
        public_key: creationOptions(wallet, relyingParty, begun.challenge, known),
      },
    };
  },
);

function creationOptions(
  { commanderId, provider, email }: CommandedWallet,
  { id, name }: RelyingPartyTerms,
  challenge: Uint8Array,
  known: readonly PasskeyRow[],
): Static<typeof CreationOptions> {
  return {
    rp: { id, name },
    // A device keeps one passkey for a domain and such an id: two wallets of a user have two.
    user: {
      id: Buffer.from(commanderId.replaceAll("-", ""), "hex").toString("base64url"),
      name: email,
      displayName: provider === defaultCustodian ? email : `${email} (${provider})`,
    },
    challenge: Buffer.from(challenge).toString("base64url"),
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    timeout: limits.passkeyCeremonyMs,
    excludeCredentials: known
      .filter(({ rp_id }) => rp_id === id)
      .map(({ credential_id }) => ({ type: "public-key", id: credential_id })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    attestation: "none",
  };
}
