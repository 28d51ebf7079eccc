import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { passkeyEvents } from "./passkey-event.js";

export const passkeys: Module<unknown> = {
  name: "passkeys",
  events: passkeyEvents,
  retention: [
    {
      table: "passkey",
      since: "removed_at",
      keptMs: limits.kept.passkeyMs,
      clock: "environment",
      only: "removed_at is not null",
    },
  ],
};
