import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import { getExportingCustodian } from "../custody/custodians.js";
import { type CommandedWallet, chooseWallet } from "../passkeys/commanded-wallets.js";

/**
 * The wallet whose key a request means: the one it names, or the account's primary one. Throws `insufficient_permissions`, and
 * `provider_not_available` where its custodian keeps its keys.
 */
export function chooseExportedWallet(
  wallets: readonly CommandedWallet[],
  signer: string | undefined,
  custodians: Custodians,
): CommandedWallet {
  const primary = wallets.find(({ provider }) => custodians.get(provider)?.isGuardian !== true);
  const wallet = chooseWallet(wallets, signer ?? primary?.address, custodians);
  getExportingCustodian(custodians, wallet.provider);
  return wallet;
}
