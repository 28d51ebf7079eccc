import type { Address } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { formatUnits } from "@trellis/kernel/money.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import { isKey } from "@trellis/program-client";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount, readTokenAccountsOf, tokenPrograms } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import Type from "typebox";
import { isServed } from "../accounts/account-store.js";
import { judgeAddress, needsConfirmation, unconfirmed } from "../payees/judge-address.js";
import { isOpened, tokenAccountOf } from "../payees/judge-tokens.js";
import { type PaymentFields, refusalOf, refuseObstacle } from "../payees/obstacle.js";
import { findPastTokenAccount } from "../payees/past-token-account.js";

/** The word of a request that its payee is an address that no key signs for (gap 147). */
export const confirmProgramAddress = Type.Optional(
  Type.Boolean({
    description:
      "True: the payee is an address that a program signs for, such as a vault that was never used, or an account that a program holds.",
  }),
);

/** What makes an address a payee that no key signs for (gap 147). */
export interface PayeeTrust {
  /** Where a request says so. */
  readonly field: string;
  /** Whether it does. */
  readonly isConfirmed: boolean;
  /** Whether the address is an account of this service. */
  readonly isKnown: (address: Address) => Promise<boolean>;
}

/** The trust of a request in its payee; `isConfirmed` is what it says in `field`. */
export function trustOf(
  db: Db,
  network: Pick<Network, "name">,
  isConfirmed: boolean | undefined,
  field: string,
): PayeeTrust {
  return {
    field,
    isConfirmed: isConfirmed === true,
    isKnown: (address) => isServed(db, network.name, address),
  };
}

/** An address that is to be paid, with what the chain holds. */
export interface PayeeFacts {
  readonly payee: Address;
  readonly payer: Address;
  readonly currency: Currency;
  /** What is at the address itself. */
  readonly named: ChainAccount | undefined;
  /** What is at the address's associated token account of the currency; undefined for SOL. */
  readonly associated: ChainAccount | undefined;
  /**
   * Who pays: the account may name a token account of the currency in its owner's place, and itself, to which nothing
   * happens then. Out of a limit the chain pays owners, and others than the account.
   */
  readonly by: "account" | "limit";
  readonly trust: PayeeTrust;
}

/**
 * Requires that an address can be paid in a currency: a holder gets the money out again. What its token account says is
 * judged by `judgeTokens`. Throws `forbidden_account`, `invalid_address`, `destination_unconfirmed`, `chain_unavailable`.
 */
export async function requirePayee(network: Network, facts: PayeeFacts, fields: PaymentFields): Promise<void> {
  const { payee, payer, currency, named, associated, by, trust } = facts;
  const { serviceAddresses } = network;
  const about = { payee, account: named, payer: by === "account" ? null : payer, serviceAddresses };
  refuseObstacle(judgeAddress(about), fields);
  if (payee === payer) return;
  const refuse = (message: string, suggestion = "Name the payee's own address, as its wallet shows it.") =>
    refusalOf({ code: "invalid_address", end: "destination", message, suggestion }, fields);
  if (named && tokenPrograms.includes(named.owner)) {
    if (currency.mint === null) {
      throw refuse("The destination belongs to a token program: it cannot hold SOL for any owner.");
    }
    const token = decodeTokenAccount(named);
    if (token?.owner === payer) throw refuse("The destination is a token account of the account itself.");
    if (by === "limit") throw refuse("The destination belongs to a token program. Name the owner who is to be paid.");
    if (token?.mint !== currency.mint) {
      throw refuse("The destination belongs to a token program and is no token account of this currency.");
    }
    return;
  }
  if (usualTokenAccounts(network, payer).includes(payee)) {
    throw refuse("The destination is the address of a token account of the account itself, which is not open.");
  }
  const isHolder = currency.mint !== null && tokenAccountOf(associated, payee, currency.mint) !== undefined;
  if (isHolder || (isKey(payee) && !needsConfirmation({ payee, account: named }))) return;
  if (await trust.isKnown(payee)) return;
  const owner = isOpened(named) ? undefined : await findPastTokenAccount(network, payee);
  if (owner !== undefined) {
    throw refuse(
      `The destination was a token account of ${owner}, and is closed: what is paid there now, its owner would hardly find.`,
      `Pay ${owner} itself, or ask the payee for another address.`,
    );
  }
  if (trust.isConfirmed || !needsConfirmation({ payee, account: named })) return;
  throw refusalOf(unconfirmed(payee, named, trust.field), fields);
}

/** Where wallets pay an owner to in the configured currencies. */
function usualTokenAccounts({ currencies }: Pick<Network, "currencies">, owner: Address): readonly Address[] {
  return currencies.flatMap(({ mint, tokenProgram }) =>
    mint === null || tokenProgram === null ? [] : [deriveTokenAccount(owner, mint, tokenProgram)],
  );
}

/** What pays a token: the owner's associated token account, as the chain holds it. */
export interface TokenSource {
  readonly owner: Address;
  readonly source: Address;
  readonly account: ChainAccount | undefined;
}

/**
 * Requires that a token account that pays holds enough. Throws `insufficient_balance`, which says what lies in other token
 * accounts of the owner and how it gets there, and `chain_unavailable`.
 */
export async function requireTokens(
  network: Pick<Network, "rpc">,
  { owner, source, account }: TokenSource,
  currency: Currency,
  amountBaseUnits: bigint,
): Promise<void> {
  const { mint, decimals } = currency;
  assertOurs(mint !== null, "a token has a mint");
  const held = tokenAccountOf(account, owner, mint)?.amount ?? 0n;
  if (held >= amountBaseUnits) return;
  const others = (await readTokenAccountsOf(network, owner, mint)).filter(
    ({ address, amount }) => address !== source && amount > 0n,
  );
  const elsewhere = others.reduce((sum, { amount }) => sum + amount, 0n);
  const symbol = currency.symbol.toUpperCase();
  if (elsewhere === 0n) throw insufficientBalance(symbol, decimals, held, amountBaseUnits);
  const text = (amount: bigint) => `${formatUnits(amount, decimals)} ${symbol}`;
  throw new TrellisError("insufficient_balance", {
    field: "amount",
    message:
      `Of the account's ${text(held + elsewhere)}, ${text(held)} can be paid, less than ${text(amountBaseUnits)}: payments ` +
      `leave its associated token account ${source}, and the rest lies in other token accounts.`,
    suggestion:
      `Move it to ${source} by a transaction of the account's own (POST …/transactions), from ` +
      `${others
        .slice(0, otherAccountsNamed)
        .map(({ address, amount }) => `${address} (${text(amount)})`)
        .join(", ")}; then pay.`,
    facts: {
      held: held.toString(),
      wanted: amountBaseUnits.toString(),
      held_elsewhere: others
        .slice(0, otherAccountsNamed)
        .map(({ address, amount }) => ({ token_account: address, amount: amount.toString() })),
    },
  });
}

/** Anybody can open token accounts for an owner. */
const otherAccountsNamed = 5;

/** The refusal of a payment that there is too little for. Amounts in base units. */
export function insufficientBalance(symbol: string, decimals: number, held: bigint, wanted: bigint): TrellisError {
  return new TrellisError("insufficient_balance", {
    field: "amount",
    message: `The account holds ${formatUnits(held, decimals)} ${symbol}, which is less than ${formatUnits(wanted, decimals)}.`,
    facts: { held: held.toString(), wanted: wanted.toString() },
  });
}
