import type { Address } from "@solana/kit";
import {
  accountKindOf,
  decodeSettings,
  deriveSettingsAddress,
  deriveSmartAccountAddress,
  type Settings,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import type { ChainReader } from "./chain-reader.js";
import { assertTrue, DoctorError } from "./doctor-error.js";

/** A smart account with the settings that rule it, both addresses derived and not believed. */
export interface ExaminedAccount {
  readonly address: Address;
  readonly settingsAddress: Address;
  readonly settings: Settings;
  /** The settings account as it was read. */
  readonly data: Uint8Array;
}

/**
 * Finds the settings of a smart account (its address says nothing about them): those named; those that occur in its
 * history and derive it; those among all settings that derive it. `address` may be the settings' own too. Throws
 * `DoctorError`.
 */
export async function findExaminedAccount(
  chain: ChainReader,
  address: Address,
  named: Address | undefined,
): Promise<ExaminedAccount> {
  if (named !== undefined) {
    const account = await readExaminedAccount(chain, named);
    if (address !== named && address !== account.address) {
      throw new DoctorError(
        `${address} is not the smart account of the settings ${named}: that is ${account.address}.`,
      );
    }
    return account;
  }
  if ((await chain.account(address))?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS) {
    return readExaminedAccount(chain, address);
  }
  const found = (await searchHistory(chain, address)) ?? (await searchAll(chain, address));
  return readExaminedAccount(chain, found);
}

/** Reads settings and holds them against their own address. Throws `DoctorError`. */
export async function readExaminedAccount(chain: ChainReader, settingsAddress: Address): Promise<ExaminedAccount> {
  const account = await chain.account(settingsAddress);
  if (account === undefined) throw new DoctorError(`There is no account at ${settingsAddress}.`);
  if (account.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS || accountKindOf(account.data) !== "settings") {
    throw new DoctorError(`${settingsAddress} is not a settings account of the smart account program.`);
  }
  const settings = decodeSettings(account.data);
  assertTrue(
    deriveSettingsAddress(settings.seed) === settingsAddress,
    `settings number ${settings.seed} do not lie at ${settingsAddress}`,
  );
  return { address: deriveSmartAccountAddress(settingsAddress), settingsAddress, settings, data: account.data };
}

/** Whatever the smart account did, its settings were named in the transaction. */
async function searchHistory(chain: ChainReader, address: Address): Promise<Address | undefined> {
  const seen = new Set<Address>();
  for await (const accounts of chain.accountsInHistoryOf(address)) {
    for (const candidate of accounts) {
      if (seen.has(candidate)) continue;
      seen.add(candidate);
      if (deriveSmartAccountAddress(candidate) === address) return candidate;
    }
  }
  return undefined;
}

async function searchAll(chain: ChainReader, address: Address): Promise<Address> {
  const all = await chain.allSettings();
  const found = all?.find((candidate) => deriveSmartAccountAddress(candidate) === address);
  if (found !== undefined) return found;
  throw new DoctorError(
    all === undefined
      ? `The settings of ${address} are in none of its transactions, and this node does not list all settings. Name them with --settings.`
      : `${address} is no smart account of any settings on this chain.`,
  );
}
