import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type {
  AccountProposal,
  CreateProposalRequest,
  ExecuteProposalRequest,
  ListAllProposalsQuery,
  ListProposalsQuery,
  PreparedExecution,
  PreparedProposal,
  PreparedVote,
  Proposal,
  ProposalDetails,
  VoteAndExecuteRequest,
  VoteRequest,
} from "./wire.js";

/** One page of proposals; without `nextCursor` it is the last. */
export type ProposalPage = { readonly proposals: readonly Proposal[]; readonly nextCursor?: string };

/** One page of proposals of all accounts; without `nextCursor` it is the last. */
export type AccountProposalPage = { readonly proposals: readonly AccountProposal[]; readonly nextCursor?: string };

function pathOf(account: string, proposal?: string, action?: string): string {
  return `/accounts/${[account, "proposals", proposal, action]
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join("/")}`;
}

/** The calls that read proposals. */
export function createProposalLists({ get, getPage }: ServiceCalls) {
  const pageOf = (account: string, query: ListProposalsQuery) => getPage<Proposal>(pathOf(account), query);
  return {
    /** Reads one page of an account's proposals, newest first (interface 4.10, gap 37). */
    page: async (account: string, query: ListProposalsQuery = {}): Promise<ProposalPage> => {
      const { items, ...rest } = await pageOf(account, query);
      return { proposals: items, ...rest };
    },
    /**
     * All proposals of an account that the query asks for, newest first, page by page as they are read.
     *
     * @example
     * for await (const proposal of trellis.proposals.list(account, { status: "Active" })) console.log(proposal.proposalAddress);
     */
    list: (account: string, query: ListProposalsQuery = {}) => paginate(query, (next) => pageOf(account, next)),
    /** Reads one page of the proposals of all accounts, newest first (gap 209). */
    pageOfAll: async (query: ListAllProposalsQuery = {}): Promise<AccountProposalPage> => {
      const { items, ...rest } = await getPage<AccountProposal>("/proposals", query);
      return { proposals: items, ...rest };
    },
    /**
     * The proposals of all accounts that the query asks for, newest first, page by page as they are read.
     *
     * @example
     * for await (const { account, proposalAddress } of trellis.proposals.listAll({ waiting_for: wallet })) console.log(account);
     */
    listAll: (query: ListAllProposalsQuery = {}) =>
      paginate(query, (next) => getPage<AccountProposal>("/proposals", next)),
    /** Reads one proposal and what it would do (interface 4.11). */
    get: (account: string, proposal: string, query: Pick<ListProposalsQuery, "showOnChainStatus"> = {}) =>
      get<ProposalDetails>(pathOf(account, proposal), query),
  };
}

/** The calls that prepare what opens, decides or executes a proposal. */
export function createProposalPreparations({ post }: ServiceCalls) {
  return {
    /** Prepares a proposal (gap 36). Check it before signing, or use `create`, which does. */
    prepareCreate: (account: string, request: CreateProposalRequest, callOptions?: CallOptions) =>
      post<PreparedProposal>(pathOf(account), request, callOptions),
    /** Prepares votes (interface 4.12). Check them before signing, or use `vote`, which does. */
    prepareVote: (account: string, proposal: string, request: VoteRequest, callOptions?: CallOptions) =>
      post<PreparedVote>(pathOf(account, proposal, "vote"), request, callOptions),
    /** Prepares an execution (gap 39). Check it before signing, or use `execute`, which does. */
    prepareExecute: (account: string, proposal: string, request: ExecuteProposalRequest, callOptions?: CallOptions) =>
      post<PreparedExecution>(pathOf(account, proposal, "execute"), request, callOptions),
    /** Prepares approvals and the execution after them (gap 39). */
    prepareVoteAndExecute: (
      account: string,
      proposal: string,
      request: VoteAndExecuteRequest,
      callOptions?: CallOptions,
    ) => post<PreparedExecution>(pathOf(account, proposal, "vote-and-execute"), request, callOptions),
  };
}
