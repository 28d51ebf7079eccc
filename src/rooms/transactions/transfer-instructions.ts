import { type Address, createNoopSigner, type Instruction, isAddress } from "@solana/kit";
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import { askChain } from "../../core/chain/ask-chain.js";
import type { ChainAccount } from "../../core/chain/read-accounts.js";
import { decodeTokenAccount, TOKEN_2022_PROGRAM_ADDRESS, tokenPrograms } from "../../core/chain/token-accounts.js";
import { deriveTokenAccount } from "../../core/chain/token-address.js";
import { associatedAccountBytes } from "../../core/chain/token-extensions.js";
import { formatUnits } from "../../core/money.js";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "../../core/program-client/index.js";
import { assertOurs, TrellisError } from "../../errors.js";
import type { Currency, Network } from "../../ports/network.js";
import { withMemo } from "./payment-memo.js";
import { missingFor, type RentSponsor, rentNotSponsored } from "./rent-sponsor.js";

/** How a payment's request spells the payee. */
const destinationField = "destination.address";

/** A payment in terms of the chain. */
export interface Transfer {
  /** The smart account. */
  readonly from: Address;
  /** An owner, or a token account of the currency's mint. */
  readonly to: Address;
  readonly currency: Currency;
  readonly amountBaseUnits: bigint;
  /** What the payee is to read with it; undefined: nothing. */
  readonly memo?: string | undefined;
  /**
   * Opens the payee's token account where the smart account cannot. Null for a transfer that is stored and voted on: the
   * account may be funded by the time it is executed, and nobody but the account itself can pay inside.
   */
  readonly sponsor: RentSponsor | null;
}

/** The instructions of a payment, and who executes them. */
export interface TransferInstructions {
  /** Top level, at the fee payer's expense: the payee's token account, and the memo. */
  readonly before: readonly Instruction[];
  /** What `before` costs the fee payer at most, lamports. */
  readonly rentLamports: bigint;
  /** Executed as the smart account. */
  readonly inside: readonly Instruction[];
  /** Written to by others as well: what those pay says what to bid. */
  readonly contended: readonly Address[];
  /** The owner behind each token account that is used. */
  readonly owners: ReadonlyMap<Address, Address>;
}

type Parties = Pick<Transfer, "from" | "to" | "currency">;

/** The accounts on chain that a payment depends on, in the order in which `buildTransfer` wants them. */
export function accountsOfTransfer({ from, to, currency }: Parties): readonly Address[] {
  if (currency.mint === null) return [from, to];
  const { source, conventional } = tokenAccountsOf({ from, to, currency });
  return [from, to, source, conventional, currency.mint];
}

/** Where the tokens are, and where they go unless the payee is a token account itself. */
function tokenAccountsOf({ from, to, currency }: Parties): {
  readonly source: Address;
  readonly conventional: Address;
} {
  const { mint, tokenProgram } = currency;
  assertOurs(mint !== null && tokenProgram !== null, "a token has a mint and a program");
  return {
    source: deriveTokenAccount(from, mint, tokenProgram),
    conventional: deriveTokenAccount(to, mint, tokenProgram),
  };
}

/**
 * Turns a payment into instructions (gap 33) on the chain's present state: `accounts` are those of `accountsOfTransfer` as
 * read a moment ago. The smart account pays the payee's token account when it can, its sponsor otherwise.
 *
 * Throws `insufficient_balance` when there is too little, or a rest below the rent minimum would stay;
 * `rent_not_sponsored` when neither pays the payee's token account; `invalid_address` when the destination cannot receive
 * this currency; `forbidden_account`; `chain_unavailable`.
 */
export async function buildTransfer(
  network: Network,
  transfer: Transfer,
  accounts: readonly (ChainAccount | undefined)[],
): Promise<TransferInstructions> {
  if (network.serviceAddresses.has(transfer.to)) {
    throw new TrellisError("forbidden_account", {
      field: "destination.address",
      message: "A key of the service cannot be paid.",
    });
  }
  const parts =
    transfer.currency.mint === null
      ? await buildSolTransfer(network, transfer, accounts)
      : await buildTokenTransfer(network, transfer, accounts);
  if (transfer.memo === undefined) return parts;
  const [, named, , conventional] = accounts;
  return withMemo(parts, transfer.memo, { isVoted: transfer.sponsor === null, paid: [named, conventional] });
}

