import { type Address, getAddressDecoder } from "@solana/addresses";
import { encodeHex } from "../encoding.js";
import {
  deriveSpendingLimitAddress,
  isKey,
  smartAccountProgramAddress,
  systemProgramAddress,
} from "../program-address.js";
import type { Permission, SpendingLimitPeriod } from "../wire.js";
import { type ByteReader, readBytes } from "./byte-reader.js";
import type { RawInstruction } from "./decode-instruction.js";

/** One change of a smart account's settings. */
export type SettingsChangeAction =
  | { readonly type: "add_signer"; readonly address: Address; readonly permissions: readonly Permission[] }
  | { readonly type: "remove_signer"; readonly address: Address }
  | { readonly type: "change_threshold"; readonly threshold: number }
  | { readonly type: "set_time_lock"; readonly seconds: number }
  /** Null: the account gives itself to its signers, for good. */
  | { readonly type: "set_admin"; readonly admin: Address | null }
  | {
      readonly type: "add_spending_limit";
      /** Derived here from the settings and the seed the action names. */
      readonly spendingLimit: Address;
      readonly accountIndex: number;
      /** Null is SOL. */
      readonly mint: Address | null;
      /** Base units per period. */
      readonly amount: bigint;
      readonly period: SpendingLimitPeriod;
      readonly signers: readonly Address[];
      /** Empty: any owner may be paid. */
      readonly destinations: readonly Address[];
      /** Unix seconds; null: never. */
      readonly expiration: bigint | null;
    }
  | { readonly type: "remove_spending_limit"; readonly spendingLimit: Address }
  | { readonly type: "remove_policy"; readonly policy: Address };

/** An instruction that changes settings at once: by its members together, or by its admin alone. */
export type SettingsCall = {
  readonly by: "members" | "admin";
  readonly settings: Address;
  /** Whose signatures it counts. */
  readonly signers: readonly Address[];
  /** Who pays for the account's growth and gets the rent of what is removed; null: none. */
  readonly rentPayer: Address | null;
  readonly actions: readonly SettingsChangeAction[];
};

const periods: readonly SpendingLimitPeriod[] = ["one_time", "day", "week", "month"];
/** How the chain writes that a limit never ends: the largest instant there is. */
const never = 2n ** 63n - 1n;
const names: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const discriminatorLength = 8;

/** First 8 bytes of the instructions known here. */
const discriminators = {
  sync: "8ad140a34f43e94c",
  add_signer: "50c6e49a07ea6338",
  remove_signer: "3a139510b5107d94",
  change_threshold: "338d4e85462f5f7c",
  set_time_lock: "02ea5d5d285c1fea",
  set_admin: "dd7085e5923a5a38",
  add_spending_limit: "a9bd54361ef4dfd4",
  remove_spending_limit: "5e20447ffb2c9107",
} as const;

/**
 * Reads an instruction that changes settings at once. Gives undefined for any other instruction; throws a `RangeError`
 * when it is one but its accounts or bytes do not add up, or it holds an action that is not known here.
 */
export function decodeSettingsCall(raw: RawInstruction): SettingsCall | undefined {
  if (raw.programAddress !== smartAccountProgramAddress) return undefined;
  const start = encodeHex(raw.data.subarray(0, discriminatorLength));
  const reader = readBytes(raw.data.subarray(discriminatorLength));
  if (start === discriminators.sync) return decodeSync(raw, reader);
  const action = decodeAdminAction(start, raw, reader);
  if (action === undefined) return undefined;
  readAbsentMemo(reader);
  reader.end();
  return { ...decodeAdminAccounts(raw, action.type), actions: [action] };
}

function decodeSync(raw: RawInstruction, reader: ByteReader): SettingsCall {
  const [settings, rentPayer, system, program, ...remaining] = raw.accounts;
  if (settings === undefined || rentPayer === undefined || program !== raw.programAddress) {
    throw new RangeError("the settings, the rent payer or the program is missing");
  }
  requireSystem(system, raw.programAddress);
  const memberCount = reader.u8();
  const actions = readSettingsActions(reader, settings);
  readAbsentMemo(reader);
  reader.end();
  const signers = remaining.slice(0, memberCount);
  if (signers.length !== memberCount) throw new RangeError("members are missing");
  requireTouched(remaining.slice(memberCount), actions);
  return { by: "members", settings, signers, rentPayer: payerOf(rentPayer, raw.programAddress), actions };
}

/**
 * What an execution of actions names: the spending limits that they make or remove and the policies that they remove, each
 * once; and for each of these policies at most one address more, which gets its rent. That one has to be a key, as no
 * spending limit and no policy lies at a key. Throws a `RangeError` for anything else.
 */
function requireTouched(accounts: readonly Address[], actions: readonly SettingsChangeAction[]): void {
  const policies = new Set(actions.flatMap((action) => (action.type === "remove_policy" ? [action.policy] : [])));
  const limits = actions.flatMap((action) => ("spendingLimit" in action ? [action.spendingLimit] : []));
  const touched = new Set([...limits, ...policies]);
  const others = accounts.filter((account) => !touched.has(account));
  const isComplete = [...touched].every((account) => accounts.includes(account));
  const isRepeated = new Set(accounts).size !== accounts.length;
  if (!isComplete || isRepeated || others.length > policies.size || !others.every(isKey)) {
    throw new RangeError("the accounts are not the members and what is made or removed");
  }
}

/** Reads a list of actions on `settings`. Throws a `RangeError` for one that is not known here. */
export function readSettingsActions(reader: ByteReader, settings: Address): readonly SettingsChangeAction[] {
  return Array.from({ length: boundedCount(reader.u32()) }, () => decodeAction(reader, settings));
}

