import { type Address, createNoopSigner, type Instruction, isAddress } from "@solana/kit";
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount, TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { associatedAccountBytes } from "@trellis/solana/token-extensions.js";
import { findFeeEpoch } from "../payees/fee-epoch.js";
import { isOpened, judgeTokens, tokenAccountOf } from "../payees/judge-tokens.js";
import { type PaymentFields, refusalOf, refuseObstacle } from "../payees/obstacle.js";
import type { KnownTokenAccounts } from "./coin-effects.js";
import { withMemo } from "./payment-memo.js";
import { missingFor, type RentSponsor, rentNotSponsored } from "./rent-sponsor.js";
import { insufficientBalance, type PayeeTrust, requirePayee, requireTokens } from "./require-payable.js";

/** How a payment's request spells the payee. */
const destinationField = "destination.address";

/** How a payment's request spells its ends; a proposal of a transfer names the currency beside the destination. */
export const paymentFields: PaymentFields = {
  currency: "source.currency",
  source: "source.account",
  destination: destinationField,
};
const storedFields: PaymentFields = { currency: "currency", source: null, destination: destinationField };

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
  /** Whether a passkey approves it itself, which signs what the smart account executes and nothing beside that. */
  readonly isApproved?: boolean;
  /**
   * Opens the payee's token account where the smart account cannot. Null for a transfer that is stored and voted on: the
   * account may be funded by the time it is executed, and only the account itself can pay inside.
   */
  readonly sponsor: RentSponsor | null;
  /** Whether the payee may be an address that no key signs for. */
  readonly trust: PayeeTrust;
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
  /** What is known of each token account that is used. */
  readonly owners: KnownTokenAccounts;
}

type Parties = Pick<Transfer, "from" | "to" | "currency">;
type Read = readonly (ChainAccount | undefined)[];

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
 * `rent_not_sponsored` when neither pays the payee's token account; the code of an `Obstacle` when the destination cannot
 * receive this currency, or not exactly this amount; `chain_unavailable`.
 */
export async function buildTransfer(
  network: Network,
  transfer: Transfer,
  accounts: Read,
): Promise<TransferInstructions> {
  const { from, to, currency, sponsor, trust } = transfer;
  const [vault, named, held, associated, mint] = accounts;
  const fields = sponsor === null ? storedFields : paymentFields;
  const facts = { payee: to, payer: from, currency, named, associated, by: "account", trust } as const;
  await requirePayee(network, facts, fields);
  if (currency.mint === null)
    return withPaymentMemo(transfer, accounts, await buildSolTransfer(network, transfer, vault, named));
  const direct = named && decodeTokenAccount(named);
  const epoch = await findFeeEpoch(network, [mint]);
  const ends = {
    mint,
    destination: direct ? { account: named, owner: null } : { account: associated, owner: to },
    hasMemo: transfer.memo !== undefined,
    epoch,
    ...(sponsor === null ? {} : { source: { account: held, owner: from } }),
  };
  refuseObstacle(judgeTokens(ends), fields);
  return withPaymentMemo(transfer, accounts, await buildTokenTransfer(network, transfer, accounts));
}

/** With the memo where nodes and payees read it: `accounts` are those that the payment was built on. */
function withPaymentMemo(
  { memo, sponsor, isApproved = false }: Transfer,
  [, named, , conventional]: Read,
  parts: TransferInstructions,
): TransferInstructions {
  const paid = [named, conventional];
  return memo === undefined ? parts : withMemo(parts, memo, { isVoted: sponsor === null, isApproved, paid });
}

async function buildSolTransfer(
  network: Network,
  { from, to, amountBaseUnits, sponsor }: Transfer,
  vault: ChainAccount | undefined,
  payee: ChainAccount | undefined,
): Promise<TransferInstructions> {
  if (sponsor !== null) await requireSolPayable(network, vault, payee, amountBaseUnits);
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
 * Requires that an account can pay a payee SOL now: it makes a new account, and what stays is nothing or a legal rest.
 * Throws `insufficient_balance`, `invalid_amount`, `chain_unavailable`.
 */
export async function requireSolPayable(
  network: Network,
  vault: ChainAccount | undefined,
  payee: ChainAccount | undefined,
  amountBaseUnits: bigint,
): Promise<void> {
  const minimum = await rentMinimum(network, 0n);
  requireSpendable(vault, amountBaseUnits, minimum);
  if (payee === undefined && amountBaseUnits < minimum) {
    throw new TrellisError("invalid_amount", {
      field: "amount",
      message: `The destination does not exist yet, and an account needs at least ${minimum} lamports.`,
    });
  }
}

async function buildTokenTransfer(
  network: Network,
  transfer: Transfer,
  [vault, named, held, existing, minted]: Read,
): Promise<TransferInstructions> {
  const { from, to, currency, amountBaseUnits, sponsor } = transfer;
  const { mint, tokenProgram } = currency;
  assertOurs(mint !== null && tokenProgram !== null, "a token has a mint and a program");
  const { source, conventional } = tokenAccountsOf(transfer);
  if (sponsor !== null) {
    await requireTokens(network, { owner: from, source, account: held }, currency, amountBaseUnits);
  }
  const direct = named && decodeTokenAccount(named);
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
    owners: new Map([[destination, { owner, mint }]]),
  };
}

/**
 * Whether the owner's token account is there, open, and takes payments. Lamports alone do not make one: anybody can send some
 * to its address. Throws `destination_closed` when its owner has handed it on, as what is paid into it would be another
 * party's, and `destination_frozen`.
 */
export function isTokenAccountOf(
  account: ChainAccount | undefined,
  owner: Address,
  mint: Address,
  field = destinationField,
): boolean {
  if (!isOpened(account)) return false;
  const held = tokenAccountOf(account, owner, mint);
  if (held?.isFrozen === false) return true;
  const [code, what] = held
    ? (["destination_frozen", "is frozen by the currency's issuer"] as const)
    : (["destination_closed", `does not belong to ${owner} any more`] as const);
  const message = `The token account ${account.address} ${what}.`;
  throw refusalOf({ code, end: "destination", message }, { ...paymentFields, destination: field });
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
  if (held < amount) throw insufficientBalance("SOL", 9, held, amount);
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
