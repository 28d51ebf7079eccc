import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { identityKeyContext } from "./identity-keys.js";
import { sessionEvents } from "./session-event.js";

export const signIn: Module<unknown> = {
  name: "sign-in",
  events: sessionEvents,
  sealedColumns: [
    {
      table: "identity_key",
      column: "private_key",
      key: ["id"],
      contextOf: ({ id }) => identityKeyContext(String(id)),
    },
  ],
  secrets: [
    { purpose: "passkey-sign-in", usedForMs: limits.passkeyCeremonyMs, columns: [] },
    { purpose: "wallet-sign-in", usedForMs: limits.walletSignInMs, columns: [] },
  ],
  retention: [
    { table: "passkey_sign_in", since: "expires_at", keptMs: limits.kept.passkeyCeremonyMs, clock: "real" },
    { table: "identity_key", since: "retires_at", keptMs: 0, clock: "real" },
  ],
};
