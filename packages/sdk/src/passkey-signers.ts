import type { AccountHolder } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import { checkSettingsChange } from "./check-policy-change.js";
import { assertCeremony } from "./passkey-ceremony.js";
import { accountPath, type CallOptions, type ServiceCalls } from "./service-calls.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import type {
  Account,
  AccountPasskeys,
  AddPasskeySignerRequest,
  CreatePasskeyAccountRequest,
  FindPasskeySignerRequest,
  OpenedPasskeySession,
  PasskeyAccount,
  PasskeyCeremony,
  PasskeyCeremonyUrl,
  PasskeySignerOnChain,
  Permission,
  Policies,
  PreparedPasskeyAddition,
  PreparedPasskeyRemoval,
  SubmitPasskeySessionRequest,
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
};

/** Where the browser is to go, and what the page shows there. */
export type BegunPasskeySession = {
  readonly url: string;
  readonly sessionKey: string;
  readonly ceremony: PasskeyCeremony;
};

/** A passkey signer that is to be added to an account, or removed from it. */
export type ChangePasskeySigner = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  /** The signer: the passkey's address. */
  readonly passkeyAccount: string;
  /** The policy as it is, where it is known from a source that is trusted more than this service. Default: it is asked. */
  readonly current?: Policies;
  /** True: the admin makes the change, whose key is the one in `keys`. */
  readonly admin?: boolean;
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
};

const everyPermission: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/**
 * Passkeys that sign on chain themselves (gap 233), by the keys of their sessions: give such a key as one of `passkeySessions` to any call
 * that signs. Those that begin a session make sure that the passkey would sign for this key and this end, and for nothing else.
 */
export function createPasskeySignerCalls(needs: Needs) {
  const { get, post, call } = needs;
  const pathOf = (account: string, rest = "") => accountPath(account, `/passkeys${rest}`);
  const queryOf = ({ admin = false }: { readonly admin?: boolean }) => (admin ? { admin } : {});
  const signers = {
    /**
     * Begins to make a passkey with its first session. Rejects with `TransactionMismatchError` where the passkey would sign for anything
     * else. `askPasskeyPage` has the page asked.
     */
    create: (wanted: BeginPasskeySession, options?: CallOptions): Promise<BegunPasskeySession> =>
      begin(needs, "create", wanted, options),
    /** Begins a session of a passkey that is there: it takes the place of the one before. Rejects as `create` does. */
    authorize: (wanted: BeginPasskeySession, options?: CallOptions): Promise<BegunPasskeySession> =>
      begin(needs, "auth", wanted, options),
    /** What a page of your own has got from the passkey, with a secret key. The service's page does it by itself. */
    submit: (request: SubmitPasskeySessionRequest, options?: CallOptions) =>
      post<OpenedPasskeySession>("/passkeys/submit", request, options),
    /** Which passkey signer has answered. */
    find: (request: FindPasskeySignerRequest, options?: CallOptions) =>
      post<OpenedPasskeySession>("/passkeys/find", request, options),
    /** Reads a passkey signer from the chain. */
    get: (passkeyAccount: string) =>
      get<PasskeySignerOnChain>(`/passkeys/account/${encodeURIComponent(passkeyAccount)}`),
    /** Submits a session, and creates an account whose signer is the passkey. */
    createAccount: (request: CreatePasskeyAccountRequest, options?: CallOptions) =>
      post<PasskeyAccount>("/passkeys/account", request, options),
    /** The passkey signer of an account. */
    list: (account: string) => get<AccountPasskeys>(pathOf(account)),
    /** Prepares its addition. Check it before signing, or use `add`, which does. */
    prepareAdd: (
      account: string,
      request: AddPasskeySignerRequest,
      query: { readonly admin?: boolean } = {},
      options: CallOptions = {},
    ) =>
      call<PreparedPasskeyAddition>({
        method: "POST",
        path: pathOf(account, "/transaction"),
        query: queryOf(query),
        body: request,
        ...options,
      }),
    /** Prepares its removal. Check it before signing, or use `remove`, which does. */
    prepareRemove: (
      account: string,
      passkeyAccount: string,
      request: { readonly transaction_signers?: readonly string[] },
      query: { readonly admin?: boolean } = {},
      options: CallOptions = {},
    ) =>
      call<PreparedPasskeyRemoval>({
        method: "DELETE",
        path: pathOf(account, `/${encodeURIComponent(passkeyAccount)}/transaction`),
        query: queryOf(query),
        body: request,
        ...options,
      }),
    /**
     * Adds a passkey signer to an account: makes sure that the prepared bytes do exactly this, signs and submits. Rejects with
     * `TransactionMismatchError` before anything is signed, and with `OutcomeUnknownError` as all do that submit.
     */
    add: (wanted: AddPasskeySigner, options: SubmitOptions<object> = {}): Promise<Confirmation> => {
      const { passkeyAccount: address, permissions = everyPermission } = wanted;
      return change(needs, wanted, options, {
        prepare: (transaction_signers, callOptions) => {
          const request = { passkey: { address, permissions }, ...transaction_signers };
          return signers.prepareAdd(wanted.account, request, wanted, callOptions);
        },
        become: (current) => ({ signers: [...current.signers, { address, permissions }] }),
      });
    },
    /** Removes one: it signs for the account no more, whatever sessions it has. The threshold falls where too few would be left. */
    remove: (wanted: ChangePasskeySigner, options: SubmitOptions<object> = {}): Promise<Confirmation> =>
      change(needs, wanted, options, {
        prepare: (transaction_signers, callOptions) =>
          signers.prepareRemove(wanted.account, wanted.passkeyAccount, transaction_signers, wanted, callOptions),
        become: ({ signers: before, threshold }) => {
          const after = before.filter(({ address }) => address !== wanted.passkeyAccount);
          const voters = after.filter(({ permissions }) => permissions.includes("CAN_VOTE")).length;
          return { signers: after, ...(voters < threshold ? { threshold: voters } : {}) };
        },
      }),
  };
  return signers;
}

