import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountSignerTable, AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { decodeSettings, type PasskeyAccount, permissionsOfMask, type Settings } from "@trellis/program-client";
import { type ChainAccount, readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { readPasskeys, sessionKeyAt } from "@trellis/solana/read-passkeys.js";
import Type from "typebox";
import { getKnownAccount } from "../accounts/account-store.js";
import { learnMembers } from "../accounts/settings-change-signers.js";
import { recallSettings, rememberSettings } from "./recalled-settings.js";

/** A smart account about to act: what the service knows of it and what the chain says of its signers. */
export interface ActingAccount {
  readonly row: AccountTable;
  readonly address: Address;
  readonly settingsAddress: Address;
  readonly settings: Settings;
  /** The slot its settings were read at: whatever is read or simulated for it afterwards has to be as new. */
  readonly slot: bigint;
  /** What the service knows of its signers; a member the service never met is absent. */
  readonly signers: readonly AccountSignerTable[];
  /** Those of its members, the admin included, that are passkeys: each signs by the session key that the chain says. */
  readonly passkeys: ReadonlyMap<Address, PasskeyAccount>;
  /** The key that signs for a passkey at present, or its own address where it approves by itself; absent where none does. */
  readonly sessionKeys: ReadonlyMap<Address, Address>;
  /** The settings' bytes where they are recalled, and not read: what the chain says of them is still to be compared. */
  readonly recalled?: Uint8Array;
}

/**
 * Finds the caller's account and reads its settings from the chain, which alone says who may act. What the service knows
 * of the signers is brought into line where it differs.
 *
 * Throws `account_not_found`, also for another tenant's, and `chain_unavailable`.
 */
export async function getActingAccount(
  db: Db,
  network: Network,
  tenantId: string,
  accountAddress: string,
): Promise<ActingAccount> {
  return (await getActingAccountAnd(db, network, tenantId, accountAddress, () => [])).account;
}

/**
 * The same by the settings that this process has read last, without a question to the chain: undefined where there are none, or passkeys
 * are among the signers. They may have changed, so nothing is done or refused by them alone: `recalled` is to be held against the chain.
 *
 * Throws `account_not_found`, also for another tenant's.
 */
export async function recallActingAccount(
  db: Db,
  network: Network,
  tenantId: string,
  accountAddress: string,
): Promise<ActingAccount | undefined> {
  const { row, signers } = await getKnownAccount(db, { tenantId, environment: network.name, address: accountAddress });
  const settingsAddress = row.settings_address as Address;
  const recalled = recallSettings(network, settingsAddress);
  if (recalled === undefined) return undefined;
  const { settings, slot, data } = recalled;
  const [address, passkeys, sessionKeys] = [row.address as Address, new Map(), new Map()];
  return { row, address, settingsAddress, settings, slot, signers, passkeys, sessionKeys, recalled: data };
}

/**
 * The same, with up to 99 other accounts read in the same question and at the same slot. `others` names them, given the
 * smart account's address, once that is known to be one. Says of `payee` whether it is an account of the service as well.
 */
export async function getActingAccountAnd(
  db: Db,
  network: Network,
  tenantId: string,
  accountAddress: string,
  others: (account: Address) => readonly Address[],
  payee?: Address,
): Promise<{
  readonly account: ActingAccount;
  readonly others: readonly (ChainAccount | undefined)[];
  readonly isPayeeServed: boolean;
}> {
  const key = { tenantId, environment: network.name, address: accountAddress };
  const { row, signers, isOtherServed } = await getKnownAccount(db, key, payee);
  const settingsAddress = row.settings_address as Address;
  const address = row.address as Address;
  const read = await readAccountsAtSlot(network, [settingsAddress, ...others(address)]);
  const [settingsAccount, ...accounts] = read.accounts;
  if (!settingsAccount) {
    throw new TrellisError("chain_unavailable", {
      message: "The chain does not show this account's settings at present.",
    });
  }
  const settings = decodeSettings(settingsAccount.data);
  const { slot } = read;
  const [members, passkeys] = await Promise.all([
    learnMembers(db, network, row, signers, { settings, slot }),
    readPasskeys(network, maybePasskeys(settings, signers), { leastSlot: slot }),
  ]);
  const sessionKeys = sessionKeysOf(network, memberAddresses(settings), passkeys);
  // A passkey's session changes without the settings.
  const recallable = passkeys.size === 0 ? { data: settingsAccount.data, settings, slot } : undefined;
  rememberSettings(network, settingsAddress, recallable);
  const account = { row, address, settingsAddress, settings, slot, signers: members, passkeys, sessionKeys };
  return { account, others: accounts, isPayeeServed: isOtherServed };
}

const memberAddresses = ({ signers, settingsAuthority }: Settings): readonly Address[] => [
  ...signers.map(({ address }) => address),
  ...(settingsAuthority === null ? [] : [settingsAuthority]),
];

/** All members but those whose keys a custodian holds: to find out whether an address can be a key takes some microseconds for each. */
function maybePasskeys(settings: Settings, signers: readonly AccountSignerTable[]): readonly Address[] {
  const held = new Set(
    signers.flatMap(({ wallet_id, signer_address }) => (wallet_id === null ? [] : [signer_address])),
  );
  return memberAddresses(settings).filter((address) => !held.has(address));
}

/**
 * Which key signs for each passkey. A key of the service signs all that is prepared here: as a session key it would sign in the owner's
 * place unasked. A member's own key, or one of two passkeys, would count as two signers where one person is.
 */
function sessionKeysOf(
  network: Pick<Network, "clock" | "serviceAddresses">,
  members: readonly Address[],
  passkeys: ReadonlyMap<Address, PasskeyAccount>,
): ReadonlyMap<Address, Address> {
  const now = BigInt(Math.floor(network.clock.now() / 1_000));
  const live = [...passkeys].flatMap(([address, passkey]) => {
    const key = sessionKeyAt(passkey, now);
    return key === undefined ? [] : [[address, key] as const];
  });
  return new Map(
    live.filter(
      ([, key]) =>
        !network.serviceAddresses.has(key) &&
        !members.includes(key) &&
        live.filter(([, other]) => other === key).length === 1,
    ),
  );
}

/** Asks that a passkey approves what is prepared itself, without a session. */
export const approvalFields = {
  passkey_approval: Type.Optional(Type.Boolean({ description: "A passkey signs it itself (gap 248)." })),
};

/** The same account, each of whose passkeys signs in its own place where a request asks for that. */
export function withApproval(
  account: ActingAccount,
  { passkey_approval: isWanted }: { readonly passkey_approval?: boolean },
): ActingAccount {
  if (isWanted !== true) return account;
  return { ...account, sessionKeys: new Map([...account.passkeys.keys()].map((address) => [address, address])) };
}

/**
 * The member that a name means: where it is the session key of a passkey, which is what signs, the passkey is meant. A name that is
 * neither stays as it is.
 */
export function memberName({ settings, passkeys }: Pick<ActingAccount, "settings" | "passkeys">, name: string): string {
  const members: readonly string[] = memberAddresses(settings);
  if (members.includes(name)) return name;
  return [...passkeys].find(([, { session }]) => session?.key === name)?.[0] ?? name;
}

/** The same for each name of a list. */
export const memberNames = (
  account: Pick<ActingAccount, "settings" | "passkeys">,
  names: readonly string[],
): readonly string[] => names.map((name) => memberName(account, name));

/**
 * Requires that an address is a member of the account and holds any of the permissions in `mask`. Throws
 * `insufficient_permissions` that names what lacks, and `field` where one is given.
 */
export function requirePermission(
  account: { readonly settings: Pick<Settings, "signers"> },
  signer: string,
  mask: number,
  field?: string,
): Address {
  const member = account.settings.signers.find(({ address }) => address === signer);
  if (member && (member.mask & mask) !== 0) return member.address;
  throw new TrellisError("insufficient_permissions", {
    ...(field === undefined ? {} : { field }),
    message: member
      ? `${signer} does not hold ${permissionsOfMask(mask).join(" or ")}.`
      : `${signer} is not a signer of this account.`,
    facts: { address: signer },
  });
}
