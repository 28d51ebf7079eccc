import type { Address } from "@solana/kit";
import { askChain } from "../../core/chain/ask-chain.js";
import { readAccounts } from "../../core/chain/read-accounts.js";
import type { Network } from "../../ports/network.js";
import { missingFor, type RentSponsor, rentNotSponsored } from "./rent-sponsor.js";

/**
 * Who pays the rent of new spending limits of these sizes. Whoever removes a limit names who gets its rent, so they are
 * paid by the sponsor only as often as it opens accounts for others; otherwise by the first of those who sign that has as
 * many lamports of its own.
 *
 * Throws `rent_not_sponsored` where nobody does, naming the first of them; `chain_unavailable`.
 */
export async function chooseLimitRentPayer(
  network: Network,
  sizes: readonly number[],
  signing: readonly Address[],
  sponsor: RentSponsor,
): Promise<Address> {
  if (sizes.length === 0 || (await sponsor.openingsLeft()) >= sizes.length) return sponsor.address;
  const [wallets, minimum, ...rents] = await Promise.all([
    readAccounts(network, signing),
    ...[0, ...sizes].map((size) => askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)))),
  ] as const);
  const rentLamports = rents.reduce((sum, rent) => sum + rent, 0n);
  const missing = signing.map((address, i) => ({
    address,
    lamports: missingFor(rentLamports, wallets[i]?.lamports ?? 0n, minimum ?? 0n),
  }));
  const able = missing.find(({ lamports }) => lamports === 0n);
  if (able !== undefined) return able.address;
  const [first] = missing;
  throw rentNotSponsored({
    what: `The change makes ${sizes.length === 1 ? "a spending limit" : `${sizes.length} spending limits`}. That takes`,
    rentLamports,
    payer: first?.address ?? sponsor.address,
    missing: first?.lamports ?? rentLamports,
  });
}
