import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Authorized } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, codeText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getCustodian, translateRefusal } from "../custody/custodians.js";
import { findPasskeysOfWallets } from "../custody/passkey/passkey-store.js";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import { type CommandedWallet, findCommandedWallets } from "../passkeys/commanded-wallets.js";
import { type AuthorityNeeds, requireAuthority } from "../passkeys/require-authority.js";
import { assertRightCode, getLatestCode, spendCode, wrongCode } from "../people/check-code.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { getClientKey } from "../people/session.js";
import { documentOf, shareOf } from "./export-document.js";
import { chooseExportedWallet } from "./exported-wallet.js";
import { sendNotices } from "./send-notices.js";
import { RecipientKey, toWireWalletExport, WalletExport } from "./wallet-export.js";
import { delayIn, findExportDelay, getExport, hasOpenExport, storeExport } from "./wallet-export-store.js";

/** Gap 182. */
export const requestWalletExport = endpoint(
  {
    operation: "requestWalletExport",
    summary: "Order the export of a wallet's key",
    description:
      "By its owner: with the code of the mail, and a signature over the document that was answered with it, of a passkey where " +
      "one commands the wallet, else of the key of one of its sessions. The owner is mailed at once. The key can be read once the " +
      "tenant's delay is over, sealed to the recipient that was signed.",
    tag: "Wallet exports",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/wallet-exports",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      otp_id: uuidText(),
      otp_code: codeText(),
      recipient_public_key: RecipientKey,
      signer: Type.Optional(addressText({ description: "As it was answered with the code." })),
      authorization: SignedKmsPayload,
    }),
    response: { status: 201, envelope: true, schema: WalletExport },
    errors: [
      "account_not_found",
      "insufficient_permissions",
      "invalid_encryption_public_key",
      "invalid_otp",
      "invalid_signature",
      "missing_signature",
      "otp_address_blocked",
      "otp_attempts_exceeded",
      "otp_expired",
      "passkey_signature_required",
      "payload_already_used",
      "payload_expired",
      "provider_not_available",
      "provider_unavailable",
      "session_expired",
      "wallet_export_open",
      "wrong_signing_key",
    ],
  },
  async (needs: AuthorityNeeds & NoticeNeeds & { readonly keyring: Keyring }, { params, body, caller, network }) => {
    const { db } = needs;
    const wallets = await findCommandedWallets(db, caller, network, params.address);
    const wallet = chooseExportedWallet(wallets, body.signer, needs.custodians);
    getClientKey(body.recipient_public_key, "recipient_public_key");
    const owner = {
      tenantId: caller.tenantId,
      email: wallet.email,
      purpose: "export",
      share: shareOf(caller),
    } as const;
    const code = await getLatestCode(db, network, owner);
    if (code.id !== body.otp_id) {
      throw new TrellisError("invalid_otp", {
        field: "otp_id",
        suggestion: "Send the id of the code that was sent last.",
      });
    }
    const document = documentOf(body.recipient_public_key, { id: code.id, expiresAt: Number(code.expires_at) });
    const authorized = await requireAuthority(needs, network, caller.tenantId, {
      wallet,
      document,
      authorization: body.authorization,
    });
    await requirePasskey(db, wallet, authorized);
    await assertRightCode(needs, network, owner, code, body.otp_code);
    const delaySeconds = delayIn(network.name, await findExportDelay(db, caller.tenantId));
    // One that only the custodian knows of was left by a crash: nobody could read or cancel it.
    const replaces = !(await hasOpenExport(db, wallet.walletId, authorized.now));
    const begun = await getCustodian(needs.custodians, wallet.provider)
      .beginWalletExport({ ...authorized, delaySeconds, replaces })
      .catch((error: unknown) => {
        throw translateRefusal(error);
      });
    const stored = await storeExport(
      db,
      {
        id: begun.id,
        tenant_id: caller.tenantId,
        environment: network.name,
        user_id: wallet.userId,
        account_address: params.address,
        provider: wallet.provider,
        wallet_id: wallet.walletId,
        signer_address: wallet.address,
        recipient_public_key: body.recipient_public_key,
        state: "waiting",
        noticed_state: null,
        notice_due_at: BigInt(needs.realClock.now()),
        notice_tries: 0,
        requested_at: BigInt(authorized.now),
        not_before: BigInt(begun.notBefore),
        expires_at: BigInt(begun.expiresAt),
        cancelled_at: null,
        exported_at: null,
      },
      spendCode(network, code.id),
    );
    // A parallel request used the code up.
    if (stored === undefined) throw wrongCode();
    await sendNotices(needs, network, stored);
    return { data: toWireWalletExport(await getExport(db, wallets, stored.id), network.clock.now()) };
  },
);

/** The custodian requires the same. Throws `passkey_signature_required`. */
async function requirePasskey(db: Db, { commanderId }: CommandedWallet, { authority }: Authorized): Promise<void> {
  if (authority.kind === "passkey") return;
  const passkeys = await findPasskeysOfWallets(db, [commanderId]);
  if (passkeys.length > 0) throw new TrellisError("passkey_signature_required", { field: "authorization" });
}
