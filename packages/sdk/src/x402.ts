import { isAddress } from "@solana/addresses";
import { requireAddress } from "./address.js";
import { assertLimitPaymentMatches, type ExpectedLimitPayment } from "./assert-spending-limit.js";
import type { GivenAmount } from "./base-units.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import type { Currencies } from "./mints.js";
import { addressOfKey, type SignerKey, signTransaction } from "./sign-transaction.js";
import type { createLimitPreparations } from "./spending-limit-requests.js";
import type { WireEnvironment } from "./wire.js";
import { NotPaidError, PaymentUnconfirmedError } from "./x402-errors.js";
import {
  type PaymentOption,
  type PaymentRequired,
  readPaymentRequired,
  readSettlement,
  type Settlement,
  type SignedPayment,
  writePayment,
} from "./x402-messages.js";

/** A request that may be paid for out of a spending limit, and up to how much. */
export type PaidRequest = {
  readonly url: string;
  /** As for `fetch`. The body is sent twice, so it is no stream; no redirect is followed, as nobody chose to pay where it leads. */
  readonly init?: Omit<RequestInit, "redirect" | "body"> & { readonly body?: string | Uint8Array<ArrayBuffer> };
  /** The smart account the money leaves. */
  readonly account: string;
  readonly spendingLimit: string;
  /** The limit's signer. */
  readonly key: SignerKey;
  /** Symbol or mint address of what is paid; default `usdc`. */
  readonly currency?: string;
  /** Who may be paid; default: whom the server names. The limit's own payees hold in any case. */
  readonly payTo?: string;
  /** The most that is paid for this request. */
  readonly atMost: GivenAmount;
  /** CAIP-2 name of the network, where it is neither mainnet nor devnet. */
  readonly network?: string;
  /**
   * `assumed` also pays a server that says nothing of smart accounts, as the x402 Foundation's own does unless its seller adds the
   * word. A facilitator that takes none of them settles nothing, and the call rejects with `PaymentUnconfirmedError`. Default:
   * `announced`. A server that says that it takes none is never paid.
   */
  readonly smartWallets?: "announced" | "assumed";
  /** Hears of the payment before it is sent, to keep it: it is awaited. */
  readonly onSigned?: (payment: SignedPayment) => void | Promise<void>;
  /** Makes the requests; default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** A payment of an earlier call for the same address, whose outcome is unknown: it is sent again, and no other is made. */
  readonly payment?: SignedPayment;
};

/** The answer, and what was paid for it: null where it cost nothing. */
export type PaidResponse = {
  readonly response: Response;
  readonly payment: SignedPayment | null;
  /** What the server says; null where it says nothing. */
  readonly settlement: Settlement | null;
};

type X402Needs = Currencies &
  Pick<ReturnType<typeof createLimitPreparations>, "preparePayment"> & {
    readonly environment: WireEnvironment;
  };

const networks: Readonly<Partial<Record<WireEnvironment, string>>> = {
  mainnet: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  production: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  devnet: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
};

/** What facilitators accept. */
const unitPriceMaxMicroLamports = 50_000n;

/**
 * Pays for HTTP requests that servers answer with 402, by x402 version 2 and its scheme `exact` on Solana. A payment comes
 * straight out of a smart account by a spending limit, which bounds what all of them together can take. The server, or
 * the facilitator that settles for it, pays the fee and sends the transaction; it has to take payments of smart accounts
 * (`extra.features.smartWalletSupported`, see `smartWallets`).
 */
export function createX402Calls(needs: X402Needs) {
  return {
    /**
     * Makes a request, pays if the server asks for no more than allowed, and makes it again with the payment. Rejects with
     * `NotPaidError` where nothing was paid, `PaymentUnconfirmedError` where the server may have been paid, and
     * `TransactionMismatchError` and `TrellisApiError` as a payment out of a limit does: before anything is signed.
     */
    fetch: (request: PaidRequest): Promise<PaidResponse> => fetchPaid(needs, request),
  };
}

async function fetchPaid(needs: X402Needs, request: PaidRequest): Promise<PaidResponse> {
  const { url, init, payment, fetch: send = globalThis.fetch } = request;
  if (payment !== undefined) {
    if (payment.url !== url) throw new TypeError("this payment was made for another address");
    return sendPayment(request, payment);
  }
  const response = await send(url, { ...init, redirect: "error" });
  if (response.status !== 402) return { response, payment: null, settlement: null };
  if (!isPrivate(new URL(url))) throw new NotPaidError("insecure", "payments are made to addresses of https alone");
  const required = readPaymentRequired(response.headers.get("payment-required"));
  if (required === undefined) {
    throw new NotPaidError("unreadable", "the server asks for a payment, and not in the words of x402 version 2");
  }
  const signed = await signPayment(needs, request, required);
  await request.onSigned?.(signed);
  return sendPayment(request, signed);
}

