/**
 * Instructions that a smart account executes at once. They travel as indexes into the accounts that follow the
 * members in the outer instruction.
 */
import {
  type AccountMeta,
  AccountRole,
  type Address,
  downgradeRoleToNonSigner,
  downgradeRoleToReadonly,
  type Instruction,
  isSignerRole,
  isWritableRole,
  mergeRoles,
  type ReadonlyUint8Array,
  upgradeRoleToSigner,
} from "@solana/kit";
import { deriveSmartAccountAddress, SMART_ACCOUNT_PROGRAM_ADDRESS } from "./addresses.js";
import {
  EXECUTE_TRANSACTION_SYNC_V2_DISCRIMINATOR,
  getExecuteTransactionSyncV2Instruction,
  getExecuteTransactionSyncV2InstructionDataDecoder,
} from "./generated/instructions/index.js";
import { getCompiledInstructionsDecoder, getCompiledInstructionsEncoder } from "./generated/types/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";
import { decodeBytes, ProgramDataError, readBytes, startsWith } from "./program-data.js";

/** Why instructions cannot be executed synchronously. */
export type SyncPayloadRefusal =
  | "member_must_sign_inside"
  | "settings_written_inside"
  | "too_many_accounts"
  | "too_many_instructions"
  | "instruction_too_large";

