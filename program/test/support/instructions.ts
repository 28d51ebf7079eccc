import { type Bytes, concat, counted, fromHex, i64, option, smallVec, text, u8, u16, u32, u64, vec } from "./bytes.js";
import { PROGRAM, SYSTEM } from "./keys.js";
import type { Instruction, Meta } from "./ledger.js";
import { FEE_PAYER, TREASURY } from "./ledger.js";
import { pda } from "./pda.js";

/** Account rights in the notation of the specification: writable, signer, both, neither. */
export const w = (key: Uint8Array): Meta => ({ key, writable: true, signer: false });
export const s = (key: Uint8Array): Meta => ({ key, writable: false, signer: true });
export const ws = (key: Uint8Array): Meta => ({ key, writable: true, signer: true });
export const r = (key: Uint8Array): Meta => ({ key, writable: false, signer: false });

/** The discriminators, as the specification prints them. */
export const DISCRIMINATORS = {
  initialize_program_config: "06833ded286e537c",
  set_program_config_authority: "8228ea6fed9bf6cb",
  set_program_config_smart_account_creation_fee: "de1e86b08371c3ca",
  set_program_config_treasury: "f477c0beb665e3bd",
  create_smart_account: "c566fde74d543211",
  add_signer_as_authority: "50c6e49a07ea6338",
  remove_signer_as_authority: "3a139510b5107d94",
  set_time_lock_as_authority: "02ea5d5d285c1fea",
  change_threshold_as_authority: "338d4e85462f5f7c",
  set_new_settings_authority_as_authority: "dd7085e5923a5a38",
  set_archival_authority_as_authority: "b2c7040dedea98ca",
  add_spending_limit_as_authority: "a9bd54361ef4dfd4",
  remove_spending_limit_as_authority: "5e20447ffb2c9107",
  create_settings_transaction: "65a8fecbde665fc0",
  execute_settings_transaction: "83d21b581bcc8fbd",
  execute_settings_transaction_sync: "8ad140a34f43e94c",
  create_transaction: "e3c135ef377e7069",
  execute_transaction: "e7ad315beb184413",
  execute_transaction_sync: "2b66f859e7616886",
  execute_transaction_sync_v2: "5a51bb512746804e",
  create_proposal: "847444aed8a0c616",
  activate_proposal: "5abacbea46b9bf15",
  approve_proposal: "886c665562720793",
  reject_proposal: "72a2a452bf0b6619",
  cancel_proposal: "6a4a809213412717",
  use_spending_limit: "29b34605c293ef9e",
  close_transaction: "612e98aa2ad7c0da",
  close_settings_transaction: "fb70226cd60d2974",
  create_transaction_buffer: "3961fa9c3bd320d0",
  extend_transaction_buffer: "be56f65fe79ae55b",
  create_transaction_from_buffer: "35c027ef7c542bf9",
  close_transaction_buffer: "e0dd7bd500cc05bf",
  create_batch: "9fc6f82bf81feb56",
  add_transaction_to_batch: "934bc5e314959671",
  execute_batch_transaction: "ed43c9ad21825886",
  close_batch_transaction: "569085e12dd13efb",
  close_batch: "a6ae23fdd1d3b51c",
  log_event: "05095a8ddf8639d9",
} as const;

export type Name = keyof typeof DISCRIMINATORS;

/** An instruction of the program under test. */
export function call(name: Name, accounts: readonly Meta[], ...fields: readonly Uint8Array[]): Instruction {
  return { program: PROGRAM, accounts, data: concat(fromHex(DISCRIMINATORS[name]), ...fields) };
}

const NO_MEMO = u8(0);
const memoOf = (memo: string | undefined): Bytes => (memo === undefined ? NO_MEMO : option(text(memo)));

/** A member: key and permission bits. */
export interface Member {
  readonly key: Uint8Array;
  readonly mask: number;
}

const member = (value: Member): Bytes => concat(value.key, u8(value.mask));

/** Terms of a spending limit. */
export interface LimitTerms {
  readonly seed: Uint8Array;
  readonly accountIndex?: number;
  readonly mint?: Uint8Array;
  readonly amount: bigint;
  readonly period?: number;
  readonly signers: readonly Uint8Array[];
  readonly destinations?: readonly Uint8Array[];
  readonly expiration?: bigint;
}

