import type { ImportDocument } from "../custody/payload.js";
import type { WalletImportRow } from "./wallet-import.js";

/** What an owner signs, beside the wallet and the environment: it is good with one import, and as long as that. */
export function documentOf(
  row: Pick<WalletImportRow, "id" | "signer_address" | "recipient_public_key" | "expires_at">,
): Pick<ImportDocument, "method" | "params" | "nonce" | "expires_at"> {
  return {
    method: "importWallet",
    params: { address: row.signer_address, recipient_public_key: row.recipient_public_key },
    nonce: row.id,
    expires_at: new Date(Number(row.expires_at)).toISOString(),
  };
}
