import type { AccountHolder } from "./account-holder.js";
import {
  type PrepareUpdate,
  type UpdateAccount,
  type UpdatedAccount,
  type UpdateReceipt,
  updateAccount,
} from "./accounts.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import { encodeHex } from "./encoding.js";
import { assertApproval } from "./passkey-approval.js";
import { assertCeremony } from "./passkey-ceremony.js";
import { PasskeyPageError, type PasskeySessionOutcome, withReturnState } from "./passkey-page.js";
import { accountPath, type CallOptions, type ServiceCalls } from "./service-calls.js";
import type { SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type {
  AddAccountPasskeyRequest,
  CreatePasskeyAccountRequest,
  FindPasskeySignerRequest,
  OpenedPasskeySession,
  PasskeyAccount,
  PasskeyApproval,
  PasskeyApprovalUrl,
  PasskeyCeremony,
  PasskeyCeremonyOutcome,
  PasskeyCeremonyRequest,
  PasskeyCeremonyUrl,
  PasskeyOfAccount,
  PasskeySignerOnChain,
  Permission,
  Policies,
  PreparedPasskeyAddition,
  PreparedPasskeyRemoval,
  SubmitPasskeySessionRequest,
  UpdateAccountRequest,
  WireEnvironment,
} from "./wire.js";

/** A session that a passkey is to open, renew or end. */
export type BeginPasskeySession = {
  /** The public half of an Ed25519 key that is made for it. */
  readonly sessionKey: string;
  /** For how many seconds it signs, 90 days at most. Of `authorize` 0 ends the session that there is. */
  readonly seconds: number;
  /** What the page calls the application. */
  readonly appName: string;
  /** Where the page goes back to, and whose pages hear its answer. */
  readonly redirectUrl?: string;
  /** A page of your own, on your relying party itself. Default: the service's. */
  readonly baseUrl?: string;
  /** What only this beginning knows, and its way back has to say. Default: 16 random bytes, in hex. */
  readonly state?: string;
  /** The origin of the page. Default: that of `baseUrl`, else the one by which this client calls the service. */
  readonly pageOrigin?: string;
};

/** Where the browser is to go, and what the page shows there. */
export type BegunPasskeySession = {
  readonly url: string;
  readonly sessionKey: string;
  /** Stands in the address that the page goes back to, as `passkey_state`. */
  readonly state: string;
  readonly ceremony: PasskeyCeremony;
};

/** What a server keeps of a beginning to ask what came of it. */
export type BegunCeremony = {
  readonly sessionKey: string;
  readonly ceremony: Pick<PasskeyCeremony, "challenge">;
};

/** A prepared transaction that a passkey is to approve itself, without a session. */
export type BeginPasskeyApproval = Pick<
  BeginPasskeySession,
  "appName" | "redirectUrl" | "baseUrl" | "state" | "pageOrigin"
> & {
  /** The smart account. */
  readonly account: string;
  /** Its signer: the passkey's address. */
  readonly passkeyAccount: string;
  /** Base64: prepared with `passkey_approval`, and checked. */
  readonly transaction: string;
};

/** Where the browser is to go, and what the page shows there. */
export type BegunPasskeyApproval = {
  readonly url: string;
  readonly passkeyAccount: string;
  /** Stands in the address that the page goes back to, as `passkey_state`. */
  readonly state: string;
  readonly approval: PasskeyApproval;
};

/** A passkey signer that is to be added to an account, or removed from it. */
export type ChangePasskeySigner = Omit<UpdateAccount, "changes" | "removePolicies" | "removeSpendingLimits"> & {
  /** The signer: the passkey's address. */
  readonly passkeyAccount: string;
};

/** One that is to be added. */
export type AddPasskeySigner = ChangePasskeySigner & {
  /** Default: all three. */
  readonly permissions?: readonly Permission[];
};

type Needs = ServiceCalls & {
  readonly act: Act;
  readonly addressesFor: (holder: AccountHolder, account: string) => Promise<readonly string[]>;
  readonly environment: WireEnvironment;
  readonly now: () => number;
  /** Of the service. */
  readonly baseUrl: string;
};

const everyPermission: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/**
 * Passkeys that sign on chain themselves (gap 233), by the keys of their sessions: give such a key as one of `passkeySessions` to any call
 * that signs. Those that begin a session make sure that the passkey would sign for this key and this end, and for nothing else.
 */
export function createPasskeySignerCalls(needs: Needs) {
  const { call, get, post } = needs;
  const pathOf = (account: string, rest: string) => accountPath(account, `/passkeys${rest}`);
  const signers = {
    /**
     * Begins to make a passkey with its first session. Rejects with `TransactionMismatchError` where the passkey would sign for anything
     * else, or on another page. `askPasskeyPage` has the page asked.
     */
    create: (wanted: BeginPasskeySession, options?: CallOptions): Promise<BegunPasskeySession> =>
      begin(needs, "create", wanted, options),
    /** Begins a session of a passkey that is there: it takes the place of the one before. Rejects as `create` does. */
    authorize: (wanted: BeginPasskeySession, options?: CallOptions): Promise<BegunPasskeySession> =>
      begin(needs, "auth", wanted, options),
    /**
     * Begins to have a passkey approve one prepared transaction itself: no key signs in its place. Check first what the transaction does, as with
     * `assertTransferMatches`: this makes sure that the passkey would sign exactly that, on this page. Rejects with `TransactionMismatchError`
     * where it would not. `askPasskeyApproval` has the page asked.
     */
    approve: (wanted: BeginPasskeyApproval, options?: CallOptions): Promise<BegunPasskeyApproval> =>
      beginApproval(needs, wanted, options),
    /** What a page of your own has got from the passkey, with a secret key. The service's page does it by itself. */
    submit: (request: SubmitPasskeySessionRequest, options?: CallOptions) =>
      post<OpenedPasskeySession>("/passkeys/submit", request, options),
    /**
     * What came of a beginning, with a secret key: what a browser says of it is no proof. Undefined while nothing is known yet. Rejects with
     * `PasskeyPageError` where no session was opened, and with `TransactionMismatchError` where another key has it.
     */
    outcome: (begun: BegunCeremony): Promise<PasskeySessionOutcome | undefined> => readOutcome(needs, begun),
    /** Which passkey signer has answered. */
    find: (request: FindPasskeySignerRequest, options?: CallOptions) =>
      post<OpenedPasskeySession>("/passkeys/find", request, options),
    /** Reads a passkey signer from the chain. */
    get: (passkeyAccount: string) =>
      get<{ readonly account: PasskeySignerOnChain }>(`/passkeys/account/${encodeURIComponent(passkeyAccount)}`).then(
        ({ account }) => account,
      ),
    /** Submits a session, and creates an account whose signer is the passkey. */
    createAccount: (request: CreatePasskeyAccountRequest, options?: CallOptions) =>
      post<PasskeyAccount>("/passkeys/account", request, options),
    /** The first passkey among an account's signers. */
    of: (account: string) => get<PasskeyOfAccount>(pathOf(account, "")),
    /** Prepares its addition. Check it before signing, or use `add`, which does. */
    prepareAdd: (
      account: string,
      request: AddAccountPasskeyRequest,
      query: { readonly admin?: boolean } = {},
      options: CallOptions = {},
    ) =>
      call<PreparedPasskeyAddition>({
        method: "POST",
        path: pathOf(account, "/transaction"),
        query,
        body: request,
        ...options,
      }),
    /** Prepares its removal. Check it before signing, or use `remove`, which does. */
    prepareRemove: (
      account: string,
      passkeyAccount: string,
      request: Pick<AddAccountPasskeyRequest, "confirm_foreign_passkeys" | "transaction_signers">,
      query: { readonly admin?: boolean } = {},
      options: CallOptions = {},
    ) =>
      call<PreparedPasskeyRemoval>({
        method: "DELETE",
        path: pathOf(account, `/${encodeURIComponent(passkeyAccount)}/transaction`),
        query,
        body: request,
        ...options,
      }),
    /**
     * Adds a passkey signer to an account: makes sure that the prepared bytes do exactly this, signs and submits. Where the holder's signers
     * cannot do it at once, it is put to a vote, as `accounts.update` does, and it rejects as that does.
     */
    add: (wanted: AddPasskeySigner, options: SubmitOptions<UpdateReceipt> = {}): Promise<UpdatedAccount> => {
      const { passkeyAccount: address, permissions = everyPermission } = wanted;
      const prepareUpdate: PrepareUpdate = (account, request, { admin }, callOptions) =>
        signers.prepareAdd(
          account,
          { passkey: { address, permissions }, ...decisionOf(request) },
          { admin },
          callOptions,
        );
      const changes = (current: Policies) => ({ signers: [...current.signers, { address, permissions }] });
      return updateAccount({ ...needs, prepareUpdate }, { ...wanted, changes }, options);
    },
    /** Removes one, as `add` adds it: it signs for the account no more, whatever sessions it has. */
    remove: (wanted: ChangePasskeySigner, options: SubmitOptions<UpdateReceipt> = {}): Promise<UpdatedAccount> => {
      const { passkeyAccount } = wanted;
      const prepareUpdate: PrepareUpdate = (account, request, { admin }, callOptions) =>
        signers.prepareRemove(account, passkeyAccount, decisionOf(request), { admin }, callOptions);
      const changes = (current: Policies) => ({
        signers: current.signers.filter(({ address }) => address !== passkeyAccount),
      });
      return updateAccount({ ...needs, prepareUpdate }, { ...wanted, changes }, options);
    },
  };
  return signers;
}

/** Who decides about a change, and whether it is confirmed: what both requests have of an update's. */
const decisionOf = ({
  transaction_signers: signers,
  confirm_foreign_passkeys: isConfirmed,
}: Pick<UpdateAccountRequest, "confirm_foreign_passkeys" | "transaction_signers">) => ({
  ...(signers === undefined ? {} : { transaction_signers: signers }),
  ...(isConfirmed === undefined ? {} : { confirm_foreign_passkeys: isConfirmed }),
});

async function readOutcome(
  { get }: Needs,
  { sessionKey, ceremony }: BegunCeremony,
): Promise<PasskeySessionOutcome | undefined> {
  const { challenge } = ceremony;
  const found = await get<PasskeyCeremonyOutcome>(`/passkeys/ceremonies/${encodeURIComponent(challenge)}`);
  assertEqual(found.challenge, challenge, "this is what came of another beginning");
  assertEqual(found.session_key, sessionKey, "the session was opened for another key");
  const { status, passkey_account: passkeyAccount, session_expires_at: end } = found;
  if (status === "pending") return undefined;
  if (status !== "completed" || passkeyAccount === null || end === null) {
    throw new PasskeyPageError(status, `no session was opened: ${status}`);
  }
  return { passkeyAccount, sessionKey, expiration: Math.floor(Date.parse(end) / 1_000) };
}

function assertEqual(actual: string, expected: string, message: string): void {
  if (actual !== expected) throw new TransactionMismatchError("payload", message, { expected, actual });
}

async function beginApproval(
  { post, baseUrl: serviceUrl }: Needs,
  wanted: BeginPasskeyApproval,
  options?: CallOptions,
): Promise<BegunPasskeyApproval> {
  const { account, passkeyAccount, transaction, baseUrl, pageOrigin = baseUrl ?? serviceUrl } = wanted;
  const { state, redirectUrl, ...page } = pageOf(wanted);
  const path = accountPath(account, `/passkeys/${encodeURIComponent(passkeyAccount)}/approvals`);
  const { url, approval } = await post<PasskeyApprovalUrl>(path, { transaction, ...page }, options);
  const { origin } = new URL(pageOrigin);
  assertApproval(approval, { transaction, account, passkeyAccount, url, origin, redirectUrl });
  return { url, passkeyAccount, state, approval };
}

/** What a page is given, and the way back of this very beginning. */
function pageOf(wanted: Pick<BeginPasskeySession, "appName" | "redirectUrl" | "baseUrl" | "state">) {
  const { appName, baseUrl, state = encodeHex(crypto.getRandomValues(new Uint8Array(16))) } = wanted;
  const redirectUrl = wanted.redirectUrl === undefined ? undefined : withReturnState(wanted.redirectUrl, state);
  return {
    state,
    redirectUrl,
    metaInfo: { appName, ...(redirectUrl === undefined ? {} : { redirectUrl }) },
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}

async function begin(
  { post, get, environment, now, baseUrl: serviceUrl }: Needs,
  kind: "create" | "auth",
  wanted: BeginPasskeySession,
  options?: CallOptions,
): Promise<BegunPasskeySession> {
  const { sessionKey, seconds, baseUrl, pageOrigin = baseUrl ?? serviceUrl } = wanted;
  const { state, redirectUrl, ...page } = pageOf(wanted);
  const request: PasskeyCeremonyRequest = {
    sessionKey: { key: requireAddress(sessionKey), expiration: seconds },
    ...page,
  };
  const { url } = await post<PasskeyCeremonyUrl>(kind === "create" ? "/passkeys" : "/passkeys/auth", request, options);
  const challenge = new URL(url).searchParams.get("challenge") ?? "";
  const ceremony = await get<PasskeyCeremony>("/passkeys/ceremony", { challenge });
  const clock = environment === "sandbox" ? {} : { nowMs: now() };
  const { origin } = new URL(pageOrigin);
  assertCeremony(ceremony, { kind, url, origin, sessionKey, seconds, redirectUrl, ...clock });
  return { url, sessionKey, state, ceremony };
}
