import { signPayloads } from "./account-holder.js";
import type { ExpectedTransfer } from "./assert-transfer.js";
import { kmsA } from "./kms-a.js";
import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type { SigningSession } from "./session.js";
import { checkTransfer } from "./transfers.js";
import type {
  ConfirmLegacyPaymentIntentRequest,
  LegacyAuthRequest,
  LegacyPaymentIntent,
  LegacyPaymentIntentRequest,
  LegacyStartedAuth,
  LegacyVerified,
  LegacyVerifyRequest,
  ListPaymentIntentsQuery,
  PreparedLegacyPaymentIntent,
  WireEnvironment,
} from "./wire.js";

type LegacyPaymentIntentsQuery = Pick<ListPaymentIntentsQuery, "state" | "limit" | "cursor">;

type LegacyPage = { readonly paymentIntents: readonly LegacyPaymentIntent[]; readonly nextCursor?: string };

/** The calls in the older form (interface 4.16). */
export function createLegacyCalls({ get, getPage, post }: ServiceCalls) {
  const intentsOf = (account: string, query: LegacyPaymentIntentsQuery) =>
    getPage<LegacyPaymentIntent>(intentPath(account), query);
  const legacy = {
    /** Sends a code to the e-mail of an existing account, in the older form (interface 4.16). */
    auth: (request: LegacyAuthRequest, callOptions?: CallOptions) =>
      post<LegacyStartedAuth>("/auth", request, callOptions),
    /** Signs in with the code, in the older form (interface 4.16); see `openLegacySession`. */
    verifyOtp: (request: LegacyVerifyRequest, callOptions?: CallOptions) =>
      post<LegacyVerified>("/verify-otp", request, callOptions),
    /** Prepares a payment, in the older form (gap 79). Check it before signing: `signLegacyPaymentIntent` does. */
    createPaymentIntent: (account: string, request: LegacyPaymentIntentRequest, callOptions?: CallOptions) =>
      post<PreparedLegacyPaymentIntent>(intentPath(account), request, callOptions),
    /** Pays what was prepared and signed (interface 4.16). Confirming again answers the same. */
    confirmPaymentIntent: (
      account: string,
      id: string,
      request: ConfirmLegacyPaymentIntentRequest,
      callOptions?: CallOptions,
    ) => post<LegacyPaymentIntent>(`${intentPath(account, id)}/confirm`, request, callOptions),
    /** Reads a payment intent in the older form (gap 79). */
    paymentIntent: (account: string, id: string) => get<LegacyPaymentIntent>(intentPath(account, id)),
    /** Reads an account's latest payment intents in the older form, newest first (gap 79). */
    paymentIntents: async (account: string, query: LegacyPaymentIntentsQuery = {}) =>
      (await legacy.paymentIntentsPage(account, query)).paymentIntents,
    /** The same, with the cursor that leads to the next page. */
    paymentIntentsPage: async (account: string, query: LegacyPaymentIntentsQuery = {}): Promise<LegacyPage> => {
      const { items: paymentIntents, ...rest } = await intentsOf(account, query);
      return { paymentIntents, ...rest };
    },
    /** All of an account's payment intents in the older form, newest first, page by page as they are read. */
    allPaymentIntents: (account: string, query: LegacyPaymentIntentsQuery = {}) =>
      paginate(query, (next) => intentsOf(account, next)),
  };
  return legacy;
}

/**
 * Checks a payment intent of the older form (gap 79) against what was asked for and signs it with the session's key: returns
 * what confirming it takes. Throws `TransactionMismatchError` when the transaction or the payload differs; nothing is signed
 * then.
 */
export function signLegacyPaymentIntent(
  prepared: Pick<PreparedLegacyPaymentIntent, "intent_payload" | "mpc_payload">,
  expected: ExpectedTransfer,
  session: SigningSession,
  environment: WireEnvironment,
): ConfirmLegacyPaymentIntentRequest {
  const { intent_payload: transaction, mpc_payload: payload } = prepared;
  if (transaction === null)
    throw new TypeError("money from a bank has nothing to sign: confirm it without intent_payload");
  const members = checkTransfer({ transaction }, expected);
  const kms_payloads =
    payload === null ? [] : members.map((address) => ({ address, payload, provider: kmsA.provider }) as const);
  const place = { account: expected.from, environment, nowMs: 0 };
  const [signed] = signPayloads({ transaction, kms_payloads }, members, [session], place);
  return { intent_payload: transaction, mpc_payload: JSON.stringify(signed) };
}

function intentPath(account: string, id?: string): string {
  const rest = id === undefined ? "" : `/${encodeURIComponent(id)}`;
  return `/${encodeURIComponent(account)}/payment-intents${rest}`;
}
