import { type Address, isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodePolicy,
  type Policy,
  ProgramDataError,
  policiesRemoved,
  type SettingsActionArgs,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { type Freshness, readAccount, readAccounts } from "@trellis/solana/read-accounts.js";

/** A policy that can be removed. */
export interface RemovablePolicy {
  readonly address: Address;
  /** Who gets its rent; null: its removal names no one. */
  readonly rentCollector: Address | null;
}

/**
 * The policy at `text`, which a request wants to have removed (gap 140). Throws `invalid_address`, `field` named, where it
 * is no policy of these settings and where it is not known here who gets its rent; `chain_unavailable`.
 */
export async function requireRemovablePolicy(
  network: Pick<Network, "rpc">,
  settings: Address,
  text: string,
  field: string,
  freshness: Freshness = {},
): Promise<RemovablePolicy> {
  const account = isAddress(text) ? await readAccount(network, text, freshness) : undefined;
  const policy = account && policyIn(account.address, account);
  if (account === undefined || policy?.settings !== settings) {
    throw new TrellisError("invalid_address", { field, message: `${text} is not a policy of this account.` });
  }
  if (policy.rentCollector === undefined) {
    throw new TrellisError("invalid_address", { field, message: sayUnknownRent(account.address) });
  }
  return { address: account.address, rentCollector: policy.rentCollector };
}

/**
 * Who gets the rent of the policies that actions remove, as far as the policies record it: execution has to pass them.
 * Throws `unreadable_content` where that is not known, `invalid_proposal_status` where a policy is removed or another
 * account's, `chain_unavailable`.
 */
export async function rentCollectorsOf(
  network: Pick<Network, "rpc">,
  settings: Address,
  actions: readonly SettingsActionArgs[],
  freshness: Freshness = {},
): Promise<readonly Address[]> {
  const removed = policiesRemoved(actions);
  if (removed.length === 0) return [];
  const accounts = await readAccounts(network, removed, freshness);
  const collectors = removed.flatMap((address, i): Address[] => {
    const account = accounts[i];
    if (account === undefined) throw neverExecuted(address, "is not there");
    if (account.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) throw neverExecuted(address, "is no policy");
    const policy = policyIn(address, account);
    if (policy === undefined) throw new TrellisError("unreadable_content", { message: sayUnknownPolicy(address) });
    if (policy.settings !== settings) throw neverExecuted(address, "belongs to another account");
    if (policy.rentCollector === undefined) {
      throw new TrellisError("unreadable_content", { message: sayUnknownRent(address) });
    }
    return policy.rentCollector === null ? [] : [policy.rentCollector];
  });
  return [...new Set(collectors)];
}

const neverExecuted = (policy: Address, what: string): TrellisError =>
  new TrellisError("invalid_proposal_status", {
    message: `The policy ${policy}, which it removes, ${what}. It can be cancelled, and never be executed.`,
  });

function policyIn(
  address: Address,
  { owner, data }: { readonly owner: Address; readonly data: Uint8Array },
): Policy | undefined {
  if (owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  try {
    return decodePolicy(address, data);
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

const sayUnknownPolicy = (policy: Address): string =>
  `What lies at ${policy}, which it removes, is no policy that can be read here. Execute it with another client.`;

const sayUnknownRent = (policy: Address): string =>
  `Who gets the rent of the policy ${policy} cannot be read here, and the chain takes its removal only with that address. ` +
  "Remove it with another client.";