async function begin(
  { post, get, environment, now }: Needs,
  kind: "create" | "auth",
  wanted: BeginPasskeySession,
  options?: CallOptions,
): Promise<BegunPasskeySession> {
  const { sessionKey, seconds, appName, redirectUrl, baseUrl } = wanted;
  const { url } = await post<PasskeyCeremonyUrl>(
    kind === "create" ? "/passkeys" : "/passkeys/auth",
    {
      sessionKey: { key: requireAddress(sessionKey), expiration: seconds },
      metaInfo: { appName, ...(redirectUrl === undefined ? {} : { redirectUrl }) },
      ...(baseUrl === undefined ? {} : { baseUrl }),
    },
    options,
  );
  const challenge = new URL(url).searchParams.get("challenge") ?? "";
  const ceremony = await get<PasskeyCeremony>("/passkeys/ceremony", { challenge });
  const clock = environment === "sandbox" ? {} : { nowMs: now() };
  assertCeremony(ceremony, { kind, challenge, sessionKey, seconds, redirectUrl, ...clock });
  return { url, sessionKey, ceremony };
}

async function change<Prepared extends PreparedPasskeyAddition | PreparedPasskeyRemoval>(
  { act, addressesFor, get }: Needs,
  wanted: ChangePasskeySigner,
  options: SubmitOptions<object>,
  how: {
    readonly prepare: (
      signers: { readonly transaction_signers?: readonly string[] },
      options: { readonly idempotencyKey: string },
    ) => Promise<Prepared>;
    readonly become: (current: Policies) => Pick<Policies, "signers"> & { readonly threshold?: number };
  },
): Promise<Confirmation> {
  const account = requireAddress(wanted.account);
  const isByAdmin = wanted.admin === true;
  return act(options, {
    account,
    holder: wanted,
    prepare: async (callOptions) => {
      const current = wanted.current ?? (await get<Account>(accountPath(account))).policies;
      const signers = isByAdmin ? {} : { transaction_signers: await addressesFor(wanted, account) };
      return { ...(await how.prepare(signers, callOptions)), kms_payloads: [], current };
    },
    check: ({ current, transaction }) => {
      const expected = { account, changes: how.become(current), current, by: isByAdmin ? "admin" : "members" } as const;
      return { members: checkSettingsChange({ transaction }, expected), receipt: {} };
    },
  });
}
