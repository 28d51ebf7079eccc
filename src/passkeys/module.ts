import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { passkeyEvents } from "./passkey-event.js";
import { noteDelayedChange, sendChangeNotices } from "./send-change-notices.js";

export const passkeys: Module<NoticeNeeds> = {
  name: "passkeys",
  passes: (needs, network) => [
    { name: "send_change_notices", everyMs: limits.passEveryMs, run: () => sendChangeNotices(needs, network) },
  ],
  onDelayedChange: noteDelayedChange,
  events: passkeyEvents,
  retention: [
    {
      table: "passkey",
      since: "removed_at",
      keptMs: limits.kept.passkeyMs,
      clock: "environment",
      only: "removed_at is not null",
      // A guardian whose database was put back has it again: without its row it would be one that the service never had.
      except: "exists (select from wallet where wallet.id = old.wallet_id and wallet.is_guarded)",
    },
    {
      table: "guardian_change",
      since: "not_before",
      keptMs: limits.kept.guardianChangeMs,
      clock: "environment",
    },
  ],
};
