import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { anyOfText } from "@trellis/kernel/states.js";
import { wakeProposals } from "../following/proposal-subscriptions.js";
import { cancelOverdueIntents } from "./intent-states.js";
import type { Lookout } from "./lookout.js";
import { recordForgottenIntents } from "./record-forgotten.js";
import { recoverSubmissions } from "./recover-submissions.js";
import { searchSelfPaid } from "./search-self-paid.js";
import { settleSubmissions } from "./settle-submissions.js";
import { submissionStates } from "./submission-states.js";

interface Needs {
  readonly db: Db;
  readonly log: Log;
  readonly pause: Pause;
  readonly lookout: Lookout;
}

const { kept, openWorkIdleMs: idleMs } = limits;
const isOver = `state in ${anyOfText(submissionStates.final)}`;

export const submissions: Module<unknown, Needs> = {
  name: "submissions",
  openWork: (needs, network) => [
    {
      name: "recover_submissions",
      everyMs: limits.passEveryMs,
      run: () => recoverSubmissions(needs, network, idleMs),
      atStart: () => recoverSubmissions(needs, network, 0),
    },
    {
      name: "settle_submissions",
      everyMs: limits.passEveryMs,
      run: () => settleSubmissions(needs.db, network, needs.pause),
      atStart: () => settleSubmissions(needs.db, network, needs.pause),
    },
    { name: "cancel_overdue_intents", everyMs: limits.passEveryMs, run: () => cancelOverdue(needs, network) },
    { name: "search_self_paid", everyMs: limits.passEveryMs, run: () => searchSelfPaid(needs, network) },
  ],
  states: [{ table: "submission", column: "state", states: submissionStates }],
  retention: [
    {
      table: "submission",
      since: "updated_at",
      keptMs: kept.submissionBytesMs,
      clock: "environment",
      only: `${isOver} and wire_transaction <> ''`,
      set: "wire_transaction = ''",
    },
    {
      table: "submission",
      since: "updated_at",
      keptMs: kept.submissionMs,
      clock: "environment",
      only: `${isOver} and wire_transaction = ''`,
    },
  ],
};

/** Nothing is called canceled by a database that has forgotten how it was paid. */
async function cancelOverdue(needs: Needs, network: Network): Promise<void> {
  const found = await recordForgottenIntents(needs, network);
  await wakeProposals(needs.db, network.name, found, network.clock.now());
  await cancelOverdueIntents(needs.db, network);
}
