import { TrellisError } from "@trellis/kernel/errors.js";
import type { SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { alreadyProcessed, simulate, slotBeforeProcessed } from "@trellis/solana/simulate.js";
import { wakeProposals } from "../following/proposal-subscriptions.js";
import { findMessage } from "../submissions/find-message.js";
import { recordFound } from "../submissions/record-found.js";
import { findSubmission } from "../submissions/submission-store.js";
import { belongsTo } from "./overtaking.js";
import type { CompleteItem, ItemContext } from "./submit-item.js";

/**
 * A refused transaction may be one that has landed: then what it did is the reason for the refusal (it has used up its
 * proposal, its limit, its money), and its outcome is the answer. A node's word that it was processed causes no signature and
 * records nothing: the node has to show it, signed by all its signers. Throws the refusal where the chain does not call the
 * message processed, `submission_in_progress` where it does and does not show it, and `chain_unavailable` where it does not
 * answer.
 */
export async function findProcessed(
  { needs, network, account, owner, wire }: ItemContext,
  { prepared }: Pick<CompleteItem, "prepared">,
  refusal: unknown,
): Promise<SubmissionTable> {
  if (!(refusal instanceof TrellisError) || unanswered.has(refusal.code)) throw refusal;
  const said = refusal.details?.[0]?.chain_error;
  if (said !== undefined && said !== alreadyProcessed) throw refusal;
  const simulation = await simulate(network, wire.bytes, {
    lastValidBlockHeight: prepared?.last_valid_block_height,
  });
  if (simulation.error !== alreadyProcessed) throw refusal;
  const now = network.clock.now();
  const sent = {
    last_valid_block_height: prepared?.last_valid_block_height ?? (await findLastValidOfForeign(network)),
    recorded_slot: slotBeforeProcessed(simulation.slot),
  };
  const standing = await findMessage(
    network,
    { id: wire.id },
    {
      address: account.settingsAddress,
      lastValidBlockHeight: sent.last_valid_block_height,
      recordedAt: prepared ? Number(prepared.created_at) : now,
      recordedSlot: sent.recorded_slot,
      before: null,
    },
  );
  if (standing.kind !== "found") {
    throw new TrellisError("submission_in_progress", {
      message: "The chain has processed it, and does not show it yet. Submit the same bytes again in some seconds.",
    });
  }
  // What it did to the account's settings and proposals is read as after a submit.
  await wakeProposals(needs.db, network.name, [account.settingsAddress], now);
  await recordFound(
    needs.db,
    network,
    {
      id: wire.id,
      tenant_id: owner.tenantId,
      environment: owner.environment,
      account_address: owner.accountAddress,
      ...sent,
      changesSettings: true,
    },
    standing,
  );
  const recorded = await findSubmission(needs.db, wire.id);
  if (recorded === undefined || !belongsTo(recorded, owner)) throw refusal;
  return recorded;
}

/** Of these, the chain has said nothing about the message, or that its time is over. */
const unanswered: ReadonlySet<string> = new Set(["chain_unavailable", "service_unavailable", "blockhash_expired"]);

/**
 * How long the blockhash of a transaction built elsewhere lives is not known here, and it may come from a node that is
 * ahead of the one asked: the bound leaves room for both.
 */
export const findLastValidOfForeign = async ({ rpc }: Network): Promise<bigint> =>
  (await askChain(rpc.getBlockHeight({ commitment: "confirmed" }))) + 300n;
