import { type AccountHolder, addressesOfHolder } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import type { ExpectedSettingsChange } from "./assert-settings-change.js";
import type { ReadAccounts } from "./begun-earlier.js";
import { checkProposedChange, checkSettingsChange, type ProposedAt, proposalOf } from "./check-policy-change.js";
import { compareProtection, type ExpectedProtection, type ProtectionReport } from "./compare-protection.js";
import type { createPasskeyCalls } from "./passkeys.js";
import {
  type ProtectAccount,
  type ProtectedAccount,
  type ProtectionReceipt,
  protectAccount,
} from "./protect-account.js";
import { renewWallets } from "./renew-wallets.js";
import { accountPath, type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import type {
  Account,
  AccountsQuery,
  Authentication,
  BalanceHistory,
  BalanceHistoryQuery,
  Balances,
  CreateAccountRequest,
  CreateCustomAccountRequest,
  CreatedAccount,
  CustomAccount,
  ImportAccountRequest,
  ImportedAccount,
  ListedAccount,
  Policies,
  PolicyChange,
  PreparedUpdate,
  ReleaseAccountRequest,
  ReleasedAccount,
  TokenBalance,
  UpdateAccountRequest,
  VerifyAccountRequest,
} from "./wire.js";

/** A change of policy to be prepared, checked, signed and submitted in one go. */
export type UpdateAccount = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  readonly changes: PolicyChange;
  /** The policy as it is, where it is known from a source that is trusted more than this service. Default: it is asked. */
  readonly current?: Policies;
  /** True: the admin makes the change, whose key is the one in `keys`. */
  readonly admin?: boolean;
  /** True: spending limits that a removed signer could still use are removed too. */
  readonly removeSpendingLimits?: boolean;
  /** True: the signers may depend on passkeys of other hosts or tenants, which open no session for you here (gap 247). */
  readonly confirmForeignPasskeys?: boolean;
  /** Addresses of policies to be removed; `changes` may be empty then (gap 140). */
  readonly removePolicies?: readonly string[];
  /** Further demands on the transaction; see `ExpectedSettingsChange`. */
  readonly limits?: Pick<
    ExpectedSettingsChange,
    "settings" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports"
  >;
};

/** What an update answers besides its confirmation. */
export type UpdateReceipt = ProposedAt & {
  /** Spending limits that a removed signer can still use. */
  readonly remainingSpendingLimits: readonly string[];
};

export type UpdatedAccount = UpdateReceipt & Confirmation;

/** One page of accounts, the newest first. */
export type AccountPage = { readonly accounts: readonly ListedAccount[]; readonly nextCursor?: string };

/** As many as one answer holds. */
const tokensPerPage = 100;

/** What these calls need of the client they are part of. */
type AccountNeeds = ServiceCalls & {
  readonly act: Act;
  /** Who of a holder a request about this account names. */
  readonly addressesFor: (holder: AccountHolder, account: string) => Promise<readonly string[]>;
  readonly passkeys: Pick<ReturnType<typeof createPasskeyCalls>, "add">;
  readonly readAccounts: ReadAccounts | undefined;
};

