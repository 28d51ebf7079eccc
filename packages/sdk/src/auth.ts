import { createPasskeySignIn } from "./passkey-sign-in.js";
import type { CredentialsApi } from "./passkey-signer.js";
import { signSecondFactor } from "./second-factor.js";
import type { CallOptions, ServiceCalls } from "./service-calls.js";
import { createSignIn } from "./sign-in.js";
import { createWalletSignIn } from "./wallet-sign-in.js";
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
  const signBeside = (refusal: unknown, request: VerifyAuthRequest, credentials?: CredentialsApi) =>
    signSecondFactor(refusal, request, { environment, ...(credentials && { credentials }) });
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
      signBeside,
    }),
    /** Signs in with a passkey, without a code; see `createPasskeySignIn`. */
    signInWithPasskey: createPasskeySignIn({ post, environment }),
    /**
     * Signs in with a wallet of one's own, on a page with a publishable key.
     *
     * @example
     * const account = await connectWallet(wallet);
     * const { token, accounts } = await trellis.auth.signInWithWallet({
     *   address: account.address,
     *   signMessage: walletMessageSigner(wallet, account),
     * });
     */
    signInWithWallet: createWalletSignIn({ post, environment }),
    /** Sends a code to the e-mail of an existing account (gap 21). */
    start: startAuth,
    /**
     * Signs in with the code (interface 4.7). Where the user signs in with a passkey beside it, the browser is asked for that, and the
     * code is sent again with what it answers. Rejects with what the browser rejects with, too; the code stays good then.
     */
    verify: async (
      request: VerifyAuthRequest,
      callOptions?: CallOptions & { readonly credentials?: CredentialsApi },
    ): Promise<Authentication> => {
      const { credentials, ...options } = callOptions ?? {};
      try {
        return await verifyAuth(request, options);
      } catch (refusal) {
        const assertion = await signBeside(refusal, request, credentials);
        if (assertion === undefined) throw refusal;
        // Nothing was done under the key of the first call, so that another request may have it.
        return verifyAuth({ ...request, assertion }, options);
      }
    },
    /** Lengthens a session (gap 20). The old refresh token is void after it. */
    refresh: (request: RefreshSessionRequest, callOptions?: CallOptions) =>
      post<RefreshedSession>("/auth/refresh-session", request, callOptions),
    /** A token that proves to the application's own backend who is signed in (gap 124); needs `sessionToken`. */
    identityToken: () => post<IdentityToken>("/auth/token", undefined),
  };
}