async function buildSolTransfer(
  network: Network,
  { from, to, amountBaseUnits, sponsor }: Transfer,
  [vault, payee]: readonly (ChainAccount | undefined)[],
): Promise<TransferInstructions> {
  if (sponsor === null) refuseSolPayee(payee, destinationField);
  else await requireSolPayable(network, vault, payee, amountBaseUnits, destinationField);
  const source = createNoopSigner(from);
  return {
    before: [],
    rentLamports: 0n,
    inside: [getTransferSolInstruction({ source, destination: to, amount: amountBaseUnits })],
    contended: [to],
    owners: new Map(),
  };
}

/**
 * Requires that an account can pay somebody SOL now: the payee can hold it, and what stays is nothing or a legal rest.
 * Throws `insufficient_balance`, `invalid_amount`, `invalid_address` with the payee's `field`, `chain_unavailable`.
 */
export async function requireSolPayable(
  network: Network,
  vault: ChainAccount | undefined,
  payee: ChainAccount | undefined,
  amountBaseUnits: bigint,
  field: string,
): Promise<void> {
  refuseSolPayee(payee, field);
  const minimum = await rentMinimum(network, 0n);
  requireSpendable(vault, amountBaseUnits, minimum);
  if (payee === undefined && amountBaseUnits < minimum) {
    throw new TrellisError("invalid_amount", {
      field: "amount",
      message: `The destination does not exist yet, and an account needs at least ${minimum} lamports.`,
    });
  }
}

function refuseSolPayee(payee: ChainAccount | undefined, field: string): void {
  refuseDeadEnd(payee, field);
  if (payee && tokenPrograms.includes(payee.owner)) {
    throw new TrellisError("invalid_address", {
      field,
      message: "The destination belongs to a token program: it cannot hold SOL for anybody.",
    });
  }
}

async function buildTokenTransfer(
  network: Network,
  transfer: Transfer,
  [vault, named, held, existing, minted]: readonly (ChainAccount | undefined)[],
): Promise<TransferInstructions> {
  const { from, to, currency, amountBaseUnits, sponsor } = transfer;
  const { mint, tokenProgram } = currency;
  assertOurs(mint !== null && tokenProgram !== null, "a token has a mint and a program");
  const { source, conventional } = tokenAccountsOf(transfer);
  refuseDeadEnd(named, destinationField);
  if (sponsor !== null) requireTokens(held, currency, amountBaseUnits);

  const direct = named && decodeTokenAccount(named);
  if (named && tokenPrograms.includes(named.owner) && direct?.mint !== mint) {
    throw new TrellisError("invalid_address", {
      field: "destination.address",
      message: "The destination belongs to a token program and is no token account of this currency.",
    });
  }
  const destination = direct ? to : conventional;
  const owner = direct ? direct.owner : to;
  const isOpen = direct !== undefined || isTokenAccountOf(existing, to, mint);
  const opening = isOpen ? undefined : await openTokenAccount(network, transfer, vault, conventional, minted);
  const authority = createNoopSigner(from);
  const move = getTransferCheckedInstruction(
    { source, mint, destination, authority, amount: amountBaseUnits, decimals: currency.decimals },
    { programAddress: tokenProgram },
  );
  return {
    before: opening?.paidBy === "sponsor" ? [opening.instruction] : [],
    rentLamports: opening?.paidBy === "sponsor" ? opening.rentLamports : 0n,
    inside: opening?.paidBy === "account" ? [opening.instruction, move] : [move],
    contended: [destination],
    owners: new Map([[destination, owner]]),
  };
}

/** Throws `invalid_address` for accounts that nobody can ever move money out of: programs, and settings accounts. */
export function refuseDeadEnd(account: ChainAccount | undefined, field: string): void {
  if (!account || (!account.executable && account.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS)) return;
  throw new TrellisError("invalid_address", {
    field,
    message: account.executable
      ? "The destination is a program: what it is paid is lost."
      : "The destination is a smart account's settings, which hold no money. Pay the smart account's own address.",
  });
}

