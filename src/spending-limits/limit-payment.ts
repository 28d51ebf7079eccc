import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import { standingAt, useSpendingLimitInstruction } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { getCurrency } from "@trellis/solana/currency.js";
import { readAccount, readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeMintDecimals, TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { associatedAccountBytes } from "@trellis/solana/token-extensions.js";
import { findFeeEpoch } from "../payees/fee-epoch.js";
import { judgeTokens } from "../payees/judge-tokens.js";
import { type PaymentFields, refuseObstacle } from "../payees/obstacle.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { chooseRentPayer } from "../transactions/limit-rent.js";
import type { StandingLimit } from "../transactions/read-spending-limits.js";
import type { RentSponsor } from "../transactions/rent-sponsor.js";
import { type PayeeTrust, requirePayee, requireTokens } from "../transactions/require-payable.js";
import { isTokenAccountOf, requireSolPayable } from "../transactions/transfer-instructions.js";
import { hasExpired, secondsNow } from "./spending-limit.js";

/** A payment out of a limit, in terms of the chain. */
export interface LimitPayment {
  readonly limit: StandingLimit;
  readonly amountBaseUnits: bigint;
  readonly signer: Address;
  /** An owner, not a token account. */
  readonly recipient: Address;
  /** Whether the recipient may be an address that no key signs for. */
  readonly trust: PayeeTrust;
}

/** The instructions of such a payment. */
export interface LimitPaymentInstructions {
  readonly instructions: readonly Instruction[];
  /** What they cost the fee payer in rent at most, lamports. */
  readonly rentLamports: bigint;
  /** Written to by others as well: what those pay says what to bid. */
  readonly contended: readonly Address[];
}

const recipientField = "recipient_address";

/** How the request of such a payment spells its ends: the limit itself names the currency. */
const paymentFields: PaymentFields = { currency: null, source: null, destination: recipientField };

/**
 * Requires that a limit allows a payment now, as the program would judge it: it has not expired, the
 * recipient is among those it names, and enough is left of it.
 *
 * Throws `spending_limit_expired`, `destination_not_allowed`, `spending_limit_exceeded`, and
 * `forbidden_account` for a limit of another vault, for a service key as the recipient and for the account itself.
 */
export function requireAllowed(
  network: Pick<Network, "clock" | "serviceAddresses">,
  account: Pick<ActingAccount, "address">,
  { limit, amountBaseUnits, recipient }: Pick<LimitPayment, "limit" | "amountBaseUnits" | "recipient">,
): void {
  const forbid = (field: string, message: string) => new TrellisError("forbidden_account", { field, message });
  if (limit.accountIndex !== 0) throw forbid("address", "This spending limit pays from another vault of the settings.");
  if (network.serviceAddresses.has(recipient)) throw forbid(recipientField, "A key of the service cannot be paid.");
  if (recipient === account.address) throw forbid(recipientField, "The account cannot pay itself.");
  const now = secondsNow(network);
  if (hasExpired(limit, now)) throw new TrellisError("spending_limit_expired");
  if (limit.destinations.length > 0 && !limit.destinations.includes(recipient)) {
    throw new TrellisError("destination_not_allowed", { field: recipientField });
  }
  const { remainingBaseUnits, nextReset } = standingAt(limit, now);
  if (amountBaseUnits <= remainingBaseUnits) return;
  const refilledAt = nextReset === null ? null : new Date(Number(nextReset) * 1000).toISOString();
  throw new TrellisError("spending_limit_exceeded", {
    field: "amount",
    message:
      `${remainingBaseUnits} base units are left of the spending limit, which is less than ${amountBaseUnits}.` +
      (refilledAt === null ? "" : ` It is full again at ${refilledAt}.`),
    facts: { remaining_amount: remainingBaseUnits.toString(), next_reset: refilledAt },
  });
}

/**
 * Turns a payment out of a limit into instructions on the chain's present state, the payee's token account opened in
 * front where it is missing: by the sponsor, or by the limit's signer.
 *
 * Throws `insufficient_balance`, `invalid_amount`, `rent_not_sponsored`, the code of an `Obstacle`, `chain_unavailable`.
 */
export async function buildLimitPayment(
  network: Network,
  account: ActingAccount,
  payment: LimitPayment,
  sponsor: RentSponsor,
): Promise<LimitPaymentInstructions> {
  const { limit, recipient, signer, amountBaseUnits, trust } = payment;
  const use = {
    settings: account.settingsAddress,
    spendingLimit: limit.address,
    signer,
    destination: recipient,
    amountBaseUnits,
  };
  const freshness = { leastSlot: account.slot };
  const about = { payee: recipient, payer: account.address, by: "limit", trust } as const;
  if (limit.mint === null) {
    const [vault, payee] = await readAccounts(network, [account.address, recipient], freshness);
    const sol = getCurrency(network, "sol", "mint");
    await requirePayee(network, { ...about, currency: sol, named: payee, associated: undefined }, paymentFields);
    await requireSolPayable(network, vault, payee, amountBaseUnits);
    return {
      instructions: [useSpendingLimitInstruction({ ...use, token: null })],
      rentLamports: 0n,
      contended: [recipient],
    };
  }
  const currency = await readCurrency(network, limit.mint);
  const { mint, tokenProgram, decimals } = currency;
  const source = deriveTokenAccount(account.address, mint, tokenProgram);
  const destination = deriveTokenAccount(recipient, mint, tokenProgram);
  const wanted = [source, recipient, destination, mint];
  const [held, named, existing, minted] = await readAccounts(network, wanted, freshness);
  await requirePayee(network, { ...about, currency, named, associated: existing }, paymentFields);
  const ends = {
    mint: minted,
    source: { account: held, owner: account.address },
    destination: { account: existing, owner: recipient },
    hasMemo: false,
    epoch: await findFeeEpoch(network, [minted]),
  };
  refuseObstacle(judgeTokens(ends), paymentFields);
  await requireTokens(network, { owner: account.address, source, account: held }, currency, amountBaseUnits);
  const token = {
    mint,
    decimals,
    tokenProgram,
    smartAccountTokenAccount: source,
    destinationTokenAccount: destination,
  };
  const pay = useSpendingLimitInstruction({ ...use, token });
  if (isTokenAccountOf(existing, recipient, mint, recipientField)) {
    return { instructions: [pay], rentLamports: 0n, contended: [destination] };
  }
  const size = associatedAccountBytes(minted?.data ?? new Uint8Array(), tokenProgram === TOKEN_2022_PROGRAM_ADDRESS);
  const payer = await chooseRentPayer(network, {
    sizes: [size],
    signing: [signer],
    sponsor: isConfigured(network, mint) ? sponsor : withoutService(network, sponsor),
    what: `The recipient has no token account for ${currency.symbol}. To open one takes`,
    field: recipientField,
  });
  const open = getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(payer),
    ata: destination,
    owner: recipient,
    mint,
    tokenProgram,
  });
  const rent = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)));
  return {
    instructions: [open, pay],
    rentLamports: payer === sponsor.address ? rent : 0n,
    contended: [destination],
  };
}

const isConfigured = ({ currencies }: Pick<Network, "currencies">, mint: Address): boolean =>
  currencies.some((currency) => currency.mint === mint);

/** Accounts of a mint that anybody can make are opened at the service's expense for no one (gap 31). */
const withoutService = ({ feePayer }: Pick<Network, "feePayer">, sponsor: RentSponsor): RentSponsor =>
  sponsor.address === feePayer.address ? { ...sponsor, openingsLeft: async () => 0 } : sponsor;

/** A token of the environment's configuration, or what its mint says of itself. */
async function readCurrency(
  network: Network,
  mint: Address,
): Promise<Currency & { readonly mint: Address; readonly tokenProgram: Address }> {
  const known = network.currencies.find((currency) => currency.mint === mint);
  if (known?.tokenProgram) return { ...known, mint, tokenProgram: known.tokenProgram };
  const account = await readAccount(network, mint);
  const decimals = account && decodeMintDecimals(account);
  if (account === undefined || decimals === undefined) {
    throw new TrellisError("unsupported_currency", { message: `The limit's mint ${mint} is none any more.` });
  }
  return { symbol: mint, name: mint, decimals, mint, tokenProgram: account.owner };
}
