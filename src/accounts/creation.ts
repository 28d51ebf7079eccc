import type { Address } from "@solana/kit";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { AccountCreationTable, Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { Lookout } from "../submissions/lookout.js";
import type { FinalOutcome } from "../submissions/submission.js";
import type { CreationPlan } from "./creation-plan.js";
import type { CreationQueue } from "./creation-queue.js";
import type { Policies } from "./policy.js";

/** What a creation asks of the world. */
export interface CreationNeeds {
  readonly db: Db;
  readonly random: Random;
  readonly custodians: Custodians;
  readonly creationQueue: CreationQueue;
  readonly lookout: Lookout;
  readonly realClock: Clock;
  readonly log: Log;
  readonly pause: Pause;
}

/** A creation as it is recorded. */
export type Creation = Pick<
  AccountCreationTable,
  "id" | "tenant_id" | "user_id" | "type" | "plan" | "state" | "submission_id" | "account_address"
>;

/** An account that exists. */
export interface CreatedAccount {
  readonly address: Address;
  readonly settingsAddress: Address;
  readonly userId: string;
  readonly policies: Policies;
}

/** A submission that has ended. */
export interface Decided {
  readonly submissionId: string;
  readonly outcome: FinalOutcome;
}

/** The bytes of a creation that have landed, with the settings account that they brought about. */
export interface Landed extends Decided {
  readonly settingsAddress: Address;
}

export function readPlan(creation: Creation): CreationPlan {
  return JSON.parse(creation.plan) as CreationPlan;
}

export const isByPage = (creation: Creation): boolean => readPlan(creation).isByPage === true;