/** The calls about accounts and what they hold. */
export function createAccountCalls(needs: AccountNeeds) {
  const { act, addressesFor, call, get, getPage, post, readAccounts } = needs;
  const pageOf = (query: AccountsQuery) => getPage<ListedAccount>("/accounts", query);
  const accounts = {
    /** Creates an account: pending for an e-mail, at once for signers (interface 4.1; gaps 13, 14). */
    create: <Request extends CreateAccountRequest>(request: Request, callOptions?: CallOptions) =>
      post<CreatedAccount<Request>>("/accounts", request, callOptions),
    /** Creates an account with any policy, of keys and of wallets for e-mail addresses (interface 4.3, gap 17). */
    createCustom: (request: CreateCustomAccountRequest, callOptions?: CallOptions) =>
      post<CustomAccount>("/accounts:custom", request, callOptions),
    /** Reads an account that was made elsewhere, and has it served here once a signer has proven itself (gap 114). */
    import: (request: ImportAccountRequest) => post<ImportedAccount>("/accounts:import", request),
    /**
     * Ends that an imported account is served for the tenant (gap 196). Without `proof` it changes nothing: the answer has what is in the way, and
     * the text that a signer of the account signs.
     */
    release: (address: string, request: ReleaseAccountRequest = {}, callOptions?: CallOptions) =>
      post<ReleasedAccount>(accountPath(address, "/release"), request, callOptions),
    /** Prepares a change of policy (interface 4.5, gap 23). Check it before signing, or use `update`, which does. */
    prepareUpdate: (
      address: string,
      request: UpdateAccountRequest,
      query: { readonly admin?: boolean; readonly remove_spending_limits?: boolean } = {},
      callOptions: CallOptions = {},
    ) => call<PreparedUpdate>({ method: "PATCH", path: accountPath(address), query, body: request, ...callOptions }),
    /**
     * Reads the policy, prepares a change of it, makes sure that the prepared bytes make exactly this change, signs and
     * submits. Where the holder's signers cannot make it at once, it is put to a vote instead: then the answer has a
     * `proposal`. Rejects with `TransactionMismatchError`, before anything is signed, when the service prepared
     * something else; and with `OutcomeUnknownError` when what was signed may have taken effect.
     */
    update: (update: UpdateAccount, submitOptions: SubmitOptions<UpdateReceipt> = {}): Promise<UpdatedAccount> =>
      updateAccount({ act, addressesFor, get, prepareUpdate: accounts.prepareUpdate }, update, submitOptions),
    /**
     * Makes an account a guarded one, or replaces one of the three signers of a guarded one (gap 176): has the guardian make its
     * wallet, adds its first passkey, verifies the guardian's receipt, makes sure that the prepared bytes make exactly this change,
     * signs and submits. Rejects with `TransactionMismatchError` before anything is signed where either differs.
     */
    protect: (
      wanted: ProtectAccount,
      submitOptions: SubmitOptions<ProtectionReceipt> = {},
    ): Promise<ProtectedAccount> => protectAccount(needs, wanted, submitOptions),
    /**
     * Reads an account's policy from a node of your own, and says in a sentence how it differs from that of a guarded account with
     * these signers. What the service says counts for nothing. Needs `readAccounts`.
     */
    compareProtection: (account: string, expected: ExpectedProtection): Promise<ProtectionReport> =>
      compareProtection({ get, readAccounts }, account, expected),
    /**
     * Has the service make the wallets that take the place of those of an account that derive from a former root (gap 193). They have proven
     * that they can sign; `update` with them as signers puts them in place.
     */
    renewWallets: (account: string) => renewWallets(needs, account),
    /** Completes an e-mail account with its code (interface 4.2). */
    verify: (request: VerifyAccountRequest, callOptions?: CallOptions) =>
      post<Authentication>("/accounts/verify", request, callOptions),
    /** Reads an account (interface 4.4, gap 24). */
    get: (address: string) => get<Account>(accountPath(address)),
    /** One page of the tenant's accounts (gap 204), with a secret key. */
    page: async (query: AccountsQuery = {}): Promise<AccountPage> => {
      const { items, ...rest } = await pageOf(query);
      return { accounts: items, ...rest };
    },
    /** Every account of the tenant, or every one that a filter names, page after page. */
    list: (query: AccountsQuery = {}) => paginate(query, pageOf),
    /** Reads what an account holds (gap 34). */
    balances: (address: string, page: { readonly limit?: number; readonly page?: number } = {}) =>
      get<Balances>(accountPath(address, "/balances"), page),
    /** Reads what an account held at the end of each hour or day, and what it received and sent in it (gap 211). */
    balanceHistory: (address: string, query: BalanceHistoryQuery = {}) =>
      get<BalanceHistory>(accountPath(address, "/balance-history"), query),
    /** Everything an account holds, SOL first, page by page as it is read. What is added or removed meanwhile may be missed. */
    tokens: async function* (address: string): AsyncGenerator<TokenBalance, void, undefined> {
      const seen = new Set<string>();
      for (let page = 1; ; page += 1) {
        const { tokens } = await accounts.balances(address, { limit: tokensPerPage, page });
        for (const token of tokens) {
          if (!seen.has(token.token_address)) yield token;
          seen.add(token.token_address);
        }
        if (tokens.length < tokensPerPage) return;
      }
    },
  };
  return accounts;
}

/** The change is known, or follows from the policy as it is. */
type WantedUpdate = Omit<UpdateAccount, "changes"> & {
  readonly changes: PolicyChange | ((current: Policies) => PolicyChange);
};

export type PrepareUpdate = (
  address: string,
  request: UpdateAccountRequest,
  query: { readonly admin: boolean; readonly remove_spending_limits: boolean },
  callOptions: CallOptions,
) => Promise<PreparedUpdate>;

/** Prepares a change by `prepareUpdate`, and does what `accounts.update` says. */
export async function updateAccount(
  {
    act,
    addressesFor,
    get,
    prepareUpdate,
  }: Pick<AccountNeeds, "act" | "addressesFor" | "get"> & {
    readonly prepareUpdate: PrepareUpdate;
  },
  update: WantedUpdate,
  submitOptions: SubmitOptions<UpdateReceipt>,
): Promise<UpdatedAccount> {
  const account = requireAddress(update.account);
  const policies = (update.removePolicies ?? []).map((policy) => requireAddress(policy));
  return act(submitOptions, {
    account,
    holder: update,
    prepare: async (options) => {
      const transaction_signers = await addressesFor(update, account);
      const current = update.current ?? (await get<Account>(accountPath(account))).policies;
      const changes = typeof update.changes === "function" ? update.changes(current) : update.changes;
      const prepared = await prepareUpdate(
        account,
        {
          ...changes,
          ...(policies.length === 0 ? {} : { remove_policies: policies }),
          ...(update.confirmForeignPasskeys === true ? { confirm_foreign_passkeys: true } : {}),
          transaction_signers,
        },
        { admin: update.admin ?? false, remove_spending_limits: update.removeSpendingLimits ?? false },
        options,
      );
      return { ...prepared, current, changes };
    },
    check: ({ current, changes, ...prepared }) => {
      const expected = {
        ...update.limits,
        account,
        changes,
        removeSpendingLimits: update.removeSpendingLimits ?? false,
        removePolicies: policies,
        current,
      };
      const isProposed = prepared.proposal_address !== undefined;
      const members = isProposed
        ? checkProposedChange(prepared, expected, addressesOfHolder(update), update.admin === true)
        : checkSettingsChange(prepared, { ...expected, by: update.admin === true ? "admin" : "members" });
      const receipt = { remainingSpendingLimits: prepared.remaining_spending_limits, ...proposalOf(prepared) };
      return { members, membersOnly: isProposed, receipt };
    },
  });
}
