import type { Caller } from "@trellis/kernel/endpoint.js";
import type { CodeShare } from "@trellis/kernel/ports/database.js";
import type { ExportDocument } from "../custody/payload.js";

/** What an owner signs, beside the wallet and the environment: it is good with one code, and as long as that. */
export function documentOf(
  recipientPublicKey: string,
  code: { readonly id: string; readonly expiresAt: number },
): Pick<ExportDocument, "method" | "params" | "nonce" | "expires_at"> {
  return {
    method: "exportWallet",
    params: { recipient_public_key: recipientPublicKey },
    nonce: code.id,
    expires_at: new Date(code.expiresAt).toISOString(),
  };
}

/** Whose codes those of exports are: with a publishable key somebody is signed in. */
export const shareOf = ({ isPublishable }: Caller): CodeShare => (isPublishable === true ? "returning" : "secret");