/** Thrown by the builders for instructions that no synchronous execution can carry. */
export class SyncPayloadError extends Error {
  override readonly name = "SyncPayloadError";
  constructor(
    readonly refusal: SyncPayloadRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** Whose call it is. `members` are those who sign for it. */
export type SyncCall = {
  readonly settings: Address;
  readonly smartAccount: Address;
  readonly members: readonly Address[];
};

/** The encoded instructions and the accounts they index, to be listed right after the members. */
export type SyncPayload = { readonly payload: ReadonlyUint8Array; readonly accounts: readonly AccountMeta[] };

/**
 * Encodes `instructions`, written as if the smart account could sign them.
 *
 * Each account is listed once: the smart account first (it signs inside, not outside), other signers, then writable,
 * read-only, and programs last. Signers that are neither the smart account nor a member (a fee payer that pays rent)
 * keep their flag and must sign the outer transaction. Throws a `SyncPayloadError` where a member would have to sign
 * inside, which the program prevents, or where a count does not fit.
 */
export function buildSyncPayload(call: SyncCall, instructions: readonly Instruction[]): SyncPayload {
  if (instructions.length > 255) {
    throw new SyncPayloadError("too_many_instructions", `${instructions.length} instructions, at most 255 fit`);
  }
  const roles = new Map<Address, AccountRole>();
  const programs = new Set<Address>();
  for (const instruction of instructions) {
    programs.add(instruction.programAddress);
    note(roles, instruction.programAddress, AccountRole.READONLY);
    for (const { address, role } of instruction.accounts ?? []) {
      note(roles, address, outerRole(call, address, role));
    }
  }
  const rank = (address: Address, role: AccountRole): number => {
    if (address === call.smartAccount) return 0;
    if (isSignerRole(role)) return isWritableRole(role) ? 1 : 2;
    if (isWritableRole(role)) return 3;
    return programs.has(address) ? 5 : 4;
  };
  const accounts = [...roles]
    .map(([address, role]) => ({ address, role }))
    .sort((a, b) => rank(a.address, a.role) - rank(b.address, b.role));
  if (accounts.length > 255) {
    throw new SyncPayloadError("too_many_accounts", `${accounts.length} accounts, at most 255 fit`);
  }
  const indexes = new Map(accounts.map(({ address }, index) => [address, index]));
  const indexOf = (address: Address): number => {
    const index = indexes.get(address);
    if (index === undefined) throw new Error(`account ${address} was not collected`);
    return index;
  };
  const compiled = instructions.map((instruction) => {
    const data = instruction.data ?? new Uint8Array(0);
    const metas = instruction.accounts ?? [];
    if (data.length > 65_535 || metas.length > 255) {
      throw new SyncPayloadError("instruction_too_large", "an instruction has too much data or too many accounts");
    }
    return {
      programIdIndex: indexOf(instruction.programAddress),
      accountIndexes: Uint8Array.from(metas, ({ address }) => indexOf(address)),
      data,
    };
  });
  return { payload: getCompiledInstructionsEncoder().encode(compiled), accounts };
}

function outerRole(call: SyncCall, address: Address, role: AccountRole): AccountRole {
  if (address === call.smartAccount) return downgradeRoleToNonSigner(role);
  if (address === call.settings && isWritableRole(role)) {
    throw new SyncPayloadError("settings_written_inside", "the settings account is read-only inside its own call");
  }
  if (isSignerRole(role) && call.members.includes(address)) {
    throw new SyncPayloadError("member_must_sign_inside", `${address} signs for the account and cannot sign inside`);
  }
  return role;
}

function note(roles: Map<Address, AccountRole>, address: Address, role: AccountRole): void {
  const known = roles.get(address);
  roles.set(address, known === undefined ? role : mergeRoles(known, role));
}

/**
 * The instructions of a payload, with the roles the accounts have inside the call.
 *
 * `accounts` are those after the members, with their roles in the outer transaction. Throws a `ProgramDataError` when
 * the payload is malformed, has bytes left over or points outside the accounts.
 */
export function decodeSyncPayload(
  call: SyncCall,
  payload: ReadonlyUint8Array,
  accounts: readonly AccountMeta[],
): PlainInstruction[] {
  const [compiled, end] = readBytes("payload", payload, getCompiledInstructionsDecoder());
  if (end !== payload.length) throw new ProgramDataError("the payload has bytes left over");
  const inside = accounts.map(({ address, role }) => ({ address, role: innerRole(call, address, role) }));
  const accountAt = (index: number) => {
    const account = inside[index];
    if (account === undefined) throw new ProgramDataError(`the payload names account ${index} of ${inside.length}`);
    return account;
  };
  return compiled.map(({ programIdIndex, accountIndexes, data }) => ({
    programAddress: accountAt(programIdIndex).address,
    accounts: Array.from(accountIndexes, accountAt),
    data,
  }));
}

function innerRole(call: SyncCall, address: Address, role: AccountRole): AccountRole {
  if (address === call.smartAccount) return upgradeRoleToSigner(role);
  if (address === call.settings) return downgradeRoleToReadonly(role);
  if (call.members.includes(address)) return downgradeRoleToNonSigner(role);
  return role;
}

export type ExecuteTransactionSync = {
  readonly settings: Address;
  /** The members who sign; they must satisfy `checkConsensus`. */
  readonly members: readonly Address[];
  /** Written as if the smart account could sign them. */
  readonly instructions: readonly Instruction[];
  /** Which smart account of the settings acts; 0 unless said. */
  readonly accountIndex?: number;
};

/**
 * Builds execute_transaction_sync_v2: the smart account executes `instructions` at once, without a proposal.
 * Throws a `SyncPayloadError`, see `buildSyncPayload`.
 */
export function executeTransactionSyncInstruction(input: ExecuteTransactionSync): PlainInstruction {
  const { settings, members, instructions, accountIndex = 0 } = input;
  const smartAccount = deriveSmartAccountAddress(settings, accountIndex);
  const { payload, accounts } = buildSyncPayload({ settings, smartAccount, members }, instructions);
  return plain(
    getExecuteTransactionSyncV2Instruction({
      consensusAccount: settings,
      accountIndex,
      numSigners: members.length,
      payload: { __kind: "Transaction", instructions: payload },
      members: members.map(asSigner),
    }),
    accounts,
  );
}

/** What an execute_transaction_sync_v2 instruction does. */
export type DecodedTransactionSync = SyncCall & {
  readonly accountIndex: number;
  readonly instructions: readonly PlainInstruction[];
};

const parsed = new WeakMap<Instruction, DecodedTransactionSync>();

/**
 * Reads an execute_transaction_sync_v2 instruction back; undefined when it is another instruction or another program's.
 * Throws a `ProgramDataError` when it is one and malformed, or when it carries the payload of a policy. The result is
 * shared.
 */
export function parseTransactionSync(instruction: Instruction): DecodedTransactionSync | undefined {
  const { programAddress, data = new Uint8Array(0) } = instruction;
  if (programAddress !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  if (!startsWith(data, EXECUTE_TRANSACTION_SYNC_V2_DISCRIMINATOR)) return undefined;
  const known = parsed.get(instruction);
  if (known) return known;
  const decoded = decodeTransactionSync(instruction);
  parsed.set(instruction, decoded);
  return decoded;
}

function decodeTransactionSync({ accounts = [], data = new Uint8Array(0) }: Instruction): DecodedTransactionSync {
  const decoded = decodeBytes("instruction", data, getExecuteTransactionSyncV2InstructionDataDecoder());
  if (decoded.payload.__kind !== "Transaction") throw new ProgramDataError("the payload is that of a policy");
  const settings = accounts[0]?.address;
  const first = 2 + decoded.numSigners;
  if (settings === undefined || accounts.length < first) throw new ProgramDataError("accounts are missing");
  const members = accounts.slice(2, first).map(({ address }) => address);
  const smartAccount = deriveSmartAccountAddress(settings, decoded.accountIndex);
  const call = { settings, smartAccount, members };
  const inner = accounts.slice(first).map(({ address, role }) => ({ address, role }));
  return {
    ...call,
    accountIndex: decoded.accountIndex,
    instructions: decodeSyncPayload(call, decoded.payload.instructions, inner),
  };
}
