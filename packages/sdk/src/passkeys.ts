import { sessionsOf } from "./account-holder.js";
import { encodeBase64, encodeHex, encodeUtf8 } from "./encoding.js";
import { assertReceipt, type PinnedGuardian } from "./guardian-receipt.js";
import {
  type CredentialsApi,
  credentialsOf,
  fromBase64Url,
  type PasskeySigner,
  passkeysFor,
  signPayloadByPasskey,
  toBase64Url,
} from "./passkey-signer.js";
import { accountPath, type CallOptions, type ServiceCalls } from "./service-calls.js";
import type { SigningSession } from "./session.js";
import { signPayload } from "./sign-payload.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type {
  AddedPasskey,
  BegunPasskey,
  BegunPasskeySignIn,
  KmsPayload,
  Passkey,
  PasskeyRequirement,
  RelyingParty,
  RemovedPasskey,
  RequestedRelyingParty,
  SubmitKmsPayload,
  WireEnvironment,
} from "./wire.js";

/** Who lets a passkey command a wallet, or no more: a session of that wallet, or a passkey that commands it. */
export type Authorizer = { readonly session?: SigningSession | undefined; readonly passkeys?: PasskeySigner };

/** A passkey that is to be added to an account's wallet. */
export type AddPasskey = Authorizer & {
  /** The smart account. */
  readonly account: string;
  /** What its holder calls it. */
  readonly name: string;
  /** The custodian's wallet that it is to command. Default: the wallet of the session, else that of the passkeys. */
  readonly signer?: string;
  /**
   * `signer` is this guardian's wallet, and this its first passkey, which the session signs for. Its receipt is verified: until then
   * show the account's address to nobody.
   */
  readonly guardian?: PinnedGuardian;
  /** Default: `navigator.credentials`. */
  readonly credentials?: CredentialsApi;
};

/** A passkey that is to be removed. */
export type RemovePasskey = Authorizer & { readonly account: string; readonly passkey: Passkey };

/** Whether a passkey is required beside the code, as one of them signs it. */
export type RequirePasskey = {
  readonly account: string;
  readonly required: boolean;
  readonly passkeys: PasskeySigner;
};

/** Passkeys that sign for custodians' wallets (gap 161), and where they belong (gap 162). */
export function createPasskeyCalls(
  needs: ServiceCalls & { readonly environment: WireEnvironment; readonly now: () => number },
) {
  const { call, get, post, environment, now } = needs;
  const pathOf = (account: string, rest = "") => accountPath(account, `/wallet-passkeys${rest}`);
  const documentOf = walletDocumentsIn(environment);
  return {
    list: (account: string): Promise<readonly Passkey[]> => get(pathOf(account)),
    rename: (account: string, id: string, name: string): Promise<Passkey> =>
      call({ method: "PATCH", path: pathOf(account, `/${encodeURIComponent(id)}`), body: { name } }),
    /**
     * Has the browser make a passkey, and lets it sign for the wallet. The key that may sign is read from the browser, never from
     * the service. Rejects with what the browser rejects with, and with `TransactionMismatchError` where the service names
     * another wallet than that of the session, or the guardian has not certified what was made.
     */
    add: async (wanted: AddPasskey, options: CallOptions = {}): Promise<Passkey> => {
      const { account, name, credentials } = wanted;
      const commanded = walletsOf(wanted);
      const signer = wanted.signer ?? commanded[0];
      const isFirst = wanted.guardian !== undefined && wanted.session !== undefined;
      if (signer === undefined || !(isFirst || commanded.includes(signer))) {
        throw new TypeError("give a session or passkeys of the wallet that the passkey is to command");
      }
      const begun = await post<BegunPasskey>(pathOf(account, ":options"), { signer });
      const { ceremony_id } = begun;
      if (begun.signer !== signer) {
        const difference = { expected: signer, actual: begun.signer };
        throw new TransactionMismatchError("signers", "the passkey would sign for another wallet", difference);
      }
      const made = await makePasskey(begun, credentialsOf(credentials === undefined ? {} : { credentials }));
      const { credential_id, public_key, response } = made;
      const document = documentOf("addPasskey", signer, {
        params: { credential_id, public_key },
        nonce: begun.public_key.challenge,
      });
      const authorization = await authorize(wanted, signer, document, now(), isFirst);
      const { receipt, ...added } = await post<AddedPasskey>(
        pathOf(account),
        { ceremony_id, signer, name, credential: { response }, authorization },
        options,
      );
      const isOther = added.credential_id !== credential_id || added.signer !== signer;
      if (isOther || added.rp_id !== begun.public_key.rp.id) {
        throw new TransactionMismatchError(
          "signers",
          "the service answered another passkey than the one that was made",
        );
      }
      if (wanted.guardian !== undefined) {
        const certified = { address: signer, rpId: added.rp_id, passkey: { credential_id, public_key } };
        assertReceipt(wanted.guardian, receipt, certified);
      }
      return added;
    },
    /** Nothing is signed by it any more. What the browser or the device keeps of it, its holder deletes there. */
    remove: async ({ account, passkey, ...by }: RemovePasskey): Promise<RemovedPasskey> => {
      const { id, signer, credential_id } = passkey;
      const { expires_at } = await post<BegunPasskeySignIn>("/auth/passkey:options", undefined);
      requireSoon(expires_at, environment, now());
      const document = documentOf("removePasskey", signer, { params: { credential_id, passkey_id: id }, expires_at });
      const authorization = await authorize(by, signer, document, now());
      return call({
        method: "DELETE",
        path: pathOf(account, `/${encodeURIComponent(id)}`),
        body: { expires_at, authorization },
      });
    },
    /**
     * Whether a code alone signs the user in from now on: `required`: a passkey beside it, at every custodian. A passkey signs that,
     * and no session. Rejects with what the browser rejects with.
     */
    setRequirement: async ({ account, required, passkeys }: RequirePasskey): Promise<PasskeyRequirement> => {
      const [signer] = walletsOf({ passkeys });
      if (signer === undefined) throw new TypeError("give a passkey of the user's");
      const { nonce } = await post<BegunPasskeySignIn>("/auth/passkey:options", undefined);
      const document = documentOf("requirePasskey", signer, { params: { required }, nonce });
      const authorization = await authorize({ passkeys }, signer, document, now());
      const path = accountPath(account, "/passkey-requirement");
      return call({ method: "PUT", path, body: { required, signer, nonce, authorization } });
    },
    /** Where the tenant's passkeys belong. Needs a secret key with the scope `admin:keys`, as the next. */
    relyingParty: (): Promise<RelyingParty> => get("/relying-party"),
    setRelyingParty: (terms: RequestedRelyingParty): Promise<RelyingParty> =>
      call({ method: "PUT", path: "/relying-party", body: terms }),
  };
}

