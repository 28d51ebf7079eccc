import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { memberStates } from "./member-states.js";

export const members: Module<unknown> = {
  name: "members",
  states: [{ table: "member", column: "status", states: memberStates }],
  secrets: [
    {
      purpose: "member-secret",
      usedForMs: limits.memberInvitationMs,
      columns: [{ table: "member_secret", column: "secret_hash", only: "used_at is null" }],
    },
    {
      purpose: "member-session",
      usedForMs: limits.memberSessionMs,
      columns: [{ table: "member_session", column: "token_hash" }],
    },
  ],
  retention: [
    { table: "member_secret", since: "expires_at", keptMs: limits.kept.memberSecretMs, clock: "real" },
    { table: "member_session", since: "expires_at", keptMs: 0, clock: "real" },
  ],
};
