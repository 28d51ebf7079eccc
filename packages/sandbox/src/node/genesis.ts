import { type Address, address } from "@solana/kit";
import { type Coin, coins, factsOf } from "@trellis/kernel/ports/coins.js";
import type { AccountState } from "./account-state.js";
import { addressBytes } from "./address-bytes.js";
import type { ChainKeys } from "./chain-keys.js";
import { encodeEmptyMint, token2022Program, tokenProgram } from "./token-layout.js";

const mintOf = (coin: Coin): Address => address(factsOf(coin).mints.mainnet);

/** The tokens of the sandbox, at their mainnet addresses (gap 49). */
export const sandboxMints = Object.fromEntries(coins.map((coin) => [coin.toUpperCase(), mintOf(coin)])) as Readonly<
  Record<Uppercase<Coin>, Address>
>;

/** The mints of wrapped SOL, one of each token program. */
const nativeMints = [
  [address("So11111111111111111111111111111111111111112"), tokenProgram],
  [address("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9"), token2022Program],
] as const;

const nativeDecimals = 9;
const systemProgram = address("11111111111111111111111111111111");
/** Nine million SOL: beyond what anyone asks for, and an exact JSON number. */
const faucetLamports = 9_000_000_000_000_000n;

/** The accounts that stand in slot 0: the faucet, and the mints without supply. */
export function genesisAccounts(
  keys: ChainKeys,
  minimumBalance: (dataLength: bigint) => bigint,
): Map<Address, AccountState> {
  const authority = addressBytes(keys.mintAuthority.address);
  const mint = (coin: Coin): AccountState => {
    const { decimals, tokenProgram: program } = factsOf(coin);
    const data = encodeEmptyMint(authority, decimals);
    const owner = program === "token" ? tokenProgram : token2022Program;
    return { lamports: minimumBalance(BigInt(data.length)), owner, data, executable: false };
  };
  return new Map([
    [
      keys.faucet.address,
      { lamports: faucetLamports, owner: systemProgram, data: new Uint8Array(), executable: false },
    ],
    ...coins.map((coin): [Address, AccountState] => [mintOf(coin), mint(coin)]),
  ]);
}

/** What every chain has, also one that is older than this release. */
export function standingAccounts(minimumBalance: (dataLength: bigint) => bigint): Map<Address, AccountState> {
  const data = encodeEmptyMint(null, nativeDecimals);
  const lamports = minimumBalance(BigInt(data.length));
  return new Map(nativeMints.map(([mint, owner]) => [mint, { lamports, owner, data, executable: false }]));
}
