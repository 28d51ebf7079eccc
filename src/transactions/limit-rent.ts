import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { missingFor, type RentSponsor, rentNotSponsored } from "./rent-sponsor.js";

/** Accounts to be opened whose rent others could cash in. */
export interface Openings {
  /** Bytes of each. */
  readonly sizes: readonly number[];
  /** Who signs anyway, and may pay. */
  readonly signing: readonly Address[];
  /** Undefined: none but those who sign. */
  readonly sponsor: RentSponsor | undefined;
  /** In words, for the refusal: "X. That takes". */
  readonly what: string;
  readonly field?: string;
}

/**
 * Who pays the rent of new accounts: the sponsor, as often as it opens accounts for others; otherwise the first of those
 * who sign that has as many lamports of its own. What holds data, as a passkey's account does, can pay nothing.
 *
 * Throws `rent_not_sponsored` where none does, naming the first of them that could; `chain_unavailable`.
 */
export async function chooseRentPayer(
  network: Network,
  { sizes, signing, sponsor, what, field }: Openings,
): Promise<Address> {
  if (sponsor && (sizes.length === 0 || (await sponsor.openingsLeft()) >= sizes.length)) return sponsor.address;
  const [wallets, minimum, ...rents] = await Promise.all([
    readAccounts(network, signing),
    ...[0, ...sizes].map((size) => askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)))),
  ] as const);
  const rentLamports = rents.reduce((sum, rent) => sum + rent, 0n);
  const missing = signing.flatMap((address, i) => {
    const { lamports = 0n, data } = wallets[i] ?? {};
    const holdsData = data !== undefined && data.length > 0;
    return holdsData ? [] : [{ address, lamports: missingFor(rentLamports, lamports, minimum ?? 0n) }];
  });
  const able = missing.find(({ lamports }) => lamports === 0n);
  if (able !== undefined) return able.address;
  const [first] = missing;
  throw rentNotSponsored({
    ...(field === undefined ? {} : { field }),
    what,
    rentLamports,
    payer: first?.address,
    missing: first?.lamports ?? rentLamports,
    isNeverSponsored: sponsor === undefined,
  });
}

/** The same for new spending limits: the signer that removes one names who gets its rent. */
export function chooseLimitRentPayer(
  network: Network,
  sizes: readonly number[],
  signing: readonly Address[],
  sponsor: RentSponsor,
): Promise<Address> {
  const limits = sizes.length === 1 ? "a spending limit" : `${sizes.length} spending limits`;
  return chooseRentPayer(network, { sizes, signing, sponsor, what: `The change makes ${limits}. That takes` });
}
