import type { Signature } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { assertWithinDailyBudgets } from "../sponsorship/sponsorship.js";
import { confirmSubmission, decideNewSubmission } from "../submissions/confirm-submission.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { findSubmission, markFinal } from "../submissions/submission-store.js";
import { type Creation, type CreationNeeds, isByPage, type Landed } from "./creation.js";
import { type CreationFailure, readCreationFailure } from "./creation-failure.js";
import type { ResolvedPlan } from "./creation-plan.js";
import type { CreationPlace } from "./creation-queue.js";
import { storeBytes } from "./creation-store.js";
import { findEarly, isFinalAtOnce, readLanded } from "./read-created.js";
import { signCreation } from "./sign-creation.js";

type Refused = Extract<CreationFailure, { kind: "refused" }>;

/** `again`: nothing landed, new bytes are in order. `refused`: the plan itself does not work. */
export type Attempt = ({ readonly kind: "landed" } & Landed) | Refused | { readonly kind: "again" };

const again = { kind: "again" } as const;

/** Brings bytes that were stored before to their end. */
export async function confirmBytes(needs: CreationNeeds, network: Network, submissionId: string): Promise<Attempt> {
  // Removed long after its end: nothing of it can land any more, and no caller got an account.
  if ((await findSubmission(needs.db, submissionId)) === undefined) return again;
  const outcome = await confirmSubmission(needs, network, submissionId);
  if (outcome.state === "landed") return attemptOf(await readLanded(needs, network, { submissionId, outcome }));
  if (outcome.state === "expired") return again;
  const failure = readCreationFailure(outcome.failure.error, outcome.failure.logs);
  return failure.kind === "refused" ? failure : again;
}

const attemptOf = (landed: Landed | undefined): Attempt =>
  landed === undefined ? again : { kind: "landed", ...landed };

/**
 * Signs new bytes in the creation's turn and stores them. The place in the queue is given back once the chain has decided:
 * so they are sent and decided here as well.
 */
export async function storeNewBytes(
  needs: CreationNeeds,
  network: Network,
  creation: Creation,
  plan: ResolvedPlan,
): Promise<Attempt> {
  const applicant = {
    tenantId: creation.tenant_id,
    assertWorthwhile: async (rentLamports: CreationPlace["rentLamports"]) =>
      assertWithinDailyBudgets(
        needs.db,
        network,
        {
          tenantId: creation.tenant_id,
          accountAddress: null,
          costs: [{ kind: "settings_rent", lamports: await rentLamports(plan.signers.length) }],
          realNow: needs.realClock.now(),
        },
        { isByPage: isByPage(creation) },
      ),
  };
  const sent = await needs.creationQueue.run(network, applicant, async (place) => {
    const signed = await signCreation(needs, network, plan, place);
    if (signed.kind === "refused") return signed;
    if (signed.kind === "stale" || !(await storeBytes(needs, network, creation, signed))) return again;
    await place.inTurn();
    const outcome = await decideNewSubmission(needs, network, {
      id: signed.id,
      signature: signed.signature,
      wire_transaction: signed.wireTransaction,
      last_valid_block_height: signed.lastValidBlockHeight,
      recorded_slot: signed.recordedSlot,
    });
    const decided = { kind: "decided", submissionId: signed.id, outcome } as const;
    if (outcome.state !== "landed") {
      needs.creationQueue.forgetTerms(network);
      return { ...decided, created: undefined };
    }
    const created = await findEarly(needs, network, outcome.signature as Signature);
    needs.creationQueue.noteCreated(network, created?.seed);
    return { ...decided, created };
  });
  if (sent.kind !== "decided") return sent;
  const { created, submissionId, outcome } = sent;
  // What is final at once is written down together with the account.
  if (created && isFinalAtOnce(network)) {
    return { kind: "landed", settingsAddress: created.settingsAddress, submissionId, outcome };
  }
  await markFinal(needs.db, [{ id: submissionId, outcome }], network.clock.now());
  // Waiting for finality, or for a node that lags, holds no caller up.
  if (outcome.state === "landed") return attemptOf(await readLanded(needs, network, { submissionId, outcome }));
  return outcome.state === "expired" ? again : readFailed(needs, outcome);
}

/** What to do about bytes of this call that the chain has executed and refused. */
function readFailed(needs: CreationNeeds, outcome: Extract<FinalOutcome, { state: "failed" }>): Attempt {
  const { signature, failure } = outcome;
  needs.log.warn(
    { event: "account_creation_failed", failure: failure.error, transaction_signature: signature },
    "account creation failed on chain",
  );
  const read = readCreationFailure(failure.error, failure.logs);
  if (read.kind === "refused") return read;
  // Each further try costs a fee, and this one's simulation has reported nothing: that is for a later call.
  if (read.kind === "unclear") throw new TrellisError("chain_unavailable");
  return again;
}
