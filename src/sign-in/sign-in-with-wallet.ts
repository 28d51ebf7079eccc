import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import { isChainSignature } from "@trellis/solana/strict-signature.js";
import Type from "typebox";
import { findAccountsOfSigner } from "../accounts/account-list-store.js";
import { decodeBase64 } from "../custody/encodings.js";
import { sessionLifeMs } from "../people/session.js";
import { type NonceScope, readNonce } from "../people/sign-in-nonce.js";
import { openWalletSession } from "../people/wallet-session.js";
import { getPage, parseWallet } from "./wallet-and-page.js";
import { walletMessage } from "./wallet-message.js";

/** Gap 221. */
export const signInWithWallet = endpoint(
  {
    operation: "signInWithWallet",
    summary: "Sign in with a wallet",
    description:
      "Opens a session of the wallet that signed the message of `POST /auth/wallet:message`, on the page that asked for it. The session is for " +
      "the accounts that this wallet signs for, now and later. It commands no wallet of a custodian: each action is signed by the wallet itself. " +
      "A wallet that signs for no account of the tenant gets none.",
    tag: "Authentication",
    method: "POST",
    path: "/api/service/v1/auth/wallet",
    scope: "auth:write",
    environment: "optional",
    publishable: "open",
    dailyWrites: "wallet_sign_ins",
    body: Type.Object({
      address: addressText({ description: "The wallet's." }),
      nonce: Type.String({ maxLength: 256 }),
      signature: Type.String({ maxLength: 100, description: "Ed25519, base64, over the message's UTF-8 bytes." }),
      expiration: Type.Optional(Type.Integer({ description: "When the session is to end, Unix seconds." })),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          id: uuidText({ description: "As lists of sessions name it." }),
          token: Type.String({ description: "Proves the session, as `x-session-token`." }),
          address: addressText({ description: "The wallet's." }),
          accounts: Type.Array(addressText(), {
            description: `Accounts that the wallet signs for, newest first: the first ${limits.accountsOfWallet}.`,
          }),
          created_at: Type.String({ format: "date-time" }),
          expires_at: Type.String({ format: "date-time", description: "It cannot be refreshed: sign in again." }),
        },
        { $id: "WalletSession" },
      ),
    },
    errors: [
      "invalid_address",
      "invalid_expiration",
      "invalid_wallet_signature",
      "account_not_found",
      "origin_not_allowed",
    ],
  },
  async (
    needs: { readonly db: Db; readonly keyring: Keyring; readonly random: Random; readonly realClock: Clock },
    { body, caller, network },
  ) => {
    const origin = getPage(caller);
    const address = parseWallet(body.address);
    const lifeMs = sessionLifeMs(body.expiration, needs.realClock.now());
    const whose = { tenantId: caller.tenantId, environment: network.name };
    const { nonce } = body;
    const expiresAt = await requireNonce(needs, { ...whose, wallet: { address, origin } }, nonce);
    const issuedAt = expiresAt - limits.walletSignInMs;
    const message = walletMessage({ environment: network.name, address, origin, nonce, issuedAt, expiresAt });
    const signature = decodeBase64(body.signature);
    if (signature === undefined || !isChainSignature(address, Buffer.from(message, "utf8"), signature)) {
      throw refused("signature", "This is not that wallet's signature of the message, in base64.");
    }
    // Of a wallet without an account nobody could list or end a session, and anybody makes such wallets.
    const accounts = await findAccountsOfSigner(needs.db, { ...whose, signer: address }, limits.accountsOfWallet);
    if (accounts.length === 0) throw signsForNone();
    const session = await openWalletSession(needs, network, { ...whose, signer: address, origin, nonce, lifeMs });
    if (session === undefined) throw refused("nonce", "This nonce was used. Begin again.");
    const instant = (at: number) => new Date(at).toISOString();
    return {
      data: {
        id: session.id,
        token: session.token,
        address,
        accounts: [...accounts],
        created_at: instant(session.createdAt),
        expires_at: instant(session.expiresAt),
      },
    };
  },
);

const refused = (field: string, message: string) => new TrellisError("invalid_wallet_signature", { field, message });

const signsForNone = () =>
  new TrellisError("account_not_found", {
    field: "address",
    message: "This wallet signs for no account here.",
    suggestion: "Sign in with a wallet that is a signer of an account of this environment.",
  });

/** When it ends, by real time. Throws `invalid_wallet_signature`. */
async function requireNonce(
  { keyring, realClock }: { readonly keyring: Keyring; readonly realClock: Clock },
  scope: NonceScope,
  nonce: string,
): Promise<number> {
  const bytes = /^(?:[0-9a-f]{2})+$/.test(nonce) ? Buffer.from(nonce, "hex") : undefined;
  const expiresAt = await readNonce(keyring, scope, bytes);
  if (expiresAt === undefined) throw refused("nonce", "This nonce was not given here, for this page and this wallet.");
  if (expiresAt <= realClock.now()) throw refused("nonce", "This nonce has expired. Begin again.");
  return expiresAt;
}
