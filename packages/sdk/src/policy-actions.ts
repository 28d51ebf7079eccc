import type { Permission, Policies, PolicyChange, ProposedAction } from "./wire.js";

/**
 * The fewest changes by which signers reach a policy: a member's permissions change by removing and adding it. What is absent stays as it is.
 * The program judges the end alone, and `AddSigner` behind `RemoveSigner` of one address is the new one.
 */
export function actionsToPolicy(
  current: Policies,
  { signers = current.signers, threshold = current.threshold, time_lock = current.time_lock }: SignersChange,
): readonly ProposedAction[] {
  const find = (list: Policies["signers"], address: string) => list.find((signer) => signer.address === address);
  const isSame = (signer: Signer) => {
    const before = find(current.signers, signer.address);
    return before !== undefined && spelled(before.permissions) === spelled(signer.permissions);
  };
  const isGone = ({ address }: Signer) => {
    const after = find(signers, address);
    return after === undefined || !isSame(after);
  };
  return [
    ...current.signers.filter(isGone).map(({ address }) => ({ type: "RemoveSigner", oldSigner: address }) as const),
    ...signers
      .filter((signer) => !isSame(signer))
      .map(({ address, permissions }) => ({ type: "AddSigner", newSigner: { address, permissions } }) as const),
    ...(threshold === current.threshold ? [] : [{ type: "ChangeThreshold", newThreshold: threshold } as const]),
    ...(time_lock === current.time_lock ? [] : [{ type: "SetTimeLock", newTimeLock: time_lock } as const]),
  ];
}

/** What an account's signers may change of its policy: all but the admin. */
export type SignersChange = Pick<PolicyChange, "signers" | "threshold" | "time_lock">;

type Signer = Policies["signers"][number];

const spelled = (permissions: readonly Permission[]): string => [...new Set(permissions)].sort().join();
