import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { issueNonce } from "../people/sign-in-nonce.js";
import { getPage, parseWallet } from "./wallet-and-page.js";
import { walletMessage } from "./wallet-message.js";

/** Gap 221. */
export const beginWalletSignIn = endpoint(
  {
    operation: "beginWalletSignIn",
    summary: "Begin to sign in with a wallet",
    description:
      "Answers the text, in the form of Sign In With Solana, that a wallet of the caller's own signs to sign in: for this page, this " +
      "address and this environment, once, for five minutes. It says of no address whether it signs for an account.",
    tag: "Authentication",
    method: "POST",
    path: "/api/service/v1/auth/wallet:message",
    scope: "auth:write",
    environment: "optional",
    publishable: "open",
    dailyWrites: "none",
    idempotent: false,
    body: Type.Object({ address: addressText({ description: "The wallet's." }) }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          message: Type.String({ description: "The wallet signs its UTF-8 bytes." }),
          nonce: Type.String({ description: "It stands in the message. Hex." }),
          expires_at: Type.String({ format: "date-time", description: "Real time." }),
        },
        { $id: "BeginWalletSignInResult" },
      ),
    },
    errors: ["invalid_address", "origin_not_allowed"],
  },
  async (
    needs: { readonly keyring: Keyring; readonly random: Random; readonly realClock: Clock },
    { body, caller, network },
  ) => {
    const origin = getPage(caller);
    const address = parseWallet(body.address);
    const issuedAt = needs.realClock.now();
    const expiresAt = issuedAt + limits.walletSignInMs;
    const scope = { tenantId: caller.tenantId, environment: network.name, wallet: { address, origin } };
    const nonce = Buffer.from(issueNonce(needs, scope, expiresAt)).toString("hex");
    const message = walletMessage({ environment: network.name, address, origin, nonce, issuedAt, expiresAt });
    return { data: { message, nonce, expires_at: new Date(expiresAt).toISOString() } };
  },
);
