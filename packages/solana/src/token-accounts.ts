import { type Address, address, getAddressDecoder, getBase64Encoder } from "@solana/kit";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "./ask-chain.js";
import type { ChainAccount } from "./read-accounts.js";

/** The second token program; its accounts begin with the same fields, extensions follow. */
export const TOKEN_2022_PROGRAM_ADDRESS = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");

export const tokenPrograms: readonly Address[] = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];

/** What a token account says of itself, under either token program. */
export interface TokenAccount {
  readonly address: Address;
  readonly tokenProgram: Address;
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  /** Whether the mint's issuer has stopped it: nothing moves in or out. */
  readonly isFrozen: boolean;
}

const tokenAccountBytes = 165;
const mintBytes = 82;
const kindOffset = 165;
/** Where a token account says how it stands: not initialised, open, or frozen. */
const stateOffset = 108;
const uninitialised = 0;
const frozen = 2;

/** Decodes a token account; undefined when the account is something else (a mint, a multisig, not a token's, not open yet). */
export function decodeTokenAccount(
  account: Pick<ChainAccount, "address" | "owner" | "data">,
): TokenAccount | undefined {
  const { data } = account;
  if (!tokenPrograms.includes(account.owner) || data.length < tokenAccountBytes) return undefined;
  // With extensions a byte after the base layout tells mints (1) and token accounts (2) apart.
  if (data.length > tokenAccountBytes && data[kindOffset] !== 2) return undefined;
  if (data[stateOffset] === uninitialised) return undefined;
  const addresses = getAddressDecoder();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    address: account.address,
    tokenProgram: account.owner,
    mint: addresses.decode(data, 0),
    owner: addresses.decode(data, 32),
    amount: view.getBigUint64(64, true),
    isFrozen: data[stateOffset] === frozen,
  };
}

/** Decimals of a mint account; undefined when it is none. */
export function decodeMintDecimals(account: Pick<ChainAccount, "owner" | "data">): number | undefined {
  const { data } = account;
  if (!tokenPrograms.includes(account.owner)) return undefined;
  const isMint = data.length === mintBytes || (data.length > tokenAccountBytes && data[kindOffset] === 1);
  return isMint ? data[44] : undefined;
}

/**
 * Every token account an address owns, under both token programs; of one mint where that is named. Throws
 * `chain_unavailable`.
 */
export async function readTokenAccountsOf(
  network: Pick<Network, "rpc">,
  owner: Address,
  mint?: Address,
): Promise<readonly TokenAccount[]> {
  const filters = mint === undefined ? tokenPrograms.map((programId) => ({ programId })) : [{ mint }];
  const answers = await Promise.all(
    filters.map((filter) =>
      askChain(network.rpc.getTokenAccountsByOwner(owner, filter, { encoding: "base64", commitment: "confirmed" })),
    ),
  );
  return answers.flatMap(({ value }) =>
    value.flatMap(({ pubkey, account }) => {
      const data = getBase64Encoder().encode(account.data[0]) as Uint8Array;
      const decoded = decodeTokenAccount({ address: pubkey, owner: account.owner, data });
      return decoded ? [decoded] : [];
    }),
  );
}
