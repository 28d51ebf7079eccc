import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getCustodian, translateRefusal } from "../custody/custodians.js";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import { findCommandedWallets } from "../passkeys/commanded-wallets.js";
import { type AuthorityNeeds, requireAuthority } from "../passkeys/require-authority.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { sendNotices } from "./send-notices.js";
import { toWireWalletExport, WalletExport } from "./wallet-export.js";
import { endExport, getExport } from "./wallet-export-store.js";

/** Gap 182. Again: the same. */
export const cancelWalletExport = endpoint(
  {
    operation: "cancelWalletExport",
    summary: "Cancel an export",
    description:
      "The key does not leave by it. `authorization` is a signature of the key of any session of the wallet, or of any passkey of " +
      'it, over the document `{version: 1, method: "cancelWalletExport", environment, wallet, params: {export_id}}`, in the form in ' +
      "which payloads of the wallet's provider are signed. Cancelling one again is the same.",
    tag: "Wallet exports",
    method: "DELETE",
    path: "/api/service/v1/accounts/{address}/wallet-exports/{export_id}",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    // Whose key leaves has no other way to stop it.
    whileFrozen: true,
    params: Type.Object({ address: addressText(), export_id: Type.String() }),
    body: Type.Object({ authorization: SignedKmsPayload }),
    response: { status: 200, envelope: true, schema: WalletExport },
    errors: [
      "account_not_found",
      "invalid_signature",
      "missing_signature",
      "payload_already_used",
      "provider_not_available",
      "provider_unavailable",
      "session_expired",
      "wallet_export_not_found",
      "wallet_export_over",
      "wrong_signing_key",
    ],
  },
  async (needs: AuthorityNeeds & NoticeNeeds, { params, body, caller, network }) => {
    const { db, realClock } = needs;
    const wallets = await findCommandedWallets(db, caller, network, params.address);
    const row = await getExport(db, wallets, params.export_id);
    const wallet = wallets.find(({ walletId }) => walletId === row.wallet_id);
    assertOurs(wallet, "an export was found by its wallet");
    const now = network.clock.now();
    if (row.state === "cancelled") return { data: toWireWalletExport(row, now) };
    const authorized = await requireAuthority(needs, network, caller.tenantId, {
      wallet,
      document: { method: "cancelWalletExport", params: { export_id: row.id } },
      authorization: body.authorization,
    });
    try {
      await getCustodian(needs.custodians, wallet.provider).cancelWalletExport({ ...authorized, exportId: row.id });
    } catch (error) {
      throw translateRefusal(error);
    }
    const cancelled = await endExport(db, row.id, "cancelled", { now, realNow: realClock.now() });
    await sendNotices(needs, network, cancelled);
    return { data: toWireWalletExport(cancelled, now) };
  },
);
