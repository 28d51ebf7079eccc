import { Buffer } from "node:buffer";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { CustodianName, SealedKey } from "@trellis/kernel/ports/custodian.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getImportingCustodian, translateRefusal } from "../custody/custodians.js";
import { findPasskeysOfWallets } from "../custody/passkey/passkey-store.js";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import type { CommandedWallet } from "../passkeys/commanded-wallets.js";
import { type AuthorityNeeds, requireAuthority } from "../passkeys/require-authority.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { documentOf } from "./import-document.js";
import { getImportScope, requireNoRecoveryKey } from "./imported-signer.js";
import { sendImportNotices } from "./send-notices.js";
import { toWireWalletImport, WalletImport, type WalletImportRow } from "./wallet-import.js";
import { completeImport, getImport } from "./wallet-import-store.js";

/** Gap 194. Again: the same. */
export const importWallet = endpoint(
  {
    operation: "importWallet",
    summary: "Import a signer's key",
    description:
      "The owner's key, sealed to the recipient that was answered, and a signature over the document that was answered with it. The " +
      "custodian opens it, requires that it is the key of that signer, and holds it from then on: the owner signs with it by session. " +
      "Whoever had the key before can still sign with it. The owner is mailed.",
    tag: "Wallet imports",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/wallet-imports",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      import_id: uuidText(),
      sealed_key: Type.Object({
        encapsulated_key: Type.String({ maxLength: 100, description: "Base64: the sender's point, 65 bytes." }),
        ciphertext: Type.String({ maxLength: 100, description: "Base64. Opened it is the key's 32-byte seed." }),
      }),
      authorization: SignedKmsPayload,
    }),
    response: { status: 200, envelope: true, schema: WalletImport },
    errors: [
      "account_not_found",
      "insufficient_permissions",
      "invalid_signature",
      "invalid_wallet_key",
      "missing_signature",
      "passkey_signature_required",
      "payload_already_used",
      "payload_expired",
      "provider_not_available",
      "provider_unavailable",
      "session_expired",
      "wallet_import_not_found",
      "wallet_key_held",
      "wrong_signing_key",
    ],
  },
  async (needs: AuthorityNeeds & NoticeNeeds, { params, body, caller, network }) => {
    const { db, realClock } = needs;
    const scope = await getImportScope(db, caller, network, params.address);
    const row = await getImport(db, scope, body.import_id);
    if (row.state === "open") await requireNoRecoveryKey(db, row.signer_address);
    const sealedKey = parseSealedKey(body.sealed_key);
    const custodian = getImportingCustodian(needs.custodians, row.provider);
    const authorized = await requireAuthority(needs, network, caller.tenantId, {
      wallet: authorizing(row, scope.user.email),
      document: documentOf(row),
      authorization: body.authorization,
    });
    // The custodian requires the same.
    const passkeys = authorized.authority.kind === "passkey" ? [] : await findPasskeysOfWallets(db, [row.wallet_id]);
    if (passkeys.length > 0) throw new TrellisError("passkey_signature_required", { field: "authorization" });
    const wallet = await custodian
      .importWallet({ ...authorized, importId: row.id, sealedKey })
      .catch((error: unknown) => {
        throw translateRefusal(error);
      });
    const { importedAt } = wallet;
    const completed = await completeImport(db, row.id, { importedAt, realNow: realClock.now() }, wallet.id);
    await sendImportNotices(needs, network, completed);
    return { data: toWireWalletImport(completed) };
  },
);

/** The owner's wallet whose authority signs. */
const authorizing = (row: WalletImportRow, email: string): CommandedWallet => ({
  walletId: row.wallet_id,
  commanderId: row.wallet_id,
  userId: row.user_id,
  email,
  provider: row.provider as CustodianName,
  address: row.wallet_address,
});

/** Throws `invalid_wallet_key` for what no sender writes. */
function parseSealedKey(sealed: { readonly encapsulated_key: string; readonly ciphertext: string }): SealedKey {
  const [encapsulatedKey, ciphertext] = [sealed.encapsulated_key, sealed.ciphertext].map((text) => {
    const bytes = Buffer.from(text, "base64");
    if (bytes.toString("base64") === text) return bytes;
    throw new TrellisError("invalid_wallet_key", { field: "sealed_key", message: "It is not standard padded base64." });
  });
  return { encapsulatedKey: encapsulatedKey ?? new Uint8Array(), ciphertext: ciphertext ?? new Uint8Array() };
}
