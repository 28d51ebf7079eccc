import type { Address } from "@solana/kit";
import type { AccountState } from "./account-state.js";
import { addressOf } from "./address-bytes.js";
import type { CheckedMessage } from "./guard.js";

/** Every account a transaction names, in the order its indexes count. */
export interface AccountKeys {
  readonly addresses: readonly Address[];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  isWritable(index: number): boolean;
}

const tableHeaderLength = 56;
const addressLength = 32;

/**
 * Lists a message's accounts, those of lookup tables resolved as the chain stands. Where a table or an entry is missing
 * the loaded part is left out: the VM then refuses the transaction before running it.
 */
export function resolveAccountKeys(
  message: CheckedMessage,
  read: (address: Address) => AccountState | undefined,
): AccountKeys {
  const loadedWritable: Address[] = [];
  const loadedReadonly: Address[] = [];
  for (const lookup of message.lookups) {
    const table = read(lookup.table);
    const writable = lookup.writableIndexes.map((index) => entryOf(table, index));
    const readonly = lookup.readonlyIndexes.map((index) => entryOf(table, index));
    if ([...writable, ...readonly].includes(undefined)) return resolveLoaded(message, [], []);
    loadedWritable.push(...writable.filter((address) => address !== undefined));
    loadedReadonly.push(...readonly.filter((address) => address !== undefined));
  }
  return resolveLoaded(message, loadedWritable, loadedReadonly);
}

/** A message's accounts where what it loaded from lookup tables is already known. */
export function resolveLoaded(
  message: CheckedMessage,
  loadedWritable: readonly Address[],
  loadedReadonly: readonly Address[],
): AccountKeys {
  const staticCount = message.staticAddresses.length;
  return {
    addresses: [...message.staticAddresses, ...loadedWritable, ...loadedReadonly],
    loadedWritable,
    loadedReadonly,
    isWritable: (index) => {
      if (index >= staticCount) return index < staticCount + loadedWritable.length;
      if (index < message.signerCount) return index < message.signerCount - message.readonlySignerCount;
      return index < staticCount - message.readonlyNonSignerCount;
    },
  };
}

function entryOf(table: AccountState | undefined, index: number): Address | undefined {
  const start = tableHeaderLength + index * addressLength;
  if (table === undefined || table.data.length < start + addressLength) return undefined;
  return addressOf(table.data.subarray(start, start + addressLength));
}
