import { type EncryptionKeyPair, generateEncryptionKeyPair } from "./key-pair.js";
import type { CredentialsApi } from "./passkey-signer.js";
import { randomIdempotencyKey } from "./request-sender.js";
import type { CallOptions } from "./service-calls.js";
import { openSession, type TrellisSession } from "./session.js";
import { TrellisApiError, TrellisNetworkError } from "./trellis-api-error.js";
import type {
  Authentication,
  CustodyProvider,
  PasskeySignedPayload,
  StartAuthRequest,
  StartedAuth,
  VerifyAccountRequest,
  VerifyAuthRequest,
} from "./wire.js";

export type SignInOptions = {
  /** Who holds the keys. Default: the service's choice. */
  readonly provider?: CustodyProvider;
  /** How long the session is to last, as the calls take it. */
  readonly expiration?: number;
  /** Which account, where a user has several: without it such a code is refused with `account_ambiguous`. */
  readonly account?: string;
  /** What is asked for the passkey of a user who signs in with one beside the code. Default: `navigator.credentials`. */
  readonly credentials?: CredentialsApi;
};

/** A user who has been sent a code. */
export type SignInBegun = {
  readonly email: string;
  /**
   * Whether the account is made with this code. Not reported to a publishable key, so that no client finds out who has an account:
   * false then, whatever it is.
   */
  readonly isNew: boolean;
  /**
   * Signs in with the code. Rejects with `TrellisApiError` (`invalid_otp`, `otp_expired`, …), after which another code may be
   * tried. Where the user signs in with a passkey beside the code, the browser is asked for it; where that is declined, the same code
   * may be tried again. After a `TrellisNetworkError`, or a status of 500 and more, call it again with the same code: it is answered as the
   * lost answer would have been.
   */
  readonly verify: (code: string) => Promise<SignedInAccount>;
};

/** Who is signed in, and what signs for them. `createSessionKeeper` keeps it. */
export type SignedInAccount = {
  readonly email: string;
  readonly session: TrellisSession;
  /** The address of the smart account. */
  readonly account: string;
  /** The `grid_user_id`: what an identity token has as `sub`. */
  readonly userId: string;
  /** Opens later sessions of the same sign-in: keep it where you keep the session. */
  readonly keyPair: EncryptionKeyPair;
};

type SignInNeeds = {
  readonly create: (request: { readonly type: "email"; readonly email: string }) => Promise<unknown>;
  readonly start: (request: StartAuthRequest) => Promise<StartedAuth>;
  readonly verifyAccount: (request: VerifyAccountRequest, options: CallOptions) => Promise<Authentication>;
  readonly verifyAuth: (request: VerifyAuthRequest, options: CallOptions) => Promise<Authentication>;
  /** What is sent beside a code that was refused alone; undefined: it was refused for something else. */
  readonly signBeside: (
    refusal: unknown,
    request: VerifyAuthRequest,
    credentials: CredentialsApi | undefined,
  ) => Promise<PasskeySignedPayload | undefined>;
};

/** Signing in for new and known users alike: finds out which it is, and has a code sent. */
export function createSignIn(needs: SignInNeeds) {
  /** The code that was sent to sign in with; undefined: it makes the account. */
  const begin = async (email: string, options: SignInOptions): Promise<StartedAuth | undefined> => {
    const chosen = {
      ...(options.provider === undefined ? {} : { provider: options.provider }),
      ...(options.expiration === undefined ? {} : { expiration: options.expiration }),
    };
    const started = await unlessRefused("user_not_found", needs.start({ email, ...chosen }));
    if (started !== undefined) return started;
    const created = await unlessRefused(
      "grid_account_already_exists_for_user",
      needs.create({ type: "email", email }).then(() => true),
    );
    // Without one, it was made in between, on another device.
    return created === true ? undefined : needs.start({ email, ...chosen });
  };

  /** Signs in with the code, and where that is refused alone, with a passkey beside it. */
  const verifyOnce = async (
    request: VerifyAuthRequest,
    attempt: Attempt,
    credentials: CredentialsApi | undefined,
    begun: (attempt: Attempt) => void,
  ): Promise<Authentication> => {
    const send = (from: Attempt) =>
      needs.verifyAuth({ ...request, ...(from.assertion && { assertion: from.assertion }) }, keyOf(from));
    try {
      return await send(attempt);
    } catch (refusal) {
      const assertion = attempt.assertion ? undefined : await needs.signBeside(refusal, request, credentials);
      if (assertion === undefined) throw refusal;
      const next = { code: attempt.code, idempotencyKey: randomIdempotencyKey(), assertion };
      begun(next);
      return send(next);
    }
  };

  return async (text: string, options: SignInOptions = {}): Promise<SignInBegun> => {
    const email = text.trim();
    const started = await begin(email, options);
    const isNew = started === undefined;
    const keyPair = generateEncryptionKeyPair();
    const ownKey = { encryption_public_key: keyPair.publicKeySpkiBase64 };
    /** Whose answer got lost. */
    let unanswered: Attempt | undefined;
    return {
      email,
      isNew,
      verify: async (typed) => {
        const code = typed.trim();
        let attempt: Attempt =
          unanswered?.code === code ? unanswered : { code, idempotencyKey: randomIdempotencyKey() };
        const request = {
          email,
          otp_code: code,
          ...(options.provider === undefined ? {} : { provider: options.provider }),
          ...(options.expiration === undefined ? {} : { expiration: options.expiration }),
        };
        unanswered = undefined;
        try {
          const verified = isNew
            ? await needs.verifyAccount({ ...request, kms_provider_config: ownKey }, keyOf(attempt))
            : await verifyOnce(
                {
                  ...request,
                  // A code is good only for who asked for it.
                  kms_provider_config: { ...ownKey, otp_id: started.otp_id },
                  ...(options.account === undefined ? {} : { smart_account_address: options.account }),
                },
                attempt,
                options.credentials,
                (next) => {
                  attempt = next;
                },
              );
          const session = await openSession(verified.authentication[0], keyPair);
          return { email, session, account: verified.address, userId: verified.grid_user_id, keyPair };
        } catch (error) {
          if (isNoAnswer(error)) unanswered = attempt;
          throw error;
        }
      },
    };
  };
}

/** A code that was sent, with the key under which it is asked about once more and the assertion that was sent beside it. */
type Attempt = {
  readonly code: string;
  readonly idempotencyKey: string;
  readonly assertion?: PasskeySignedPayload;
};

const keyOf = ({ idempotencyKey }: Attempt): CallOptions => ({ idempotencyKey });

/** Whether the code may have been used all the same: no response arrived, or the response is not the service's own. */
function isNoAnswer(error: unknown): boolean {
  if (error instanceof TrellisNetworkError) return true;
  if (!(error instanceof TrellisApiError)) return false;
  const { status, code } = error;
  return status >= 500 || code === "unexpected_response" || code.endsWith("_in_progress");
}

/** The answer; undefined where it was refused with this code. Rejects with whatever else it was refused with. */
async function unlessRefused<Answer>(code: string, call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof TrellisApiError && error.code === code) return undefined;
    throw error;
  }
}
