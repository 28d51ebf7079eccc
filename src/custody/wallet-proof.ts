import { Buffer } from "node:buffer";
import type { Custodian } from "@trellis/kernel/ports/custodian.js";
import Type, { type Static } from "typebox";
import { askCustodian } from "./custodians.js";

/** What shows a caller that a wallet can sign: its signature over `walletProof`, with a nonce of the caller's. */
export const WireWalletProof = Type.Object(
  {
    message: Type.String({ description: "Names the wallet and holds `wallet_nonce`." }),
    signature: Type.String({ description: "Ed25519, base64, over the text's UTF-8 bytes." }),
  },
  { $id: "WalletProof" },
);

/** Throws `provider_unavailable`. */
export async function proveWallet(
  custodian: Custodian,
  walletId: string,
  nonce: string,
): Promise<Static<typeof WireWalletProof>> {
  const { message, signature } = await askCustodian(custodian.proveWallet({ walletId, nonce }));
  return { message, signature: Buffer.from(signature).toString("base64") };
}
/**
 * The text that proves that a custodian holds a wallet's key. It begins with a letter, which no message of a transaction does
 * that the chain takes: it would need 84 signatures.
 */
export function walletProof(wallet: { readonly address: string; readonly environment: string }, nonce: string): string {
  return [
    "This custodian holds the key of the wallet below and can sign with it.",
    "This moves no money, changes no rights, and signs nobody in.",
    "",
    `Wallet: ${wallet.address}`,
    `Environment: ${wallet.environment}`,
    `Nonce: ${nonce}`,
  ].join("\n");
}
