import type { Address } from "@solana/kit";
import {
  decodePasskeyAccount,
  derivePasskeyAddress,
  derivePasskeyExecutionAddress,
  isOnCurve,
  type PasskeyAccount,
  ProgramDataError,
  SIGNATURE_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import type { ChainReader, FoundAccount } from "./chain-reader.js";
import { assertTrue } from "./doctor-error.js";

/** A passkey whose account holds authority. */
export interface PasskeyHolder {
  readonly address: Address;
  readonly account: PasskeyAccount;
  /** The other address that signs for it. */
  readonly executionAccount: Address;
  /** Whether that holds authority too. */
  readonly isExecutionAccountHolder: boolean;
}

/** Holders of authority that no private key belongs to, because programs derive their addresses. */
export interface DerivedHolders {
  readonly passkeys: readonly PasskeyHolder[];
  /** Those that are no account of a passkey, nor the execution account of one of these. */
  readonly unread: readonly Address[];
}

/**
 * Reads who signs for the holders whose addresses are derived. A passkey's execution account says nothing of its passkey, so it
 * is recognized beside its passkey's account only. Throws `DoctorError` for a passkey's account that lies where it cannot.
 */
export async function readDerivedHolders(chain: ChainReader, holders: readonly Address[]): Promise<DerivedHolders> {
  const derived = new Set(holders.filter((address) => !isOnCurve(address)));
  const passkeys: PasskeyHolder[] = [];
  for (const address of derived) {
    const account = decodePasskeyAt(await chain.account(address));
    if (account === undefined) continue;
    assertTrue(derivePasskeyAddress(account.publicKey) === address, `no account of this passkey can lie at ${address}`);
    const executionAccount = derivePasskeyExecutionAddress(address);
    passkeys.push({ address, account, executionAccount, isExecutionAccountHolder: derived.has(executionAccount) });
  }
  const read = new Set(passkeys.flatMap(({ address, executionAccount }) => [address, executionAccount]));
  return { passkeys, unread: [...derived].filter((address) => !read.has(address)) };
}

/** Undefined for every other account, those of the signature program included that this version cannot read. */
function decodePasskeyAt(stored: FoundAccount | undefined): PasskeyAccount | undefined {
  if (stored?.owner !== SIGNATURE_PROGRAM_ADDRESS) return undefined;
  try {
    return decodePasskeyAccount(stored.data);
  } catch (error) {
    if (!(error instanceof ProgramDataError)) throw error;
    return undefined;
  }
}

/** The session key that signs for a passkey now, if there is one. */
export function liveSession(
  { session }: PasskeyAccount,
  unixSeconds: bigint,
): { readonly key: Address; readonly expiresAt: bigint } | null {
  return session !== null && session.expiresAt > unixSeconds ? session : null;
}
