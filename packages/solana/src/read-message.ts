import {
  type AccountMeta,
  AccountRole,
  type Address,
  type AddressesByLookupTableAddress,
  type Instruction,
} from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressOfBytes } from "@trellis/program-client";
import { askChain } from "./ask-chain.js";
import { type Freshness, readAccounts } from "./read-accounts.js";
import type { PlainMessage } from "./transaction-bytes.js";
import type { WireTransaction } from "./wire-transaction.js";

const lookupTableProgram = "AddressLookupTab1e1111111111111111111111111" as Address;
const lookupTableHeaderBytes = 56;
const neverDeactivated = 2n ** 64n - 1n;

/** A message in terms of addresses, lookup tables resolved as the chain has them now. */
export interface ReadMessage {
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** Every address the message names, those from lookup tables included. */
  readonly addresses: ReadonlySet<Address>;
  /** The content of every lookup table it names. */
  readonly lookupTables: LookupTables;
}

/**
 * Resolves a message's indexes and lookup tables. Throws `invalid_transaction` when a table is missing or too short, or an index points nowhere,
 * and `chain_unavailable`.
 */
export async function readMessage(
  network: Pick<Network, "rpc">,
  wire: WireTransaction,
  freshness: Freshness = {},
): Promise<ReadMessage> {
  const tables = await readLookupTables(
    network,
    lookupsOf(wire).map(({ lookupTableAddress }) => lookupTableAddress),
    freshness,
  );
  return resolveMessage(wire, tables);
}

function lookupsOf({ message }: Pick<WireTransaction, "message">) {
  return message.version === 0 ? (message.addressTableLookups ?? []) : [];
}

/** Resolves a message by tables that were read already. Throws `invalid_transaction` where an index points nowhere. */
export function resolveMessage(wire: Pick<WireTransaction, "message">, tables: LookupTables): ReadMessage {
  const { message } = wire;
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const { lookupTableAddress, writableIndexes, readonlyIndexes } of lookupsOf(wire)) {
    const entries = tables[lookupTableAddress] ?? [];
    const entryAt = (index: number): Address => {
      const entry = entries[index];
      if (entry === undefined) throw invalid(`The lookup table ${lookupTableAddress} has no entry ${index}.`);
      return entry;
    };
    writable.push(...writableIndexes.map(entryAt));
    readonly.push(...readonlyIndexes.map(entryAt));
  }
  const feePayer = message.staticAccounts[0];
  if (feePayer === undefined) throw invalid("The transaction has no fee payer.");
  const accounts = [
    ...staticAccountsOf(message),
    ...writable.map((address) => ({ address, role: AccountRole.WRITABLE })),
    ...readonly.map((address) => ({ address, role: AccountRole.READONLY })),
  ];
  const accountAt = (index: number): AccountMeta => {
    const account = accounts[index];
    if (account === undefined) throw invalid("An instruction names an account that the transaction does not list.");
    return account;
  };
  const instructions = message.instructions.map(
    ({ programAddressIndex, accountIndices = [], data }): Instruction => ({
      programAddress: accountAt(programAddressIndex).address,
      ...(accountIndices.length === 0 ? {} : { accounts: accountIndices.map(accountAt) }),
      ...(data === undefined ? {} : { data }),
    }),
  );
  return {
    feePayer,
    instructions,
    addresses: new Set(accounts.map(({ address }) => address)),
    lookupTables: tables,
  };
}

/** The accounts in the message itself, with what the header says of them. */
function staticAccountsOf({ header, staticAccounts }: PlainMessage): AccountMeta[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  if (
    numReadonlySignerAccounts >= numSignerAccounts ||
    numSignerAccounts + numReadonlyNonSignerAccounts > staticAccounts.length
  ) {
    throw invalid("The transaction's message is inconsistent.");
  }
  const firstReadonlySigner = numSignerAccounts - numReadonlySignerAccounts;
  const firstReadonly = staticAccounts.length - numReadonlyNonSignerAccounts;
  return staticAccounts.map((address, index) => {
    if (index < numSignerAccounts) {
      return { address, role: index < firstReadonlySigner ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER };
    }
    return { address, role: index < firstReadonly ? AccountRole.WRITABLE : AccountRole.READONLY };
  });
}

/** The addresses in each table. */
export type LookupTables = AddressesByLookupTableAddress;

/**
 * The content of lookup tables as the chain has them now. Throws `invalid_transaction` where one is missing, no lookup
 * table, or deactivated for good, and `chain_unavailable`.
 */
export async function readLookupTables(
  network: Pick<Network, "rpc">,
  addresses: readonly Address[],
  freshness: Freshness = {},
): Promise<LookupTables> {
  const states = await readTableStates(network, addresses, freshness);
  const tables: Record<Address, Address[]> = {};
  for (const address of addresses) {
    const state = states.get(address);
    if (state === undefined) throw invalid(`${address} is not a lookup table.`);
    tables[address] = state.entries;
  }
  await requireUsable(network, states);
  return tables;
}

/** For so many slots after its deactivation a table can still be used: as many as the chain remembers. */
const slotsUsableDeactivated = 512n;

/** Throws `invalid_transaction` for a table that was deactivated too long ago to be used. */
async function requireUsable(network: Pick<Network, "rpc">, states: ReadonlyMap<Address, TableState>): Promise<void> {
  const deactivated = [...states].filter(([, { deactivatedSlot }]) => deactivatedSlot !== null);
  if (deactivated.length === 0) return;
  const slot = await askChain(network.rpc.getSlot({ commitment: "confirmed" }));
  for (const [address, { deactivatedSlot }] of deactivated) {
    if (deactivatedSlot === null || slot - deactivatedSlot <= slotsUsableDeactivated) continue;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `The lookup table ${address} was deactivated by its authority in slot ${deactivatedSlot}: it cannot be used any more, for good.`,
      suggestion: "Build it again without this table, or with a table of your own.",
      facts: { lookup_table: address, deactivated_slot: deactivatedSlot.toString() },
    });
  }
}

/** A lookup table as the chain has it. */
export interface TableState {
  readonly entries: Address[];
  /** When its authority gave it up: it can be used for some minutes more, and is closed then. Null: it has not. */
  readonly deactivatedSlot: bigint | null;
  /** The slot at which entries were last added. */
  readonly lastExtendedSlot: bigint;
}

/** Those of the tables that are there. Throws `chain_unavailable`. */
export async function readTableStates(
  network: Pick<Network, "rpc">,
  addresses: readonly Address[],
  freshness: Freshness = {},
): Promise<ReadonlyMap<Address, TableState>> {
  const accounts = await readAccounts(network, addresses, freshness);
  const states = new Map<Address, TableState>();
  for (const [i, address] of addresses.entries()) {
    const account = accounts[i];
    if (account?.owner !== lookupTableProgram || account.data.length < lookupTableHeaderBytes) continue;
    const entries: Address[] = [];
    for (let at = lookupTableHeaderBytes; at + 32 <= account.data.length; at += 32)
      entries.push(addressOfBytes(account.data.subarray(at, at + 32)));
    const data = Buffer.from(account.data);
    const slot = data.readBigUInt64LE(4);
    const deactivatedSlot = slot === neverDeactivated ? null : slot;
    states.set(address, { entries, deactivatedSlot, lastExtendedSlot: data.readBigUInt64LE(12) });
  }
  return states;
}

function invalid(message: string): TrellisError {
  return new TrellisError("invalid_transaction", { field: "transaction", message });
}
