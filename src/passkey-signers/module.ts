import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { ceremonyEvents } from "./ceremony-event.js";

export const passkeySigners: Module<unknown> = {
  name: "passkey-signers",
  events: ceremonyEvents,
  retention: [
    { table: "passkey_ceremony", since: "expires_at", keptMs: limits.kept.signerCeremonyMs, clock: "environment" },
    { table: "passkey_approval", since: "expires_at", keptMs: limits.kept.signerCeremonyMs, clock: "environment" },
  ],
};
