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

/** The signers of an account that a user signs for. */
export type OwnSigners = {
  /** Whether one of them has all of these permissions. */
  readonly isOne: (wanted: readonly Permission[]) => boolean;
  /** Those that have any of these permissions. */
  readonly having: (wanted: readonly Permission[]) => readonly string[];
  /** The same for a request: where none has any, all of the user's addresses, of which the service says what they lack. */
  readonly namedFor: (wanted: readonly Permission[]) => readonly string[];
};

export function ownSignersOf({ signers }: Pick<Policies, "signers">, addresses: readonly string[]): OwnSigners {
  const own = signers.filter(({ address }) => addresses.includes(address));
  const having = (wanted: readonly Permission[]) =>
    own.filter(({ permissions }) => wanted.some((each) => permissions.includes(each))).map(({ address }) => address);
  return {
    isOne: (wanted) => own.some(({ permissions }) => wanted.every((each) => permissions.includes(each))),
    having,
    namedFor: (wanted) => {
      const found = having(wanted);
      return found.length === 0 ? addresses : found;
    },
  };
}
