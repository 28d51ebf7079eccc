import type { Address } from "@solana/kit";
import { ALL_PERMISSIONS_MASK, CAN_VOTE_BIT, type SettingsSigner } from "@trellis/program-client";
import { liveSession, type PasskeyHolder } from "./passkey-holders.js";

/** Signers, and how many of their votes decide: of settings, or of a policy. */
export interface Rules {
  readonly signers: readonly SettingsSigner[];
  readonly threshold: number;
}

/** What is known of passkeys, at a time in Unix seconds. */
export interface KnownPasskeys {
  readonly passkeys: readonly PasskeyHolder[];
  readonly unixSeconds: bigint;
}

/** A key with the signers for which it signs. A passkey is named by its account, a session by its key. */
export interface ControllingKey {
  readonly key: Address;
  readonly signers: readonly SettingsSigner[];
}

/** Every key that signs for at least one of the signers. The key of a live session signs for all that its passkey does. */
export function controllingKeys({ signers }: Rules, known: KnownPasskeys): ControllingKey[] {
  return groupByKey(signers, (signer) => keysOf(signer.address, known));
}

/** The keys that can act without another one, with a time lock or without one. */
export function keysThatActAlone(rules: Rules, known: KnownPasskeys): Address[] {
  return controllingKeys(rules, known)
    .filter(({ signers }) => fewestOf(rules.threshold, [signers]) === 1)
    .map(({ key }) => key);
}

/** How many keys have to agree at least; null where all of them together cannot act. */
export function fewestKeys(rules: Rules, known: KnownPasskeys): number | null {
  // The strongest key of each signer is enough: so no signer's vote is counted for two keys.
  const strongest = groupByKey(rules.signers, (signer) => keysOf(signer.address, known).slice(-1));
  return fewestOf(
    rules.threshold,
    strongest.map(({ signers }) => signers),
  );
}

/** The keys that sign for an address, the strongest one last. */
function keysOf(signer: Address, { passkeys, unixSeconds }: KnownPasskeys): Address[] {
  const passkey = passkeys.find(({ address, executionAccount }) => address === signer || executionAccount === signer);
  if (passkey === undefined) return [signer];
  const session = liveSession(passkey.account, unixSeconds);
  return session === null ? [passkey.address] : [passkey.address, session.key];
}

function groupByKey(signers: readonly SettingsSigner[], keysOfSigner: (signer: SettingsSigner) => readonly Address[]) {
  const groups = new Map<Address, SettingsSigner[]>();
  for (const signer of signers) {
    for (const key of keysOfSigner(signer)) groups.set(key, [...(groups.get(key) ?? []), signer]);
  }
  return [...groups].map(([key, of]): ControllingKey => ({ key, signers: of }));
}

/** How many of the groups, which share no signer, have all permissions together and as many votes as the threshold. */
function fewestOf(threshold: number, groups: readonly (readonly SettingsSigner[])[]): number | null {
  // By how many groups, and by which permissions these have: the most votes.
  const mostVotes: Map<number, number>[] = [new Map([[0, 0]])];
  for (const group of groups) {
    const mask = group.reduce((together, signer) => together | signer.mask, 0);
    const votes = group.filter((signer) => (signer.mask & CAN_VOTE_BIT) !== 0).length;
    // From the largest number down, so that no group is counted twice.
    for (const [count, found] of [...mostVotes.entries()].reverse()) {
      const more = mostVotes[count + 1] ?? new Map<number, number>();
      for (const [before, votesBefore] of found) {
        const together = before | mask;
        more.set(together, Math.max(more.get(together) ?? 0, votesBefore + votes));
      }
      mostVotes[count + 1] = more;
    }
  }
  const fewest = mostVotes.findIndex((found) => (found.get(ALL_PERMISSIONS_MASK) ?? -1) >= threshold);
  return fewest === -1 ? null : fewest;
}
