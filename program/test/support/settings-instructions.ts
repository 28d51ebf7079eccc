import { type Bytes, concat, i64, option, u8, u16, u32, u64, vec } from "./bytes.js";
import { call, type Name, NO_MEMO } from "./calls.js";
import { PROGRAM, SYSTEM } from "./keys.js";
import { FEE_PAYER, type Instruction, type Meta } from "./ledger.js";
import { r, s, w, ws } from "./metas.js";

/** A member: key and permission bits. */
export interface Member {
  readonly key: Uint8Array;
  readonly mask: number;
}

export const member = (value: Member): Bytes => concat(value.key, u8(value.mask));

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
