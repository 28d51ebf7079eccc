import { type Address, address, type Signature } from "@solana/kit";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";

/**
 * Uses up the name of a payment that the chain keeps refusing, with a payment of nothing to the sandbox itself: from then on
 * no one is paid under it. Says by which transaction the payment was made after all; undefined: it never was and never is.
 */
export async function takeBack(network: Network, mint: string, name: string): Promise<string | undefined> {
  const currency = network.currencies.find((known) => known.mint === mint);
  assertOurs(network.sandbox && currency?.tokenProgram, "play money is paid in a token of the sandbox");
  const own = network.feePayer.address;
  const signature = await network.sandbox.mintTo(own, address(mint), 0n, name);
  const found = await askChain(
    network.rpc.getTransaction(signature as Signature, {
      commitment: "confirmed",
      encoding: "json",
      maxSupportedTransactionVersion: 0,
    }),
  );
  assertOurs(found, "a payment that the sandbox names is in its chain");
  const used: readonly Address[] = found.transaction.message.accountKeys;
  return used.includes(deriveTokenAccount(own, address(mint), currency.tokenProgram)) ? undefined : signature;
}
