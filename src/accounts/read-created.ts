import type { Address, Signature } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { findCreatedSmartAccount, findTransactionEvents } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { unprovable } from "../submissions/confirm-submission.js";
import { findStanding } from "../submissions/find-standing.js";
import type { CreationNeeds, Decided, Landed } from "./creation.js";

/** The settings account that a landed creation brought about. */
interface Created {
  readonly settingsAddress: Address;
  readonly seed: bigint;
}

/** The sandbox has one level. */
export function isFinalAtOnce(network: Pick<Network, "name">): boolean {
  return network.name === "sandbox";
}

/**
 * The account of a landed creation, once it is final. On a real cluster an account is in responses only then: after a roll-back
 * the same address could become another holder's (gap 29), and the transaction may land again as another number.
 */
export async function readLanded(
  needs: CreationNeeds,
  network: Network,
  decided: Decided,
): Promise<Landed | undefined> {
  const signature = decided.outcome.signature as Signature;
  // What was rolled back has left nothing to read.
  if (!(await waitUntilFinal(needs, network, signature))) return undefined;
  const commitment = isFinalAtOnce(network) ? "confirmed" : "finalized";
  for (let refresh = 0; refresh < eventRefreshes.rounds; refresh += 1) {
    const created = await findCreated(network, signature, commitment);
    if (created) return { settingsAddress: created.settingsAddress, ...decided };
    await needs.pause(eventRefreshes.waitMs);
  }
  throw new TrellisError("chain_unavailable", {
    message: "The account has been created, and the chain's node does not show it yet. Try again shortly.",
  });
}

/** A node may know a transaction's status before it knows the transaction. */
const eventRefreshes = { rounds: 10, waitMs: 500 } as const;

/**
 * False when the transaction was rolled back and, by the same proof as for `expired`, cannot land again. Throws
 * `submission_in_progress` when it takes too long.
 */
async function waitUntilFinal(needs: CreationNeeds, network: Network, signature: Signature): Promise<boolean> {
  if (isFinalAtOnce(network)) return true;
  const row = await needs.db
    .selectFrom("submission")
    .select(["id", "signature", "last_valid_block_height", "recorded_slot", "created_at"])
    .where("signature", "=", signature)
    .executeTakeFirstOrThrow();
  for (let round = 0; round < finality.rounds; round += 1) {
    const standing = await findStanding(needs, network, row);
    if (standing.kind === "seen" && standing.status.commitment === "finalized") return true;
    if (standing.kind === "expired") return false;
    if (standing.kind === "unprovable") throw unprovable();
    await needs.pause(finality.waitMs);
  }
  throw new TrellisError("submission_in_progress", {
    message: "The account's creation is not final yet. Try again shortly.",
  });
}

/** 32 slots take about 13 seconds; what was rolled back is given up after more than two and a half minutes. */
const finality = { rounds: 100, waitMs: 2_000 } as const;

/**
 * One read, for those who wait for a place: the next creation offers the numbers behind this one. Undefined where the node
 * does not say; what becomes of this account is read later, with patience.
 */
export async function findEarly(
  needs: Pick<CreationNeeds, "log">,
  network: Network,
  signature: Signature,
): Promise<Created | undefined> {
  try {
    return await findCreated(network, signature, "confirmed");
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    needs.log.warn(
      { event: "account_number_unread", err: error, transaction_signature: signature },
      "number of a created account could not be read at once",
    );
    return undefined;
  }
}

/**
 * Which account a landed creation made: the program's own record in that very transaction says so, and nothing else does.
 * Undefined while the node does not have the transaction. Throws `chain_unavailable`.
 */
async function findCreated(
  network: Network,
  signature: Signature,
  commitment: "confirmed" | "finalized",
): Promise<Created | undefined> {
  const found = await askChain(
    network.rpc.getTransaction(signature, { commitment, maxSupportedTransactionVersion: 0, encoding: "json" }),
  );
  if (found === null) return undefined;
  const created = findCreatedSmartAccount(findTransactionEvents(found));
  assertOurs(created, "a landed creation records which account it made");
  return { settingsAddress: created.settingsAddress, seed: created.settings.seed };
}
