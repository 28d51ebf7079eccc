import {
  AccountRole,
  type Address,
  type AddressesByLookupTableAddress,
  type Instruction,
  isSignerRole,
  isWritableRole,
  mergeRoles,
  type ReadonlyUint8Array,
} from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { addressBytes } from "@trellis/program-client";

/** A message and who has to sign it, the fee payer first. */
interface CompiledMessage {
  readonly messageBytes: Uint8Array;
  readonly signers: readonly Address[];
}

/** Indexes of accounts are single bytes. */
const accountsMax = 256;
const versionZero = 0x80;

/**
 * Compiles instructions to a v0 message: without lookup tables byte for byte what kit's compiler gives, at a fraction of
 * its cost. Accounts that neither sign nor are called as programs are looked up where a table holds them. Throws
 * `transaction_too_large` for more accounts than indexes can name, and `invalid_transaction` where a program that is
 * called would be writable or pay the fee.
 */
export function compileMessage(
  feePayer: Address,
  blockhash: string,
  instructions: readonly Instruction[],
  lookupTables: AddressesByLookupTableAddress = {},
): CompiledMessage {
  const roles = rolesOf(feePayer, instructions);
  const programs = new Set(instructions.map(({ programAddress }) => programAddress));
  const lookups = planLookups(roles, programs, lookupTables);
  const lookedUp = [...lookups.flatMap(({ writable }) => writable), ...lookups.flatMap(({ readonly }) => readonly)];
  const inTables = new Set(lookedUp);
  const classes: Address[][] = [[], [], [], []];
  for (const [address, role] of roles) {
    if (address === feePayer || inTables.has(address)) continue;
    classes[(isSignerRole(role) ? 0 : 2) + (isWritableRole(role) ? 0 : 1)]?.push(address);
  }
  for (const addresses of classes) addresses.sort(compareAddresses);
  const [writableSigners = [], readonlySigners = [], , readonlyOthers = []] = classes;
  const addresses = [feePayer, ...classes.flat()];
  const named = [...addresses, ...lookedUp];
  if (named.length > accountsMax) {
    throw new TrellisError("transaction_too_large", {
      message: `The transaction names ${named.length} accounts; at most ${accountsMax} can be named.`,
    });
  }
  const indexes = new Map(named.map((address, index) => [address, index]));
  const indexOf = (address: Address) => {
    const index = indexes.get(address);
    assertOurs(index !== undefined, "every account of an instruction was collected");
    return index;
  };

  const signers = [feePayer, ...writableSigners, ...readonlySigners];
  const parts: ReadonlyUint8Array[] = [
    Uint8Array.of(versionZero, signers.length, readonlySigners.length, readonlyOthers.length),
    shortLength(addresses.length),
    ...addresses.map(addressBytes),
    addressBytes(blockhash as Address),
    shortLength(instructions.length),
  ];
  for (const { programAddress, accounts = [], data = noData } of instructions) {
    parts.push(
      Uint8Array.of(indexOf(programAddress)),
      shortLength(accounts.length),
      Uint8Array.from(accounts, ({ address }) => indexOf(address)),
      shortLength(data.length),
      data,
    );
  }
  parts.push(shortLength(lookups.length));
  for (const { table, content, writable, readonly } of lookups) {
    const placesOf = (refreshed: readonly Address[]) =>
      Uint8Array.from(refreshed, (address) => content.indexOf(address));
    parts.push(addressBytes(table), shortLength(writable.length), placesOf(writable));
    parts.push(shortLength(readonly.length), placesOf(readonly));
  }
  return { messageBytes: concatenate(parts), signers };
}

interface Lookup {
  readonly table: Address;
  readonly content: readonly Address[];
  readonly writable: Address[];
  readonly readonly: Address[];
}

/** Which accounts come from which table; tables that give nothing are left out. */
function planLookups(
  roles: ReadonlyMap<Address, AccountRole>,
  programs: ReadonlySet<Address>,
  lookupTables: AddressesByLookupTableAddress,
): Lookup[] {
  const lookups = Object.entries(lookupTables).map(
    ([table, content]): Lookup => ({
      table: table as Address,
      content: content.slice(0, accountsMax),
      writable: [],
      readonly: [],
    }),
  );
  if (lookups.length === 0) return [];
  for (const [address, role] of roles) {
    if (isSignerRole(role) || programs.has(address)) continue;
    const lookup = lookups.find(({ content }) => content.includes(address));
    (isWritableRole(role) ? lookup?.writable : lookup?.readonly)?.push(address);
  }
  return lookups.filter(({ writable, readonly }) => writable.length + readonly.length > 0);
}

const noData = new Uint8Array(0);

function rolesOf(feePayer: Address, instructions: readonly Instruction[]): ReadonlyMap<Address, AccountRole> {
  const roles = new Map<Address, AccountRole>([[feePayer, AccountRole.WRITABLE_SIGNER]]);
  const note = (address: Address, role: AccountRole) => {
    const known = roles.get(address);
    roles.set(address, known === undefined ? role : mergeRoles(known, role));
  };
  for (const { programAddress, accounts = [] } of instructions) {
    note(programAddress, AccountRole.READONLY);
    for (const { address, role } of accounts) note(address, role);
  }
  for (const { programAddress } of instructions) {
    if (!isWritableRole(roles.get(programAddress) ?? AccountRole.READONLY)) continue;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `${programAddress} is called as a program and can be neither written to nor pay.`,
    });
  }
  return roles;
}

/**
 * kit orders addresses as a dictionary does: first without regard to case, and only where that finds no difference small
 * before capital letters. Decided for the characters of base58.
 */
function compareAddresses(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const difference = foldCase(left.charCodeAt(i)) - foldCase(right.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? 1 : left > right ? -1 : 0;
}

/** Digits stay before letters; a capital letter becomes its small one. */
function foldCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Solana's length prefix: seven bits a byte, lowest first. */
function shortLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  if (length < 0x4000) return Uint8Array.of((length & 0x7f) | 0x80, length >> 7);
  return Uint8Array.of((length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14);
}

function concatenate(parts: readonly ReadonlyUint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part as Uint8Array, offset);
    offset += part.length;
  }
  return whole;
}