export const NEVER = 2n ** 63n - 1n;

export const limitTerms = (terms: LimitTerms): Bytes =>
  concat(
    terms.seed,
    u8(terms.accountIndex ?? 0),
    terms.mint ?? SYSTEM,
    u64(terms.amount),
    u8(terms.period ?? 0),
    vec(terms.signers),
    vec(terms.destinations ?? []),
    i64(terms.expiration ?? NEVER),
  );

/** Encoded settings actions. */
export const action = {
  addSigner: (value: Member): Bytes => concat(u8(0), member(value)),
  removeSigner: (key: Uint8Array): Bytes => concat(u8(1), key),
  changeThreshold: (threshold: number): Bytes => concat(u8(2), u16(threshold)),
  setTimeLock: (seconds: number): Bytes => concat(u8(3), u32(seconds)),
  addSpendingLimit: (terms: LimitTerms): Bytes => concat(u8(4), limitTerms(terms)),
  removeSpendingLimit: (limit: Uint8Array): Bytes => concat(u8(5), limit),
  setArchivalAuthority: (authority?: Uint8Array): Bytes => concat(u8(6), option(authority)),
  removePolicy: (policy: Uint8Array): Bytes => concat(u8(9), policy),
};

export interface Creation {
  readonly authority?: Uint8Array;
  readonly threshold: number;
  readonly members: readonly Member[];
  readonly timeLock?: number;
  readonly memo?: string;
  readonly candidates: readonly Uint8Array[];
  readonly creator?: Uint8Array;
  readonly treasury?: Uint8Array;
}

/** create_smart_account with a window of candidate settings addresses. */
export async function createSmartAccount(creation: Creation): Promise<Instruction> {
  const config = await pda.programConfig();
  return call(
    "create_smart_account",
    [
      w(config.key),
      w(creation.treasury ?? TREASURY),
      ws(creation.creator ?? FEE_PAYER),
      r(SYSTEM),
      r(PROGRAM),
      ...creation.candidates.map(w),
    ],
    option(creation.authority),
    u16(creation.threshold),
    vec(creation.members.map(member)),
    u32(creation.timeLock ?? 0),
    u8(0),
    memoOf(creation.memo),
  );
}

