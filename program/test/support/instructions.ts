import { counted, option, u8, u16, u32, u64, vec } from "./bytes.js";
import { call, memoOf } from "./calls.js";
import { PROGRAM, SYSTEM } from "./keys.js";
import { FEE_PAYER, type Instruction, type Meta, TREASURY } from "./ledger.js";
import { r, s, w, ws } from "./metas.js";
import { pda } from "./pda.js";
import { type Member, member } from "./settings-instructions.js";

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
