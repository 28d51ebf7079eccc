import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountSignerTable, AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { decodeSettings, permissionsOfMask, type Settings } from "@trellis/program-client";
import { type ChainAccount, readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { getKnownAccount } from "../accounts/account-store.js";
import { type PasskeyMembers, readPasskeyMembers } from "../accounts/passkey-members.js";
import { learnMembers } from "../accounts/settings-change-signers.js";

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
    readPasskeyMembers(network, { settings, slot }, heldAddresses(signers)),
  ]);
  const account = { row, address, settingsAddress, settings, slot, signers: members, ...passkeys };
  return { account, others: accounts, isPayeeServed: isOtherServed };
}

/** Those whose keys a custodian holds. */
const heldAddresses = (signers: readonly AccountSignerTable[]): ReadonlySet<string> =>
  new Set(signers.flatMap(({ wallet_id, signer_address }) => (wallet_id === null ? [] : [signer_address])));

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
