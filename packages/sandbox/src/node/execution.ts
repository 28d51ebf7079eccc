import type { Address } from "@solana/kit";
import { type AccountKeys, resolveAccountKeys } from "./account-keys.js";
import type { AccountState } from "./account-state.js";
import type { CheckedTransaction } from "./guard.js";
import { readMint, readTokenAccount, uiTokenAmount } from "./token-layout.js";
import type { TokenBalance, TransactionRecord } from "./transaction-record.js";
import type { Outcome, Vm } from "./vm.js";

/** An account before and after a transaction. */
export interface AccountChange {
  readonly address: Address;
  readonly before: AccountState | undefined;
  readonly after: AccountState | undefined;
}

/** The result of a transaction on the VM's head. */
export interface Execution {
  /** False when the transaction was refused before it ran: nothing changed, no fee was charged. */
  readonly landed: boolean;
  readonly outcome: Outcome;
  readonly keys: AccountKeys;
  readonly changes: AccountChange[];
  readonly record: TransactionRecord;
}

/**
 * Runs a transaction on the head and gathers what the VM does not report: which accounts changed, the fee, balances and
 * token balances on both sides. A transaction that failed while running has landed: its fee payer paid, nothing else
 * changed.
 */
export function execute(vm: Vm, transaction: CheckedTransaction): Execution {
  const keys = resolveAccountKeys(transaction.message, vm.get);
  const before = readInvolved(vm, keys);
  try {
    return runOnHead(vm, transaction, keys, before);
  } catch (error) {
    // Our own fault, after the VM may have changed: what is not recorded must not stay.
    for (const [index, address] of keys.addresses.entries()) if (keys.isWritable(index)) vm.set(address, before[index]);
    throw error;
  }
}

/** The accounts a transaction names, whole where it may write; programs it calls are without their code. */
export function readInvolved(vm: Vm, keys: AccountKeys): (AccountState | undefined)[] {
  return keys.addresses.map((address, index) =>
    keys.isWritable(index) ? vm.get(address) : vm.getWithoutCode(address),
  );
}

function runOnHead(
  vm: Vm,
  transaction: CheckedTransaction,
  keys: AccountKeys,
  before: readonly (AccountState | undefined)[],
): Execution {
  const outcome = vm.execute(transaction);
  const after = keys.addresses.map((address, index) => (keys.isWritable(index) ? vm.get(address) : before[index]));
  const landed = outcome.fault === null || before[0]?.lamports !== after[0]?.lamports;
  const changes: AccountChange[] = [];
  for (const [index, address] of keys.addresses.entries()) {
    const change = { address, before: before[index], after: after[index] };
    if (keys.isWritable(index) && !sameState(change.before, change.after)) changes.push(change);
  }
  return { landed, outcome, keys, changes, record: recordOf(vm, keys, outcome, before, after) };
}

/**
 * The facts that getTransaction and simulateTransaction return. The fee is what left the accounts altogether: an
 * instruction can move lamports but never make or destroy them.
 */
export function recordOf(
  vm: Vm,
  keys: AccountKeys,
  outcome: Outcome,
  before: readonly (AccountState | undefined)[],
  after: readonly (AccountState | undefined)[],
): TransactionRecord {
  const preBalances = before.map((state) => state?.lamports ?? 0n);
  const postBalances = after.map((state) => state?.lamports ?? 0n);
  return {
    fault: outcome.fault,
    fee: sum(preBalances) - sum(postBalances),
    unitsConsumed: outcome.unitsConsumed,
    logs: outcome.logs,
    preBalances,
    postBalances,
    preTokenBalances: tokenBalances(vm, keys, before),
    postTokenBalances: tokenBalances(vm, keys, after),
    innerInstructions: outcome.innerInstructions,
    returnData: outcome.returnData,
    loadedWritable: keys.loadedWritable,
    loadedReadonly: keys.loadedReadonly,
  };
}

function tokenBalances(vm: Vm, keys: AccountKeys, states: readonly (AccountState | undefined)[]): TokenBalance[] {
  return states.flatMap((state, accountIndex) => {
    const account = state && readTokenAccount(state);
    if (!account) return [];
    const position = keys.addresses.indexOf(account.mint);
    const mintState = (position >= 0 ? states[position] : undefined) ?? vm.get(account.mint);
    const mint = mintState && readMint(mintState);
    if (!mint) return [];
    return [
      {
        accountIndex,
        mint: account.mint,
        owner: account.owner,
        programId: state.owner,
        uiTokenAmount: uiTokenAmount(account.amount, mint.decimals),
      },
    ];
  });
}

function sameState(left: AccountState | undefined, right: AccountState | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.lamports === right.lamports &&
    left.owner === right.owner &&
    left.executable === right.executable &&
    Buffer.compare(left.data, right.data) === 0
  );
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
