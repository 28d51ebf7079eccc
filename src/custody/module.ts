import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";

const { kept } = limits;

export const custody: Module<unknown> = {
  name: "custody",
  retention: [
    { table: "session", since: "chain_started_at", keptMs: kept.sessionMs, clock: "real" },
    // Its sessions are over, and deleted.
    { table: "session_chain", since: "refreshed_since", keptMs: kept.sessionMs, clock: "real" },
    {
      table: "kms_authorization_key",
      since: "expires_at",
      keptMs: kept.authorizationKeyMs,
      clock: "real",
      // Where sessions could not be removed in one pass, their keys wait for the next.
      except: "coalesce((select true from session where session.authorization_key_id = old.id limit 1), false)",
    },
  ],
};
