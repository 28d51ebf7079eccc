import { createPasskeySignIn } from "./passkey-sign-in.js";
import type { CallOptions, ServiceCalls } from "./service-calls.js";
import { createSignIn } from "./sign-in.js";
import type {
  Authentication,
  IdentityToken,
  RefreshedSession,
  RefreshSessionRequest,
  StartAuthRequest,
  StartedAuth,
  VerifyAccountRequest,
  VerifyAuthRequest,
  WireEnvironment,
} from "./wire.js";

/** What these calls need of the client they are part of. */
type AuthNeeds = Pick<ServiceCalls, "post"> & {
  readonly environment: WireEnvironment;
  readonly accounts: {
    readonly create: (request: { readonly type: "email"; readonly email: string }) => Promise<unknown>;
    readonly verify: (request: VerifyAccountRequest, callOptions?: CallOptions) => Promise<Authentication>;
  };
};

/** The calls about signing in. */
export function createAuthCalls({ post, accounts, environment }: AuthNeeds) {
  const startAuth = (request: StartAuthRequest, callOptions?: CallOptions) =>
    post<StartedAuth>("/auth", request, callOptions);
  const verifyAuth = (request: VerifyAuthRequest, callOptions?: CallOptions) =>
    post<Authentication>("/auth/verify", request, callOptions);
  return {
    /**
     * Has a code sent to an e-mail address, whether there is an account for it or it is made with that code, and signs in
     * with it. The keys of the session are made here. Rejects with `TrellisApiError` where no code can be sent.
     *
     * @example
     * const { verify } = await trellis.auth.signIn("ada@example.org");
     * const { account, session } = await verify(await askForTheCode());
     */
    signIn: createSignIn({
      create: (request): Promise<unknown> => accounts.create(request),
      start: (request) => startAuth(request),
      verifyAccount: (request, callOptions) => accounts.verify(request, callOptions),
      verifyAuth: (request, callOptions) => verifyAuth(request, callOptions),
    }),
    /** Signs in with a passkey, without a code; see `createPasskeySignIn`. */
    signInWithPasskey: createPasskeySignIn({ post, environment }),
    /** Sends a code to the e-mail of an existing account (gap 21). */
    start: startAuth,
    /** Signs in with the code (interface 4.7). */
    verify: verifyAuth,
    /** Lengthens a session (gap 20). The old refresh token is void after it. */
    refresh: (request: RefreshSessionRequest, callOptions?: CallOptions) =>
      post<RefreshedSession>("/auth/refresh-session", request, callOptions),
    /** A token that proves to the application's own backend who is signed in (gap 124); needs `sessionToken`. */
    identityToken: () => post<IdentityToken>("/auth/token", undefined),
  };
}
