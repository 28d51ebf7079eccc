import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { PasskeyAccount, Settings } from "@trellis/program-client";
import { readPasskeys, sessionKeyAt } from "@trellis/solana/read-passkeys.js";

/** Those of an account's members, the admin included, that are passkeys. */
export interface PasskeyMembers {
  /** Each signs by the session key that the chain says. */
  readonly passkeys: ReadonlyMap<Address, PasskeyAccount>;
  /** The key that signs for a passkey at present, or its own address where it approves by itself; absent where none does. */
  readonly sessionKeys: ReadonlyMap<Address, Address>;
}

type Members = Pick<Settings, "signers" | "settingsAuthority">;

/** Everybody who decides for an account: its signers, and its admin. */
export const memberAddresses = ({ signers, settingsAuthority }: Members): readonly Address[] => [
  ...signers.map(({ address }) => address),
  ...(settingsAuthority === null ? [] : [settingsAuthority]),
];

/**
 * Reads which members are passkeys, and whose key signs for them, no earlier than the slot at which the settings were read. Those in
 * `held` are keys of custodians and are not asked about: to find out whether an address can be a key takes some microseconds for each.
 * Throws `chain_unavailable`.
 */
export async function readPasskeyMembers(
  network: Pick<Network, "rpc" | "clock" | "serviceAddresses">,
  { settings, slot }: { readonly settings: Members; readonly slot: bigint },
  held: ReadonlySet<string> = new Set(),
): Promise<PasskeyMembers> {
  const members = memberAddresses(settings);
  const asked = members.filter((address) => !held.has(address));
  const passkeys = await readPasskeys(network, asked, { leastSlot: slot });
  return { passkeys, sessionKeys: sessionKeysOf(network, members, passkeys) };
}

/**
 * Which key signs for each passkey of an account's members. A member's own key, or one of two passkeys, would count as two signers where one
 * person is.
 */
function sessionKeysOf(
  network: Pick<Network, "clock" | "serviceAddresses">,
  members: readonly Address[],
  passkeys: ReadonlyMap<Address, PasskeyAccount>,
): ReadonlyMap<Address, Address> {
  const live = liveKeys(network, passkeys);
  const isOfOne = (key: Address) => live.filter(([, other]) => other === key).length === 1;
  return new Map(live.filter(([, key]) => !members.includes(key) && isOfOne(key)));
}

/** The sessions that are open. A key of the service signs all that is prepared here: as a session key it would sign in the owner's place unasked. */
export function liveKeys(
  network: Pick<Network, "clock" | "serviceAddresses">,
  passkeys: ReadonlyMap<Address, PasskeyAccount>,
): readonly (readonly [passkey: Address, key: Address])[] {
  const now = secondsOf(network);
  return [...passkeys].flatMap(([address, passkey]) => {
    const key = sessionKeyAt(passkey, now);
    return key === undefined || network.serviceAddresses.has(key) ? [] : [[address, key] as const];
  });
}

/** Why no key signs for a passkey among an account's members, where none does: the end of a sentence about it. */
export function whySilent(network: Pick<Network, "clock">, passkey: PasskeyAccount): string {
  if (passkey.session === null) return "has never had a session";
  return sessionKeyAt(passkey, secondsOf(network)) === undefined
    ? "has no session any more: it has ended"
    : "has a session that does not count here: its key is one of the service, of another signer, or of another passkey's session";
}

const secondsOf = ({ clock }: Pick<Network, "clock">): bigint => BigInt(Math.floor(clock.now() / 1_000));

/**
 * The member that a name means: where it is the session key of a passkey, which is what signs, the passkey is meant. Of several that name
 * the key it is the one that it signs for. A name that is none of these, or of several, stays as it is.
 */
export function memberName(
  { settings, passkeys, sessionKeys }: PasskeyMembers & { readonly settings: Members },
  name: string,
): string {
  const members: readonly string[] = memberAddresses(settings);
  if (members.includes(name)) return name;
  const signing = [...sessionKeys].find(([, key]) => key === name);
  if (signing !== undefined) return signing[0];
  const [named, ...others] = [...passkeys].filter(([, { session }]) => session?.key === name);
  return named === undefined || others.length > 0 ? name : named[0];
}

/** The same for each name of a list. */
export const memberNames = (
  account: PasskeyMembers & { readonly settings: Members },
  names: readonly string[],
): readonly string[] => names.map((name) => memberName(account, name));
