import type { Permission, Policies } from "@trellis/sdk";

/** What who is signed in may do in an account. */
export type OwnPowers = {
  /** The signers of the account that the session signs for. */
  readonly signers: readonly string[];
  /** What they may do together. */
  readonly permissions: readonly Permission[];
  /** How many approvals a decision needs. */
  readonly threshold: number;
  /** How long a decision waits between its last approval and its execution. */
  readonly timeLockSeconds: number;
  /**
   * How something is done. `direct`: the session pays alone and at once. `vote`: it proposes, and others approve, or a time lock has to
   * end. `none`: it may not propose; it votes or executes where `permissions` has that.
   */
  readonly way: "direct" | "vote" | "none";
};

/** As the program on chain decides: without a time lock, signers who have all permissions and enough votes act at once. */
export function ownPowersOf(policies: Policies, addresses: readonly string[]): OwnPowers {
  const own = policies.signers.filter(({ address }) => addresses.includes(address));
  const has = (permission: Permission) => own.some(({ permissions }) => permissions.includes(permission));
  const permissions = everyPermission.filter(has);
  const votes = own.filter((signer) => signer.permissions.includes("CAN_VOTE")).length;
  const { threshold, time_lock: timeLockSeconds } = policies;
  const isDirect = timeLockSeconds === 0 && votes >= threshold && permissions.length === everyPermission.length;
  return {
    signers: own.map(({ address }) => address),
    permissions,
    threshold,
    timeLockSeconds,
    way: isDirect ? "direct" : has("CAN_INITIATE") ? "vote" : "none",
  };
}

const everyPermission: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
