import { ed25519 } from "@noble/curves/ed25519.js";
import { type Address, getAddressEncoder } from "@solana/addresses";
import { decodeBase64, encodeHex, encodeUtf8 } from "./encoding.js";

/** A wallet, and the text of its custodian that it says to have signed. */
interface ProvenWallet {
  readonly address: string;
  readonly proof?: { readonly message: string; readonly signature: string };
}

export const drawWalletNonce = (): string => encodeHex(globalThis.crypto.getRandomValues(new Uint8Array(32)));

/** Whether a wallet has signed a text that names it and the nonce: before other signers go, it must be able to act. */
export function isProven({ address, proof }: ProvenWallet, nonce: string): boolean {
  if (!proof?.message.includes(`\nWallet: ${address}\n`) || !proof.message.includes(`\nNonce: ${nonce}`)) return false;
  try {
    const key = getAddressEncoder().encode(address as Address);
    return ed25519.verify(decodeBase64(proof.signature), encodeUtf8(proof.message), Uint8Array.from(key), {
      zip215: false,
    });
  } catch {
    return false;
  }
}
