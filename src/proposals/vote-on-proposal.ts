import type { Address, Instruction } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { activateProposalInstruction, voteInstruction } from "@trellis/program-client";
import Type from "typebox";
import { memberNames } from "../accounts/passkey-members.js";
import { approvalFields, getActingAccount, withApproval } from "../transactions/acting-account.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { requireApprovable } from "../transactions/judge-content.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { describeProposal, knownProposal, loadProposal } from "./describe-proposal.js";
import { getProposalRow } from "./find-proposal.js";
import { growProposal, payersFirst } from "./grow-proposal.js";
import { ProposalDetails, proposalErrors } from "./proposal.js";
import { planVotes } from "./vote-plan.js";
import { voteStateOf } from "./vote-state.js";

/** Interface 4.12, gap 38. */
export const voteOnProposal = endpoint(
  {
    operation: "voteOnProposal",
    summary: "Vote on a proposal",
    description:
      "Prepares one transaction with the votes of several signers. Those who have cast this vote already are left out, and " +
      "those beyond the vote that decides. The votes count when the result is submitted.",
    tag: "Proposals",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/proposals/{proposal_address}/vote",
    scope: "proposals:write",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), proposal_address: addressText() }),
    body: Type.Object({
      action: Type.Enum(["approve", "reject", "cancel"], {
        description: "approve or reject while Active, cancel while Approved.",
      }),
      signers: Type.Array(addressText(), { minItems: 1, maxItems: 10 }),
      approve_unreadable: Type.Optional(
        Type.Boolean({
          description: "True: approve also what cannot be read here (warning `unreadable_content`).",
        }),
      ),
      ...approvalFields,
      ...feeFields,
    }),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        signers: Type.Array(addressText(), { description: "Whose votes are in the transaction." }),
        ...preparedFields,
        proposal: ProposalDetails,
      }),
    },
    errors: [
      ...proposalErrors,
      "insufficient_permissions",
      "passkey_session_required",
      "already_voted",
      "invalid_proposal_status",
      "stale_proposal",
      "unreadable_content",
      "undecided_content",
      "insufficient_balance",
      "transaction_too_large",
      "transaction_failed",
      "submission_in_progress",
      "forbidden_account",
      "unsupported_fee_config",
    ],
  },
  async (needs: { readonly db: Db; readonly log: Log; readonly random: Random }, { params, body, network, caller }) => {
    const account = withApproval(await getActingAccount(needs.db, network, caller.tenantId, params.address), body);
    const settings = account.settingsAddress;
    const row = await getProposalRow(needs, network, settings, params.proposal_address);
    const { action } = body;
    const named = memberNames(account, body.signers);
    const { activatedBy, signers } = planVotes(
      account.settings,
      voteStateOf(row),
      action,
      action === "cancel" ? payersFirst(account, named) : named,
    );
    const feePayer = chooseFeePayer(network, body);
    const transactionIndex = row.transaction_index;
    const growth = action === "cancel" ? await growProposal(network, account, row, signers, feePayer) : undefined;
    const loaded = await loadProposal(network, row);
    if (action === "approve") requireApprovable(loaded.verdict, body.approve_unreadable);
    const instructions: Instruction[] = [
      ...(growth ? [growth.instruction] : []),
      ...(activatedBy === undefined
        ? []
        : [activateProposalInstruction({ settings, transactionIndex, signer: activatedBy })]),
      ...signers.map((signer) => voteInstruction({ action, settings, transactionIndex, signer })),
    ];
    const prepared = await prepareInstructions(needs, network, {
      kind: "vote",
      account,
      signers: withFirst(signers, activatedBy),
      instructions,
      feePayer,
      ...(growth ? { rentLamports: growth.lamports } : {}),
      facts: { proposals: knownProposal(loaded, settings) },
    });
    const proposal = await describeProposal(network, account, loaded, { callers: named });
    return { data: { signers: [...signers], ...toPreparedFields(prepared), proposal } };
  },
);

function withFirst(signers: readonly Address[], first: Address | undefined): readonly Address[] {
  return first === undefined || signers.includes(first) ? signers : [first, ...signers];
}
