import type { Permission, Policies, ProposedAction, SummaryEntry } from "@trellis/sdk";

/** Who decides about an account, and how. */
export interface Rules {
  readonly members: readonly Member[];
  readonly threshold: number;
  readonly timeLockSeconds: number;
}

export interface Member {
  readonly address: string;
  readonly permissions: readonly Permission[];
}

/** One thing that is to be different. */
export type Difference =
  | { readonly kind: "member"; readonly address: string; readonly before: Rights; readonly after: Rights }
  | NumberDifference;

interface NumberDifference {
  readonly kind: "threshold" | "time-lock";
  readonly before: number;
  readonly after: number;
}

/** Undefined: no member. */
type Rights = readonly Permission[] | undefined;

/** Why rules cannot be: nobody could act by them, or the chain takes no such rules. */
export type Fault =
  | "too-few-voters"
  | "no-threshold"
  | "no-proposer"
  | "no-executor"
  | "too-many-members"
  | "idle-member"
  | "time-lock-range";

export const allPermissions: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
export const membersMax = 10;
/** 90 days. */
export const timeLockSecondsMax = 7_776_000;
/** What one proposal may hold. */
export const actionsMax = 10;

export const rulesOf = ({ signers, threshold, time_lock: timeLockSeconds }: Policies): Rules => ({
  members: signers.map(({ address, permissions }) => ({ address, permissions })),
  threshold,
  timeLockSeconds,
});

/** The rules after the actions of a settings change, as a summary has them. What does not concern them is left out. */
export function rulesAfter(rules: Rules, actions: readonly SummaryEntry[]): Rules {
  const members = new Map(rules.members.map((member) => [member.address, member]));
  let { threshold, timeLockSeconds } = rules;
  for (const action of actions) {
    const address = String(action.address);
    const permissions = (action.permissions as readonly Permission[] | undefined) ?? [];
    if (action.type === "add_signer") members.set(address, { address, permissions });
    if (action.type === "remove_signer") members.delete(address);
    if (action.type === "change_threshold") threshold = Number(action.threshold);
    if (action.type === "set_time_lock") timeLockSeconds = Number(action.time_lock);
  }
  return { members: [...members.values()], threshold, timeLockSeconds };
}

/** What is different in the rules: members in the order of before, new ones behind them. */
export function differencesOf(before: Rules, after: Rules): readonly Difference[] {
  const addresses = [...new Set([...before.members, ...after.members].map(({ address }) => address))];
  const members = addresses.flatMap((address): readonly Difference[] => {
    const [had, has] = [permissionsIn(before, address), permissionsIn(after, address)];
    return isSame(had, has) ? [] : [{ kind: "member", address, before: had, after: has }];
  });
  const numbers: readonly NumberDifference[] = [
    { kind: "threshold", before: before.threshold, after: after.threshold },
    { kind: "time-lock", before: before.timeLockSeconds, after: after.timeLockSeconds },
  ];
  return [...members, ...numbers.filter((one) => one.before !== one.after)];
}

/** What is to be proposed for the rules to become `after`. Other permissions of a member are its removal, and adding it again. */
export const actionsOf = (before: Rules, after: Rules): readonly ProposedAction[] =>
  differencesOf(before, after).flatMap(actionsFor);

function actionsFor(difference: Difference): readonly ProposedAction[] {
  if (difference.kind !== "member") {
    const { kind, after } = difference;
    return [
      kind === "threshold"
        ? { type: "ChangeThreshold", newThreshold: after }
        : { type: "SetTimeLock", newTimeLock: after },
    ];
  }
  const { address, before, after } = difference;
  const removal: ProposedAction = { type: "RemoveSigner", oldSigner: address };
  if (after === undefined) return [removal];
  const addition: ProposedAction = { type: "AddSigner", newSigner: { address, permissions: after } };
  return before === undefined ? [addition] : [removal, addition];
}

/** Why the rules would leave the account unable to act, or are none that the chain takes. */
export function faultsOf({ members, threshold, timeLockSeconds }: Rules): readonly Fault[] {
  const may = (permission: Permission) => members.filter(({ permissions }) => permissions.includes(permission)).length;
  const faults: readonly (readonly [Fault, boolean])[] = [
    ["too-few-voters", threshold > may("CAN_VOTE")],
    ["no-threshold", !Number.isInteger(threshold) || threshold < 1],
    ["no-proposer", may("CAN_INITIATE") === 0],
    ["no-executor", may("CAN_EXECUTE") === 0],
    ["too-many-members", members.length > membersMax],
    ["idle-member", members.some(({ permissions }) => permissions.length === 0)],
    [
      "time-lock-range",
      !Number.isInteger(timeLockSeconds) || timeLockSeconds < 0 || timeLockSeconds > timeLockSecondsMax,
    ],
  ];
  return faults.flatMap(([fault, isThere]) => (isThere ? [fault] : []));
}

/** Who can pay and change the rules with nobody else's approval, and at once. */
export const aloneIn = ({ members, threshold, timeLockSeconds }: Rules): readonly string[] =>
  threshold > 1 || timeLockSeconds > 0
    ? []
    : members
        .filter(({ permissions }) => allPermissions.every((permission) => permissions.includes(permission)))
        .map(({ address }) => address);

const permissionsIn = ({ members }: Rules, address: string): Rights =>
  members.find((member) => member.address === address)?.permissions;

function isSame(one: Rights, other: Rights): boolean {
  if (one === undefined || other === undefined) return one === other;
  return allPermissions.every((permission) => one.includes(permission) === other.includes(permission));
}
