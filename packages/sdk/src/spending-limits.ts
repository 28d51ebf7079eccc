import { type AccountHolder, addressesOfHolder } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import {
  assertLimitChangeMatches,
  assertLimitPaymentMatches,
  type ExpectedLimitChange,
  type ExpectedLimitPayment,
} from "./assert-spending-limit.js";
import type { GivenAmount } from "./base-units.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import type { Currencies } from "./mints.js";
import type { ServiceCalls } from "./service-calls.js";
import { type AdminQuery, createLimitLists, createLimitPreparations } from "./spending-limit-requests.js";
import {
  changesOf,
  type LimitChanges,
  type NewSpendingLimit,
  requestOf,
  termsOf,
  termsView,
} from "./spending-limit-terms.js";
import type { Confirmation, SubmitOptions } from "./submission.js";

type AboutLimits = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  /** True: the admin makes the change, whose key is the one in `keys`. */
  readonly admin?: boolean;
  /** Further demands on the transaction; see `ExpectedLimitChange`. */
  readonly limits?: Pick<ExpectedLimitChange, "settings" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports">;
};

/** A limit to be prepared, checked, signed and submitted in one go. */
export type CreateSpendingLimit = AboutLimits & { readonly limit: NewSpendingLimit };

/** A limit to be exchanged for one with other terms; what is absent stays as the service says it is. */
export type UpdateSpendingLimit = AboutLimits & {
  readonly spendingLimit: string;
  readonly changes: LimitChanges;
};

/** A limit to be removed. */
export type RemoveSpendingLimit = AboutLimits & { readonly spendingLimit: string };

/** A payment out of a limit; the holder is one of the limit's signers. */
export type PayFromSpendingLimit = AccountHolder & GivenAmount & LimitPaymentOrder;

type LimitPaymentOrder = {
  /** The smart account the money leaves. */
  readonly account: string;
  readonly spendingLimit: string;
  /** Who signs; default: the only address the holder can sign for. */
  readonly signer?: string;
  /** Symbol (`sol`, `usdc`, …) or mint address. */
  readonly currency: string;
  /** An owner's address, never a token account. */
  readonly recipient: string;
  /** True: `recipient` is an address that a program signs for, such as a vault that was never used (gap 147). */
  readonly confirmProgramAddress?: boolean;
  /** Further demands on the transaction; see `ExpectedLimitPayment`. */
  readonly limits?: Pick<
    ExpectedLimitPayment,
    "settings" | "decimals" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports"
  >;
};

/** Where the new limit is. */
export type SpendingLimitReceipt = { readonly spendingLimit: string };

/** What these calls need of the client they are part of. */
type SpendingLimitNeeds = Currencies &
  ServiceCalls & {
    readonly act: Act;
    /** Who of a holder a request about this account names. */
    readonly addressesFor: (holder: AccountHolder, account: string) => Promise<readonly string[]>;
  };

/**
 * The calls of a client about spending limits (gap 41). Those that act make sure that the prepared bytes do what was asked
 * for and nothing else; they reject with `TransactionMismatchError` otherwise, before anything is signed, and with
 * `OutcomeUnknownError` when what was signed may have taken effect. Where an account's signers cannot act at once they
 * reject with `proposal_required`: propose the action with `proposals.create`.
 */
export function createSpendingLimitCalls(needs: SpendingLimitNeeds) {
  const requests = { ...createLimitPreparations(needs), ...createLimitLists(needs) };
  const parts: Parts = { needs, requests };
  return {
    ...requests,
    /** Grants a limit at once. */
    create: (
      creation: CreateSpendingLimit,
      submitOptions: SubmitOptions<SpendingLimitReceipt> = {},
    ): Promise<SpendingLimitReceipt & Confirmation> => createLimit(parts, creation, submitOptions),
    /**
     * Exchanges a limit for one with other terms, at another address and with the whole amount left. What is not named is
     * taken from what the service says of the old limit: name every term whose value the service is not trusted with.
     */
    update: (
      update: UpdateSpendingLimit,
      submitOptions: SubmitOptions<SpendingLimitReceipt> = {},
    ): Promise<SpendingLimitReceipt & Confirmation> => updateLimit(parts, update, submitOptions),
    /** Removes a limit at once: no key can use it any more. */
    remove: (
      removal: RemoveSpendingLimit,
      submitOptions: SubmitOptions<SpendingLimitReceipt> = {},
    ): Promise<SpendingLimitReceipt & Confirmation> => removeLimit(parts, removal, submitOptions),
    /** Pays out of a limit, signed by one of its signers alone. */
    pay: (payment: PayFromSpendingLimit, submitOptions: SubmitOptions = {}): Promise<Confirmation> =>
      payFromLimit(parts, payment, submitOptions),
  };
}

type Parts = {
  readonly needs: SpendingLimitNeeds;
  readonly requests: ReturnType<typeof createLimitPreparations> & ReturnType<typeof createLimitLists>;
};

