import { type Address, isAddress } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { whyNotPlainMint } from "@trellis/solana/token-extensions.js";
import { findFeeEpoch } from "../payees/fee-epoch.js";
import { judgeAddress } from "../payees/judge-address.js";
import type { Effect } from "../transactions/summary-item.js";
import type { ProposalWarning } from "./proposal.js";

/** So many accounts are read in one question. */
const accountsRead = 100;

/**
 * What to know of the payees and mints of a proposal's transfers, whatever its creator (gap 148): what reaches no payee, and what
 * would arrive short. A transfer that the chain would refuse is reported by the simulation. One question to the chain, and none
 * where nothing is transferred. Throws `chain_unavailable`.
 */
export async function findPayeeWarnings(
  network: Network,
  vault: Address,
  effects: readonly Effect[],
): Promise<readonly ProposalWarning[]> {
  const transfers = effects.flatMap((effect) => (effect.type === "transfer" && effect.from === vault ? [effect] : []));
  if (transfers.length === 0) return [];
  // Where a place of a lookup table could not be read, its name stands there instead.
  const payees = [...new Set(transfers.flatMap(({ to }) => (isAddress(to) ? [to] : [])))];
  const mints = [...new Set(transfers.flatMap(({ mint }) => (mint !== null && isAddress(mint) ? [mint] : [])))];
  const addresses = [...mints, ...payees].slice(0, accountsRead);
  const accounts = await readAccounts(network, addresses);
  const found = new Map(addresses.map((address, i) => [address, accounts[i]]));
  const epoch = await findFeeEpoch(
    network,
    mints.map((mint) => found.get(mint)),
  );
  return [
    ...payees.flatMap((payee): ProposalWarning[] => {
      const { serviceAddresses } = network;
      const obstacle = judgeAddress({ payee, account: found.get(payee), payer: null, serviceAddresses });
      if (obstacle === undefined) return [];
      return [{ code: "unpayable_destination", message: `${payee}: ${obstacle.message}` }];
    }),
    ...mints.flatMap((mint): ProposalWarning[] => {
      const account = found.get(mint);
      const why = account && whyNotPlainMint(account.data, epoch);
      if (why === undefined) return [];
      return [{ code: "not_whole", message: `The currency ${why}: less may arrive than is sent.`, mint }];
    }),
  ];
}
