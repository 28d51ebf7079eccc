import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { sendNotices } from "./send-notices.js";
import { walletExportEvents } from "./wallet-export-event.js";
import { walletExportStates } from "./wallet-export-states.js";

export const walletExports: Module<NoticeNeeds> = {
  name: "wallet-exports",
  passes: (needs, network) => [
    { name: "send_export_notices", everyMs: limits.passEveryMs, run: () => sendNotices(needs, network) },
  ],
  events: walletExportEvents,
  states: [{ table: "wallet_export", column: "state", states: walletExportStates }],
  retention: [
    {
      // What says that a key has left stays.
      table: "wallet_export",
      since: "expires_at",
      keptMs: limits.kept.walletExportMs,
      clock: "environment",
      only: "state <> 'exported'",
    },
  ],
};
