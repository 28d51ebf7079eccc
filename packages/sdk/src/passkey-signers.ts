import { requireAddress } from "./address.js";
import { assertCeremony } from "./passkey-ceremony.js";
import type { CallOptions, ServiceCalls } from "./service-calls.js";
import type {
  FindPasskeySignerRequest,
  OpenedPasskeySession,
  PasskeyCeremony,
  PasskeyCeremonyRequest,
  PasskeyCeremonyUrl,
  PasskeySignerOnChain,
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

type Needs = ServiceCalls & {
  readonly environment: WireEnvironment;
  readonly now: () => number;
};

/**
 * Passkeys that sign on chain themselves (gap 233), by the keys of their sessions: give such a key as one of `passkeySessions` to any call
 * that signs. Those that begin a session make sure that the passkey would sign for this key and this end, and for nothing else.
 */
export function createPasskeySignerCalls(needs: Needs) {
  const { get, post } = needs;
  return {
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
      get<{ readonly account: PasskeySignerOnChain }>(`/passkeys/account/${encodeURIComponent(passkeyAccount)}`).then(
        ({ account }) => account,
      ),
  };
}

async function begin(
  { post, get, environment, now }: Needs,
  kind: "create" | "auth",
  wanted: BeginPasskeySession,
  options?: CallOptions,
): Promise<BegunPasskeySession> {
  const { sessionKey, seconds, appName, redirectUrl, baseUrl } = wanted;
  const request: PasskeyCeremonyRequest = {
    sessionKey: { key: requireAddress(sessionKey), expiration: seconds },
    metaInfo: { appName, ...(redirectUrl === undefined ? {} : { redirectUrl }) },
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
  const { url } = await post<PasskeyCeremonyUrl>(kind === "create" ? "/passkeys" : "/passkeys/auth", request, options);
  const challenge = new URL(url).searchParams.get("challenge") ?? "";
  const ceremony = await get<PasskeyCeremony>("/passkeys/ceremony", { challenge });
  const clock = environment === "sandbox" ? {} : { nowMs: now() };
  assertCeremony(ceremony, { kind, challenge, sessionKey, seconds, redirectUrl, ...clock });
  return { url, sessionKey, ceremony };
}