/**
 * What a service says of the time decides how long it could keep a document back. The clock of a sandbox is moved, and nothing is lost
 * there. Throws `TransactionMismatchError`.
 */
function requireSoon(expiresAt: string, environment: WireEnvironment, nowMs: number): void {
  if (environment === "sandbox" || Date.parse(expiresAt) <= nowMs + 3_600_000) return;
  const difference = { expected: new Date(nowMs).toISOString(), actual: expiresAt };
  throw new TransactionMismatchError(
    "signers",
    "the removal would be good for too long: compare the clocks",
    difference,
  );
}

/** Documents about a wallet, as their holder signs them. */
export const walletDocumentsIn =
  (environment: WireEnvironment) =>
  (method: string, wallet: string, more: object): object => ({
    version: 1,
    method,
    environment: environment === "production" ? "mainnet" : environment,
    wallet,
    ...more,
  });

/** The wallets that somebody commands. */
function walletsOf({ session, passkeys }: Authorizer): readonly string[] {
  const bySession = session === undefined ? [] : sessionsOf({ session }).flatMap(({ wallets }) => wallets);
  return [...bySession.map(({ address }) => address), ...(passkeys?.passkeys ?? []).map(({ signer }) => signer)];
}

async function makePasskey({ public_key: options }: BegunPasskey, credentials: CredentialsApi) {
  const { challenge, user, excludeCredentials, rp, timeout } = options;
  const made = (await credentials.create({
    // Nothing else of what the service answers reaches the browser.
    publicKey: {
      rp: { id: rp.id, name: rp.name },
      user: { id: fromBase64Url(user.id), name: user.name, displayName: user.displayName },
      challenge: fromBase64Url(challenge),
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
      attestation: "none",
      timeout,
      excludeCredentials: excludeCredentials.map(({ id }) => ({ type: "public-key", id: fromBase64Url(id) })),
    },
  })) as PublicKeyCredential | null;
  const response = made?.response as AuthenticatorAttestationResponse | undefined;
  const spki = response?.getPublicKey();
  if (made === null || response === undefined || !spki) throw new TypeError("the browser made no passkey of ES256");
  return {
    credential_id: toBase64Url(made.rawId),
    // SPKI of P-256 ends in the point.
    public_key: encodeHex(new Uint8Array(spki).slice(-65)),
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      authenticatorData: toBase64Url(response.getAuthenticatorData()),
    },
  };
}

/** A signature over a document about a wallet, in the form in which its payloads are signed. A session asks nobody anything. */
export async function authorize(
  { session, passkeys }: Authorizer,
  wallet: string,
  document: object,
  nowMs: number,
  isFirst = false,
): Promise<SubmitKmsPayload> {
  const payload = encodeBase64(encodeUtf8(JSON.stringify(document)));
  // Of a guardian's wallet nothing can sign before its first passkey is there: the session signs for the service alone.
  if (session && (isFirst || session.wallets.some(({ address }) => address === wallet))) {
    return signPayload(
      { provider: session.provider, address: wallet, payload } as KmsPayload,
      session.authorizationKey,
      nowMs,
    );
  }
  const provider = passkeys?.passkeys.find(({ signer }) => signer === wallet)?.provider;
  if (passkeys === undefined || provider === undefined)
    throw new TypeError(`nothing was given that commands ${wallet}`);
  const asked = { provider, address: wallet, payload } as KmsPayload;
  if (passkeysFor(passkeys, asked).length === 0) throw new TypeError(`no passkey was given that commands ${wallet}`);
  return signPayloadByPasskey(asked, passkeys);
}
