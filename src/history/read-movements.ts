import type { Address } from "@solana/kit";
import { accountKeysOf, type InnerInstruction, SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { tokenPrograms } from "@trellis/solana/token-accounts.js";
import type { ChainTransaction } from "./chain-transaction.js";
import { type Books, type Movement, moveLamports, openBooks, solMovement, viewOf } from "./movement-books.js";
import { tokenMovement, tokenMovements } from "./token-movements.js";

/** Every instruction, each followed by those it called: the order they began in. */
export function instructionsOf(transaction: ChainTransaction): readonly InnerInstruction[] {
  const groups = transaction.meta?.innerInstructions ?? [];
  return transaction.transaction.message.instructions.flatMap((instruction, index) => [
    instruction,
    ...groups.filter((group) => group.index === index).flatMap(({ instructions }) => instructions),
  ]);
}

/** The token accounts of a smart account that a transaction reports, as places in its list of accounts. */
export function ownTokenPlaces(transaction: ChainTransaction, vault: Address): ReadonlySet<number> {
  const { preTokenBalances, postTokenBalances } = transaction.meta ?? {};
  const own = [...(preTokenBalances ?? []), ...(postTokenBalances ?? [])].filter(({ owner }) => owner === vault);
  return new Set(own.map(({ accountIndex }) => accountIndex));
}

/**
 * The movements of a successful transaction, in the order of its instructions; none of one that failed. For each of the
 * account's own addresses they add up to the difference between its balances before and after: what no instruction
 * explains (a program that moves lamports directly, withheld fees, wrapped SOL) is a movement of its own at the end.
 */
export function readMovements(transaction: ChainTransaction, vault: Address): Movement[] {
  const { meta } = transaction;
  if (meta === null || meta.err !== null) return [];
  const keys = accountKeysOf(transaction);
  const books = openBooks(transaction, keys, vault);
  const instructions = instructionsOf(transaction);
  const movements = instructions.flatMap((instruction, index) => {
    const program = keys[instruction.programIdIndex];
    if (program === SYSTEM_PROGRAM_ADDRESS) return systemMovements(books, instruction, index);
    if (program !== undefined && tokenPrograms.includes(program)) return tokenMovements(books, instruction, index);
    return [];
  });
  return settle(books, movements, instructions.length);
}

/** Numbers of the system program's instructions that move lamports; where they say how many, and whose account they go to. */
const systemMoves: Readonly<
  Record<number, { readonly amountAt: number; readonly to: number; readonly from?: number }>
> = {
  0: { amountAt: 4, to: 1 }, // create_account
  2: { amountAt: 4, to: 1 }, // transfer
  5: { amountAt: 4, to: 1 }, // withdraw_nonce_account
  11: { amountAt: 4, to: 2 }, // transfer_with_seed
  13: { amountAt: 4, to: 0, from: 1 }, // create_account_allow_prefund
};

const createWithSeed = 3;

function systemMovements(books: Books, instruction: InnerInstruction, index: number): Movement[] {
  const data = viewOf(instruction);
  if (data.byteLength < 12) return [];
  const number = data.getUint32(0, true);
  const move: (typeof systemMoves)[number] | undefined =
    systemMoves[number] ?? (number === createWithSeed ? seededCreation(data) : undefined);
  if (move === undefined || data.byteLength < move.amountAt + 8) return [];
  const [from, to] = [instruction.accounts[move.from ?? 0], instruction.accounts[move.to]];
  return moveLamports(books, from, to, data.getBigUint64(move.amountAt, true), index);
}

/** Its amount stands behind the base address and a seed of any length. */
function seededCreation(data: DataView): { readonly amountAt: number; readonly to: number } | undefined {
  if (data.byteLength < 44) return undefined;
  const seedLength = data.getBigUint64(36, true);
  return seedLength > 32n ? undefined : { amountAt: 44 + Number(seedLength), to: 1 };
}

/** Adds what the balances show and no instruction explained. */
function settle(books: Books, explained: readonly Movement[], instructionIndex: number): Movement[] {
  const movements = [...explained];
  const places = [...books.changes.keys()].sort((a, b) => a - b);
  for (const place of places) {
    const own = books.keys[place];
    const rest = (books.changes.get(place) ?? 0n) - sumOf(movements.filter(({ ownAddress }) => ownAddress === own));
    if (rest === 0n || lessenOnlyInflow(movements, own, rest)) continue;
    const direction = rest > 0n ? "inflow" : "outflow";
    const amount = rest > 0n ? rest : -rest;
    const noCaller = SYSTEM_PROGRAM_ADDRESS;
    const sides = rest > 0n ? { from: noCaller, to: books.vault } : { from: books.vault, to: noCaller };
    movements.push(
      ...(own === books.vault
        ? solMovement(books, direction, sides, amount, instructionIndex)
        : tokenMovement(books, place, direction, sides, amount, instructionIndex)),
    );
  }
  return movements;
}

/** A mint with a transfer fee withholds it from what arrives: where one movement was received, that is what it was less by. */
function lessenOnlyInflow(movements: Movement[], own: Address | undefined, rest: bigint): boolean {
  const places = movements.flatMap(({ ownAddress, direction }, i) =>
    ownAddress === own && direction === "inflow" ? [i] : [],
  );
  const [at] = places;
  const inflow = at === undefined ? undefined : movements[at];
  if (at === undefined || inflow === undefined || places.length > 1) return false;
  if (!inflow.isToken2022 || rest > 0n || inflow.amount + rest <= 0n) return false;
  movements[at] = { ...inflow, amount: inflow.amount + rest };
  return true;
}

/** The sum of movements: inflows less outflows, in base units. */
export function sumOf(movements: readonly Movement[]): bigint {
  return movements.reduce((sum, { direction, amount }) => sum + (direction === "inflow" ? amount : -amount), 0n);
}
