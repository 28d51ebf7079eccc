import type { AccountHolder } from "./account-holder.js";
import { requireAddress } from "./address.js";
import { type GivenAmount, toBaseUnits } from "./base-units.js";
import type {
  CreateSpendingLimit,
  createSpendingLimitCalls,
  PayFromSpendingLimit,
  SpendingLimitReceipt,
} from "./spending-limits.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import type { ListSpendingLimitsQuery, RequestedPeriod, SpendingLimit, SpendingLimitPeriod } from "./wire.js";

/** What an agent is to be allowed, in the words of the owner who gives it. */
export type NewAllowance = GivenAmount & {
  /** The address of the agent's key. No other key can use the allowance. */
  readonly agent: string;
  /** Symbol (`sol`, `usdc`, …) or mint address. */
  readonly currency: string;
  /** Of the mint, for a `uiAmount` where the client does not know them. */
  readonly decimals?: number;
  /** How long the amount has to last. `one_time`: it is never filled again. */
  readonly period: RequestedPeriod;
  /** Owners that may be paid; absent or empty: anybody. */
  readonly payees?: readonly string[];
  /** When it ends; absent or null: when it is revoked. Counts in whole seconds. */
  readonly end?: Date | null;
};

/** An allowance as the chain has it now. Amounts are base units. */
export type Allowance = {
  /** The address of the spending limit that it is. */
  readonly allowance: string;
  /** The smart account that it pays from. */
  readonly account: string;
  /** The addresses of the keys that can use it; one, unless it was made as a spending limit of several. */
  readonly agents: readonly string[];
  /** Null is SOL. */
  readonly mint: string | null;
  /** Symbol, where the environment knows the mint. */
  readonly currency?: string;
  readonly amount: bigint;
  readonly remaining: bigint;
  readonly period: SpendingLimitPeriod;
  /** The first moment at which it is whole again; null: never. */
  readonly nextReset: Date | null;
  /** Empty: anybody may be paid. */
  readonly payees: readonly string[];
  /** Null: when it is revoked. */
  readonly end: Date | null;
  /** Whether it has not ended and something is left of it. */
  readonly usable: boolean;
};

/** An allowance to be given: prepared, checked, signed and submitted in one go. */
export type CreateAllowance = Omit<CreateSpendingLimit, "limit"> & { readonly allowance: NewAllowance };

/** An allowance to be taken back. */
export type RevokeAllowance = Omit<CreateSpendingLimit, "limit"> & { readonly allowance: string };

/** A payment by the agent: the holder is its key. */
export type PayFromAllowance = AccountHolder &
  GivenAmount &
  Omit<PayFromSpendingLimit, "spendingLimit" | keyof AccountHolder | "amount" | "uiAmount"> & {
    readonly allowance: string;
  };

/** One page of allowances; without `nextCursor` it is the last. */
export type AllowancePage = { readonly allowances: readonly Allowance[]; readonly nextCursor?: string };

/** Where the allowance is. */
export type AllowanceReceipt = { readonly allowance: string };

/** Whose allowances: of one account, of one agent, or both. Without an account those of all accounts, which takes a secret key. */
export type AllowancesQuery = { readonly account?: string; readonly agent?: string };

/**
 * The calls of a client about what agents are allowed. An allowance is a spending limit (gap 41) of one key: the chain holds the agent to
 * amount, period, payees and end, whatever the agent, its host or the service does. The prepared bytes are checked as those of
 * `spendingLimits` are: they reject with `TransactionMismatchError` before anything is signed, and with `OutcomeUnknownError` when what was
 * signed may have taken effect. Where an account's signers cannot act at once, `create` and `revoke` reject with `proposal_required`.
 */
export function createAllowanceCalls(limits: ReturnType<typeof createSpendingLimitCalls>) {
  return {
    /** Gives an agent's key an allowance at once. */
    create: async (
      { allowance, ...about }: CreateAllowance,
      options: SubmitOptions<SpendingLimitReceipt> = {},
    ): Promise<AllowanceReceipt & Confirmation> =>
      receiptOf(await limits.create({ ...about, limit: limitOfAllowance(allowance) }, options)),
    /** What agents are allowed at this moment, read to the end of the list. */
    list: async ({ account, agent }: AllowancesQuery): Promise<readonly Allowance[]> => {
      const query = agent === undefined ? {} : { signer: requireAddress(agent) };
      const found = account === undefined ? limits.allOfTenant(query) : limits.all(account, query);
      const allowances: Allowance[] = [];
      for await (const limit of found) allowances.push(allowanceOf(limit));
      return allowances;
    },
    /** Reads one page of an account's allowances. */
    page: async (account: string, query: ListSpendingLimitsQuery = {}): Promise<AllowancePage> => {
      const { spendingLimits, ...rest } = await limits.page(account, query);
      return { allowances: spendingLimits.map(allowanceOf), ...rest };
    },
    /** Reads one as the chain has it now. */
    get: async (account: string, allowance: string): Promise<Allowance> =>
      allowanceOf(await limits.get(account, allowance)),
    /** Takes an allowance back at once: the agent's key pays nothing by it any more. */
    revoke: async (
      { allowance, ...about }: RevokeAllowance,
      options: SubmitOptions<SpendingLimitReceipt> = {},
    ): Promise<AllowanceReceipt & Confirmation> =>
      receiptOf(await limits.remove({ ...about, spendingLimit: allowance }, options)),
    /** Pays out of an allowance, signed by the agent's key alone. The chain refuses what is beyond it. */
    pay: ({ allowance, ...payment }: PayFromAllowance, options: SubmitOptions = {}): Promise<Confirmation> =>
      limits.pay({ ...payment, spendingLimit: allowance } as PayFromSpendingLimit, options),
  };
}

/** The spending limit that an allowance is, as `spendingLimits.create` and a proposal of the type `spending_limit` take it. */
export function limitOfAllowance({ agent, payees, end, ...terms }: NewAllowance): CreateSpendingLimit["limit"] {
  return {
    ...terms,
    signers: [requireAddress(agent)],
    ...(payees === undefined ? {} : { destinations: payees }),
    expiration: end ?? null,
  };
}

function receiptOf<Receipt extends SpendingLimitReceipt>({ spendingLimit, ...rest }: Receipt) {
  return { ...rest, allowance: spendingLimit };
}

function allowanceOf(limit: SpendingLimit): Allowance {
  const { currency, next_reset: nextReset, expiration } = limit;
  return {
    allowance: limit.address,
    account: limit.main_account_address,
    agents: limit.signers,
    mint: limit.mint,
    ...(currency === undefined ? {} : { currency }),
    amount: toBaseUnits(limit.amount),
    remaining: toBaseUnits(limit.remaining_amount),
    period: limit.period,
    nextReset: nextReset === null ? null : new Date(nextReset),
    payees: limit.destinations,
    end: expiration === null ? null : new Date(expiration),
    usable: limit.usable,
  };
}
