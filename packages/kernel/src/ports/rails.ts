import type { Coin, Fiat } from "./coins.js";
import type { EnvironmentName } from "./environment.js";

export { type Coin, type Fiat, fiatCurrencies } from "./coins.js";

/** How money moves between banks. */
export const bankRails = ["ach_push", "wire", "sepa", "faster_payments", "spei", "pix"] as const;
export type BankRail = (typeof bankRails)[number];

/** Where a partner's check of a person or a business stands (gap 43). */
export const verificationStatuses = ["not_started", "incomplete", "under_review", "approved", "rejected"] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

/** Where money stands that a partner moves between a bank and the chain: the states of a payment intent (gap 45). */
export const railTransferStates = [
  "awaiting_funds",
  "in_review",
  "funds_received",
  "payment_submitted",
  "payment_processed",
  "canceled",
  "error",
  "undeliverable",
  "returned",
  "refunded",
] as const;
export type RailTransferState = (typeof railTransferStates)[number];

/** Where one deposit to a virtual account stands; `not_credited`: it tested the account and is never paid out. */
export const depositStates = [
  "scheduled",
  "received",
  "in_review",
  "submitted",
  "processed",
  "refunded",
  "not_credited",
] as const;
export type DepositState = (typeof depositStates)[number];

/** A partner's own id of something. Valid under that partner alone; its form has no meaning elsewhere. */
export type PartnerRef = string & { readonly brand: "PartnerRef" };

/** One attempt at something that must happen once. */
export interface Attempt {
  /** A random UUID of the operation, stored before the first call and the same in every repetition. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/** Why a partner will not, for good: the same request would be refused again. */
export interface Refusal {
  readonly reason:
    | "verification_required"
    | "terms_required"
    | "endorsement_required"
    | "unsupported_pair"
    | "amount_out_of_range"
    | "invalid_details"
    | "duplicate"
    | "refused_by_compliance"
    | "wrong_state"
    | "not_found"
    | "not_enabled";
  /** The field of the request it is about, in the partner's words. */
  readonly field?: string;
  /** What is there already, for `duplicate`. */
  readonly existing?: PartnerRef;
  /** For the log of the operator, never for a caller. */
  readonly forOperator: string;
}

/** What a partner answered. */
export type PartnerAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refused: Refusal };