/** An inner instruction by account positions. */
export interface Compiled {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

const compiled = (instruction: Compiled): Bytes =>
  concat(
    u8(instruction.program),
    smallVec(instruction.accounts.map(u8)),
    u16(instruction.data.length),
    instruction.data,
  );

/** The compact list that synchronous execution carries. */
export const syncPayload = (instructions: readonly Compiled[]): Bytes => smallVec(instructions.map(compiled));

/** Data of a system transfer. */
export const transferData = (lamports: bigint | number): Bytes => concat(u32(2), u64(lamports));

export interface WrappedMessage {
  readonly signers: number;
  readonly writableSigners: number;
  readonly writableNonSigners: number;
  readonly keys: readonly Uint8Array[];
  readonly instructions: readonly Compiled[];
  readonly lookups?: readonly {
    readonly table: Uint8Array;
    readonly writable: readonly number[];
    readonly readonly: readonly number[];
  }[];
}

/** The compact message that create_transaction carries. */
export const wrappedMessage = (message: WrappedMessage): Bytes =>
  concat(
    u8(message.signers),
    u8(message.writableSigners),
    u8(message.writableNonSigners),
    smallVec(message.keys),
    smallVec(message.instructions.map(compiled)),
    smallVec(
      (message.lookups ?? []).map((lookup) =>
        concat(lookup.table, smallVec(lookup.writable.map(u8)), smallVec(lookup.readonly.map(u8))),
      ),
    ),
  );

/** "The vault sends lamports to a receiver", as a wrapped message. */
export const transferMessage = (vault: Uint8Array, to: Uint8Array, lamports: bigint | number): WrappedMessage => ({
  signers: 1,
  writableSigners: 1,
  writableNonSigners: 1,
  keys: [vault, to, SYSTEM],
  instructions: [{ program: 2, accounts: [0, 1], data: transferData(lamports) }],
});

/** create_transaction with payload tag 0. */
export const createTransaction = (args: {
  readonly settings: Uint8Array;
  readonly transaction: Uint8Array;
  readonly creator: Uint8Array;
  readonly message: Uint8Array;
  readonly payer?: Uint8Array;
  readonly accountIndex?: number;
  readonly ephemeralSigners?: number;
  readonly memo?: string;
}): Instruction =>
  call(
    "create_transaction",
    [w(args.settings), w(args.transaction), s(args.creator), ws(args.payer ?? FEE_PAYER), r(SYSTEM), r(PROGRAM)],
    u8(0),
    u8(args.accountIndex ?? 0),
    u8(args.ephemeralSigners ?? 0),
    counted(args.message),
    memoOf(args.memo),
  );

export const createSettingsTransaction = (args: {
  readonly settings: Uint8Array;
  readonly transaction: Uint8Array;
  readonly creator: Uint8Array;
  readonly actions: readonly Uint8Array[];
  readonly payer?: Uint8Array;
}): Instruction =>
  call(
    "create_settings_transaction",
    [w(args.settings), w(args.transaction), s(args.creator), ws(args.payer ?? FEE_PAYER), r(SYSTEM), r(PROGRAM)],
    vec(args.actions),
    NO_MEMO,
  );

export const createProposal = (args: {
  readonly settings: Uint8Array;
  readonly proposal: Uint8Array;
  readonly creator: Uint8Array;
  readonly index: bigint | number;
  readonly draft?: boolean;
  readonly payer?: Uint8Array;
}): Instruction =>
  call(
    "create_proposal",
    [r(args.settings), w(args.proposal), s(args.creator), ws(args.payer ?? FEE_PAYER), r(SYSTEM), r(PROGRAM)],
    u64(args.index),
    u8(args.draft === true ? 1 : 0),
  );

export const activateProposal = (settings: Uint8Array, signer: Uint8Array, proposal: Uint8Array): Instruction =>
  call("activate_proposal", [r(settings), ws(signer), w(proposal)]);

/** A vote. `system` false leaves the optional system program out. */
export const vote = (args: {
  readonly kind: "approve" | "reject" | "cancel";
  readonly settings: Uint8Array;
  readonly signer: Uint8Array;
  readonly proposal: Uint8Array;
  readonly memo?: string;
  readonly system?: boolean;
}): Instruction =>
  call(
    `${args.kind}_proposal`,
    [
      r(args.settings),
      ws(args.signer),
      w(args.proposal),
      r((args.system ?? args.kind === "cancel") ? SYSTEM : PROGRAM),
      r(PROGRAM),
    ],
    memoOf(args.memo),
  );

export const executeTransaction = (args: {
  readonly settings: Uint8Array;
  readonly proposal: Uint8Array;
  readonly transaction: Uint8Array;
  readonly signer: Uint8Array;
  readonly accounts: readonly Meta[];
}): Instruction =>
  call("execute_transaction", [
    w(args.settings),
    w(args.proposal),
    r(args.transaction),
    s(args.signer),
    r(PROGRAM),
    ...args.accounts,
  ]);

export const executeSync = (args: {
  readonly settings: Uint8Array;
  readonly members: readonly Uint8Array[];
  readonly accounts: readonly Meta[];
  readonly payload: Uint8Array;
  readonly accountIndex?: number;
  readonly legacy?: boolean;
}): Instruction =>
  args.legacy === true
    ? call(
        "execute_transaction_sync",
        [r(args.settings), r(PROGRAM), ...args.members.map(s), ...args.accounts],
        u8(args.accountIndex ?? 0),
        u8(args.members.length),
        counted(args.payload),
      )
    : call(
        "execute_transaction_sync_v2",
        [w(args.settings), r(PROGRAM), ...args.members.map(s), ...args.accounts],
        u8(args.accountIndex ?? 0),
        u8(args.members.length),
        u8(0),
        counted(args.payload),
      );

export const executeSettings = (args: {
  readonly settings: Uint8Array;
  readonly signer: Uint8Array;
  readonly proposal: Uint8Array;
  readonly transaction: Uint8Array;
  readonly payer?: Uint8Array | undefined;
  readonly system?: boolean;
  readonly limits?: readonly Uint8Array[];
}): Instruction =>
  call("execute_settings_transaction", [
    w(args.settings),
    s(args.signer),
    w(args.proposal),
    r(args.transaction),
    ...growth(args.payer, args.system),
    r(PROGRAM),
    ...(args.limits ?? []).map(w),
  ]);

const growth = (payer: Uint8Array | undefined, system: boolean | undefined): Meta[] => [
  payer === undefined ? r(PROGRAM) : ws(payer),
  r((system ?? payer !== undefined) ? SYSTEM : PROGRAM),
];

export const executeSettingsSync = (args: {
  readonly settings: Uint8Array;
  readonly members: readonly Uint8Array[];
  readonly actions: readonly Uint8Array[];
  readonly payer?: Uint8Array | undefined;
  readonly system?: boolean;
  readonly limits?: readonly Uint8Array[];
}): Instruction =>
  call(
    "execute_settings_transaction_sync",
    [
      w(args.settings),
      ...growth(args.payer, args.system),
      r(PROGRAM),
      ...args.members.map(s),
      ...(args.limits ?? []).map(w),
    ],
    u8(args.members.length),
    vec(args.actions),
    NO_MEMO,
  );

type AuthorityName = Extract<Name, `${string}_as_authority`>;

/** One of the six settings changes by the settings authority; `argument` without the memo. */
export const asAuthority = (
  name: AuthorityName,
  args: {
    readonly settings: Uint8Array;
    readonly authority: Uint8Array;
    readonly argument: Uint8Array;
    readonly payer?: Uint8Array | undefined;
    readonly system?: boolean;
  },
): Instruction =>
  call(
    name,
    [w(args.settings), s(args.authority), ...growth(args.payer, args.system), r(PROGRAM)],
    args.argument,
    NO_MEMO,
  );

export const addLimitAsAuthority = (args: {
  readonly settings: Uint8Array;
  readonly authority: Uint8Array;
  readonly limit: Uint8Array;
  readonly terms: LimitTerms;
  readonly payer?: Uint8Array;
}): Instruction =>
  call(
    "add_spending_limit_as_authority",
    [r(args.settings), s(args.authority), w(args.limit), ws(args.payer ?? FEE_PAYER), r(SYSTEM), r(PROGRAM)],
    limitTerms(args.terms),
    NO_MEMO,
  );

export const removeLimitAsAuthority = (args: {
  readonly settings: Uint8Array;
  readonly authority: Uint8Array;
  readonly limit: Uint8Array;
  readonly collector: Uint8Array;
}): Instruction =>
  call(
    "remove_spending_limit_as_authority",
    [r(args.settings), s(args.authority), w(args.limit), w(args.collector), r(PROGRAM)],
    NO_MEMO,
  );

/** use_spending_limit; without `token` it pays SOL. */
export const useLimit = (args: {
  readonly settings: Uint8Array;
  readonly signer: Uint8Array;
  readonly limit: Uint8Array;
  readonly vault: Uint8Array;
  readonly destination: Uint8Array;
  readonly amount: bigint;
  readonly decimals?: number;
  readonly system?: boolean;
  readonly token?: {
    readonly mint?: Uint8Array;
    readonly from?: Uint8Array;
    readonly to?: Uint8Array;
    readonly program?: Uint8Array;
  };
}): Instruction =>
  call(
    "use_spending_limit",
    [
      r(args.settings),
      s(args.signer),
      w(args.limit),
      w(args.vault),
      w(args.destination),
      r((args.system ?? args.token === undefined) ? SYSTEM : PROGRAM),
      r(args.token?.mint ?? PROGRAM),
      args.token?.from === undefined ? r(PROGRAM) : w(args.token.from),
      args.token?.to === undefined ? r(PROGRAM) : w(args.token.to),
      r(args.token?.program ?? PROGRAM),
      r(PROGRAM),
    ],
    u64(args.amount),
    u8(args.decimals ?? 9),
    NO_MEMO,
  );

/** close_transaction or close_settings_transaction. */
export const close = (args: {
  readonly kind: "close_transaction" | "close_settings_transaction";
  readonly settings: Uint8Array;
  readonly proposal: Uint8Array;
  readonly transaction: Uint8Array;
  readonly proposalCollector?: Uint8Array;
  readonly transactionCollector?: Uint8Array;
}): Instruction =>
  call(args.kind, [
    r(args.settings),
    w(args.proposal),
    w(args.transaction),
    w(args.proposalCollector ?? FEE_PAYER),
    w(args.transactionCollector ?? FEE_PAYER),
    r(SYSTEM),
    r(PROGRAM),
  ]);