/**
 * Whether the owner's token account is there. Lamports alone do not make one: anybody can send some to its address. Throws
 * `invalid_address` when its owner has handed it on: what is paid into it would be somebody else's.
 */
export function isTokenAccountOf(
  account: ChainAccount | undefined,
  owner: Address,
  mint: Address,
  field = destinationField,
): boolean {
  if (account === undefined || account.owner === SYSTEM_PROGRAM_ADDRESS) return false;
  const held = decodeTokenAccount(account);
  if (held?.owner === owner && held.mint === mint) return true;
  throw new TrellisError("invalid_address", {
    field,
    message: `The destination's token account ${account.address} does not belong to it any more.`,
  });
}

/** The account pays the rent when enough is left to it afterwards; otherwise the sponsor does, in front of the call. */
async function openTokenAccount(
  network: Network,
  { from, to, currency, sponsor }: Transfer,
  vault: ChainAccount | undefined,
  ata: Address,
  minted: ChainAccount | undefined,
): Promise<{
  readonly paidBy: "account" | "sponsor";
  readonly rentLamports: bigint;
  readonly instruction: Instruction;
}> {
  const { mint, tokenProgram } = currency;
  assertOurs(mint !== null && tokenProgram !== null, "a token has a mint and a program");
  const open = (payer: Address) =>
    getCreateAssociatedTokenIdempotentInstruction({
      payer: createNoopSigner(payer),
      ata,
      owner: to,
      mint,
      tokenProgram,
    });
  const [minimum, rentLamports] = await Promise.all([
    rentMinimum(network, 0n),
    rentMinimum(
      network,
      BigInt(associatedAccountBytes(minted?.data ?? new Uint8Array(), tokenProgram === TOKEN_2022_PROGRAM_ADDRESS)),
    ),
  ]);
  const missing = sponsor === null ? 0n : missingFor(rentLamports, vault?.lamports ?? 0n, minimum);
  if (sponsor === null || missing === 0n) return { paidBy: "account", rentLamports, instruction: open(from) };
  if ((await sponsor.openingsLeft()) < 1) {
    throw rentNotSponsored({
      field: "destination.address",
      what: `The destination has no token account for ${currency.symbol.toUpperCase()}. To open one takes`,
      rentLamports,
      payer: from,
      missing,
      alternative: "pay a destination that has a token account already",
    });
  }
  return { paidBy: "sponsor", rentLamports, instruction: open(sponsor.address) };
}

function requireSpendable(vault: ChainAccount | undefined, amount: bigint, minimum: bigint): void {
  const held = vault?.lamports ?? 0n;
  if (held < amount) throw insufficient("SOL", 9, held, amount);
  const left = held - amount;
  if (left > 0n && left < minimum) {
    throw new TrellisError("insufficient_balance", {
      field: "amount",
      message:
        `The account would keep ${left} lamports. It must keep nothing or at least ${minimum}: ` +
        `send ${held}, or at most ${held > minimum ? held - minimum : 0n}.`,
    });
  }
}

/** Throws `insufficient_balance` where a token account, or its absence, holds less than `amount`. */
export function requireTokens(account: ChainAccount | undefined, currency: Currency, amount: bigint): void {
  const held = (account && decodeTokenAccount(account)?.amount) ?? 0n;
  if (held < amount) throw insufficient(currency.symbol.toUpperCase(), currency.decimals, held, amount);
}

function insufficient(symbol: string, decimals: number, held: bigint, wanted: bigint): TrellisError {
  return new TrellisError("insufficient_balance", {
    field: "amount",
    message: `The account holds ${formatUnits(held, decimals)} ${symbol}, which is less than ${formatUnits(wanted, decimals)}.`,
    facts: { held: held.toString(), wanted: wanted.toString() },
  });
}

async function rentMinimum(network: Network, bytes: bigint): Promise<bigint> {
  return askChain(network.rpc.getMinimumBalanceForRentExemption(bytes));
}

/** Reads a destination address. Throws `invalid_address`. */
export function parseDestination(text: string, field = destinationField): Address {
  if (!isAddress(text) || text === SYSTEM_PROGRAM_ADDRESS) {
    throw new TrellisError("invalid_address", {
      field,
      message: `${text} is not an address that can be paid.`,
    });
  }
  return text;
}
