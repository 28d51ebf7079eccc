import { Buffer } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import type { Address, Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { TrellisError } from "@trellis/kernel/errors.js";
import { ProgramDataError, parsePasskeyExecution } from "@trellis/program-client";
import { type LookupTables, resolveMessage } from "@trellis/solana/read-message.js";
import { type PlainMessage, readTransaction } from "@trellis/solana/transaction-bytes.js";

/** What the chain has read in lookup tables for a transaction, in its order. */
export interface LoadedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/** A transaction that the chain has executed without an error. */
export interface LandedTransaction {
  readonly wire: Uint8Array;
  readonly loaded: LoadedAddresses;
}

/**
 * Whether a landed transaction does all that a prepared one was to do: every call of it but those about the compute budget,
 * in their order, with the same programs, accounts and data. Who pays the fee, which blockhash it has, and what a wallet has
 * put between the calls does not matter: it was executed as a whole, and nothing beside a payment takes the payment back. The
 * rights of accounts are not compared, as the calls had enough of them. Bytes that cannot be read carry nothing out.
 */
export function carriesOut(prepared: Uint8Array, { wire, loaded }: LandedTransaction): boolean {
  const [wanted, landed] = [readTransaction(prepared)?.message, readTransaction(wire)?.message];
  if (wanted === undefined || landed === undefined) return false;
  const tables = tablesOf(landed, loaded);
  const calls = readCalls(wanted, tables);
  if (calls.length === 0) return false;
  let done = 0;
  for (const call of readCalls(landed, tables)) if (call === calls[done]) done += 1;
  return done === calls.length;
}

/**
 * Whether a landed transaction is one by which a passkey approved a prepared one: it has the same calls, and no others. Those of the passkey stand
 * within the signature program's.
 */
export function carriesOutApproval(prepared: Uint8Array, { wire, loaded }: LandedTransaction): boolean {
  const [wanted, landed] = [readTransaction(prepared)?.message, readTransaction(wire)?.message];
  if (wanted === undefined || landed === undefined) return false;
  const tables = tablesOf(landed, loaded);
  const calls = readCalls(wanted, tables);
  // The first one is the check of the passkey's signature.
  const [, ...done] = readCalls(landed, tables, unwrapApproval);
  return calls.length > 0 && isDeepStrictEqual(calls.toSorted(), done.toSorted());
}

function unwrapApproval(instruction: Instruction): readonly Instruction[] {
  try {
    return parsePasskeyExecution(instruction)?.instructions ?? [instruction];
  } catch (error) {
    if (error instanceof ProgramDataError) return [instruction];
    throw error;
  }
}

/** The entries of lookup tables that a message names. */
function tablesOf(message: PlainMessage, { writable, readonly }: LoadedAddresses): LookupTables {
  const tables: Record<Address, Address[]> = {};
  const rest = { writable: [...writable], readonly: [...readonly] };
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  for (const { lookupTableAddress, writableIndexes, readonlyIndexes } of lookups) {
    const entries = tables[lookupTableAddress] ?? [];
    tables[lookupTableAddress] = entries;
    const take = (indexes: readonly number[], from: Address[]) => {
      for (const index of indexes) {
        const entry = from.shift();
        if (entry !== undefined) entries[index] = entry;
      }
    };
    take(writableIndexes, rest.writable);
    take(readonlyIndexes, rest.readonly);
  }
  return tables;
}

/** None where a table has not what the message names. */
function readCalls(
  message: PlainMessage,
  tables: LookupTables,
  unwrap = (call: Instruction): readonly Instruction[] => [call],
): readonly string[] {
  try {
    return resolveMessage({ message }, tables)
      .instructions.filter(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS)
      .flatMap(unwrap)
      .map(toText);
  } catch (error) {
    if (error instanceof TrellisError) return [];
    throw error;
  }
}

const toText = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction): string =>
  `${programAddress} ${accounts.map(({ address }) => address)} ${Buffer.from(data as Uint8Array).toString("base64")}`;
