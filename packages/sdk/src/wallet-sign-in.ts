import { ed25519 } from "@noble/curves/ed25519.js";
import { getAddressEncoder } from "@solana/addresses";
import { requireAddress } from "./address.js";
import { encodeBase64, encodeUtf8 } from "./encoding.js";
import type { ServiceCalls } from "./service-calls.js";
import { clusterOf, WalletError } from "./wallet-key.js";
import type { BegunWalletSignIn, WalletSession, WireEnvironment } from "./wire.js";

export type WalletSignInOptions = {
  /** The wallet's. */
  readonly address: string;
  /** Has the wallet sign a message; its 64 bytes. `walletMessageSigner` makes one of a browser's wallet. */
  readonly signMessage: (message: Uint8Array) => Promise<Uint8Array>;
  /** Of the page, such as `https://app.example`. Default: where this runs. */
  readonly origin?: string;
  /** When the session is to end, Unix seconds. Default: in 24 hours. */
  readonly expiration?: number;
};

/** A wallet that is signed in. */
export type SignedInWallet = {
  /** The wallet's. */
  readonly address: string;
  /** The accounts that it signs for, newest first: the first hundred. */
  readonly accounts: readonly string[];
  /** As `sessions` name it. */
  readonly sessionId: string;
  /** For the option `sessionToken` of the client. Secret: it reads the accounts, and moves nothing. */
  readonly token: string;
  /** Unix milliseconds, by the clock of the environment. */
  readonly expiresAtMs: number;
};

/**
 * Signs in with a wallet of one's own (gap 221), with a publishable key on a page. The wallet is given nothing that is not a sign-in of
 * this page, this address and this environment. Rejects with `WalletError` where the service or the wallet answers something else, with
 * what the wallet rejects with, and with `TrellisApiError`.
 */
export function createWalletSignIn({
  post,
  environment,
}: Pick<ServiceCalls, "post"> & { readonly environment: WireEnvironment }) {
  return async (options: WalletSignInOptions): Promise<SignedInWallet> => {
    const { signMessage, expiration } = options;
    const address = requireAddress(options.address);
    const origin = options.origin ?? (globalThis as { location?: Location }).location?.origin;
    if (origin === undefined) throw new TypeError("name the origin of the page");
    const { message, nonce } = await post<BegunWalletSignIn>("/auth/wallet:message", { address });
    if (!isSignIn(message, { origin, address, environment, nonce })) {
      throw new WalletError("wrong_answer", "the service asks the wallet for something else than to sign in here");
    }
    const bytes = encodeUtf8(message);
    const signature = await signMessage(bytes);
    const publicKey = Uint8Array.from(getAddressEncoder().encode(address));
    if (signature.length !== 64 || !ed25519.verify(signature, bytes, publicKey, { zip215: false })) {
      throw new WalletError("wrong_answer", "the wallet has not signed the message with the key of its address");
    }
    const session = await post<WalletSession>("/auth/wallet", {
      address,
      nonce,
      signature: encodeBase64(signature),
      ...(expiration === undefined ? {} : { expiration }),
    });
    return {
      address,
      accounts: session.accounts,
      sessionId: session.id,
      token: session.token,
      expiresAtMs: Date.parse(session.expires_at),
    };
  };
}

/**
 * Whether a text signs in to a page and does nothing else: every line is the one that Sign In With Solana has there. As it begins with a
 * host, no such text is a transaction, which would have to be longer than one may be.
 */
function isSignIn(
  text: string,
  where: {
    readonly origin: string;
    readonly address: string;
    readonly environment: WireEnvironment;
    readonly nonce: string;
  },
): boolean {
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  // React Native has a URL without a host.
  const host = where.origin.slice(where.origin.indexOf("://") + 3);
  const lines = text.split("\n");
  const [statement = "", nonceLine, issued = "", expires = ""] = [lines[3], lines[8], lines[9], lines[10]];
  const fixed = [
    `${host} wants you to sign in with your Solana account:`,
    where.address,
    "",
    statement,
    "",
    `URI: ${where.origin}`,
    "Version: 1",
    `Chain ID: ${clusterOf(where.environment)}`,
  ];
  return (
    lines.length === 11 &&
    fixed.every((line, i) => line === lines[i]) &&
    /^[\x20-\x7e]{1,200}$/.test(statement) &&
    nonceLine === `Nonce: ${where.nonce}` &&
    /^[A-Za-z0-9]{8,256}$/.test(where.nonce) &&
    issued.startsWith("Issued At: ") &&
    instant.test(issued.slice(11)) &&
    expires.startsWith("Expiration Time: ") &&
    instant.test(expires.slice(17))
  );
}
