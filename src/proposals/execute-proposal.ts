import type { Address } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { CAN_EXECUTE_BIT } from "@trellis/program-client";
import Type from "typebox";
import { memberName } from "../accounts/passkey-members.js";
import { approvalFields, getActingAccount, requirePermission, withApproval } from "../transactions/acting-account.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { toPreparedFields } from "../transactions/prepared-transaction.js";
import { requireReleased } from "../transactions/stored-proposal.js";
import { describeProposal, loadProposal } from "./describe-proposal.js";
import { requireNotStale } from "./execution-plan.js";
import { getProposalRow } from "./find-proposal.js";
import { prepareExecution } from "./prepare-execution.js";
import { preparedProposalFields } from "./prepared-fields.js";
import { ProposalDetails, proposalErrors } from "./proposal.js";
import { wrongStatus } from "./vote-plan.js";

/** Gap 39. */
export const executeProposal = endpoint(
  {
    operation: "executeProposal",
    summary: "Execute a proposal",
    description:
      "Prepares the execution of an approved proposal whose time lock has ended. It happens when the result is submitted.",
    tag: "Proposals",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/proposals/{proposal_address}/execute",
    scope: "proposals:write",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), proposal_address: addressText() }),
    body: Type.Object({
      signer: addressText({ description: "A signer with CAN_EXECUTE." }),
      ...approvalFields,
      ...feeFields,
    }),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        signers: Type.Array(addressText()),
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
    const row = await getProposalRow(needs, network, account.settingsAddress, params.proposal_address);
    const signer: Address = requirePermission(account, memberName(account, body.signer), CAN_EXECUTE_BIT, "signer");
    const status = row.chain_status ?? "closed";
    if (status !== "approved") throw wrongStatus(status, "Only an approved proposal can be executed.");
    requireNotStale(account.settings.staleTransactionIndex, row);
    requireReleased(network, { status, statusTimestamp: row.status_timestamp }, account.settings.timeLockSeconds);
    const feePayer = chooseFeePayer(network, body);
    const loaded = await loadProposal(network, row);
    const proposal = await describeProposal(network, account, loaded, { callers: [signer] });
    const request = { account, loaded, executor: signer, before: [], voters: [], feePayer };
    const prepared = await prepareExecution(needs, network, request);
    const { transaction, kms_payloads, ...fields } = toPreparedFields(prepared);
    return {
      data: { signers: [signer], transactions: [transaction], kms_payloads: [kms_payloads], ...fields, proposal },
    };
  },
);
