import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountSignerTable, AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { decodeSettings, permissionsOfMask, type Settings } from "@trellis/program-client";
import { type ChainAccount, readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import Type from "typebox";
import { getKnownAccount } from "../accounts/account-store.js";
import { liveKeys, type PasskeyMembers, readPasskeyMembers } from "../accounts/passkey-members.js";
import { learnMembers } from "../accounts/settings-change-signers.js";
import { recallSettings, rememberSettings } from "./recalled-settings.js";

/** A smart account about to act: what the service knows of it and what the chain says of its signers. */
export interface ActingAccount extends PasskeyMembers {
  readonly row: AccountTable;
  readonly address: Address;
  readonly settingsAddress: Address;
  readonly settings: Settings;
  /** The slot its settings were read at: whatever is read or simulated for it afterwards has to be as new. */
  readonly slot: bigint;
  /** What the service knows of its signers; a member the service never met is absent. */
  readonly signers: readonly AccountSignerTable[];
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
  const [members, passkeyMembers] = await Promise.all([
    learnMembers(db, network, row, signers, { settings, slot }),
    readPasskeyMembers(network, { settings, slot }, heldAddresses(signers)),
  ]);
  // A passkey's session changes without the settings.
  const isRecallable = passkeyMembers.passkeys.size === 0;
  const recallable = isRecallable ? { data: settingsAccount.data, settings, slot } : undefined;
  rememberSettings(network, settingsAddress, recallable);
  const account = { row, address, settingsAddress, settings, slot, signers: members, ...passkeyMembers };
  return { account, others: accounts, isPayeeServed: isOtherServed };
}

/** Those whose keys a custodian holds. */
const heldAddresses = (signers: readonly AccountSignerTable[]): ReadonlySet<string> =>
  new Set(signers.flatMap(({ wallet_id, signer_address }) => (wallet_id === null ? [] : [signer_address])));

/**
 * The account with the passkeys among these addresses that are no members of it: the chain lets anybody whom a spending limit names pay by
 * it. As each signs alone, its session key is none of the service's, and may be any other. Throws `chain_unavailable`.
 */
export async function withPasskeys(
  network: Network,
  account: ActingAccount,
  addresses: readonly Address[],
): Promise<ActingAccount> {
  const unread = addresses.filter((address) => !account.passkeys.has(address));
  const found = await readPasskeys(network, unread, { leastSlot: account.slot });
  return {
    ...account,
    passkeys: new Map([...account.passkeys, ...found]),
    sessionKeys: new Map([...account.sessionKeys, ...liveKeys(network, found)]),
  };
}

/** Asks that a passkey approves what is prepared itself, without a session. */
export const approvalFields = {
  passkey_approval: Type.Optional(Type.Boolean({ description: "A passkey signs it itself (gap 248)." })),
};

/** The same account, each of whose passkeys signs in its own place where a request asks for that. Throws `invalid_request` where it has none. */
export function withApproval(
  account: ActingAccount,
  { passkey_approval: isWanted }: { readonly passkey_approval?: boolean },
): ActingAccount {
  if (isWanted !== true) return account;
  if (account.passkeys.size === 0) {
    throw new TrellisError("invalid_request", {
      field: "passkey_approval",
      message: "None of the account's signers is a passkey that signs on chain.",
    });
  }
  return { ...account, sessionKeys: new Map([...account.passkeys.keys()].map((address) => [address, address])) };
}

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
