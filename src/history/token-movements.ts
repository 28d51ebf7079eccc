/** What calls of the token programs moved. */
import { base58 } from "@scure/base";
import type { InnerInstruction } from "@trellis/program-client";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { splitTokenBatch, tokenBatch } from "@trellis/solana/token-batch.js";
import {
  type Books,
  holderOf,
  type Movement,
  moveLamports,
  nativeMint,
  type Sides,
  viewOfBytes,
} from "./movement-books.js";

/** The first byte of the token programs' instructions: which accounts lose and gain, and the mint where it stands in for one. */
const tokenMoves: Readonly<
  Record<number, { readonly from: number; readonly to: number; readonly mintIs?: "from" | "to" }>
> = {
  3: { from: 0, to: 1 }, // transfer
  12: { from: 0, to: 2 }, // transfer_checked
  7: { from: 0, to: 1, mintIs: "from" }, // mint_to
  14: { from: 0, to: 1, mintIs: "from" }, // mint_to_checked
  8: { from: 0, to: 1, mintIs: "to" }, // burn
  15: { from: 0, to: 1, mintIs: "to" }, // burn_checked
};

const closeAccount = 9;

const unwrapLamports = 45;

const transferFeeExtension = 26;

const transferCheckedWithFee = 1;

/** Those of an instruction of a token program; a `batch` is the instructions in it, in their order. */
export function tokenMovements(books: Books, { accounts, data }: InnerInstruction, index: number): Movement[] {
  const bytes = base58.decode(data);
  const parts = bytes[0] === tokenBatch ? (splitTokenBatch(accounts, bytes) ?? []) : [{ accounts, data: bytes }];
  return parts.flatMap((part) => tokenMovementsOf(books, part, index));
}

/** What one of a token program's instructions is called with, as places in the transaction's list of accounts. */
interface TokenCall {
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

function tokenMovementsOf(books: Books, call: TokenCall, index: number): Movement[] {
  const { accounts } = call;
  const data = viewOfBytes(call.data);
  if (data.byteLength === 0) return [];
  const number = data.getUint8(0);
  if (number === closeAccount) return closing(books, accounts, index);
  if (number === unwrapLamports) return unwrapping(books, accounts, data, index);
  if (number === transferFeeExtension) {
    if (data.byteLength < 19 || data.getUint8(1) !== transferCheckedWithFee) return [];
    const [amount, fee] = [data.getBigUint64(2, true), data.getBigUint64(11, true)];
    const [from, , to] = accounts;
    return moveTokens(books, { from, to, debited: amount, given: amount - fee }, index);
  }
  const move = tokenMoves[number];
  if (move === undefined || data.byteLength < 9) return [];
  const amount = data.getBigUint64(1, true);
  const [from, to] = [accounts[move.from], accounts[move.to]];
  return moveTokens(books, { from, to, debited: amount, given: amount }, index);
}

function moveTokens(
  books: Books,
  move: {
    readonly from: number | undefined;
    readonly to: number | undefined;
    readonly debited: bigint;
    readonly given: bigint;
  },
  index: number,
): Movement[] {
  const { from, to, debited, given } = move;
  if (from === undefined || to === undefined) return [];
  books.tokens.set(from, (books.tokens.get(from) ?? 0n) - debited);
  books.tokens.set(to, (books.tokens.get(to) ?? 0n) + given);
  const sides = { from: holderOf(books, from), to: holderOf(books, to) };
  return [
    ...tokenMovement(books, from, "outflow", sides, debited, index),
    ...tokenMovement(books, to, "inflow", sides, given, index),
  ];
}

export function tokenMovement(
  books: Books,
  place: number,
  direction: Movement["direction"],
  { from, to }: Sides,
  amount: bigint,
  instructionIndex: number,
): Movement[] {
  const label = books.labels.get(place);
  const ownAddress = books.keys[place];
  if (!books.changes.has(place) || label === undefined || ownAddress === undefined) return [];
  if (amount <= 0n || from === undefined || to === undefined) return [];
  const unit = {
    mint: label.mint,
    isToken2022: label.programId === TOKEN_2022_PROGRAM_ADDRESS,
    decimals: label.uiTokenAmount.decimals,
  };
  return [{ direction, ownAddress, ...unit, from, to, amount, instructionIndex }];
}

/** A token account's lamports go to the account that is named; wrapped SOL in it goes with them. */
function closing(books: Books, [closed, to]: readonly number[], index: number): Movement[] {
  if (closed === undefined || to === undefined) return [];
  const wrapped = books.labels.get(closed)?.mint === nativeMint ? (books.tokens.get(closed) ?? 0n) : 0n;
  books.tokens.set(closed, 0n);
  const sides = { from: holderOf(books, closed), to: books.keys[to] };
  return [
    ...tokenMovement(books, closed, "outflow", sides, wrapped, index),
    ...moveLamports(books, closed, to, books.lamports[closed] ?? 0n, index),
  ];
}

/** Wrapped SOL becomes SOL of the account that is named: so much of it, or all. */
function unwrapping(books: Books, [from, to]: readonly number[], data: DataView, index: number): Movement[] {
  if (from === undefined || to === undefined) return [];
  const held = books.tokens.get(from) ?? 0n;
  const isPart = data.byteLength >= 10 && data.getUint8(1) === 1;
  const amount = isPart ? data.getBigUint64(2, true) : held;
  books.tokens.set(from, held - amount);
  const sides = { from: holderOf(books, from), to: books.keys[to] };
  return [
    ...tokenMovement(books, from, "outflow", sides, amount, index),
    ...moveLamports(books, from, to, amount, index),
  ];
}
