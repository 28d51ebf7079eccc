import type { Address } from "@solana/addresses";
import { requireAddress } from "./address.js";
import type { ReadAccounts } from "./begun-earlier.js";
import { type ChainPolicy, decodeSettings } from "./inspect/decode-settings.js";
import { deriveSmartAccountAddress } from "./program-address.js";
import { accountPath, type ServiceCalls } from "./service-calls.js";
import type { Account } from "./wire.js";

/** The three signers that a guarded account has to have. */
export type ExpectedProtection = {
  /** The guardian's wallet, which its receipt has certified: the `signer` of a passkey that was added with `guardian`. */
  readonly guardian: string;
  /** The recovery key. */
  readonly recovery: string;
  /** The service's own signer: a wallet of the session's. Absent: any one. */
  readonly service?: string;
};

/** Whether the chain has a guarded account, and where it has not, what differs. */
export type ProtectionReport =
  | {
      readonly isGuarded: true;
      readonly policy: ChainPolicy;
      /** What may act without these signers, as a sentence. Absent: the settings show nothing of the kind. */
      readonly remaining?: string;
    }
  | { readonly isGuarded: false; readonly differs: string };

const everything = 7;
const votes = 2;

/** See `accounts.compareProtection`. Rejects with a `TypeError` where the client has no node of its own. */
export async function compareProtection(
  { get, readAccounts }: Pick<ServiceCalls, "get"> & { readonly readAccounts: ReadAccounts | undefined },
  account: string,
  expected: ExpectedProtection,
): Promise<ProtectionReport> {
  if (readAccounts === undefined) {
    throw new TypeError("give the client readAccounts: the service's word is what this is to do without");
  }
  const settings = requireAddress((await get<Account>(accountPath(account))).settings_address);
  // The service only says where to read: an address that is not behind this account is found out.
  if (deriveSmartAccountAddress(settings) !== requireAddress(account)) {
    return differing(`The service names settings ${settings}, which are not those of ${account}.`);
  }
  const [data] = await readAccounts([settings]);
  const policy = data && decodeSettings(data);
  if (!policy) return differing(`The chain has no settings at ${settings}.`);
  const differs = differenceOf(policy, {
    guardian: requireAddress(expected.guardian),
    recovery: requireAddress(expected.recovery),
    service: expected.service === undefined ? undefined : requireAddress(expected.service),
  });
  return differs === undefined ? { isGuarded: true, policy, ...remainingOf(policy) } : differing(differs);
}

/** Which policies are left lies in accounts of their own. */
function remainingOf({ policiesMade }: ChainPolicy): { readonly remaining?: string } {
  if (policiesMade === 0n) return {};
  return {
    remaining: `Policies were made under these settings (${policiesMade}): any that is left acts without the signers.`,
  };
}

const differing = (differs: string): ProtectionReport => ({ isGuarded: false, differs });

/** The first thing that is not as a guarded account has it, as a sentence. */
function differenceOf(
  { admin, threshold, signers }: ChainPolicy,
  {
    guardian,
    recovery,
    service,
  }: { readonly guardian: Address; readonly recovery: Address; readonly service: Address | undefined },
): string | undefined {
  if (admin !== null) return `${admin} is the admin of the account and can change its signers alone.`;
  const maskOf = (address: Address) => signers.find((signer) => signer.address === address)?.mask;
  if (maskOf(guardian) === undefined) return `The guardian's wallet ${guardian} is no signer of the account.`;
  if (maskOf(guardian) !== everything) return `The guardian's wallet ${guardian} lacks permissions.`;
  if (maskOf(recovery) === undefined) return `The recovery key ${recovery} is no signer of the account.`;
  if (maskOf(recovery) !== votes) return `The recovery key ${recovery} can do more than vote, or cannot vote.`;
  const others = signers.filter(({ address }) => address !== guardian && address !== recovery);
  const [own, stranger] = others;
  if (own === undefined) return "The service has no signer of its own in the account.";
  if (stranger !== undefined) return `The account has ${signers.length} signers instead of three: ${stranger.address}.`;
  if (service !== undefined && own.address !== service) return `${own.address} signs in the place of ${service}.`;
  if (own.mask !== everything) return `The service's signer ${own.address} lacks permissions.`;
  if (threshold !== 2) return `${threshold} of the signers decide instead of 2.`;
  return undefined;
}
