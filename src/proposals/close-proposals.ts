import { type Address, getBase58Decoder, type Instruction, type SignatureBytes } from "@solana/kit";
import { eachOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { DatabaseUnavailable, type Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { closeSettingsTransactionInstruction, closeTransactionInstruction } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { composeTransaction, computeUnitsMax, type UnsignedTransaction } from "@trellis/solana/compose.js";
import { estimateComputePrice } from "@trellis/solana/compute-price.js";
import { simulate } from "@trellis/solana/simulate.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { returnReclaimedRent } from "../sponsorship/return-rent.js";
import { feePayerAddresses } from "../sponsorship/service-keys.js";
import { confirmNewSubmission, pauseAtMost } from "../submissions/confirm-submission.js";
import type { Lookout } from "../submissions/lookout.js";
import { storeSigned } from "../submissions/submission-store.js";
import { planBatchClosing } from "./batch-closings.js";
import { claimClosable } from "./proposal-closing-store.js";
import type { ProposalRow } from "./proposal-store.js";
import { refreshProposal } from "./refresh-proposals.js";

interface Needs {
  readonly db: Db;
  readonly log: Log;
  readonly pause: Pause;
  readonly lookout: Lookout;
}

/** As many as fit a packet, by trial: each brings its own two accounts. */
const perTransactionMax = 8;
/** Proposals that are read, and transactions that are brought to their end, at the same time. */
const atOnce = 4;
/** How long a transaction is waited for: real time. What is not decided by then is left to the recovery pass. */
const patienceMs = 5_000;

/**
 * Gives the rent of finished proposals back to the service that paid it: of those for which the fee payer is on record
 * as the payer of both accounts, and that have been finished or stale for an hour; after an attempt, whatever the outcome of
 * it, a proposal is left alone for as long. Several go into one transaction; when
 * that would fail, because another party closed one of them, each goes alone. Any number of processes may do this at
 * once: each takes its own. A chain that does not answer is logged, and the rest is tried again later.
 *
 * The fee of a closing is the service's own: it is charged to no budget, because it brings back a thousand times as much
 * as it costs. The rent goes back to the budgets it was taken from.
 */
export async function closeEndedProposals(needs: Needs, network: Network): Promise<void> {
  const claimed: Awaited<ReturnType<typeof claimClosable>>[number][] = [];
  for (const rentCollector of feePayerAddresses(network)) {
    claimed.push(...(await claimClosable(needs.db, network.name, { rentCollector, now: network.clock.now() })));
  }
  const unanswered: TrellisError[] = [];
  // What one of them ends in keeps none of the others from being closed.
  const apart = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      if (error instanceof TrellisError) unanswered.push(error);
      else
        needs.log.error(
          { event: "proposals_closing_failed", err: error, environment: network.name },
          "ended proposals could not be closed",
        );
    }
  };
  let unread = claimed.length;
  let underWay = 0;
  const ready: ProposalRow[] = [];
  let noteAllRead = () => {};
  const allRead = new Promise<void>((resolve) => {
    noteAllRead = resolve;
  });
  await eachOf(claimed, atOnce, async ({ settings_address, transaction_index }) => {
    unread -= 1;
    underWay += 1;
    await apart(async () => {
      const row = await refreshProposal(needs, network, settings_address as Address, transaction_index);
      if (!isRentReturned(network, row) || !isClosable(row)) return;
      if (row.kind === "batch") await closeWholeBatch(needs, network, row);
      else ready.push(row);
    });
    underWay -= 1;
    if (unread === 0 && underWay === 0) noteAllRead();
    if (ready.length < perTransactionMax) {
      if (unread > 0) return;
      // The last ones go together, unless one of them hangs: the others are closed without it.
      await Promise.race([allRead, needs.pause(patienceMs)]);
    }
    while (ready.length > 0) {
      const group = ready.splice(0, perTransactionMax);
      await apart(() => closeTogether(needs, network, group));
    }
  });
  if (unanswered.length > 0) {
    const facts = { err: unanswered[0], environment: network.name, count: unanswered.length };
    needs.log.warn(
      { event: "proposals_closing_unanswered", ...facts },
      "chain did not answer while ended proposals were closed",
    );
  }
  await returnReclaimedRent(needs.db, network);
}

/** Whether all rent of a proposal goes to one of the service's fee payers, once it is closed: of no other is it closed here. */
export function isRentReturned(
  network: Pick<Network, "feePayer" | "formerFeePayer">,
  row: Pick<ProposalRow, "proposal_rent_collector" | "transaction_rent_collector">,
): boolean {
  const { proposal_rent_collector: collector } = row;
  return (
    row.transaction_rent_collector === collector && feePayerAddresses(network).some((address) => address === collector)
  );
}

