import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type Custodians, CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getCustodian, translateRefusal } from "../custody/custodians.js";
import { findCommandedWallets } from "../passkeys/commanded-wallets.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { sendNotices } from "./send-notices.js";
import { canBeRead, toWireWalletExport, WalletExport } from "./wallet-export.js";
import { endExport, getExport } from "./wallet-export-store.js";

/** Gap 182. */
export const getWalletExport = endpoint(
  {
    operation: "getWalletExport",
    summary: "Read an export, and the key once it may leave",
    description:
      "Once the delay is over `sealed_key` is there: the wallet's key, sealed by HPKE to the recipient that its owner signed, and " +
      "to no other. It can be read as often as is needed until `expires_at`. The first time counts: from then on the wallet is exported.",
    tag: "Wallet exports",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/wallet-exports/{export_id}",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText(), export_id: Type.String() }),
    response: { status: 200, envelope: true, schema: WalletExport },
    errors: [
      "account_not_found",
      "provider_not_available",
      "provider_unavailable",
      "tenant_frozen",
      "wallet_export_not_found",
      "wallet_export_over",
    ],
  },
  async (needs: NoticeNeeds & { readonly custodians: Custodians }, { params, caller, network }) => {
    const { db, custodians, realClock } = needs;
    const row = await getExport(db, await findCommandedWallets(db, caller, network, params.address), params.export_id);
    const now = network.clock.now();
    if (!canBeRead(row, now)) return { data: toWireWalletExport(row, now) };
    // A key is handed out by one installation: the one that the tenant moved to.
    if (caller.isFrozen === true) throw new TrellisError("tenant_frozen");
    try {
      const sealed = await getCustodian(custodians, row.provider).exportWallet({
        walletId: row.wallet_id,
        exportId: row.id,
        now,
      });
      // Noted before it is answered, as the custodian has.
      const noted = await endExport(db, row.id, "exported", { now, realNow: realClock.now() });
      if (row.state === "waiting") await sendNotices(needs, network, noted);
      return { data: toWireWalletExport(noted, now, sealed) };
    } catch (error) {
      // Its clock is its own.
      if (error instanceof CustodyRefusal && error.reason === "export_waiting") {
        return { data: { ...toWireWalletExport(row, now), status: "waiting" as const } };
      }
      throw translateRefusal(error);
    }
  },
);
