import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { memberStates } from "./member-states.js";
import { sendProposalMails } from "./send-proposal-mails.js";

export const members: Module<NoticeNeeds> = {
  name: "members",
  passes: (needs, network) => [
    { name: "send_proposal_mails", everyMs: limits.passEveryMs, run: () => sendProposalMails(needs, network) },
  ],
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
    { purpose: "member-passkey", usedForMs: limits.passkeyCeremonyMs, columns: [] },
    { purpose: "member-browser", usedForMs: limits.memberBrowserMs, columns: [] },
  ],
  retention: [
    { table: "member_secret", since: "expires_at", keptMs: limits.kept.memberSecretMs, clock: "real" },
    { table: "member_session", since: "expires_at", keptMs: 0, clock: "real" },
    { table: "member_nonce", since: "expires_at", keptMs: limits.kept.passkeyCeremonyMs, clock: "real" },
  ],
};
