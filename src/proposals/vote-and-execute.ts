import type { Address, Instruction } from "@solana/kit";
import { endpoint, otherSpelling } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { activateProposalInstruction, CAN_EXECUTE_BIT, CAN_VOTE_BIT, voteInstruction } from "@trellis/program-client";
import Type from "typebox";
import { memberNames } from "../accounts/passkey-members.js";
import {
  type ActingAccount,
  approvalFields,
  getActingAccount,
  requirePermission,
  withApproval,
} from "../transactions/acting-account.js";
import { chooseFeePayer, feeConfigFields, feeFields } from "../transactions/fee-config.js";
import { requireApprovable } from "../transactions/judge-content.js";
import { toPreparedFields } from "../transactions/prepared-transaction.js";
import { requireReleased } from "../transactions/stored-proposal.js";
import { describeProposal, loadProposal } from "./describe-proposal.js";
import { requireNotStale } from "./execution-plan.js";
import { getProposalRow } from "./find-proposal.js";
import { prepareExecution } from "./prepare-execution.js";
import { preparedProposalFields } from "./prepared-fields.js";
import { ProposalDetails, proposalErrors } from "./proposal.js";
import type { ProposalRow } from "./proposal-store.js";
import { planVotes, type VotePlan, votesLeft, wrongStatus } from "./vote-plan.js";
import { voteStateOf } from "./vote-state.js";

/** Gap 39. */
export const voteAndExecuteProposal = endpoint(
  {
    operation: "voteAndExecuteProposal",
    summary: "Approve and execute a proposal",
    description:
      "Prepares one transaction in which the signers approve a proposal, as far as approvals are missing, and one of them " +
      "executes it. Without a time lock, or with one that has ended.",
    tag: "Proposals",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/proposals/{proposal_address}/vote-and-execute",
    scope: "proposals:write",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), proposal_address: addressText() }),
    body: Type.Object({
      signers: Type.Array(addressText(), { minItems: 1, maxItems: 10 }),
      ...approvalFields,
      ...feeFields,
      feeConfig: Type.Optional(Type.Object(feeConfigFields, otherSpelling)),
    }),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        signers: Type.Array(addressText(), { description: "Who votes or executes in the transaction." }),
        ...preparedProposalFields,
        proposal: ProposalDetails,
      }),
    },
    errors: [
      ...proposalErrors,
      "insufficient_permissions",
      "passkey_session_required",
      "invalid_proposal_status",
      "stale_proposal",
      "unreadable_content",
      "undecided_content",
      "time_lock_not_released",
      "forbidden_account",
      "rent_not_sponsored",
      "invalid_transaction",
      "transaction_too_large",
      "transaction_failed",
      "unsupported_fee_config",
    ],
  },
  async (needs: { readonly db: Db; readonly log: Log; readonly random: Random }, { params, body, network, caller }) => {
    const account = withApproval(await getActingAccount(needs.db, network, caller.tenantId, params.address), body);
    const settings = account.settingsAddress;
    const row = await getProposalRow(needs, network, settings, params.proposal_address);
    const wanted = memberNames(account, body.signers);
    const votes = planApprovals(account, row, wanted);
    const executor = chooseExecutor(account, votes.signers, wanted);
    requireDecided(account, row, votes);
    requireReleased(
      network,
      // What is approved by this very transaction is approved now at the earliest.
      row.chain_status === "approved"
        ? { status: "approved", statusTimestamp: row.status_timestamp }
        : { status: "approved", statusTimestamp: BigInt(Math.floor(network.clock.now() / 1000)) },
      account.settings.timeLockSeconds,
    );
    const feePayer = chooseFeePayer(network, withFeeConfig(body));
    const loaded = await loadProposal(network, row);
    requireApprovable(loaded.verdict);
    const proposal = await describeProposal(network, account, loaded, { callers: wanted });
    const transactionIndex = row.transaction_index;
    const before: Instruction[] = [
      ...(votes.activatedBy === undefined
        ? []
        : [activateProposalInstruction({ settings, transactionIndex, signer: votes.activatedBy })]),
      ...votes.signers.map((signer) => voteInstruction({ action: "approve", settings, transactionIndex, signer })),
    ];
    const signers = [...new Set([...votes.signers, executor])];
    const request = { account, loaded, executor, before, voters: votes.signers, feePayer };
    const prepared = await prepareExecution(needs, network, request);
    const { transaction, kms_payloads, ...fields } = toPreparedFields(prepared);
    return { data: { signers, transactions: [transaction], kms_payloads: [kms_payloads], ...fields, proposal } };
  },
);

/** Clients spell it both ways. */
function withFeeConfig<T extends { fee_config?: object; feeConfig?: object }>({ feeConfig, ...body }: T) {
  return feeConfig === undefined ? body : { ...body, fee_config: body.fee_config ?? feeConfig };
}

/** The approvals that are still missing; none where it is approved. Signers who may only execute do not vote. */
function planApprovals(account: ActingAccount, row: ProposalRow, wanted: readonly string[]): VotePlan {
  const { settings } = account;
  for (const signer of wanted) requirePermission(account, signer, CAN_VOTE_BIT | CAN_EXECUTE_BIT, "signers");
  const state = voteStateOf(row);
  if (state.status === "approved") return { activatedBy: undefined, signers: [] };
  const voters = wanted.filter((signer) =>
    settings.signers.some(({ address, mask }) => address === signer && (mask & CAN_VOTE_BIT) !== 0),
  );
  const fresh = voters.filter((signer) => !state.approved.some((address) => address === signer));
  // No signer is left who could add what is missing; the status says whether anything is.
  if (fresh.length === 0) return { activatedBy: undefined, signers: [] };
  return planVotes(settings, state, "approve", fresh);
}

function chooseExecutor(account: ActingAccount, voting: readonly Address[], wanted: readonly string[]): Address {
  const mayExecute = (signer: string) =>
    account.settings.signers.some(({ address, mask }) => address === signer && (mask & CAN_EXECUTE_BIT) !== 0);
  const executor = [...voting, ...wanted].find(mayExecute);
  if (executor === undefined) {
    throw new TrellisError("insufficient_permissions", {
      field: "signers",
      message: "None of the signers holds CAN_EXECUTE.",
    });
  }
  return requirePermission(account, executor, CAN_EXECUTE_BIT, "signers");
}

function requireDecided(account: ActingAccount, row: ProposalRow, votes: VotePlan): void {
  const state = voteStateOf(row);
  if (state.status !== "approved") {
    if (state.status !== "active" && state.status !== "draft") {
      throw wrongStatus(state.status, "Only an active or approved proposal can be executed.");
    }
    const missing = votesLeft(account.settings, state, "approve") - votes.signers.length;
    if (missing > 0) {
      throw new TrellisError("insufficient_permissions", {
        field: "signers",
        message: `With these signers ${missing} more approvals would be needed.`,
        facts: { votes_needed: missing },
      });
    }
  }
  requireNotStale(account.settings.staleTransactionIndex, row);
}
