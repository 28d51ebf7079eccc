import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { settleSubmissions } from "../submissions/settle-submissions.js";
import { accountEvents } from "./account-event.js";
import type { CreationNeeds } from "./creation.js";
import { creationStates } from "./creation-states.js";
import { resumePendingCreations } from "./resume-creations.js";
import { learnDueMembers, readDueMembers } from "./settings-change-signers.js";

const { kept, openWorkIdleMs: idleMs } = limits;

export const accounts: Module<unknown, CreationNeeds> = {
  name: "accounts",
  events: accountEvents,
  openWork: (needs, network) => [
    {
      name: "resume_creations",
      everyMs: limits.passEveryMs,
      run: () => resumePendingCreations(needs, network, idleMs),
      // What they had reserved and do not need is free before the first request.
      atStart: async () => {
        await resumePendingCreations(needs, network, 0);
        await settleSubmissions(needs.db, network, needs.pause);
      },
    },
    {
      name: "learn_members",
      everyMs: limits.passEveryMs,
      run: () => learnDueMembers(needs, network),
      atStart: () => learnDueMembers(needs, network),
    },
    {
      // The holder of a place may be stuck in one call to the chain.
      name: "dismiss_waiting_creations",
      everyMs: limits.passEveryMs,
      run: async () => needs.creationQueue.dismissOverdue(network),
    },
  ],
  states: [{ table: "account_creation", column: "state", states: creationStates }],
  secrets: [{ purpose: "account-import", usedForMs: limits.importProofMs, columns: [] }],
  retention: [
    { table: "pending_account", since: "created_at", keptMs: kept.pendingAccountMs, clock: "environment" },
    {
      table: "account_creation",
      since: "created_at",
      keptMs: kept.accountCreationMs,
      clock: "environment",
      only: "state <> 'pending'",
    },
    {
      // Nothing was signed for it, and the key under which it might have resumed is forgotten.
      table: "account_creation",
      since: "looked_at",
      keptMs: kept.unsignedCreationMs,
      clock: "real",
      only: "state = 'pending' and submission_id is null and type <> 'email'",
    },
  ],
  afterConfirmation: [
    {
      name: "read_members",
      concerns: ({ changesSettings }) => changesSettings,
      run: ({ db }, network, { account: { address, tenantId, settingsAddress }, slot }) =>
        readDueMembers(db, network, [{ address, tenant_id: tenantId, settings_address: settingsAddress }], slot),
    },
  ],
};
