import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { deriveSettingsAddress, PROGRAM_CONFIG_ADDRESS, settingsSize } from "@trellis/program-client";
import { getProgramConfigDecoder } from "@trellis/program-client/generated/accounts/index.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { estimateComputePrice } from "@trellis/solana/compute-price.js";
import { readAccount } from "@trellis/solana/read-accounts.js";

/** Treasury, fee and price change rarely; a creation under old terms is refused by its simulation and built anew. */
const termsLifeMs = 10_000;
/** Derived addresses are kept while creations overlap in their candidates. */
const addressesAtHand = 128;
interface Terms {
  readonly treasury: Address;
  readonly feeLamports: bigint;
  /** How many accounts existed when this was read. */
  readonly index: bigint;
  readonly computePrice: bigint;
  readonly readAt: number;
}

/** What the creations of an environment ask of its chain, as it was read last. */
export interface RememberedChain {
  terms: Terms | undefined;
  readonly rents: Map<number, bigint>;
  readonly addresses: Map<bigint, Address>;
}

/** The present terms. Throws `chain_unavailable`. */
export async function getTerms(network: Network, chain: RememberedChain, realClock: Clock): Promise<Terms> {
  const known = chain.terms;
  if (known && realClock.now() - known.readAt < termsLifeMs) return known;
  const terms = { ...(await readTerms(network)), readAt: realClock.now() };
  chain.terms = terms;
  return terms;
}

async function readTerms(network: Network): Promise<Omit<Terms, "readAt">> {
  const [account, computePrice] = await Promise.all([
    readAccount(network, PROGRAM_CONFIG_ADDRESS),
    estimateComputePrice(network, [PROGRAM_CONFIG_ADDRESS]),
  ]);
  if (!account) {
    throw new TrellisError("chain_unavailable", {
      message: "The smart account program is not set up on this chain.",
    });
  }
  const config = getProgramConfigDecoder().decode(account.data);
  return {
    treasury: config.treasury,
    feeLamports: config.smartAccountCreationFee,
    index: config.smartAccountIndex,
    computePrice,
  };
}

/** The settings accounts of numbers in a row. */
export function addressesOf(
  { addresses }: RememberedChain,
  { low, count }: { readonly low: bigint; readonly count: number },
): readonly Address[] {
  return Array.from({ length: count }, (_, offset) => addressOf(addresses, low + BigInt(offset)));
}

/** The settings account of a number. */
function addressOf(addresses: Map<bigint, Address>, seed: bigint): Address {
  const known = addresses.get(seed);
  if (known !== undefined) return known;
  const derived = deriveSettingsAddress(seed);
  addresses.set(seed, derived);
  if (addresses.size > addressesAtHand) {
    const oldest = addresses.keys().next();
    if (oldest.done !== true) addresses.delete(oldest.value);
  }
  return derived;
}

/** Rent-exempt minimum of a settings account. */
export async function getRent(network: Network, { rents }: RememberedChain, signerCount: number): Promise<bigint> {
  const size = settingsSize(signerCount);
  const known = rents.get(size);
  if (known !== undefined) return known;
  const rent = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)));
  rents.set(size, rent);
  return rent;
}
