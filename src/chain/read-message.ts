import {
  type Address,
  type AddressesByLookupTableAddress,
  decompileTransactionMessage,
  getAddressDecoder,
  type Instruction,
} from "@solana/kit";
import type { Network } from "../environment.js";
import { TrellisError } from "../errors.js";
import { readAccounts } from "./read-accounts.js";
import type { WireTransaction } from "./wire-transaction.js";

const lookupTableProgram = "AddressLookupTab1e1111111111111111111111111" as Address;
const lookupTableHeaderBytes = 56;

/** A message in terms of addresses, lookup tables resolved as the chain has them now. */
export interface ReadMessage {
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** Every address the message names, those from lookup tables included. */
  readonly addresses: ReadonlySet<Address>;
}

/**
 * Resolves a message's indexes and lookup tables. Throws `invalid_transaction` when a table is missing or too short, or an index points nowhere,
 * and `chain_unavailable`.
 */
export async function readMessage(network: Pick<Network, "rpc">, wire: WireTransaction): Promise<ReadMessage> {
  const { message } = wire;
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  const tables = await readLookupTables(
    network,
    lookups.map(({ lookupTableAddress }) => lookupTableAddress),
  );
  const addresses = new Set<Address>(message.staticAccounts);
  let accountCount = message.staticAccounts.length;
  for (const { lookupTableAddress, writableIndexes, readonlyIndexes } of lookups) {
    const entries = tables[lookupTableAddress] ?? [];
    accountCount += writableIndexes.length + readonlyIndexes.length;
    for (const index of [...writableIndexes, ...readonlyIndexes]) {
      const entry = entries[index];
      if (entry === undefined) throw invalid(`The lookup table ${lookupTableAddress} has no entry ${index}.`);
      addresses.add(entry);
    }
  }
  const feePayer = message.staticAccounts[0];
  if (feePayer === undefined) throw invalid("The transaction has no fee payer.");
  for (const { programAddressIndex, accountIndices = [] } of message.version === 1 ? [] : message.instructions) {
    if ([programAddressIndex, ...accountIndices].every((index) => index < accountCount)) continue;
    throw invalid("An instruction names an account that the transaction does not list.");
  }
  try {
    const { instructions } = decompileTransactionMessage(message, { addressesByLookupTableAddress: tables });
    return { feePayer, instructions, addresses };
  } catch (cause) {
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: "The transaction's message is inconsistent.",
      cause,
    });
  }
}

async function readLookupTables(
  network: Pick<Network, "rpc">,
  addresses: readonly Address[],
): Promise<AddressesByLookupTableAddress> {
  const accounts = await readAccounts(network, addresses);
  const tables: Record<Address, Address[]> = {};
  addresses.forEach((address, i) => {
    const account = accounts[i];
    if (!account || account.owner !== lookupTableProgram) throw invalid(`${address} is not a lookup table.`);
    const decoder = getAddressDecoder();
    const entries: Address[] = [];
    for (let at = lookupTableHeaderBytes; at + 32 <= account.data.length; at += 32)
      entries.push(decoder.decode(account.data, at));
    tables[address] = entries;
  });
  return tables;
}

function invalid(message: string): TrellisError {
  return new TrellisError("invalid_transaction", { field: "transaction", message });
}
