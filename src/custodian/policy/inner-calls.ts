/** What a smart account does with its money: the few calls that are read, each to its last byte and account. */
import type { Address, Instruction } from "@solana/kit";
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { readMemo } from "@trellis/solana/memo.js";
import { tokenPrograms } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { type Fact, Opaque, type TransferFact, type Via } from "./facts.js";

/** Both programs have one mint for SOL that is wrapped: it is counted as what it is. */
const wrappedSol: ReadonlySet<string> = new Set([
  "So11111111111111111111111111111111111111112",
  "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9",
]);

/**
 * More than the rent of any token account, whatever its mint adds to it: what a smart account pays that opens one for
 * another party counts as a payment to that party, who can close it again and keep the lamports.
 */
export const tokenAccountRentMax = 10_000_000n;

const systemTransfer = 2;
const advanceNonce = 4;
const transferChecked = 12;
const systemTransferBytes = 12;
const transferCheckedBytes = 10;

/** A token account that cannot be another's: the transaction opens it, or fails where it is not this owner's. */
export interface Opening {
  readonly account: Address;
  readonly owner: Address;
}

export interface InnerCall {
  readonly facts: readonly Fact[];
  readonly openings: readonly Opening[];
}

export interface Payer {
  readonly settings: Address;
  readonly smartAccount: Address;
  readonly via: Via;
}

export const mintOf = (mint: Address): Address | null => (wrappedSol.has(mint) ? null : mint);

/** Reads a call that a smart account makes. Throws `Opaque` for what is no payment from it. */
export function readInnerCall(instruction: Instruction, payer: Payer): InnerCall {
  const opening = readOpening(instruction);
  if (opening !== undefined) return openingCall(opening, payer);
  if (isPlainMemo(instruction)) return { facts: [{ kind: "harmless", what: "memo" }], openings: [] };
  const { programAddress } = instruction;
  const transfer =
    programAddress === SYSTEM_PROGRAM_ADDRESS
      ? solTransfer(instruction, payer)
      : tokenPrograms.includes(programAddress)
        ? tokenTransfer(instruction, payer)
        : undefined;
  if (transfer === undefined) throw new Opaque("unknown_program");
  return { facts: [transfer], openings: [] };
}

function openingCall(opening: Opening & TokenAccountOpening, payer: Payer): InnerCall {
  const { account, owner, mint, program, rentPayer } = opening;
  const facts: Fact[] = [{ kind: "harmless", what: "token_account" }];
  if (rentPayer === payer.smartAccount) {
    facts.push({
      kind: "transfer",
      settings: payer.settings,
      via: payer.via,
      mint: null,
      amountBaseUnits: tokenAccountRentMax,
      source: payer.smartAccount,
      destination: { account, owner, token: { mint, program } },
    });
  }
  return { facts, openings: [{ account, owner }] };
}

function solTransfer(instruction: Instruction, { settings, smartAccount, via }: Payer): TransferFact {
  const { from, to, amount } = readSolTransfer(instruction);
  if (from !== smartAccount) throw new Opaque("unknown_instruction");
  const destination = { account: to, owner: to, token: null };
  return { kind: "transfer", settings, via, mint: null, amountBaseUnits: amount, source: from, destination };
}

/** A transfer of SOL that is nothing but that. Throws `Opaque` for every other instruction of the system program. */
export function readSolTransfer({ accounts = [], data = new Uint8Array(0) }: Instruction): {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
} {
  const bytes = Uint8Array.from(data);
  const [from, to] = accounts;
  const number = bytes.length < 4 ? undefined : viewOf(bytes).getUint32(0, true);
  if (number === advanceNonce) throw new Opaque("durable_nonce");
  if (number !== systemTransfer) throw new Opaque("unknown_instruction");
  if (bytes.length !== systemTransferBytes || from === undefined || to === undefined || accounts.length !== 2) {
    throw new Opaque("malformed");
  }
  return { from: from.address, to: to.address, amount: viewOf(bytes).getBigUint64(4, true) };
}

/** Only the form that names its mint: the other one does not say what it moves. */
function tokenTransfer(instruction: Instruction, { settings, smartAccount, via }: Payer): TransferFact {
  const { programAddress: program, accounts = [], data = [] } = instruction;
  const bytes = Uint8Array.from(data);
  const [source, mint, to, authority] = accounts.map(({ address }) => address);
  if (bytes[0] !== transferChecked) throw new Opaque("unknown_instruction");
  const isWhole = bytes.length === transferCheckedBytes && accounts.length === 4;
  if (!isWhole || source === undefined || mint === undefined || to === undefined) throw new Opaque("malformed");
  if (authority !== smartAccount) throw new Opaque("unknown_instruction");
  return {
    kind: "transfer",
    settings,
    via,
    mint: mintOf(mint),
    amountBaseUnits: viewOf(bytes).getBigUint64(1, true),
    source,
    destination: { account: to, owner: null, token: { mint, program } },
  };
}

interface TokenAccountOpening {
  readonly rentPayer: Address;
  readonly mint: Address;
  readonly program: Address;
}

/**
 * Reads the creation of an owner's conventional token account; undefined for another program's. Its address is derived again
 * here. Throws `Opaque` for what is not exactly that.
 */
export function readOpening(instruction: Instruction): (Opening & TokenAccountOpening) | undefined {
  const { programAddress, accounts = [], data = new Uint8Array(0) } = instruction;
  if (programAddress !== ASSOCIATED_TOKEN_PROGRAM_ADDRESS) return undefined;
  const [rentPayer, account, owner, mint, system, program] = accounts.map(({ address }) => address);
  if (data.length > 1 || (data.length === 1 && data[0] !== 0 && data[0] !== 1)) throw new Opaque("unknown_instruction");
  if (accounts.length !== 6 || rentPayer === undefined || owner === undefined || mint === undefined) {
    throw new Opaque("malformed");
  }
  if (account === undefined || system !== SYSTEM_PROGRAM_ADDRESS || program === undefined) {
    throw new Opaque("malformed");
  }
  if (!tokenPrograms.includes(program)) throw new Opaque("unknown_program");
  if (account !== deriveTokenAccount(owner, mint, program)) throw new Opaque("malformed");
  return { account, owner, rentPayer, mint, program };
}

/** A memo that no account has to sign. */
export function isPlainMemo(instruction: Instruction): boolean {
  return readMemo(instruction) !== undefined && (instruction.accounts ?? []).length === 0;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
