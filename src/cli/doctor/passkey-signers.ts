import type { Address } from "@solana/kit";
import {
  decodePasskeyAccount,
  derivePasskeyAddress,
  isOnCurve,
  type PasskeyAccount,
  SIGNATURE_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import type { ChainReader } from "./chain-reader.js";
import { assertTrue, decodeAt } from "./doctor-error.js";

/** A signer that is the account of a passkey. */
export interface PasskeySigner {
  readonly address: Address;
  readonly account: PasskeyAccount;
}

/**
 * Reads which of the signers are accounts of passkeys. A signer that is a passkey's execution account says nothing of its
 * passkey, and is not found. Throws `DoctorError` for an account that cannot be read, or that lies where it cannot.
 */
export async function readPasskeySigners(
  chain: ChainReader,
  signers: readonly { readonly address: Address }[],
): Promise<readonly PasskeySigner[]> {
  const found: PasskeySigner[] = [];
  // No key belongs to an account's address.
  const derived = new Set(signers.map(({ address }) => address).filter((address) => !isOnCurve(address)));
  for (const address of derived) {
    const stored = await chain.account(address);
    if (stored?.owner !== SIGNATURE_PROGRAM_ADDRESS) continue;
    const account = decodeAt(address, () => decodePasskeyAccount(stored.data));
    assertTrue(derivePasskeyAddress(account.publicKey) === address, `no account of this passkey can lie at ${address}`);
    found.push({ address, account });
  }
  return found;
}

/** The session key that signs for a passkey now, if there is one. */
export function liveSession(
  { session }: PasskeyAccount,
  unixSeconds: bigint,
): { readonly key: Address; readonly expiresAt: bigint } | null {
  return session !== null && session.expiresAt > unixSeconds ? session : null;
}
