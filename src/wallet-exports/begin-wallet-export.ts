import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { custodianNames } from "../custody/custodians.js";
import { findPasskeysOfWallets } from "../custody/passkey/passkey-store.js";
import { findCommandedWallets } from "../passkeys/commanded-wallets.js";
import { encodeWalletDocument } from "../passkeys/require-authority.js";
import { type IssueCodeNeeds, issueCode } from "../people/issue-code.js";
import { getClientKey } from "../people/session.js";
import { documentOf, shareOf } from "./export-document.js";
import { chooseExportedWallet } from "./exported-wallet.js";
import { RecipientKey } from "./wallet-export.js";
import { delayIn, findExportDelay } from "./wallet-export-store.js";

/** Gap 182. */
export const beginWalletExport = endpoint(
  {
    operation: "beginWalletExport",
    summary: "Send the code of an export",
    description:
      "Mails the wallet's owner a code, and answers the document that is to be signed: by a passkey where one commands the " +
      "wallet, else by the key of one of its sessions. Both go to `POST …/wallet-exports`.",
    tag: "Wallet exports",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/wallet-exports:options",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    idempotent: false,
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      recipient_public_key: RecipientKey,
      signer: Type.Optional(
        addressText({ description: "The custodian's wallet whose key it is. By default the account's primary one." }),
      ),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          otp_id: uuidText(),
          email: emailText(),
          provider: Type.Enum([...custodianNames]),
          signer: addressText(),
          payload: Type.String({
            description: "Base64 of the document: it is signed as payloads of the provider are.",
          }),
          passkey_required: Type.Boolean({ description: "A passkey of the wallet has to sign it." }),
          delay_seconds: Type.Integer({ description: "How long the key is held back after the order." }),
          expires_at: Type.String({ format: "date-time", description: "When code and document stop working." }),
        },
        { $id: "BegunWalletExport" },
      ),
    },
    errors: [
      "account_not_found",
      "insufficient_permissions",
      "invalid_encryption_public_key",
      "mail_limit_exceeded",
      "mail_unavailable",
      "provider_not_available",
    ],
  },
  async (needs: IssueCodeNeeds & { readonly custodians: Custodians }, { params, body, caller, network }) => {
    const { db } = needs;
    const wallets = await findCommandedWallets(db, caller, network, params.address);
    const wallet = chooseExportedWallet(wallets, body.signer, needs.custodians);
    getClientKey(body.recipient_public_key, "recipient_public_key");
    const [passkeys, delaySeconds] = await Promise.all([
      findPasskeysOfWallets(db, [wallet.commanderId]),
      findExportDelay(db, caller.tenantId),
    ]);
    const issued = await issueCode(needs, network, {
      tenantId: caller.tenantId,
      email: wallet.email,
      purpose: "export",
      share: shareOf(caller),
      provider: wallet.provider,
      requestedSessionSeconds: null,
    });
    assertOurs(issued, "nothing refuses a code of an export");
    const document = documentOf(body.recipient_public_key, { id: issued.id, expiresAt: issued.expiresAt });
    return {
      data: {
        otp_id: issued.id,
        email: wallet.email,
        provider: wallet.provider,
        signer: wallet.address,
        payload: encodeWalletDocument(network, wallet, document),
        passkey_required: passkeys.length > 0,
        delay_seconds: delayIn(network.name, delaySeconds),
        expires_at: new Date(issued.expiresAt).toISOString(),
      },
    };
  },
);
