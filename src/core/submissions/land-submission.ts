import {
  type Base64EncodedWireTransaction,
  isSolanaError,
  type Signature,
  type Slot,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
} from "@solana/kit";
import { AssertionFailed, assertOurs, TrellisError } from "../../errors.js";
import type { Db, SubmissionTable } from "../../ports/database.js";
import type { Log } from "../../ports/log.js";
import type { Network } from "../../ports/network.js";
import type { Pause } from "../../ports/pause.js";
import { toBase64 } from "../chain/wire-transaction.js";
import type { FinalOutcome } from "./submission.js";
import { findOpenSubmissions, findSubmission, markFinal, markSent, toOutcome } from "./submission-store.js";

interface Needs {
  readonly db: Db;
  readonly log: Log;
  readonly pause: Pause;
}

/** How long one call keeps at it, and how often it looks, in milliseconds of real time. */
const patience = { firstWaitMs: 200, longestWaitMs: 2_000, rounds: 40 } as const;

/**
 * Brings a stored submission to its end and returns what the chain decided. Sends exactly the stored bytes, as often as
 * needed; never signs anything. Any number of callers and processes may do this for the same submission, and it may be
 * broken off at any point and taken up again: the outcome is the chain's, found by the signature.
 *
 * Throws `chain_unavailable` when the chain cannot be asked, `submission_in_progress` when it has not decided in time;
 * in both cases the submission stays open for the next call or the recovery pass.
 */
export async function landSubmission(needs: Needs, network: Network, submissionId: string): Promise<FinalOutcome> {
  const row = await findSubmission(needs.db, submissionId);
  assertOurs(row, "a submission is stored before it is sent");
  const known = toOutcome(row);
  if (known) return known;
  const outcome = await drive(needs, network, row);
  await markFinal(needs.db, row.id, outcome, network.clock.now());
  return outcome;
}

/**
 * Lands a submission that was stored a moment ago by this very call chain, sparing the look-up.
 * Same promise as landSubmission.
 */
export async function landNewSubmission(needs: Needs, network: Network, stored: NewSubmission): Promise<FinalOutcome> {
  const outcome = await decideNewSubmission(needs, network, stored);
  await markFinal(needs.db, stored.id, outcome, network.clock.now());
  return outcome;
}

/** The same for a caller who writes the outcome down with what follows from it. Until then it counts as open. */
export function decideNewSubmission(needs: Needs, network: Network, stored: NewSubmission): Promise<FinalOutcome> {
  return drive(needs, network, { ...stored, created_at: BigInt(network.clock.now()) });
}

/** A submission as it was stored just now. */
type NewSubmission = Omit<Open, "created_at">;

type Open = Pick<SubmissionTable, "id" | "signature" | "wire_transaction" | "last_valid_block_height" | "created_at">;

async function drive(needs: Needs, network: Network, row: Open): Promise<FinalOutcome> {
  let waitMs: number = patience.firstWaitMs;
  let marked = false;
  for (let round = 0; round < patience.rounds; round += 1) {
    const outcome = await sendAndLook(network, row, needs.log);
    if (outcome) return outcome;
    if (!marked) {
      await markSent(needs.db, row.id, network.clock.now());
      marked = true;
    }
    await needs.pause(waitMs);
    waitMs = Math.min(waitMs * 2, patience.longestWaitMs);
  }
  throw new TrellisError("submission_in_progress");
}

async function sendAndLook(network: Network, row: Open, log: Log): Promise<FinalOutcome | undefined> {
  try {
    // Asked before the status: a window that has passed together with a later look that finds nothing is a proof.
    const over = await network.hasExpired(row.last_valid_block_height, Number(row.created_at));
    if (!over) await send(network, row);
    const found = await look(network, row.signature as Signature, over);
    if (found === "unknown") return over ? { state: "expired", signature: row.signature } : undefined;
    return found === "undecided" ? undefined : found;
  } catch (error) {
    if (error instanceof AssertionFailed) throw error;
    log.warn({ error, submission: row.id }, "the chain did not answer while a submission was open");
    throw new TrellisError("chain_unavailable", { cause: error });
  }
}

/**
 * Sends the bytes without preflight: they were simulated before they were signed, and a refusal by preflight would
 * leave open whether an earlier send of the same bytes lands after all. Refusals other than of the bytes themselves are
 * not an outcome either; the status tells.
 */
async function send(network: Network, row: Open): Promise<void> {
  const wire = toBase64(row.wire_transaction) as Base64EncodedWireTransaction;
  try {
    await network.rpc.sendTransaction(wire, { encoding: "base64", skipPreflight: true, maxRetries: 0n }).send();
  } catch (error) {
    if (
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS) ||
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE)
    ) {
      throw new AssertionFailed("the chain refuses bytes that were checked and signed here", { cause: error });
    }
    if (!isSolanaError(error)) throw error;
  }
}

/** `unknown`: no trace of it. `undecided`: some node has executed it, and the cluster may still drop it. */
async function look(
  network: Network,
  signature: Signature,
  deep: boolean,
): Promise<FinalOutcome | "unknown" | "undecided"> {
  const { value } = await network.rpc.getSignatureStatuses([signature], { searchTransactionHistory: deep }).send();
  const status = value[0];
  if (!status) return "unknown";
  if (status.confirmationStatus !== "confirmed" && status.confirmationStatus !== "finalized") return "undecided";
  if (status.err !== null) {
    const found = await network.rpc
      .getTransaction(signature, { commitment: "confirmed", maxSupportedTransactionVersion: 0, encoding: "json" })
      .send();
    return {
      state: "failed",
      signature,
      failure: { error: toPlain(status.err), logs: found?.meta?.logMessages ?? [] },
    };
  }
  return { state: "landed", signature, slot: status.slot, blockTime: await blockTimeOf(network, status.slot) };
}

/** Unix seconds. Nodes forget the time of old blocks, and that must not keep a landed transaction from being told. */
async function blockTimeOf(network: Network, slot: Slot): Promise<number> {
  const told = await network.rpc
    .getBlockTime(slot)
    .send()
    .catch((error: unknown) => {
      if (isSolanaError(error)) return null;
      throw error;
    });
  return told === null ? Math.floor(network.clock.now() / 1000) : Number(told);
}

/** kit hands integers over as bigint, which JSON cannot carry. */
function toPlain(error: unknown): unknown {
  return JSON.parse(JSON.stringify(error, (_key, value) => (typeof value === "bigint" ? Number(value) : value)));
}

/**
 * The recovery pass: takes up every submission that was left open for longer than `idleMs`, once each, and reports how
 * many reached their end. One that cannot be decided now, for whatever reason, is left for the next pass and keeps none
 * of the others from being decided.
 */
export async function recoverSubmissions(
  needs: Needs,
  network: Network,
  idleMs: number,
): Promise<{ ended: number; left: number }> {
  const open = await findOpenSubmissions(needs.db, network.name, network.clock.now() - idleMs, 200);
  let ended = 0;
  for (const row of open) {
    const outcome = await sendAndLook(network, row, needs.log).catch((error: unknown) => {
      if (!(error instanceof TrellisError))
        needs.log.error({ error, submission: row.id }, "a submission left open failed");
      return undefined;
    });
    if (!outcome) continue;
    await markFinal(needs.db, row.id, outcome, network.clock.now());
    needs.log.info(
      { submission: row.id, signature: row.signature, state: outcome.state },
      "a submission left open was finished",
    );
    ended += 1;
  }
  return { ended, left: open.length - ended };
}
