import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type SettingsActionArgs, settingsSize } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccount } from "@trellis/solana/read-accounts.js";
import type { ActingAccount } from "./acting-account.js";

/** Lamports that the settings get in front of a change of them. */
export interface SettingsFunding {
  readonly instructions: readonly Instruction[];
  readonly lamports: bigint;
}

/**
 * What a list of actions needs in front of it. The rent of a removed limit or policy is handed out in the middle of the
 * list, and the chain then lets nothing be taken from any account in the same instruction, which the growth of the settings
 * would do at its end: so what they will lack for new signers is sent to them before, and nothing is taken any more.
 * Nothing is needed where neither is removed. Throws `chain_unavailable`.
 */
export async function fundSettings(
  network: Network,
  account: ActingAccount,
  actions: readonly SettingsActionArgs[],
  payer: Address,
): Promise<SettingsFunding> {
  const nothing = { instructions: [], lamports: 0n };
  const count = (kind: SettingsActionArgs["__kind"]) => actions.filter(({ __kind }) => __kind === kind).length;
  const members = account.settings.signers.length + count("AddSigner") - count("RemoveSigner");
  const removals = count("RemoveSpendingLimit") + count("PolicyRemove");
  if (removals === 0 || members <= account.settings.signers.length) return nothing;
  const settings = await readAccount(network, account.settingsAddress, { leastSlot: account.slot });
  const size = settingsSize(members);
  if (settings === undefined || settings.data.length >= size) return nothing;
  const rent = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)));
  const lamports = rent - settings.lamports;
  if (lamports <= 0n) return nothing;
  const source = createNoopSigner(payer);
  return {
    lamports,
    instructions: [getTransferSolInstruction({ source, destination: settings.address, amount: lamports })],
  };
}
