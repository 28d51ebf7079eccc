import { type Address, isAddress } from "@solana/kit";
import { assertPayloadMatches } from "./assert-payload.js";
import { assertTransferMatches, type ExpectedTransfer } from "./assert-transfer.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import { knownMints, type MintTable } from "./mints.js";
import { createRequestSender, type RequestSenderOptions, type ServiceRequest } from "./request-sender.js";
import type { TrellisSession } from "./session.js";
import { signPayload } from "./sign-payload.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type {
  Account,
  AdvancedClock,
  Airdropped,
  AirdropRequest,
  Authentication,
  Balances,
  CreateAccountRequest,
  CreatedAccount,
  OutboxMail,
  PreparedCustomTransaction,
  PreparedTransfer,
  PrepareTransactionRequest,
  PrepareTransferRequest,
  RefreshedSession,
  RefreshSessionRequest,
  StartAuthRequest,
  StartedAuth,
  SubmitKmsPayload,
  SubmitTransactionRequest,
  SubmitTransactionsRequest,
  Submitted,
  VerifyAccountRequest,
  VerifyAuthRequest,
  WireEnvironment,
} from "./wire.js";

export type TrellisClientOptions = Omit<RequestSenderOptions, "environment"> & {
  readonly environment: WireEnvironment;
  /** Mints by lower-case symbol, laid over the ones this library knows. */
  readonly mints?: MintTable;
  /** Real time in Unix milliseconds; default `Date.now`. */
  readonly now?: () => number;
};

/** Options of a call that changes something. */
export type CallOptions = {
  /** Default: a fresh key. Give one to repeat the call safely after a restart (gap 6). */
  readonly idempotencyKey?: string;
};

/** A transfer to be prepared, checked, signed and submitted in one go. */
export type SendTransfer = {
  /** The smart account the money leaves. */
  readonly account: string;
  readonly session: TrellisSession;
  /** Symbol (`sol`, `usdc`, …) or mint address. */
  readonly currency: string;
  /** An owner's address, or a token account when `destinationIsTokenAccount` is set. */
  readonly destination: string;
  /** Base units. */
  readonly amount: bigint;
  readonly destinationIsTokenAccount?: boolean;
  /** Further demands on the transaction; see `ExpectedTransfer`. */
  readonly limits?: Pick<
    ExpectedTransfer,
    "settings" | "decimals" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports"
  >;
};

export type SentTransfer = {
  /** The chain's id of the transaction. */
  readonly signature: string;
  /** ISO 8601. */
  readonly confirmedAt: string;
  /** The payment intent. */
  readonly id: string;
};

/** The service as functions; see `createTrellisClient`. */
export type TrellisClient = ReturnType<typeof createTrellisClient>;

const apiPath = "/api/service/v1";

/**
 * Makes a client for one service, API key and environment. Every call rejects with `TrellisApiError` when the service
 * refuses, and with `TrellisNetworkError` when it does not answer; retries and idempotency keys are taken care of.
 *
 * @example
 * const trellis = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
 * const sent = await trellis.transfers.send({ account, session, currency: "usdc", destination, amount: 5_000_000n });
 */
