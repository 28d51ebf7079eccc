import type { Address } from "@solana/kit";
import {
  type AuthorityChange,
  CAN_EXECUTE_BIT,
  CAN_INITIATE_BIT,
  CAN_VOTE_BIT,
  type SettingsActionArgs,
  type SettingsSigner,
} from "@trellis/program-client";

/** Who may act for an account and how, as it is or as it is to be. */
export interface PolicyState {
  readonly signers: readonly SettingsSigner[];
  readonly threshold: number;
  readonly timeLockSeconds: number;
  readonly settingsAuthority: Address | null;
}

/** What tells two states of a policy apart. */
export interface PolicyDifference {
  readonly added: readonly SettingsSigner[];
  readonly removed: readonly SettingsSigner[];
  /** Members who stay, with the permissions they are to have. */
  readonly changed: readonly SettingsSigner[];
  readonly threshold: boolean;
  readonly timeLock: boolean;
  readonly admin: boolean;
}

/** Compares two states; the order of signers is no difference. */
export function comparePolicies(from: PolicyState, to: PolicyState): PolicyDifference {
  const old = new Map(from.signers.map(({ address, mask }) => [address, mask]));
  const kept = new Set(to.signers.map(({ address }) => address));
  return {
    added: to.signers.filter(({ address }) => !old.has(address)),
    removed: from.signers.filter(({ address }) => !kept.has(address)),
    changed: to.signers.filter(({ address, mask }) => old.has(address) && old.get(address) !== mask),
    threshold: from.threshold !== to.threshold,
    timeLock: from.timeLockSeconds !== to.timeLockSeconds,
    admin: from.settingsAuthority !== to.settingsAuthority,
  };
}

/** Whether two compared states are the same. */
export function isNoDifference({ added, removed, changed, threshold, timeLock, admin }: PolicyDifference): boolean {
  return added.length + removed.length + changed.length === 0 && !threshold && !timeLock && !admin;
}

/**
 * The fewest actions by which members reach `to` at once. The program judges the end alone, so their order is free; a
 * member's permissions change by removing and adding it. The admin is no business of theirs.
 */
export function actionsOfMembers(from: PolicyState, to: PolicyState): SettingsActionArgs[] {
  const { added, removed, changed, threshold, timeLock } = comparePolicies(from, to);
  return [
    ...[...removed, ...changed].map(remove),
    ...[...changed, ...added].map(add),
    ...(threshold ? [changeThreshold(to.threshold)] : []),
    ...(timeLock ? [setTimeLock(to.timeLockSeconds)] : []),
  ];
}

/**
 * The changes by which an admin reaches `to`, ordered so that every state in between is valid, as the program demands
 * (program spec 4.14), and the admin's own change is last. The fewest there are; where members change their
 * permissions it can take a threshold of 1 in between. Undefined when no order works within one transaction.
 */
export function changesOfAdmin(from: PolicyState, to: PolicyState): AuthorityChange[] | undefined {
  const { added, removed, changed, timeLock, admin } = comparePolicies(from, to);
  const before = to.threshold < from.threshold ? to.threshold : from.threshold;
  for (const threshold of new Set([before, 1])) {
    const grown = [...from.signers, ...added];
    const replaced = orderReplacements(grown, changed, threshold);
    if (replaced === undefined) continue;
    return [
      ...(threshold === from.threshold ? [] : [changeThreshold(threshold)]),
      ...added.map(add),
      ...replaced.flatMap((signer) => [remove(signer), add(signer)]),
      ...removed.map(remove),
      ...(threshold === to.threshold ? [] : [changeThreshold(to.threshold)]),
      ...(timeLock ? [setTimeLock(to.timeLockSeconds)] : []),
      ...(admin ? [{ __kind: "SetSettingsAuthority", newSettingsAuthority: to.settingsAuthority } as const] : []),
    ];
  }
  return undefined;
}

/**
 * An order in which each member can be removed while the others keep the account able to act. All new members are in
 * by then and none has left, so that whatever can cover for one does.
 */
function orderReplacements(
  signers: readonly SettingsSigner[],
  changed: readonly SettingsSigner[],
  threshold: number,
): readonly SettingsSigner[] | undefined {
  const hopeless = new Set<string>();
  const search = (
    present: readonly SettingsSigner[],
    left: readonly SettingsSigner[],
  ): SettingsSigner[] | undefined => {
    if (left.length === 0) return [];
    const key = left.map(({ address }) => address).join();
    if (hopeless.has(key)) return undefined;
    for (const next of left) {
      const others = present.filter(({ address }) => address !== next.address);
      if (!isAbleToAct(others, threshold)) continue;
      const rest = search(
        [...others, next],
        left.filter((signer) => signer !== next),
      );
      if (rest) return [next, ...rest];
    }
    hopeless.add(key);
    return undefined;
  };
  return search(signers, changed);
}

function isAbleToAct(signers: readonly SettingsSigner[], threshold: number): boolean {
  const holders = (bit: number) => signers.filter(({ mask }) => (mask & bit) !== 0).length;
  return holders(CAN_INITIATE_BIT) > 0 && holders(CAN_EXECUTE_BIT) > 0 && holders(CAN_VOTE_BIT) >= threshold;
}

const add = ({ address, mask }: SettingsSigner) =>
  ({ __kind: "AddSigner", newSigner: { key: address, permissions: mask } }) as const;
const remove = ({ address }: SettingsSigner) => ({ __kind: "RemoveSigner", oldSigner: address }) as const;
const changeThreshold = (newThreshold: number) => ({ __kind: "ChangeThreshold", newThreshold }) as const;
const setTimeLock = (newTimeLock: number) => ({ __kind: "SetTimeLock", newTimeLock }) as const;