/** A partner did not answer, or answered that it cannot now: the outcome is unknown, the same call may be repeated. */
export class PartnerUnavailable extends Error {
  override readonly name = "PartnerUnavailable";
  constructor(
    message: string,
    /** How long the partner asks to be left alone, milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A message that claims to be a partner's and is not signed by it, or too long ago. */
export class InvalidPartnerSignature extends Error {
  override readonly name = "InvalidPartnerSignature";
}

/** A partner's check of one person or business. */
export interface Verification {
  readonly ref: PartnerRef;
  /** Whom later calls name; null until the partner reports it. */
  readonly customer: PartnerRef | null;
  readonly status: VerificationStatus;
  readonly terms: "pending" | "approved";
  /** Pages of the partner where it continues; null where nothing is left to do there. */
  readonly verificationUrl: string | null;
  readonly termsUrl: string | null;
  readonly rejections: readonly { readonly code: string; readonly message: string }[];
  /** What is still asked for, in the partner's words. */
  readonly due: readonly string[];
  /** What the customer may use, by name (`base`, `sepa`, …). An approved one can be revoked. */
  readonly endorsements: Readonly<Record<string, "incomplete" | "approved" | "revoked">>;
}

/** Bank details under which money for one address on chain arrives. */
export interface PartnerVirtualAccount {
  readonly ref: PartnerRef;
  readonly customer: PartnerRef;
  readonly status: "activated" | "deactivated";
  readonly currency: Fiat;
  readonly rails: readonly BankRail[];
  /** Names and values as the payer needs them: `bank_account_number`, `iban`, …. Personal data. */
  readonly instructions: Readonly<Record<string, string>>;
  readonly destination: { readonly address: string; readonly coin: Coin };
  /** Percent as a decimal; null: none. */
  readonly feePercent: string | null;
  /** Unix milliseconds, as every instant here. */
  readonly createdAt: number;
}

/** Money that arrived at a virtual account. Amounts are decimal strings in the unit of the currency. */
export interface Deposit {
  readonly ref: PartnerRef;
  readonly account: PartnerRef;
  readonly state: DepositState;
  readonly amount: string;
  readonly currency: Fiat;
  readonly fees: { readonly developer: string; readonly exchange: string; readonly gas: string } | null;
  /** Personal data. */
  readonly senderName: string | null;
  readonly rail: BankRail | null;
  /** Of the payment on chain, once it was sent. */
  readonly signature: string | null;
  readonly at: number;
}

/** Details of a bank account that is to be paid, by how such accounts are named. Personal data. */
export type BankAccountDetails = BankAccountOwner &
  (
    | {
        readonly kind: "us";
        readonly accountNumber: string;
        readonly routingNumber: string;
        readonly checkingOrSavings: "checking" | "savings";
      }
    | { readonly kind: "iban"; readonly iban: string; readonly bic?: string; readonly country: string }
    | { readonly kind: "gb"; readonly accountNumber: string; readonly sortCode: string }
    | { readonly kind: "clabe"; readonly clabe: string }
    | { readonly kind: "pix"; readonly pixKey: string; readonly documentNumber?: string }
  );

/** Whose bank account it is. */
export interface BankAccountOwner {
  readonly currency: Fiat;
  readonly ownerName: string;
  readonly ownerType: "individual" | "business";
  readonly firstName?: string;
  readonly lastName?: string;
  readonly businessName?: string;
  readonly bankName?: string;
  readonly address?: {
    readonly streetLine1: string;
    readonly streetLine2?: string;
    readonly city: string;
    readonly state?: string;
    readonly postalCode?: string;
    /** ISO 3166-1 alpha-3. */
    readonly country: string;
  };
}

/** A bank account as the partner knows it: its number is never reported again. */
export interface PartnerBankAccount {
  readonly ref: PartnerRef;
  readonly last4: string;
  readonly bankName: string | null;
  readonly active: boolean;
}

/** One end of a transfer. */
export type Leg =
  | {
      readonly kind: "bank";
      readonly currency: Fiat;
      readonly rail: BankRail;
      /** Which account is paid; absent where money comes from a bank. */
      readonly account?: PartnerRef;
      /** What the payee's statement says. */
      readonly reference?: string;
    }
  | {
      readonly kind: "solana";
      readonly coin: Coin;
      /** The owner: who sends, or who is paid. */
      readonly address: string;
    };

/** Money a partner moves once, between a bank and the chain. */
export interface RailTransfer {
  readonly ref: PartnerRef;
  readonly clientReference: string;
  readonly state: RailTransferState;
  /** Decimal string with two places at most: of what comes from a bank in its currency, of what goes to one in the coin. */
  readonly amount: string;
  readonly from: Leg;
  readonly to: Leg;
  /** Where its money has to be sent: `to_address` on chain, or bank details with `deposit_message`. */
  readonly instructions: Readonly<Record<string, string>> | null;
  /** Amounts, fees and signatures of what happened, by the names of interface 2.15. */
  readonly receipt: Readonly<Record<string, string>> | null;
  readonly returned: { readonly reason: string } | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A permanent address on chain: coins that arrive there are paid out to one bank account, each time. */
export interface PayoutAddress {
  readonly ref: PartnerRef;
  readonly customer: PartnerRef;
  /** Which bank account is paid, in which currency, and how. */
  readonly bankAccount: PartnerRef;
  readonly currency: Fiat;
  readonly rail: BankRail;
  readonly coin: Coin;
  /** The owner that is paid on chain. Never another one for the same ref. */
  readonly address: string;
  /** The owner whom coins go back to that no bank takes; null: the partner does not report it, or it is the sender. */
  readonly returnAddress: string | null;
  readonly status: "activated" | "deactivated";
  readonly createdAt: number;
}

/** Coins that arrived at a payout address, and what became of them at the bank. */
export interface Payout {
  readonly ref: PartnerRef;
  readonly payoutAddress: PartnerRef;
  readonly state: RailTransferState;
  /** Of the coin, decimal. */
  readonly amount: string;
  readonly coin: Coin;
  /** Of the payment on chain that brought the coins; null until the partner reports it. */
  readonly signature: string | null;
  /** Amounts, fees and signatures of what happened, by the names of interface 2.15. */
  readonly receipt: Readonly<Record<string, string>> | null;
  readonly returned: { readonly reason: string } | null;
  readonly createdAt: number;
}

/** What a hint can be about. */
export type HintKind = "verification" | "virtual_account" | "deposit" | "transfer" | "bank_account" | "payout_address";

/** That something may have changed at a partner. It is never believed: it causes a read. */
export interface Hint {
  /** The same in every repetition of the same news. */
  readonly eventId: string;
  readonly kind: HintKind;
  /** What to read: of a deposit, its virtual account; of a payout, its address. */
  readonly ref: PartnerRef;
  readonly at: number;
}

/** What a partner turns into what. */
export interface PayIn {
  readonly from: Fiat;
  /** Coins it can become; the first is used where the caller chooses none. */
  readonly to: readonly Coin[];
  readonly rails: readonly BankRail[];
  /** What a customer needs for it. */
  readonly endorsement: string;
}
export interface PayOut {
  readonly from: readonly Coin[];
  readonly to: Fiat;
  readonly rails: readonly BankRail[];
  readonly endorsement: string;
  /** The least that is paid, decimal, in the bank's currency. */
  readonly minimum: string;
}

/**
 * Who checks people and moves money between banks and the chain, for one environment (gaps 43-45). Every method may throw
 * PartnerUnavailable. Nothing a partner says makes money appear: a payment to an account counts when it is seen on chain.
 */
export interface RailsPartner {
  /** Stored with every record: what it called things is valid under it alone. */
  readonly name: string;
  readonly payIns: readonly PayIn[];
  readonly payOuts: readonly PayOut[];

  startVerification(
    request: Attempt & {
      /** Who asks, opaque: a partner that can keep the customers of several apart does. */
      readonly owner: string;
      readonly type: "individual" | "business";
      readonly email: string;
      readonly fullName: string;
      readonly endorsements: readonly string[];
      readonly redirectUri?: string;
    },
  ): Promise<PartnerAnswer<Verification>>;
  /** With fresh links where something is left to do. */
  readVerification(ref: PartnerRef, signal: AbortSignal): Promise<PartnerAnswer<Verification>>;

  openVirtualAccount(
    request: Attempt & {
      readonly customer: PartnerRef;
      readonly from: Fiat;
      readonly to: Coin;
      /** The owner on chain that is paid. */
      readonly address: string;
    },
  ): Promise<PartnerAnswer<PartnerVirtualAccount>>;
  /** What is there, when the outcome of opening is not known and its key may be forgotten; null: nothing. */
  findVirtualAccount(
    request: { readonly customer: PartnerRef; readonly from: Fiat; readonly address: string },
    signal: AbortSignal,
  ): Promise<PartnerAnswer<PartnerVirtualAccount | null>>;
  readVirtualAccount(
    request: { readonly customer: PartnerRef; readonly ref: PartnerRef },
    signal: AbortSignal,
  ): Promise<PartnerAnswer<PartnerVirtualAccount>>;
  /** Deposits of an account, each once and as it stands now, the most recently changed first. */
  listDeposits(
    request: { readonly customer: PartnerRef; readonly account: PartnerRef; readonly after: string | null },
    signal: AbortSignal,
  ): Promise<PartnerAnswer<{ readonly deposits: readonly Deposit[]; readonly next: string | null }>>;

  addBankAccount(
    request: Attempt & { readonly customer: PartnerRef; readonly account: BankAccountDetails },
  ): Promise<PartnerAnswer<PartnerBankAccount>>;
  readBankAccount(
    request: { readonly customer: PartnerRef; readonly ref: PartnerRef },
    signal: AbortSignal,
  ): Promise<PartnerAnswer<PartnerBankAccount>>;
  /** Removing what is already removed succeeds. */
  removeBankAccount(
    request: Attempt & { readonly customer: PartnerRef; readonly ref: PartnerRef },
  ): Promise<PartnerAnswer<null>>;

  createTransfer(
    request: Attempt & {
      readonly customer: PartnerRef;
      /** Ours: a transfer whose answer was lost is found again by it. */
      readonly clientReference: string;
      readonly amount: string;
      readonly from: Leg;
      readonly to: Leg;
    },
  ): Promise<PartnerAnswer<RailTransfer>>;
  /** By our own reference, when the outcome of creating is not known and its key may be forgotten; null: there is none. */
  findTransfer(
    request: { readonly customer: PartnerRef; readonly clientReference: string; readonly since: number },
    signal: AbortSignal,
  ): Promise<PartnerAnswer<RailTransfer | null>>;
  readTransfer(ref: PartnerRef, signal: AbortSignal): Promise<PartnerAnswer<RailTransfer>>;
  /** Only while it awaits its funds: `wrong_state` otherwise. */
  cancelTransfer(request: Attempt & { readonly ref: PartnerRef }): Promise<PartnerAnswer<RailTransfer>>;

  openPayoutAddress(
    request: Attempt & {
      readonly customer: PartnerRef;
      readonly bankAccount: PartnerRef;
      readonly currency: Fiat;
      readonly rail: BankRail;
      readonly coin: Coin;
      /** The owner whom coins go back to that no bank takes. */
      readonly returnAddress: string;
    },
  ): Promise<PartnerAnswer<PayoutAddress>>;
  /** What is there, when the outcome of opening is not known and its key may be forgotten; null: nothing. */
  findPayoutAddress(
    request: {
      readonly customer: PartnerRef;
      readonly bankAccount: PartnerRef;
      readonly rail: BankRail;
      readonly coin: Coin;
      readonly returnAddress: string;
    },
    signal: AbortSignal,
  ): Promise<PartnerAnswer<PayoutAddress | null>>;
  readPayoutAddress(
    request: { readonly customer: PartnerRef; readonly ref: PartnerRef },
    signal: AbortSignal,
  ): Promise<PartnerAnswer<PayoutAddress>>;
  /** Payouts of an address as they stand now, the newest first. */
  listPayouts(
    request: { readonly customer: PartnerRef; readonly payoutAddress: PartnerRef; readonly after: string | null },
    signal: AbortSignal,
  ): Promise<PartnerAnswer<{ readonly payouts: readonly Payout[]; readonly next: string | null }>>;

  /**
   * Reads news received over the network. `realNow` is Unix milliseconds of real time. Throws InvalidPartnerSignature.
   * What it does not understand is no hint.
   */
  hintsFrom(headers: Readonly<Record<string, string>>, rawBody: Uint8Array, realNow: number): readonly Hint[];
  /** What has changed since a cursor it gave, for news that were lost; null: from now on, with an overlap. */
  changesSince(
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<PartnerAnswer<{ readonly hints: readonly Hint[]; readonly cursor: string }>>;
}

/** What only a simulated partner can be instructed to do (gap 49). Refs are its own. */
export interface RailsSimulator {
  setVerification(
    ref: PartnerRef,
    change: {
      readonly status: VerificationStatus;
      readonly terms?: "pending" | "approved";
      readonly rejections?: readonly { readonly code: string; readonly message: string }[];
      /** Takes these away, as a partner does that has changed its mind. */
      readonly revoke?: readonly string[];
    },
  ): Promise<void>;
  /**
   * Money arrives, a decimal in the account's currency; what becomes of it, its cents say. `rail`: where there are several.
   * `askedAs` names the request: a second one of that name is the same deposit. `wrong_state`: the account takes none.
   */
  deposit(
    account: PartnerRef,
    amount: string,
    more?: { readonly rail?: BankRail | undefined; readonly askedAs?: string | undefined },
  ): Promise<PartnerAnswer<Deposit>>;
  setVirtualAccountActive(account: PartnerRef, active: boolean): Promise<void>;
  /** Accepts no more coins at an address: what arrives all the same goes back, and another one can be opened. */
  closePayoutAddress(payoutAddress: PartnerRef): Promise<void>;
  /** Money of a transfer arrives, or the bank decides. False: it cannot get there from where it is. */
  setTransfer(ref: PartnerRef, state: RailTransferState): Promise<boolean>;
  /** Lets everything happen that is due by the environment's clock. */
  play(): Promise<void>;
  readonly pages: HostedPages;
}

/** What a page behind a link of a verification is about; null: the link is unknown, or too old. */
export interface HostedPage {
  readonly kind: "verification" | "terms";
  readonly status: VerificationStatus;
  readonly terms: "pending" | "approved";
  /** Where the browser goes afterwards. */
  readonly redirectUri: string | null;
}

/** The pages of a simulated partner, by the unguessable token in their link. */
export interface HostedPages {
  open(token: string): Promise<HostedPage | null>;
  /** An outcome was chosen there; null as above. Of terms, only `approved` changes anything. */
  choose(token: string, outcome: VerificationStatus): Promise<HostedPage | null>;
}

/** The partner of an environment, and the hand on it where it is simulated. */
export interface Rails {
  readonly partner: RailsPartner;
  readonly simulator?: RailsSimulator;
}

/** The partners of one process; an environment without one offers no rails. */
export type RailsByEnvironment = ReadonlyMap<EnvironmentName, Rails>;
