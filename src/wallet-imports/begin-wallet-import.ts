import type { Address } from "@solana/kit";
import { spkiOfP256Point } from "@trellis/kernel/crypto/p256.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { type Custodians, CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { askCustodian, custodianNames, defaultCustodian, getImportingCustodian } from "../custody/custodians.js";
import { findPasskeysOfWallets } from "../custody/passkey/passkey-store.js";
import { encodeWalletDocument } from "../passkeys/require-authority.js";
import { documentOf } from "./import-document.js";
import { getImportScope, requireOwnSigner } from "./imported-signer.js";
import { storeImport } from "./wallet-import-store.js";

/** Gap 194. */
export const beginWalletImport = endpoint(
  {
    operation: "beginWalletImport",
    summary: "Begin to import a signer's key",
    description:
      "Answers what the key is sealed to, and the document that the owner signs: by a passkey where one commands the owner's " +
      "wallet, else by the key of a session of it. Both go to `POST …/wallet-imports`. Nothing changes by it.",
    tag: "Wallet imports",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/wallet-imports:options",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    idempotent: false,
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      signer: addressText({ description: "Of the key: a signer of the account with the provider `external`." }),
      provider: Type.Optional(Type.Enum([...custodianNames], { description: "Who is to hold the key." })),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          import_id: uuidText(),
          signer: addressText(),
          provider: Type.Enum([...custodianNames]),
          authorizing_signer: addressText({
            description: "The owner's wallet there, whose authority signs the document.",
          }),
          recipient_public_key: Type.String({
            description: "What the key is sealed to: base64 of the SPKI DER of a P-256 public key.",
          }),
          payload: Type.String({
            description: "Base64 of the document: it is signed as payloads of the provider are.",
          }),
          passkey_required: Type.Boolean({ description: "A passkey of the owner's wallet has to sign it." }),
          expires_at: Type.String({ format: "date-time", description: "When document and recipient stop working." }),
        },
        { $id: "BegunWalletImport" },
      ),
    },
    errors: [
      "account_not_found",
      "insufficient_permissions",
      "provider_not_available",
      "provider_unavailable",
      "wallet_key_held",
    ],
  },
  async (
    needs: { readonly db: Db; readonly custodians: Custodians; readonly realClock: Clock },
    { params, body, caller, network },
  ) => {
    const { db, custodians, realClock } = needs;
    const { account, user } = await getImportScope(db, caller, network, params.address);
    await requireOwnSigner(db, network, account, body.signer);
    const custodian = getImportingCustodian(custodians, body.provider ?? defaultCustodian);
    const now = network.clock.now();
    const wallet = await askCustodian(custodian.ensureWallet({ ownerId: user.id, environment: network.name, now }));
    const [passkeys, begun] = await Promise.all([
      findPasskeysOfWallets(db, [wallet.id]),
      askCustodian(custodian.beginWalletImport({ walletId: wallet.id, address: body.signer as Address, now })).catch(
        refuseTooMany,
      ),
    ]);
    const row = {
      id: begun.id,
      tenant_id: caller.tenantId,
      environment: network.name,
      user_id: user.id,
      account_address: account.address,
      provider: custodian.provider,
      wallet_id: wallet.id,
      wallet_address: wallet.address,
      signer_address: body.signer,
      recipient_public_key: spkiOfP256Point(begun.recipient),
      state: "open" as const,
      is_noticed: false,
      notice_due_at: BigInt(realClock.now()),
      notice_tries: 0,
      requested_at: BigInt(now),
      expires_at: BigInt(begun.expiresAt),
      imported_at: null,
    };
    await storeImport(db, row);
    return {
      data: {
        import_id: row.id,
        signer: row.signer_address,
        provider: custodian.provider,
        authorizing_signer: wallet.address as string,
        recipient_public_key: row.recipient_public_key,
        payload: encodeWalletDocument(network, wallet, documentOf(row)),
        passkey_required: passkeys.length > 0,
        expires_at: new Date(begun.expiresAt).toISOString(),
      },
    };
  },
);

/** Rethrows; `rate_limit_exceeded` where the owner's wallet has the most imports open. */
function refuseTooMany(error: unknown): never {
  if (!(error instanceof CustodyRefusal) || error.reason !== "import_limit") throw error;
  throw new TrellisError("rate_limit_exceeded", {
    message: "Too many imports of keys are open for this user.",
    suggestion: "Complete one of them, or wait until the first is over: each is open for 15 minutes.",
    retryAfterSeconds: limits.walletImportMs / 1000,
    cause: error,
  });
}