export function createTrellisClient(options: TrellisClientOptions) {
  const send = createRequestSender(options);
  const mints: MintTable = { ...knownMints(options.environment), ...options.mints };
  const now = options.now ?? Date.now;

  // The answer's shape is the service's promise; a contract test compares these types with its published schema.
  const call = async <Data>(request: ServiceRequest): Promise<Data> => withoutEnvelope(await send(request)) as Data;

  const get = <Data>(path: string, query: ServiceRequest["query"] = {}): Promise<Data> =>
    call<Data>({ method: "GET", path: apiPath + path, query });

  const post = <Data>(path: string, body: unknown, callOptions: CallOptions = {}): Promise<Data> =>
    call<Data>({ method: "POST", path: apiPath + path, body, ...callOptions });

  const accounts = {
    /** Creates an account: pending for an e-mail, at once for signers (interface 4.1; gaps 13, 14). */
    create: <Request extends CreateAccountRequest>(request: Request, callOptions?: CallOptions) =>
      post<CreatedAccount<Request>>("/accounts", request, callOptions),
    /** Completes an e-mail account with its code (interface 4.2). */
    verify: (request: VerifyAccountRequest, callOptions?: CallOptions) =>
      post<Authentication>("/accounts/verify", request, callOptions),
    /** Reads an account (interface 4.4, gap 24). */
    get: (address: string) => get<Account>(accountPath(address)),
    /** Reads what an account holds (gap 34). */
    balances: (address: string, page: { readonly limit?: number; readonly page?: number } = {}) =>
      get<Balances>(accountPath(address, "/balances"), page),
  };

  const auth = {
    /** Sends a code to the e-mail of an existing account (gap 21). */
    start: (request: StartAuthRequest, callOptions?: CallOptions) => post<StartedAuth>("/auth", request, callOptions),
    /** Signs in with the code (interface 4.7). */
    verify: (request: VerifyAuthRequest, callOptions?: CallOptions) =>
      post<Authentication>("/auth/verify", request, callOptions),
    /** Lengthens a session (gap 20). The old refresh token is void after it. */
    refresh: (request: RefreshSessionRequest, callOptions?: CallOptions) =>
      post<RefreshedSession>("/auth/refresh-session", request, callOptions),
  };

  const transactions = {
    /** Has an arbitrary transaction wrapped for the account (gap 32). Check it before signing. */
    prepare: (address: string, request: PrepareTransactionRequest, callOptions?: CallOptions) =>
      post<PreparedCustomTransaction>(accountPath(address, "/transactions"), request, callOptions),
    /** Submits signed transactions and waits until they are confirmed (interface 4.6, gap 29). */
    submit: <Request extends SubmitTransactionRequest | SubmitTransactionsRequest>(
      address: string,
      request: Request,
      callOptions?: CallOptions,
    ) => post<Submitted<Request>>(accountPath(address, "/submit"), request, callOptions),
  };

  const transfers = {
    /** Prepares a transfer (gap 33). Check it before signing, or use `send`, which does. */
    prepare: (address: string, request: PrepareTransferRequest, callOptions?: CallOptions) =>
      post<PreparedTransfer>(accountPath(address, "/payment-intent"), request, callOptions),
    /**
     * Prepares a transfer, makes sure that the prepared bytes and payloads do exactly this transfer, signs and submits.
     * Rejects with `TransactionMismatchError`, before anything is signed, when the service prepared something else; and
     * with a `TypeError` for a currency whose mint is not known here.
     */
    send: async (transfer: SendTransfer): Promise<SentTransfer> => {
      const expected = expectedTransfer(transfer, mints);
      const prepared = await transfers.prepare(transfer.account, {
        amount: transfer.amount.toString(),
        source: { account: transfer.account, currency: transfer.currency },
        destination: { address: transfer.destination, currency: transfer.currency },
        provider: transfer.session.provider,
      });
      const kmsPayloads = signPreparedTransfer(prepared, expected, transfer.session, options.environment, now());
      const submitted = await transactions.submit(transfer.account, {
        transaction: prepared.transaction,
        kms_payloads: kmsPayloads,
      });
      return { signature: submitted.transaction_signature, confirmedAt: submitted.confirmed_at, id: prepared.id };
    },
  };

  const sandbox = {
    /** The mails the sandbox would have sent, newest first (gap 49). */
    outbox: (email: string) => get<readonly OutboxMail[]>("/sandbox/outbox", { email }),
    /** Gives an address money of the sandbox (gap 49). */
    airdrop: (request: AirdropRequest, callOptions?: CallOptions) =>
      post<Airdropped>("/sandbox/airdrop", request, callOptions),
    /** Moves the sandbox's time forward (gap 49); open prepared transactions expire. */
    advanceClock: (seconds: number, callOptions?: CallOptions) =>
      post<AdvancedClock>("/sandbox/clock/advance", { seconds }, callOptions),
  };

  return { accounts, auth, transactions, transfers, sandbox };
}

/**
 * Checks a prepared transfer against what was asked for and signs its payloads with the session's key. Throws
 * `TransactionMismatchError` when the transaction or a payload differs; nothing is signed then.
 * `nowMs` is real time, for the `kms_b` form (gap 28).
 */
export function signPreparedTransfer(
  prepared: Pick<PreparedTransfer, "transaction" | "kms_payloads">,
  expected: ExpectedTransfer,
  session: TrellisSession,
  environment: WireEnvironment,
  nowMs: number,
): readonly SubmitKmsPayload[] {
  const decoded = decodeTransaction(prepared.transaction);
  assertTransferMatches(decoded, expected);
  const members = decoded.syncCalls.flatMap((syncCall) => syncCall.members);
  if (prepared.kms_payloads.length === 0) {
    throw new TransactionMismatchError("payload", "the service gave no payload to sign");
  }
  for (const payload of prepared.kms_payloads) {
    const wallet = session.wallets.find(({ address }) => address === payload.address);
    if (payload.provider !== session.provider || wallet === undefined || !members.some((m) => m === payload.address)) {
      throw new TransactionMismatchError("payload", "a payload is for a wallet this session does not sign with", {
        actual: `${payload.provider} ${payload.address}`,
      });
    }
    assertPayloadMatches(payload.payload, {
      transaction: prepared.transaction,
      environment,
      account: expected.from,
      wallet: wallet.address,
    });
  }
  return prepared.kms_payloads.map((payload) => signPayload(payload, session.authorizationKey, nowMs));
}

function expectedTransfer(transfer: SendTransfer, mints: MintTable): ExpectedTransfer {
  return {
    ...transfer.limits,
    from: requireAddress(transfer.account),
    to: requireAddress(transfer.destination),
    mint: mintOf(transfer.currency, mints),
    amount: transfer.amount,
    toIsTokenAccount: transfer.destinationIsTokenAccount ?? false,
  };
}

function mintOf(currency: string, mints: MintTable): Address | null {
  const symbol = currency.toLowerCase();
  const known = Object.hasOwn(mints, symbol) ? mints[symbol] : undefined;
  if (known !== undefined) return known;
  if (isAddress(currency)) return currency;
  throw new TypeError(`the mint of ${currency} is not known in this environment: name it in the option mints`);
}

function requireAddress(text: string): Address {
  if (!isAddress(text)) throw new TypeError(`not an address: ${text}`);
  return text;
}

function accountPath(address: string, rest = ""): string {
  return `/accounts/${encodeURIComponent(address)}${rest}`;
}

/** Interface 2.1: most answers are `{data, metadata}`, some are bare. */
function withoutEnvelope(body: unknown): unknown {
  const isEnvelope = typeof body === "object" && body !== null && "data" in body && "metadata" in body;
  return isEnvelope ? body.data : body;
}
