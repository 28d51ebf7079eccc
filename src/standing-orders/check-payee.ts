import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { type ChainAccount, readAccounts } from "@trellis/solana/read-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { findFeeEpoch } from "../payees/fee-epoch.js";
import { judgeTokens } from "../payees/judge-tokens.js";
import { refuseObstacle } from "../payees/obstacle.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { type PayeeTrust, requirePayee } from "../transactions/require-payable.js";
import { paymentFields } from "../transactions/transfer-instructions.js";

/**
 * Requires that a payee can be paid this, again and again, and gets exactly what is sent (gap 66): not the account
 * itself, nor anything that cannot get the money out again, in a currency without fees, programs or freezes of its own.
 * What may be another matter at a due date (a pause, what the account holds) is judged then.
 *
 * Throws `invalid_amount`, the code of an `Obstacle`, `chain_unavailable`.
 */
export async function checkPayee(
  network: Network,
  account: ActingAccount,
  payee: Address,
  currency: Currency,
  amountBaseUnits: bigint,
  trust: PayeeTrust,
): Promise<void> {
  const { mint, tokenProgram } = currency;
  const tokens = mint === null || tokenProgram === null ? [] : [mint, deriveTokenAccount(payee, mint, tokenProgram)];
  const [named, minted, associated] = await readAccounts(network, [payee, ...tokens], { leastSlot: account.slot });
  const facts = { payee, payer: account.address, currency, named, associated, by: "limit", trust } as const;
  await requirePayee(network, facts, paymentFields);
  if (mint === null) {
    await requireRent(network, named, amountBaseUnits);
    return;
  }
  const ends = { mint: minted, destination: { account: associated, owner: payee }, hasMemo: false };
  refuseObstacle(judgeTokens({ ...ends, epoch: await findFeeEpoch(network, [minted]) }), paymentFields);
}

async function requireRent(network: Network, payee: ChainAccount | undefined, amount: bigint): Promise<void> {
  if (payee !== undefined) return;
  const minimum = await askChain(network.rpc.getMinimumBalanceForRentExemption(0n));
  if (amount >= minimum) return;
  throw new TrellisError("invalid_amount", {
    field: "amount",
    message: `The destination does not exist yet, and an account needs at least ${minimum} lamports.`,
  });
}
