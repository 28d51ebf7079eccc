import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getActingAccount } from "../transactions/acting-account.js";
import { describeProposal, loadProposal } from "./describe-proposal.js";
import { getProposalRow } from "./find-proposal.js";
import { ProposalDetails, proposalErrors } from "./proposal.js";

/** Interface 4.11, gap 40. Read from the chain at the moment of asking. */
export const getProposal = endpoint(
  {
    operation: "getProposal",
    summary: "Read a proposal",
    description:
      "The proposal as the chain has it now, with what it would do once it is executed, whose balances that would change, " +
      "and what to know before one agrees to it.",
    tag: "Proposals",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/proposals/{proposal_address}",
    scope: "proposals:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), proposal_address: addressText() }),
    query: Type.Object({
      showOnChainStatus: Type.Optional(Type.Boolean({ description: "True: the status as the chain has it." })),
    }),
    response: { status: 200, envelope: true, schema: ProposalDetails },
    errors: [...proposalErrors],
  },
  async (needs: { readonly db: Db; readonly log: Log }, { params, query, network, caller }) => {
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const row = await getProposalRow(needs, network, account.settingsAddress, params.proposal_address);
    const loaded = await loadProposal(network, row);
    const showOnChainStatus = query.showOnChainStatus === true;
    return { data: await describeProposal(network, account, loaded, { showOnChainStatus }) };
  },
);
