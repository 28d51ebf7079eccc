import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { resumeImports } from "./send-notices.js";
import { walletImportEvents } from "./wallet-import-event.js";
import { walletImportStates } from "./wallet-import-states.js";

const { kept } = limits;
const table = "wallet_import";
const since = "expires_at";

export const walletImports: Module<NoticeNeeds> = {
  name: "wallet-imports",
  passes: (needs, network) => [
    { name: "send_import_notices", everyMs: limits.passEveryMs, run: () => resumeImports(needs, network) },
  ],
  events: walletImportEvents,
  states: [{ table, column: "state", states: walletImportStates }],
  retention: [
    {
      table,
      since,
      keptMs: kept.openWalletImportMs,
      clock: "environment",
      only: "state = 'open'",
      // What the custodian took is noted first.
      except: `coalesce((select imported_wallet_id is not null from kms_wallet_import where kms_wallet_import.id = old.id), false)`,
    },
    // That the wallet came from elsewhere stays with the wallet.
    { table, since, keptMs: kept.walletImportMs, clock: "environment", only: "state = 'imported'" },
  ],
};
