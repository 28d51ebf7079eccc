import type { Address } from "@solana/addresses";
import { assertFee, type FeeCaps } from "./assert-transfer.js";
import type { SettingsCall, SettingsChangeAction } from "./inspect/decode-settings-change.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import { deriveSmartAccountAddress } from "./program-address.js";
import { readSettingsCalls } from "./read-settings-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { Permission, Policies, PolicyChange } from "./wire.js";

/** Whose settings are changed, by whom, and who pays. */
export type ExpectedSettingsFrame = FeeCaps & {
  /** The smart account (vault) whose settings change. */
  readonly account: Address;
  /** Who makes it: the signers together, or the admin alone. Default: the signers. */
  readonly by?: "members" | "admin";
  /** The settings account, when the caller knows it; it is proven by derivation in any case. */
  readonly settings?: Address;
  /** The only address that may pay the fee; absent: any, except the account itself and those who sign the change. */
  readonly feePayer?: Address;
};

/** The change of a policy the caller asked for, and what may surround it. */
export type ExpectedSettingsChange = ExpectedSettingsFrame & {
  readonly changes: PolicyChange;
  /** Spending limits may be removed too. Default: no. */
  readonly removeSpendingLimits?: boolean;
  /** Policies that are removed too: exactly these. Default: none. */
  readonly removePolicies?: readonly Address[];
  /** The policy as it is now. With it, a change that falls short of what was asked is refused as well. */
  readonly current?: Policies;
};

/**
 * Makes sure that signing a transaction changes the account's policy as asked for and does nothing else. Throws
 * `TransactionMismatchError`, whose `difference` names the first thing that differs.
 *
 * Accepted: compute-budget settings within the caps; one `execute_settings_transaction_sync`, or the admin's own
 * instructions, on the settings account from which `account` derives; in them only signers of the list asked for are
 * added and only others removed, and threshold, time lock and admin become what was asked. What was not asked for is
 * refused whatever it is: a step through another threshold too, unless `changes` names the one it ends in.
 *
 * @example
 * assertSettingsChangeMatches(decodeTransaction(prepared.transaction), { account, changes: { threshold: 2 } });
 */
export function assertSettingsChangeMatches(transaction: DecodedTransaction, expected: ExpectedSettingsChange): void {
  const calls = readSettingsCalls(transaction);
  assertSettingsFrame(transaction, calls, expected);
  assertFee(transaction, expected);
  assertActionsReach(
    calls.flatMap((call) => call.actions),
    expected,
  );
}

/**
 * Makes sure that calls change the settings of this account, by those who are to make the change, and that no other key
 * signs or pays. Throws `TransactionMismatchError`.
 */
export function assertSettingsFrame(
  transaction: DecodedTransaction,
  calls: readonly SettingsCall[],
  expected: ExpectedSettingsFrame,
  { signersMayPayRent = false }: { readonly signersMayPayRent?: boolean } = {},
): void {
  for (const call of calls) assertCall(transaction, call, expected, signersMayPayRent);
  assertSigners(transaction, calls, expected);
}

/** The policy to be reached, and how. */
export type ExpectedPolicy = Pick<
  ExpectedSettingsChange,
  "changes" | "removeSpendingLimits" | "removePolicies" | "current"
>;

/**
 * Makes sure that these actions, in this order, make a policy what was asked for, and nothing else. Throws
 * `TransactionMismatchError` with `settings_change`.
 */
export function assertActionsReach(actions: readonly SettingsChangeAction[], expected: ExpectedPolicy): void {
  for (const [index, action] of actions.entries()) assertAction(action, actions.slice(index + 1), expected);
  for (const policy of expected.removePolicies ?? []) {
    const isRemoved = actions.some((action) => action.type === "remove_policy" && action.policy === policy);
    if (!isRemoved) throw differs("a policy stays that was to be removed", policy, undefined);
  }
  if (expected.current !== undefined) assertComplete(actions, expected.changes, expected.current);
}

/** Everybody who answers for the change by a signature: the members named, or the admin. */
export function signersOfSettingsChange(transaction: DecodedTransaction): readonly Address[] {
  return [...new Set(readSettingsCalls(transaction).flatMap(({ signers }) => signers))];
}

function assertCall(
  transaction: DecodedTransaction,
  call: SettingsCall,
  expected: ExpectedSettingsFrame,
  signersMayPayRent: boolean,
): void {
  const by = expected.by ?? "members";
  if (call.by !== by) {
    throw new TransactionMismatchError("signers", "another address makes the change", {
      expected: by,
      actual: call.by,
    });
  }
  if (expected.settings !== undefined && call.settings !== expected.settings) {
    throw new TransactionMismatchError("settings_account", "another settings account is changed", {
      expected: expected.settings,
      actual: call.settings,
    });
  }
  const account = deriveSmartAccountAddress(call.settings);
  if (account !== expected.account) {
    throw new TransactionMismatchError("settings_account", "the settings account does not belong to the account", {
      expected: expected.account,
      actual: account,
    });
  }
  const isSigner = signersMayPayRent && call.signers.some((signer) => signer === call.rentPayer);
  if (call.rentPayer !== null && call.rentPayer !== transaction.feePayer && !isSigner) {
    throw new TransactionMismatchError("fee_payer", "another address pays or receives rent", {
      expected: transaction.feePayer,
      actual: call.rentPayer,
    });
  }
}