/** Whether the program lets anybody close it now (program spec 4.16). */
function isClosable(row: ProposalRow): boolean {
  switch (row.chain_status) {
    case "executed":
    case "rejected":
    case "cancelled":
      return true;
    case "draft":
    case "active":
      return row.transaction_index <= row.stale_transaction_index;
    case "approved":
      return row.kind === "settings" && row.transaction_index <= row.stale_transaction_index;
    default:
      return false;
  }
}

/** Closes these in one transaction, or, where that does not work, each in one of its own. */
async function closeTogether(needs: Needs, network: Network, rows: readonly ProposalRow[]): Promise<void> {
  const closed = await close(needs, network, rows.map(closingOf), rows);
  if (!closed && rows.length > 1) {
    for (const row of rows) await closeTogether(needs, network, [row]);
    return;
  }
  await report(needs, network, rows, closed);
}

/** Transactions in which one batch is closed at most, in one pass. */
const stepsMax = 20;

/** Closes a batch with all that is in it, one transaction after the other. What is left is closed an hour later. */
async function closeWholeBatch(needs: Needs, network: Network, row: ProposalRow): Promise<void> {
  for (let step = 0; step < stepsMax; step += 1) {
    const closing = await planBatchClosing(network, row);
    const closed = closing !== undefined && (await close(needs, network, closing.instructions, [row]));
    if (closed && !closing.isWhole) continue;
    return report(needs, network, [row], closed);
  }
}

async function report(needs: Needs, network: Network, rows: readonly ProposalRow[], closed: boolean): Promise<void> {
  const reclaimed: string[] = [];
  for (const { settings_address, transaction_index } of rows) {
    const row = await refreshProposal(needs, network, settings_address as Address, transaction_index);
    reclaimed.push(`${row.proposal_address} ${row.reclaimed_lamports ?? 0n}`);
  }
  const facts = { environment: network.name, reclaimed };
  if (closed) needs.log.info({ event: "proposals_closed", ...facts }, "ended proposals were closed");
  else needs.log.warn({ event: "proposals_not_closed", ...facts }, "ended proposals were not closed by this attempt");
}

/** False when the chain refuses them together: nothing was sent then, or it failed as a whole. */
async function close(
  needs: Needs,
  network: Network,
  instructions: readonly Instruction[],
  rows: readonly ProposalRow[],
): Promise<boolean> {
  const feePayer = network.feePayer.address;
  const [{ value: lifetime, context }, price] = await Promise.all([
    askChain(network.rpc.getLatestBlockhash({ commitment: "confirmed" })),
    estimateComputePrice(
      network,
      rows.map(({ proposal_address }) => proposal_address as Address),
    ),
  ]);
  const compose = (units: number) =>
    composeTransaction(feePayer, lifetime, { units, microLamportsPerUnit: price }, instructions);
  const simulation = await simulate(network, compose(computeUnitsMax).bytes);
  if (simulation.error !== null) return false;
  const unsigned = compose(Math.min(computeUnitsMax, Math.ceil(simulation.unitsConsumed * 1.2) + 1_000));
  return send(needs, network, unsigned, { ...lifetime, slot: context.slot });
}

function closingOf(row: ProposalRow): Instruction {
  const build = row.kind === "settings" ? closeSettingsTransactionInstruction : closeTransactionInstruction;
  return build({
    settings: row.settings_address as Address,
    transactionIndex: row.transaction_index,
    proposalRentCollector: row.proposal_rent_collector as Address,
    transactionRentCollector: row.transaction_rent_collector as Address,
  });
}

/** Signs, stores, sends, in this order. Bytes that are stored already are sent by the process that stored them. */
async function send(
  needs: Needs,
  network: Network,
  { transaction, id }: UnsignedTransaction,
  lifetime: { readonly lastValidBlockHeight: bigint; readonly slot: bigint },
): Promise<boolean> {
  const { feePayer } = network;
  const signature = await feePayer.sign(Uint8Array.from(transaction.messageBytes));
  const signed = {
    id,
    tenantId: null,
    environment: network.name,
    accountAddress: null,
    purpose: "proposal_close",
    signature: getBase58Decoder().decode(signature),
    wireTransaction: encodeWithSignatures(
      transaction,
      new Map<Address, SignatureBytes>([[feePayer.address, signature]]),
    ),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    recordedSlot: lifetime.slot,
    reservedLamports: 0n,
    reservedOn: 0,
  } as const;
  const stored = await storeSigned([signed], network.clock.now()).execute(needs.db);
  if (stored.rows.length === 0) return true;
  const patient = { ...needs, pause: pauseAtMost(needs.pause, patienceMs) };
  const outcome = await confirmNewSubmission(patient, network, {
    id,
    signature: signed.signature,
    wire_transaction: signed.wireTransaction,
    last_valid_block_height: signed.lastValidBlockHeight,
    recorded_slot: signed.recordedSlot,
  });
  return outcome.state === "landed";
}
