import type { Address } from "@solana/kit";
import { askChain } from "../../core/chain/ask-chain.js";
import { type ChainAccount, readAccounts } from "../../core/chain/read-accounts.js";
import { decodeTokenAccount, tokenPrograms } from "../../core/chain/token-accounts.js";
import { deriveTokenAccount } from "../../core/chain/token-address.js";
import { demandsMemo, whyNotPlainMint } from "../../core/chain/token-extensions.js";
import { SMART_ACCOUNT_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from "../../core/program-client/index.js";
import { TrellisError } from "../../errors.js";
import type { Currency, Network } from "../../ports/network.js";
import type { ActingAccount } from "../transactions/acting-account.js";

/**
 * Requires that a payee can be paid this, again and again, and gets exactly what is sent (gap 66): not the account
 * itself, nor anything that cannot get the money out again, in a currency without fees, programs or freezes of its own.
 *
 * Throws `invalid_address`, `forbidden_account`, `unsupported_currency`, `invalid_amount`, `chain_unavailable`.
 */
export async function checkPayee(
  network: Network,
  account: ActingAccount,
  payee: Address,
  currency: Currency,
  amountBaseUnits: bigint,
): Promise<void> {
  const refuse = (message: string) => new TrellisError("invalid_address", { field: "destination.address", message });
  if (network.serviceAddresses.has(payee)) {
    throw new TrellisError("forbidden_account", {
      field: "destination.address",
      message: "A key of the service cannot be paid.",
    });
  }
  if (payee === account.address) throw refuse("The account would pay itself.");
  const { mint, tokenProgram } = currency;
  const held = mint === null || tokenProgram === null ? [] : [mint, deriveTokenAccount(payee, mint, tokenProgram)];
  const [named, minted, receiving] = await readAccounts(network, [payee, ...held], { leastSlot: account.slot });
  if (named?.executable === true) throw refuse("The destination is a program: what it is paid is lost.");
  if (named?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS) {
    throw refuse("The destination belongs to the smart account program. Pay the smart account's own address.");
  }
  if (named && tokenPrograms.includes(named.owner)) {
    throw refuse("The destination belongs to a token program. Name the owner who is to be paid.");
  }
  if (mint === null) {
    await requireRent(network, named, amountBaseUnits);
    return;
  }
  const why = minted && whyNotPlainMint(minted.data);
  if (why !== undefined) {
    throw new TrellisError("unsupported_currency", {
      field: "source.currency",
      message: `The currency ${why}, so that a standing order could not pay exactly what is asked for.`,
    });
  }
  if (receiving === undefined || receiving.owner === SYSTEM_PROGRAM_ADDRESS) return;
  const opened = decodeTokenAccount(receiving);
  if (opened?.owner !== payee || opened.mint !== mint) {
    throw refuse(`The destination's token account ${receiving.address} does not belong to it any more.`);
  }
  if (demandsMemo(receiving.data)) throw refuse("The destination's token account takes payments with a memo only.");
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
