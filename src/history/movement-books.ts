/** The balances before and after a transaction, and what each movement takes from them. */
import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import { type InnerInstruction, SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import type { ChainTransaction, TokenBalance } from "./chain-transaction.js";

/** Money that entered or left a smart account, or moved between its own accounts: then there are two of them. */
export interface Movement {
  readonly direction: "inflow" | "outflow";
  /** The account that gained or lost it: the smart account, or a token account it owns. */
  readonly ownAddress: Address;
  /** The system program's address is SOL. */
  readonly mint: Address;
  readonly isToken2022: boolean;
  readonly decimals: number;
  /** Owners where the transaction names them, accounts otherwise; the system program's address where none is named. */
  readonly from: Address;
  readonly to: Address;
  /** Base units, above zero. */
  readonly amount: bigint;
  /** The number of the instruction, counted in the order they began, called ones included; see `instructionsOf`. */
  readonly instructionIndex: number;
}

const solDecimals = 9;

export const nativeMint = "So11111111111111111111111111111111111111112" as Address;

/** What the accounts of a transaction hold while its instructions are processed. */
export interface Books {
  readonly keys: readonly Address[];
  readonly vault: Address;
  readonly lamports: bigint[];
  readonly tokens: Map<number, bigint>;
  readonly labels: ReadonlyMap<number, TokenBalance>;
  /** Of the smart account's own addresses: what the whole transaction changed, in base units. */
  readonly changes: ReadonlyMap<number, bigint>;
}

export function openBooks({ meta }: ChainTransaction, keys: readonly Address[], vault: Address): Books {
  const before = meta?.preTokenBalances ?? [];
  const after = meta?.postTokenBalances ?? [];
  const lamports = [...(meta?.preBalances ?? [])];
  lamports[0] = (lamports[0] ?? 0n) - (meta?.fee ?? 0n);
  const changes = new Map<number, bigint>();
  const vaultAt = keys.indexOf(vault);
  if (vaultAt >= 0) {
    changes.set(vaultAt, (meta?.postBalances[vaultAt] ?? 0n) - (meta?.preBalances[vaultAt] ?? 0n));
  }
  const add = ({ accountIndex, owner, uiTokenAmount }: TokenBalance, sign: bigint) => {
    if (owner !== vault) return;
    changes.set(accountIndex, (changes.get(accountIndex) ?? 0n) + sign * BigInt(uiTokenAmount.amount));
  };
  for (const balance of before) add(balance, -1n);
  for (const balance of after) add(balance, 1n);
  return {
    keys,
    vault,
    lamports,
    tokens: new Map(before.map(({ accountIndex, uiTokenAmount }) => [accountIndex, BigInt(uiTokenAmount.amount)])),
    labels: new Map([...after, ...before].map((balance) => [balance.accountIndex, balance])),
    changes,
  };
}

export interface Sides {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
}

export function solMovement(
  { vault }: Books,
  direction: Movement["direction"],
  { from, to }: Sides,
  amount: bigint,
  instructionIndex: number,
): Movement[] {
  if (amount <= 0n || from === undefined || to === undefined) return [];
  const mint = SYSTEM_PROGRAM_ADDRESS;
  const unit = { mint, isToken2022: false, decimals: solDecimals };
  return [{ direction, ownAddress: vault, ...unit, from, to, amount, instructionIndex }];
}

/** Who owns a token account, as far as the transaction says. A mint stands for itself. */
export const holderOf = ({ labels, keys }: Books, place: number): Address | undefined =>
  labels.get(place)?.owner ?? keys[place];

export const viewOf = (instruction: InnerInstruction): DataView => viewOfBytes(base58.decode(instruction.data));

export function viewOfBytes(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

export function moveLamports(
  books: Books,
  from: number | undefined,
  to: number | undefined,
  amount: bigint,
  index: number,
): Movement[] {
  if (from === undefined || to === undefined) return [];
  books.lamports[from] = (books.lamports[from] ?? 0n) - amount;
  books.lamports[to] = (books.lamports[to] ?? 0n) + amount;
  const sides = { from: books.keys[from], to: books.keys[to] };
  return [
    ...(sides.from === books.vault ? solMovement(books, "outflow", sides, amount, index) : []),
    ...(sides.to === books.vault ? solMovement(books, "inflow", sides, amount, index) : []),
  ];
}
