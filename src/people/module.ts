import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { codeStates } from "./code-states.js";
import { mailStates } from "./mail-states.js";
import { mailContext } from "./outgoing-mail.js";
import { removeEndedKeys } from "./remove-ended-keys.js";
import { sessionStates } from "./session-states.js";

const { kept } = limits;

export const people: Module<Parameters<typeof removeEndedKeys>[0]> = {
  name: "people",
  passes: (needs, network) => [
    { name: "remove_ended_keys", everyMs: limits.passEveryMs, run: () => removeEndedKeys(needs, network) },
  ],
  sealedColumns: [{ table: "mail", column: "message", key: ["id"], contextOf: ({ id }) => mailContext(String(id)) }],
  secrets: [
    {
      purpose: "session-token",
      usedForMs: limits.sessionMaxMs,
      columns: [
        ...(["token_hash", "access_token_hash", "refresh_token_hash"] as const).map((column) => ({
          table: "session" as const,
          column,
        })),
        { table: "wallet_session", column: "token_hash" },
      ],
    },
    {
      purpose: "one-time-code",
      usedForMs: limits.otpLifetimeMs,
      columns: [{ table: "one_time_code", column: "code_hmac" }],
    },
    { purpose: "mail-recipient", usedForMs: kept.mailMs, columns: [{ table: "mail", column: "recipient_hash" }] },
  ],
  states: [
    { table: "session", column: "state", states: sessionStates },
    { table: "one_time_code", column: "state", states: codeStates },
    { table: "mail", column: "state", states: mailStates },
  ],
  retention: [
    { table: "one_time_code", since: "expires_at", keptMs: kept.oneTimeCodeMs, clock: "environment" },
    { table: "wallet_session", since: "created_at", keptMs: kept.sessionMs, clock: "real" },
    { table: "otp_failure", since: "failed_at", keptMs: kept.otpFailureMs, clock: "environment" },
    {
      // What a crash left queued: the codes in it are out of date, and it will not be sent any more.
      table: "mail",
      since: "queued_at_real",
      keptMs: limits.otpLifetimeMs,
      clock: "real",
      only: "state = 'queued'",
      set: "state = 'refused', message = null",
    },
    { table: "mail", since: "queued_at_real", keptMs: kept.mailMs, clock: "real" },
  ],
};