function assertSigners(
  transaction: DecodedTransaction,
  calls: readonly SettingsCall[],
  expected: ExpectedSettingsFrame,
): void {
  const { feePayer, requiredSigners } = transaction;
  const signers = new Set(calls.flatMap((call) => call.signers));
  if (expected.feePayer !== undefined && feePayer !== expected.feePayer) {
    throw new TransactionMismatchError("fee_payer", "another address pays the fee", {
      expected: expected.feePayer,
      actual: feePayer,
    });
  }
  if (expected.feePayer === undefined && (feePayer === expected.account || signers.has(feePayer))) {
    throw new TransactionMismatchError("fee_payer", "the fee is charged to the account or one who signs for it", {
      actual: feePayer,
    });
  }
  if (signers.size === 0) throw new TransactionMismatchError("signers", "the change has no signer");
  if (expected.by === "admin" && signers.size > 1) {
    throw new TransactionMismatchError("signers", "more than one admin makes the change", {
      actual: [...signers].join(),
    });
  }
  const stranger = requiredSigners.find((signer) => signer !== feePayer && !signers.has(signer));
  if (stranger !== undefined) {
    throw new TransactionMismatchError("signers", "another address has to sign", { actual: stranger });
  }
  const silent = [...signers].find((signer) => !requiredSigners.includes(signer));
  if (silent !== undefined) {
    throw new TransactionMismatchError("signers", "an address is named that does not sign", { actual: silent });
  }
}

function assertAction(
  action: SettingsChangeAction,
  later: readonly SettingsChangeAction[],
  { changes, removeSpendingLimits, removePolicies = [] }: ExpectedPolicy,
): void {
  switch (action.type) {
    case "add_signer": {
      const wanted = changes.signers?.find(({ address }) => address === action.address);
      if (wanted === undefined) throw differs("a signer is added who was not asked for", undefined, action.address);
      if (!samePermissions(wanted.permissions, action.permissions)) {
        throw differs("a signer gets other permissions", wanted.permissions.join(), action.permissions.join());
      }
      return;
    }
    case "remove_signer": {
      if (changes.signers === undefined) throw differs("a signer is removed", undefined, action.address);
      const isWanted = changes.signers.some(({ address }) => address === action.address);
      const returns = later.some((next) => next.type === "add_signer" && next.address === action.address);
      if (isWanted && !returns) throw differs("a signer is removed who was to stay", undefined, action.address);
      return;
    }
    case "change_threshold": {
      const steps = [action, ...later].filter((next) => next.type === "change_threshold");
      const last = steps[steps.length - 1];
      if (changes.threshold === undefined || last?.threshold !== changes.threshold) {
        throw differs("the threshold becomes another", changes.threshold, last?.threshold);
      }
      return;
    }
    case "set_time_lock":
      if (action.seconds !== changes.time_lock) {
        throw differs("the time lock becomes another", changes.time_lock, action.seconds);
      }
      return;
    case "set_admin":
      if (action.admin !== changes.admin_address) {
        throw differs("the admin becomes another", changes.admin_address, action.admin);
      }
      return;
    case "add_spending_limit":
      throw differs("a spending limit is granted", undefined, action.spendingLimit);
    case "remove_spending_limit":
      if (removeSpendingLimits !== true) throw differs("a spending limit is removed", undefined, action.spendingLimit);
      return;
    case "remove_policy":
      if (!removePolicies.includes(action.policy)) throw differs("a policy is removed", undefined, action.policy);
      return;
  }
}

type Members = ReadonlyMap<string, readonly Permission[]>;

function assertComplete(actions: readonly SettingsChangeAction[], changes: PolicyChange, current: Policies): void {
  const members = new Map(current.signers.map(({ address, permissions }) => [address, permissions]));
  let { threshold, time_lock: timeLock, admin_address: admin } = current;
  for (const action of actions) {
    if (action.type === "add_signer") members.set(action.address, action.permissions);
    else if (action.type === "remove_signer") members.delete(action.address);
    else if (action.type === "change_threshold") threshold = action.threshold;
    else if (action.type === "set_time_lock") timeLock = action.seconds;
    else if (action.type === "set_admin") admin = action.admin;
  }
  const wanted: Members = new Map((changes.signers ?? current.signers).map((s) => [s.address, s.permissions]));
  const isSame =
    wanted.size === members.size &&
    [...wanted].every(([address, permissions]) => samePermissions(permissions, members.get(address) ?? []));
  if (!isSame) throw differs("the signers become others", [...wanted.keys()].join(), [...members.keys()].join());
  const wantedThreshold = changes.threshold ?? current.threshold;
  if (threshold !== wantedThreshold) throw differs("the threshold becomes another", wantedThreshold, threshold);
  const wantedLock = changes.time_lock ?? current.time_lock;
  if (timeLock !== wantedLock) throw differs("the time lock becomes another", wantedLock, timeLock);
  const wantedAdmin = changes.admin_address === undefined ? current.admin_address : changes.admin_address;
  if (admin !== wantedAdmin) throw differs("the admin becomes another", wantedAdmin, admin);
}

function samePermissions(left: readonly Permission[], right: readonly Permission[]): boolean {
  return left.every((name) => right.includes(name)) && right.every((name) => left.includes(name));
}

function differs(message: string, expected: unknown, actual: unknown): TransactionMismatchError {
  return new TransactionMismatchError("settings_change", message, { expected, actual });
}
