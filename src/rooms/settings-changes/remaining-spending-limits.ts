import { type Address, type Base64EncodedBytes, getBase64Decoder, getBase64Encoder } from "@solana/kit";
import { askChain } from "../../core/chain/ask-chain.js";
import {
  addressBytes,
  decodeSpendingLimit,
  discriminatorOf,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "../../core/program-client/index.js";
import type { Network } from "../../ports/network.js";

/** Where a spending limit says whose it is, after its discriminator. */
const settingsOffset = 8n;

/**
 * The spending limits of an account that any of `signers` may use: they outlive a signer's removal. By address.
 * Throws `chain_unavailable`.
 */
export async function findSpendingLimitsOf(
  network: Pick<Network, "rpc">,
  settings: Address,
  signers: readonly Address[],
): Promise<readonly Address[]> {
  if (signers.length === 0) return [];
  const found = await askChain(
    network.rpc.getProgramAccounts(SMART_ACCOUNT_PROGRAM_ADDRESS, {
      encoding: "base64",
      commitment: "confirmed",
      filters: [
        memcmp(0n, Uint8Array.from(discriminatorOf("spendingLimit"))),
        memcmp(settingsOffset, addressBytes(settings)),
      ],
    }),
  );
  return found
    .filter(({ account }) => {
      const limit = decodeSpendingLimit(getBase64Encoder().encode(account.data[0]));
      return limit.signers.some((signer) => signers.includes(signer));
    })
    .map(({ pubkey }) => pubkey)
    .sort();
}

function memcmp(offset: bigint, bytes: Uint8Array) {
  const encoded = getBase64Decoder().decode(bytes) as Base64EncodedBytes;
  return { memcmp: { offset, bytes: encoded, encoding: "base64" } } as const;
}
