/**
 * What a transaction moved for one smart account, told by its instructions and held against its balances. Pure: the same
 * transaction always gives the same movements in the same order.
 */
import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import { accountKeysOf, type InnerInstruction, SYSTEM_PROGRAM_ADDRESS } from "../program-client/index.js";
import { TOKEN_2022_PROGRAM_ADDRESS, tokenPrograms } from "../solana/token-accounts.js";
import { splitTokenBatch, tokenBatch } from "../solana/token-batch.js";
import type { ChainTransaction, TokenBalance } from "./chain-transaction.js";

/** Money that came to a smart account or left it, or moved between its own accounts: then there are two of them. */
export interface Movement {
  readonly direction: "inflow" | "outflow";
  /** The account that gained or lost it: the smart account, or a token account it owns. */
  readonly ownAddress: Address;
  /** The system program's address is SOL. */
  readonly mint: Address;
  readonly isToken2022: boolean;
  readonly decimals: number;
  /** Owners where the transaction tells them, accounts otherwise; the system program's address where nobody is named. */
  readonly from: Address;
  readonly to: Address;
  /** Base units, above zero. */
  readonly amount: bigint;
  /** The number of the instruction, counted in the order they began, called ones included; see `instructionsOf`. */
  readonly instructionIndex: number;
}

const solDecimals = 9;
const nativeMint = "So11111111111111111111111111111111111111112" as Address;

/** Every instruction, each followed by those it called: the order they began in. */
export function instructionsOf(transaction: ChainTransaction): readonly InnerInstruction[] {
  const groups = transaction.meta?.innerInstructions ?? [];
  return transaction.transaction.message.instructions.flatMap((instruction, index) => [
    instruction,
    ...groups.filter((group) => group.index === index).flatMap(({ instructions }) => instructions),
  ]);
}

/** The token accounts of a smart account that a transaction tells of, as places in its list of accounts. */
export function ownTokenPlaces(transaction: ChainTransaction, vault: Address): ReadonlySet<number> {
  const { preTokenBalances, postTokenBalances } = transaction.meta ?? {};
  const own = [...(preTokenBalances ?? []), ...(postTokenBalances ?? [])].filter(({ owner }) => owner === vault);
  return new Set(own.map(({ accountIndex }) => accountIndex));
}

/**
 * The movements of a successful transaction, in the order of its instructions; none of one that failed. For each of the
 * account's own addresses they add up to the difference between its balances before and after: what no instruction
 * explains (a program that moves lamports by itself, withheld fees, wrapped SOL) is a movement of its own at the end.
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

/** What the accounts of a transaction hold while its instructions are gone through. */
interface Books {
  readonly keys: readonly Address[];
  readonly vault: Address;
  readonly lamports: bigint[];
  readonly tokens: Map<number, bigint>;
  readonly labels: ReadonlyMap<number, TokenBalance>;
  /** Of the smart account's own addresses: what the whole transaction changed, in base units. */
  readonly changes: ReadonlyMap<number, bigint>;
}

function openBooks({ meta }: ChainTransaction, keys: readonly Address[], vault: Address): Books {
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

function moveLamports(
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

interface Sides {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
}

function solMovement(
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
function tokenMovements(books: Books, { accounts, data }: InnerInstruction, index: number): Movement[] {
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
    return moveTokens(books, { from, to, taken: amount, given: amount - fee }, index);
  }
  const move = tokenMoves[number];
  if (move === undefined || data.byteLength < 9) return [];
  const amount = data.getBigUint64(1, true);
  const [from, to] = [accounts[move.from], accounts[move.to]];
  return moveTokens(books, { from, to, taken: amount, given: amount }, index);
}

function moveTokens(
  books: Books,
  move: {
    readonly from: number | undefined;
    readonly to: number | undefined;
    readonly taken: bigint;
    readonly given: bigint;
  },
  index: number,
): Movement[] {
  const { from, to, taken, given } = move;
  if (from === undefined || to === undefined) return [];
  books.tokens.set(from, (books.tokens.get(from) ?? 0n) - taken);
  books.tokens.set(to, (books.tokens.get(to) ?? 0n) + given);
  const sides = { from: holderOf(books, from), to: holderOf(books, to) };
  return [
    ...tokenMovement(books, from, "outflow", sides, taken, index),
    ...tokenMovement(books, to, "inflow", sides, given, index),
  ];
}

/** Who owns a token account, as far as the transaction tells. A mint stands for itself. */
const holderOf = ({ labels, keys }: Books, place: number): Address | undefined =>
  labels.get(place)?.owner ?? keys[place];

function tokenMovement(
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

/** A token account's lamports go to whoever is named; wrapped SOL in it goes with them. */
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

/** Wrapped SOL becomes SOL of whoever is named: so much of it, or all. */
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
    const nobody = SYSTEM_PROGRAM_ADDRESS;
    const sides = rest > 0n ? { from: nobody, to: books.vault } : { from: books.vault, to: nobody };
    movements.push(
      ...(own === books.vault
        ? solMovement(books, direction, sides, amount, instructionIndex)
        : tokenMovement(books, place, direction, sides, amount, instructionIndex)),
    );
  }
  return movements;
}

/** A mint with a transfer fee withholds it from what arrives: where one movement came in, that is what it was less by. */
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

/** What movements come to: inflows less outflows, in base units. */
export function sumOf(movements: readonly Movement[]): bigint {
  return movements.reduce((sum, { direction, amount }) => sum + (direction === "inflow" ? amount : -amount), 0n);
}

const viewOf = (instruction: InnerInstruction): DataView => viewOfBytes(base58.decode(instruction.data));

function viewOfBytes(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
