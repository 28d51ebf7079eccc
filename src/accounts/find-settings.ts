import { type Address, isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  accountKindOf,
  decodeSettings,
  deriveSettingsAddress,
  deriveSmartAccountAddress,
  type Settings,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccountsAtSlot } from "@trellis/solana/read-accounts.js";

/** A smart account with the settings that rule it, both addresses derived and not believed. */
export interface FoundAccount {
  readonly address: Address;
  readonly settingsAddress: Address;
  readonly settings: Settings;
  /** At which the settings were read. */
  readonly slot: bigint;
}

/**
 * Finds an account of the program by its own address, by that of its settings, or by both. Its own address says nothing
 * about the settings: they are searched for in its newest transactions. Throws `invalid_address`, `account_not_found`,
 * `chain_unavailable`.
 */
export async function findAccountOnChain(
  network: Network,
  named: { readonly address?: string | undefined; readonly settings_address?: string | undefined },
): Promise<FoundAccount> {
  const address = parse(named.address, "address");
  const settingsAddress = parse(named.settings_address, "settings_address");
  const known = settingsAddress ?? address;
  if (known === undefined) {
    throw new TrellisError("invalid_request", { field: "address", message: "Name address or settings_address." });
  }
  const found =
    (await readSettings(network, known)) ??
    (settingsAddress === undefined ? await searchHistory(network, known) : undefined);
  if (
    found === undefined ||
    (address !== undefined && address !== found.address && address !== found.settingsAddress)
  ) {
    throw new TrellisError("account_not_found", {
      message: "The chain shows no smart account with this address.",
      ...(found === undefined && settingsAddress === undefined
        ? { suggestion: "Name its settings_address, where you know it." }
        : {}),
    });
  }
  return found;
}

function parse(text: string | undefined, field: string): Address | undefined {
  if (text === undefined || isAddress(text)) return text;
  throw new TrellisError("invalid_address", { field, message: `${field} is not an address.` });
}

async function readSettings(network: Network, settingsAddress: Address): Promise<FoundAccount | undefined> {
  const { accounts, slot } = await readAccountsAtSlot(network, [settingsAddress]);
  const [account] = accounts;
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS || accountKindOf(account.data) !== "settings") return undefined;
  const settings = decodeSettings(account.data);
  if (deriveSettingsAddress(settings.seed) !== settingsAddress) return undefined;
  return { address: deriveSmartAccountAddress(settingsAddress), settingsAddress, settings, slot };
}

/** Whatever the smart account did, its settings were named in the transaction. */
async function searchHistory(network: Network, address: Address): Promise<FoundAccount | undefined> {
  const newest = await askChain(
    network.rpc.getSignaturesForAddress(address, { limit: limits.importSearchTransactions, commitment: "confirmed" }),
  );
  const seen = new Set<Address>();
  for (const { signature } of newest) {
    const transaction = await askChain(
      network.rpc.getTransaction(signature, {
        commitment: "confirmed",
        encoding: "json",
        maxSupportedTransactionVersion: 0,
      }),
    );
    const loaded = transaction?.meta?.loadedAddresses;
    const keys = transaction?.transaction.message.accountKeys ?? [];
    for (const candidate of [...keys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])]) {
      if (seen.has(candidate)) continue;
      seen.add(candidate);
      if (deriveSmartAccountAddress(candidate) === address) return readSettings(network, candidate);
    }
  }
  return undefined;
}