/** Or of this machine. */
const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

async function signPayment(
  needs: X402Needs,
  { url, key, ...request }: PaidRequest,
  required: PaymentRequired,
): Promise<SignedPayment> {
  const [account, signer] = [requireAddress(request.account), addressOfKey(key)];
  const option = chooseOption(needs, request, required.accepts, [account, signer]);
  const feePayer = requireAddress(option.extra?.feePayer ?? "");
  const expected: ExpectedLimitPayment = {
    account,
    spendingLimit: requireAddress(request.spendingLimit),
    signer,
    to: requireAddress(option.payTo),
    mint: requireAddress(option.asset),
    amount: BigInt(option.amount),
    feePayer,
    maxUnitPriceMicroLamports: unitPriceMaxMicroLamports,
  };
  const { transaction } = await needs.preparePayment(account, expected.spendingLimit, {
    amount: option.amount,
    signer_address: signer,
    recipient_address: expected.to,
    fee_config: { self_managed_fees: true },
    payer_address: feePayer,
  });
  const decoded = decodeTransaction(transaction);
  assertLimitPaymentMatches(decoded, expected);
  if (decoded.otherInstructions.length > 1) {
    throw new NotPaidError(
      "payee_has_no_token_account",
      `${expected.to} has no token account for what it wants to be paid`,
    );
  }
  const header = writePayment(required, option, signTransaction(transaction, [key]));
  return { url, header, amount: expected.amount, mint: option.asset, payTo: expected.to };
}

/** The cheapest that can be paid here. */
function chooseOption(
  needs: X402Needs,
  request: Omit<PaidRequest, "url" | "key">,
  options: readonly PaymentOption[],
  /** Who pays no fee. */
  own: readonly string[],
): PaymentOption {
  const network = request.network ?? networks[needs.environment];
  if (network === undefined) throw new TypeError("name the network in `network`: this one has no public name");
  const mint = needs.mintOf(request.currency ?? "usdc");
  const { amount: most } = needs.exactAmount(request.atMost, mint);
  const isPayable = ({ scheme, network: wanted, asset, amount, payTo, extra }: PaymentOption): boolean =>
    scheme === "exact" &&
    wanted === network &&
    asset === mint &&
    /^[1-9][0-9]{0,19}$/.test(amount) &&
    isAddress(payTo) &&
    payTo === (request.payTo ?? payTo) &&
    isAddress(extra?.feePayer ?? "") &&
    !own.includes(extra?.feePayer ?? "") &&
    extra?.memo === undefined &&
    (extra?.features?.smartWalletSupported ?? request.smartWallets === "assumed") === true;
  const [cheapest] = options.filter(isPayable).sort((a, b) => (BigInt(a.amount) < BigInt(b.amount) ? -1 : 1));
  if (cheapest === undefined) {
    throw new NotPaidError(
      "nothing_acceptable",
      "the server announces no payment in this currency and network by a smart account without a memo",
    );
  }
  if (BigInt(cheapest.amount) > most) {
    throw new NotPaidError(
      "too_expensive",
      `the server asks for ${cheapest.amount} base units, and at most ${most} are allowed`,
    );
  }
  return cheapest;
}

async function sendPayment(
  { url, init, fetch: send = globalThis.fetch }: PaidRequest,
  payment: SignedPayment,
): Promise<PaidResponse> {
  const headers = new Headers(init?.headers);
  headers.set("payment-signature", payment.header);
  let response: Response;
  try {
    // A payment goes to the address it was made for, and is led nowhere else.
    response = await send(url, { ...init, headers, redirect: "error" });
  } catch (cause) {
    throw new PaymentUnconfirmedError(payment, "the server did not answer", { cause });
  }
  const settlement = readSettlement(response.headers.get("payment-response")) ?? null;
  if (response.ok && settlement?.success !== false) return { response, payment, settlement };
  // What is refused before it is settled has its reason where the server asks again.
  const reason = settlement?.errorReason ?? readPaymentRequired(response.headers.get("payment-required"))?.error;
  const why = reason === undefined ? "" : ` (${reason.slice(0, 100)})`;
  throw new PaymentUnconfirmedError(payment, `the server answered ${response.status}${why} to a signed payment`);
}
