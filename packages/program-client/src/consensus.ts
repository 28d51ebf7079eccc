import type { Address } from "@solana/kit";
import { describeProgramError } from "./errors.js";
import { ALL_PERMISSIONS_MASK, CAN_EXECUTE_BIT, CAN_INITIATE_BIT, CAN_VOTE_BIT } from "./permissions.js";
import type { Settings } from "./settings.js";

/** The part of the settings that decides who may act at once. */
export type ConsensusRules = Pick<Settings, "timeLockSeconds" | "threshold" | "signers">;

/** The first rule a set of signers breaks, with the number and name the program would answer. */
export type ConsensusVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: number;
      readonly name: string;
      readonly message: string;
      /** The signer the rule is about, where it is about one. */
      readonly address?: Address;
    };

/**
 * Whether `members`, all of them signing, may act for the account at once (execute_transaction_sync_v2,
 * execute_settings_transaction_sync): no time lock, every key a signer and listed once, together all three permissions,
 * and as many voters as the threshold. The rules are checked in the program's order.
 */
export function checkConsensus(rules: ConsensusRules, members: readonly Address[]): ConsensusVerdict {
  if (rules.timeLockSeconds !== 0) return broken(6051);
  if (members.length < rules.threshold) return broken(6047);
  const masks = new Map(rules.signers.map(({ address, mask }) => [address, mask]));
  const seen = new Set<Address>();
  let together = 0;
  let voters = 0;
  for (const member of members) {
    const mask = masks.get(member);
    if (mask === undefined) return broken(6006, member);
    if (seen.has(member)) return broken(6001, member);
    seen.add(member);
    together |= mask;
    if ((mask & CAN_VOTE_BIT) !== 0) voters++;
  }
  if (together !== ALL_PERMISSIONS_MASK) return broken(6049);
  if (voters < rules.threshold) return broken(6050);
  return { ok: true };
}

function broken(code: number, address?: Address): ConsensusVerdict {
  const error = describeProgramError(code);
  if (error === undefined) throw new Error(`no error has the number ${code}`);
  return { ok: false, ...error, ...(address === undefined ? {} : { address }) };
}

/**
 * The smallest set of signers that may act at once, out of those in `preferenceOrder`; undefined when there is none.
 *
 * Among sets of that size it is the one that takes the most preferred signer possible, then the next, and so on; it is
 * returned in that order. Keys that are no signers and repetitions are passed over. Fast for any number of signers.
 */
export function smallestSigners(rules: ConsensusRules, preferenceOrder: readonly Address[]): Address[] | undefined {
  if (rules.timeLockSeconds !== 0) return undefined;
  const masks = new Map(rules.signers.map(({ address, mask }) => [address, mask]));
  const candidates = [...new Set(preferenceOrder)].flatMap((address) => {
    const mask = masks.get(address);
    return mask === undefined ? [] : [{ address, mask }];
  });
  const available = new Array<number>(ALL_PERMISSIONS_MASK + 1).fill(0);
  for (const { mask } of candidates) available[mask] = (available[mask] ?? 0) + 1;

  let missing = CAN_INITIATE_BIT | CAN_EXECUTE_BIT;
  let votes = Math.max(1, rules.threshold);
  let left = fewestMore(available, votes, missing);
  if (left === undefined) return undefined;

  const chosen: Address[] = [];
  for (const { address, mask } of candidates) {
    if (left === 0) break;
    available[mask] = (available[mask] ?? 0) - 1;
    const votesThen = Math.max(0, votes - ((mask & CAN_VOTE_BIT) !== 0 ? 1 : 0));
    const more = fewestMore(available, votesThen, missing & ~mask);
    if (more === undefined || more >= left) continue;
    chosen.push(address);
    votes = votesThen;
    missing &= ~mask;
    left--;
  }
  return chosen;
}

/**
 * How many signers must be added at least, when `available[mask]` counts those still free, `votes` voters are needed
 * and the bits in `missing` are not covered yet.
 */
function fewestMore(available: readonly number[], votes: number, missing: number): number | undefined {
  const count = (mask: number): number => available[mask] ?? 0;
  const votesOf = (mask: number): number => ((mask & CAN_VOTE_BIT) !== 0 ? 1 : 0);
  let voters = 0;
  for (let mask = 0; mask <= ALL_PERMISSIONS_MASK; mask++) voters += count(mask) * votesOf(mask);
  if (voters < votes) return undefined;
  // At most two bits can be missing beside the votes, so at most two signers are there for their bits; the others vote.
  if (missing === 0) return votes;
  let fewest: number | undefined;
  const offer = (size: number): void => {
    if (fewest === undefined || size < fewest) fewest = size;
  };
  for (let first = 1; first <= ALL_PERMISSIONS_MASK; first++) {
    if (count(first) === 0) continue;
    if ((missing & ~first) === 0) offer(1 + Math.max(0, votes - votesOf(first)));
    for (let second = first; second <= ALL_PERMISSIONS_MASK; second++) {
      if (count(second) < (second === first ? 2 : 1)) continue;
      if ((missing & ~(first | second)) !== 0) continue;
      offer(2 + Math.max(0, votes - votesOf(first) - votesOf(second)));
    }
  }
  return fewest;
}
