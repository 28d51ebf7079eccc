import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { anyOfText } from "@trellis/kernel/states.js";
import { submissionStates } from "../submissions/submission-states.js";

export const transactions: Module<unknown> = {
  name: "transactions",
  retention: [
    // Its payloads go with it.
    {
      table: "prepared_transaction",
      since: "expires_at",
      keptMs: limits.kept.preparedTransactionMs,
      clock: "environment",
      // What the chain's history is still searched for is compared with it.
      except: `(coalesce((select true from payment_intent where prepared_id = old.id and attempt_at is not null limit 1), false)
      or coalesce((select state in ${anyOfText(submissionStates.open)} from submission where submission.id = old.id), false))`,
    },
  ],
};
