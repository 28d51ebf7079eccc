import type { Address } from "@solana/addresses";
import { type AccountHolder, signPayloads } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import { assertTransferMatches, type ExpectedTransfer } from "./assert-transfer.js";
import { type BankPayment, payOutAddressOf } from "./bank-payments.js";
import type { ExactAmount, GivenAmount } from "./base-units.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import type { Currencies } from "./mints.js";
import { accountPath, type CallOptions, type ServiceCalls } from "./service-calls.js";
import type { SigningSession } from "./session.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import type {
  OpenedPayIn,
  PrepareBankPaymentRequest,
  PreparedTransfer,
  PrepareTransferRequest,
  ReceiveFromBankRequest,
  SubmitKmsPayload,
  WireEnvironment,
} from "./wire.js";

/** A transfer to be prepared, checked, signed and submitted in one go. */
export type SendTransfer = AccountHolder & GivenAmount & TransferOrder;

type TransferOrder = {
  /** The smart account the money leaves. */
  readonly account: string;
  /** Symbol (`sol`, `usdc`, …) or mint address. */
  readonly currency: string;
  /** An owner's address, or a token account when `destinationIsTokenAccount` is set. */
  readonly destination: string;
  readonly destinationIsTokenAccount?: boolean;
  /** True: `destination` is an address that a program signs for, such as a vault that was never used (gap 147). */
  readonly confirmProgramAddress?: boolean;
  /** What the payee is to read with it, at most 256 bytes: an exchange tells its customers apart by it. */
  readonly memo?: string;
  /** Further demands on the transaction; see `ExpectedTransfer`. */
  readonly limits?: Pick<
    ExpectedTransfer,
    "settings" | "decimals" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports"
  >;
};

/** What a transfer answers besides its confirmation. */
export type TransferReceipt = {
  /** The payment intent: `paymentIntents.get` reads it. */
  readonly id: string;
};

export type SentTransfer = TransferReceipt & Confirmation;

/** What these calls need of the client they are part of. */
type TransferNeeds = Currencies &
  Pick<ServiceCalls, "post"> & {
    readonly act: Act;
    /** Who of a holder a request about this account names. */
    readonly addressesFor: (holder: AccountHolder, account: string) => Promise<readonly string[]>;
  };

/** The calls that move money. */
export function createTransferCalls(needs: TransferNeeds) {
  const { post } = needs;
  return {
    /** Prepares a transfer (gap 33). Check it before signing, or use `send`, which does. */
    prepare: (address: string, request: PrepareTransferRequest, callOptions?: CallOptions) =>
      post<PreparedTransfer>(accountPath(address, "/payment-intent"), request, callOptions),
    /**
     * Prepares a transfer, makes sure that the prepared bytes and payloads do exactly this transfer, signs and submits.
     * Rejects with `TransactionMismatchError`, before anything is signed, when the service prepared something else; with a
     * `TypeError` for a currency whose mint is not known here, and for an amount that is not exact; and with
     * `OutcomeUnknownError` when what was signed may have been paid.
     */
    send: (transfer: SendTransfer, submitOptions: SubmitOptions<TransferReceipt> = {}): Promise<SentTransfer> =>
      sendTransfer(needs, transfer, submitOptions),
    /**
     * The same for a bank account (gap 102): makes sure that the prepared bytes pay exactly the amount asked for, in that
     * coin, to the address that the answer says its partner follows. What becomes of it, `paymentIntents.get` says.
     */
    sendToBank: (payment: SendToBank, submitOptions: SubmitOptions<TransferReceipt> = {}): Promise<SentTransfer> =>
      sendToBank(needs, payment, submitOptions),
    /** Opens a payment from a bank (gap 103): the answer says where the money has to be sent, and nothing is signed. */
    receiveFromBank: (account: string, request: ReceiveFromBankRequest, callOptions?: CallOptions) =>
      post<OpenedPayIn>(accountPath(account, "/payment-intent"), request, callOptions),
  };
}