/** A packet cannot hold more; a wrong count must not make room for millions. */
function boundedCount(count: number): number {
  if (count > 255) throw new RangeError("a list is longer than fits a packet");
  return count;
}

function decodeAction(reader: ByteReader, settings: Address): SettingsChangeAction {
  const tag = reader.u8();
  switch (tag) {
    case 0:
      return readNewSigner(reader);
    case 1:
      return { type: "remove_signer", address: readAddress(reader) };
    case 2:
      return { type: "change_threshold", threshold: reader.u16() };
    case 3:
      return { type: "set_time_lock", seconds: reader.u32() };
    case 4:
      return readNewSpendingLimit(reader, settings);
    case 5:
      return { type: "remove_spending_limit", spendingLimit: readAddress(reader) };
    case 9:
      return { type: "remove_policy", policy: readAddress(reader) };
    default:
      throw new RangeError(`the settings action ${tag} is not known here`);
  }
}

function decodeAdminAction(start: string, raw: RawInstruction, reader: ByteReader): SettingsChangeAction | undefined {
  switch (start) {
    case discriminators.add_signer:
      return readNewSigner(reader);
    case discriminators.remove_signer:
      return { type: "remove_signer", address: readAddress(reader) };
    case discriminators.change_threshold:
      return { type: "change_threshold", threshold: reader.u16() };
    case discriminators.set_time_lock:
      return { type: "set_time_lock", seconds: reader.u32() };
    case discriminators.set_admin: {
      const admin = readAddress(reader);
      return { type: "set_admin", admin: admin === systemProgramAddress ? null : admin };
    }
    case discriminators.add_spending_limit: {
      const [settings, , spendingLimit] = raw.accounts;
      if (settings === undefined) throw new RangeError("the settings are missing");
      const action = readNewSpendingLimit(reader, settings);
      if (action.spendingLimit !== spendingLimit) throw new RangeError("the spending limit is at another address");
      return action;
    }
    case discriminators.remove_spending_limit: {
      const spendingLimit = raw.accounts[2];
      if (spendingLimit === undefined) throw new RangeError("the spending limit is missing");
      return { type: "remove_spending_limit", spendingLimit };
    }
    default:
      return undefined;
  }
}

function decodeAdminAccounts(raw: RawInstruction, type: SettingsChangeAction["type"]): Omit<SettingsCall, "actions"> {
  if (type === "add_spending_limit") return decodeAdminGrant(raw);
  const [settings, admin, third, fourth, program, ...rest] = raw.accounts;
  if (
    settings === undefined ||
    admin === undefined ||
    third === undefined ||
    program !== raw.programAddress ||
    rest.length > 0
  ) {
    throw new RangeError("the accounts are not those of a change by the admin");
  }
  const common = { by: "admin", settings, signers: [admin] } as const;
  if (type === "remove_spending_limit") return { ...common, rentPayer: fourth ?? null };
  requireSystem(fourth, raw.programAddress);
  return { ...common, rentPayer: payerOf(third, raw.programAddress) };
}

function decodeAdminGrant({ accounts, programAddress }: RawInstruction): Omit<SettingsCall, "actions"> {
  const [settings, admin, , rentPayer, system, program, ...rest] = accounts;
  if (settings === undefined || admin === undefined || rentPayer === undefined || rest.length > 0) {
    throw new RangeError("the accounts are not those of a grant by the admin");
  }
  if (system !== systemProgramAddress || program !== programAddress) {
    throw new RangeError("the system program or the program is missing");
  }
  return { by: "admin", settings, signers: [admin], rentPayer };
}

/** Optional accounts are left out by naming the program itself. */
function payerOf(address: Address, program: Address): Address | null {
  return address === program ? null : address;
}

function requireSystem(address: Address | undefined, program: Address): void {
  if (address !== systemProgramAddress && address !== program) throw new RangeError("the system program is missing");
}

function readNewSigner(reader: ByteReader): SettingsChangeAction {
  const address = readAddress(reader);
  const mask = reader.u8();
  if (mask > 7) throw new RangeError(`no permissions have the mask ${mask}`);
  return { type: "add_signer", address, permissions: names.filter((_, bit) => (mask & (1 << bit)) !== 0) };
}

function readNewSpendingLimit(
  reader: ByteReader,
  settings: Address,
): Extract<SettingsChangeAction, { type: "add_spending_limit" }> {
  const seed = readAddress(reader);
  const accountIndex = reader.u8();
  const mint = readAddress(reader);
  const amount = reader.u64();
  const period = periods[reader.u8()];
  if (period === undefined) throw new RangeError("a spending limit has a period that is not known here");
  const signers = readAddresses(reader);
  const destinations = readAddresses(reader);
  const expiration = reader.u64();
  return {
    type: "add_spending_limit",
    spendingLimit: deriveSpendingLimitAddress(settings, seed),
    accountIndex,
    mint: mint === systemProgramAddress ? null : mint,
    amount,
    period,
    signers,
    destinations,
    expiration: expiration === never ? null : expiration,
  };
}

function readAddresses(reader: ByteReader): readonly Address[] {
  return Array.from({ length: boundedCount(reader.u32()) }, () => readAddress(reader));
}

/** Reads 32 bytes as an address. */
export function readAddress(reader: ByteReader): Address {
  return getAddressDecoder().decode(reader.bytes(32));
}

/** The program drops a memo; one that is there was not asked for. */
export function readAbsentMemo(reader: ByteReader): void {
  if (reader.u8() !== 0) throw new RangeError("the instruction carries a memo");
}