async function createLimit(
  { needs, requests }: Parts,
  creation: CreateSpendingLimit,
  submitOptions: SubmitOptions<SpendingLimitReceipt>,
): Promise<SpendingLimitReceipt & Confirmation> {
  const account = requireAddress(creation.account);
  const terms = termsOf(creation.limit, needs);
  return needs.act(submitOptions, {
    account,
    holder: creation,
    prepare: async (options) => {
      const request = { ...requestOf(terms), ...(await signersOf(needs, creation)) };
      return requests.prepareCreate(account, request, queryOf(creation), options);
    },
    check: (prepared) => {
      const add = { ...terms, spendingLimit: requireAddress(prepared.spending_limit_address) };
      const members = assertLimitChangeMatches(decodeTransaction(prepared.transaction), frameOf(creation, { add }));
      return { members, receipt: { spendingLimit: add.spendingLimit } };
    },
  });
}

async function updateLimit(
  { needs, requests }: Parts,
  update: UpdateSpendingLimit,
  submitOptions: SubmitOptions<SpendingLimitReceipt>,
): Promise<SpendingLimitReceipt & Confirmation> {
  const account = requireAddress(update.account);
  const remove = requireAddress(update.spendingLimit);
  const changes = changesOf(update.changes, needs);
  return needs.act(submitOptions, {
    account,
    holder: update,
    prepare: async (options) => {
      const terms = { ...termsView(await requests.get(account, remove)), ...changes };
      const request = { ...requestOf(terms), ...(await signersOf(needs, update)) };
      return { ...(await requests.prepareUpdate(account, remove, request, queryOf(update), options)), terms };
    },
    check: (prepared) => {
      const add = { ...prepared.terms, spendingLimit: requireAddress(prepared.spending_limit_address) };
      const expected = frameOf(update, { add, remove });
      const members = assertLimitChangeMatches(decodeTransaction(prepared.transaction), expected);
      return { members, receipt: { spendingLimit: add.spendingLimit } };
    },
  });
}

async function removeLimit(
  { needs, requests }: Parts,
  removal: RemoveSpendingLimit,
  submitOptions: SubmitOptions<SpendingLimitReceipt>,
): Promise<SpendingLimitReceipt & Confirmation> {
  const account = requireAddress(removal.account);
  const remove = requireAddress(removal.spendingLimit);
  return needs.act(submitOptions, {
    account,
    holder: removal,
    prepare: async (options) => {
      const signers = await signersOf(needs, removal);
      return requests.prepareRemoval(account, remove, signers, queryOf(removal), options);
    },
    check: ({ transaction }) => {
      const members = assertLimitChangeMatches(decodeTransaction(transaction), frameOf(removal, { remove }));
      return { members, receipt: { spendingLimit: remove } };
    },
  });
}

async function payFromLimit(
  { needs, requests }: Parts,
  payment: PayFromSpendingLimit,
  submitOptions: SubmitOptions,
): Promise<Confirmation> {
  const account = requireAddress(payment.account);
  const signer = requireAddress(payment.signer ?? onlyOf(payment));
  const mint = needs.mintOf(payment.currency);
  const expected: ExpectedLimitPayment = {
    ...payment.limits,
    ...needs.exactAmount(payment, mint, payment.limits?.decimals),
    account,
    spendingLimit: requireAddress(payment.spendingLimit),
    signer,
    to: requireAddress(payment.recipient),
    mint,
  };
  const request = {
    amount: expected.amount.toString(),
    signer_address: signer,
    recipient_address: expected.to,
    ...(payment.confirmProgramAddress === true ? { confirm_program_address: true } : {}),
  };
  return needs.act(submitOptions, {
    account,
    holder: payment,
    prepare: (options) => requests.preparePayment(account, expected.spendingLimit, request, options),
    check: ({ transaction }) => {
      assertLimitPaymentMatches(decodeTransaction(transaction), expected);
      return { members: [signer], membersOnly: true, receipt: {} };
    },
  });
}

/** The admin is known from the chain; members are named. */
async function signersOf(
  { addressesFor }: Pick<SpendingLimitNeeds, "addressesFor">,
  about: AboutLimits,
): Promise<{ readonly transaction_signers?: readonly string[] }> {
  return about.admin === true ? {} : { transaction_signers: await addressesFor(about, about.account) };
}

function queryOf({ admin }: AboutLimits): AdminQuery {
  return admin === true ? { admin } : {};
}

function frameOf(
  { account, admin, limits }: AboutLimits,
  change: Pick<ExpectedLimitChange, "add" | "remove">,
): ExpectedLimitChange {
  return { ...limits, ...change, account: requireAddress(account), by: admin === true ? "admin" : "members" };
}

function onlyOf(holder: AccountHolder): string {
  const [first, second] = addressesOfHolder(holder);
  if (first !== undefined && second === undefined) return first;
  throw new TypeError("several addresses could sign: name the one in `signer`");
}