async function sendTransfer(
  { act, addressesFor, mintOf, exactAmount, post }: TransferNeeds,
  transfer: SendTransfer,
  submitOptions: SubmitOptions<TransferReceipt>,
): Promise<SentTransfer> {
  const { account } = transfer;
  const mint = mintOf(transfer.currency);
  const expected = expectedTransfer(transfer, mint, exactAmount(transfer, mint, transfer.limits?.decimals));
  return act(submitOptions, {
    account,
    holder: transfer,
    prepare: async (options) => {
      const request: PrepareTransferRequest = {
        amount: expected.amount.toString(),
        source: { account, currency: transfer.currency },
        destination: {
          address: transfer.destination,
          currency: transfer.currency,
          ...(transfer.confirmProgramAddress === true ? { confirm_program_address: true } : {}),
        },
        ...(transfer.memo === undefined ? {} : { memo: transfer.memo }),
        transaction_signers: await addressesFor(transfer, account),
      };
      return post<PreparedTransfer>(accountPath(account, "/payment-intent"), request, options);
    },
    check: (prepared) => ({ members: checkTransfer(prepared, expected), receipt: { id: prepared.id } }),
  });
}

type SendToBank = BankPayment & AccountHolder & Pick<TransferOrder, "limits">;

async function sendToBank(
  { act, addressesFor, mintOf, exactAmount, post }: TransferNeeds,
  payment: SendToBank,
  submitOptions: SubmitOptions<TransferReceipt>,
): Promise<SentTransfer> {
  const { account, currency, to } = payment;
  const mint = mintOf(currency);
  const exact = exactAmount(payment, mint, payment.limits?.decimals);
  return act(submitOptions, {
    account,
    holder: payment,
    prepare: async (options) => {
      const request: PrepareBankPaymentRequest = {
        amount: exact.amount.toString(),
        source: { account, currency },
        destination: {
          payment_rail: to.rail,
          currency: to.currency,
          external_account_id: to.externalAccountId,
          ...(to.reference === undefined ? {} : { reference: to.reference }),
        },
        transaction_signers: await addressesFor(payment, account),
      };
      return post<PreparedTransfer>(accountPath(account, "/payment-intent"), request, options);
    },
    check: (prepared) => {
      const destination = payOutAddressOf(prepared, { account, to, baseUnits: exact.amount });
      const expected = expectedTransfer({ ...payment, destination }, mint, exact);
      return { members: checkTransfer(prepared, expected), receipt: { id: prepared.id } };
    },
  });
}

/**
 * Checks a prepared transfer against what was asked for and signs its payloads with the session's key. Throws
 * `TransactionMismatchError` when the transaction or a payload differs; nothing is signed then.
 * `nowMs` is real time, for the `kms_b` form (gap 28).
 */
export function signPreparedTransfer(
  prepared: Pick<PreparedTransfer, "transaction" | "kms_payloads">,
  expected: ExpectedTransfer,
  session: SigningSession,
  environment: WireEnvironment,
  nowMs: number,
): readonly SubmitKmsPayload[] {
  const members = checkTransfer(prepared, expected);
  return signPayloads(prepared, members, [session], { account: expected.from, environment, nowMs });
}

/** Throws `TransactionMismatchError` unless the transaction is the transfer; returns the members who sign for it. */
export function checkTransfer(
  prepared: Pick<PreparedTransfer, "transaction">,
  expected: ExpectedTransfer,
): readonly Address[] {
  const decoded = decodeTransaction(prepared.transaction);
  assertTransferMatches(decoded, expected);
  return decoded.syncCalls.flatMap((syncCall) => syncCall.members);
}

function expectedTransfer(transfer: TransferOrder, mint: Address | null, exact: ExactAmount): ExpectedTransfer {
  return {
    ...transfer.limits,
    ...exact,
    from: requireAddress(transfer.account),
    to: requireAddress(transfer.destination),
    mint,
    toIsTokenAccount: transfer.destinationIsTokenAccount ?? false,
    ...(transfer.memo === undefined ? {} : { memo: transfer.memo }),
  };
}
