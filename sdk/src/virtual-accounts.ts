import type { CallOptions } from "./client.js";
import type { Envelope } from "./wire.js";

/** Bank details under which money for an account arrives (interface 2.14). */
export type VirtualAccount = {
  readonly id: string;
  readonly customer_id: string;
  /** Only an activated one receives money. */
  readonly status: "activated" | "deactivated";
  /** A decimal; taken from every deposit. */
  readonly developer_fee_percent: string;
  readonly destination: { readonly address: string; readonly currency: string; readonly payment_rail: "solana" };
  /** What a payer needs. Which names there are is up to the currency. */
  readonly source_deposit_instructions: {
    readonly currency: string;
    readonly payment_rails: readonly string[];
    readonly bank_name?: string;
    readonly bank_address?: string;
    readonly bank_routing_number?: string;
    readonly bank_account_number?: string;
    readonly bank_beneficiary_name?: string;
    readonly bank_beneficiary_address?: string;
    readonly iban?: string;
    readonly bic?: string;
    readonly account_number?: string;
    readonly sort_code?: string;
    readonly clabe?: string;
    readonly br_code?: string;
    readonly account_holder_name?: string;
  };
  readonly created_at: string;
  readonly updated_at: string;
};

/** Money that came to a virtual account (gap 99). */
export type Deposit = {
  readonly id: string;
  readonly virtual_account_id: string;
  /** Where the partner has it. */
  readonly state: "scheduled" | "received" | "in_review" | "submitted" | "processed" | "refunded" | "not_credited";
  /** A decimal in the currency of the bank. */
  readonly amount: string;
  readonly currency: string;
  readonly payment_rail?: string;
  readonly sender_name?: string;
  readonly fees?: { readonly developer_fee: string; readonly exchange_fee: string; readonly gas_fee: string };
  readonly destination: { readonly address: string; readonly currency: string; readonly payment_rail: "solana" };
  /** Of its payment on chain, as the partner says. */
  readonly transaction_signature?: string;
  /** Whether the chain shows that payment, final: the money is there only then. */
  readonly credited: boolean;
  /** What arrived, as the chain says; `amount` in base units. */
  readonly received?: { readonly amount: string; readonly ui_amount: string; readonly confirmed_at: string };
  readonly created_at: string;
  readonly updated_at: string;
};

export type RequestVirtualAccountRequest = {
  /** Of the bank: `usd`, `eur`, …. */
  readonly currency: string;
  readonly grid_user_id?: string;
};

export type VirtualAccountQuery = {
  readonly source_currency?: string;
  readonly destination_currency?: string;
  readonly status?: VirtualAccount["status"];
};

export type DepositQuery = { readonly limit?: number; readonly cursor?: string };
/** One page of deposits; without `nextCursor` it is the last. */
export type DepositPage = { readonly deposits: readonly Deposit[]; readonly nextCursor?: string };

export type SandboxDepositRequest = {
  /** A decimal in the currency of the account. What becomes of it, its cents say (gap 100). */
  readonly amount: string;
  readonly payment_rail?: "ach_push" | "wire" | "sepa" | "faster_payments" | "spei" | "pix";
};

type VirtualAccountNeeds = {
  readonly get: <Data>(path: string, query?: Readonly<Record<string, string | number | undefined>>) => Promise<Data>;
  readonly getWhole: (path: string, query: DepositQuery) => Promise<Envelope<readonly Deposit[]>>;
  readonly post: <Data>(path: string, body: unknown, options?: CallOptions) => Promise<Data>;
};

/** The calls about virtual accounts and what comes to them (gaps 44 and 98 to 100). */
export function createVirtualAccountCalls({ get, getWhole, post }: VirtualAccountNeeds) {
  const pathOf = (account: string, rest: string) => `/accounts/${encodeURIComponent(account)}${rest}`;

  const virtualAccounts = {
    /** Opens one for a currency of banks. The account's holder has to be verified first: `kyc_required` says what is missing. */
    request: (account: string, request: RequestVirtualAccountRequest, options?: CallOptions): Promise<VirtualAccount> =>
      post(pathOf(account, "/virtual-account"), request, options),
    /** Those of an account, the oldest first. */
    list: (account: string, query: VirtualAccountQuery = {}): Promise<readonly VirtualAccount[]> =>
      get(pathOf(account, "/virtual-accounts"), query),
    /** One page of what came to one, newest first. */
    depositsPage: async (account: string, id: string, query: DepositQuery = {}): Promise<DepositPage> => {
      const { data, metadata } = await getWhole(
        pathOf(account, `/virtual-accounts/${encodeURIComponent(id)}/deposits`),
        query,
      );
      const { next_cursor: nextCursor } = metadata;
      return { deposits: data, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    /** All of it, page by page as they are read. */
    deposits: async function* (
      account: string,
      id: string,
      query: DepositQuery = {},
    ): AsyncGenerator<Deposit, void, undefined> {
      let cursor = query.cursor;
      do {
        const page = await virtualAccounts.depositsPage(account, id, {
          ...query,
          ...(cursor === undefined ? {} : { cursor }),
        });
        yield* page.deposits;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
  };
  return virtualAccounts;
}
