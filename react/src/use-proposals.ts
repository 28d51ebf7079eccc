import type { ListProposalsQuery, Proposal, ProposalDetails, ProposedContent, VoteAction } from "@trellis/sdk";
import { useSyncExternalStore } from "react";
import type { DecisionState } from "./decisions.js";
import { explainError } from "./explain-error.js";
import { useConnection } from "./provider.js";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

const usualPollMs = 15_000;
const usualLimit = 20;
const idle: DecisionState = { status: "idle" };
const nothingDecided: ReadonlyMap<string, DecisionState> = new Map();
const subscribeToNothing = () => () => undefined;
const getNothing = () => nothingDecided;

export type ProposalsOptions = ReadOptions & Pick<ListProposalsQuery, "status" | "limit">;

/** What one does about proposals. No function rejects; while one is under way, doing more to the same proposal does nothing. */
export type Proposals = Read<readonly Proposal[]> & {
  /** Where the last thing that was done about a proposal stands; without one, the last thing that was proposed. */
  readonly stateOf: (proposal?: string) => DecisionState;
  /** Puts something to a vote, and approves it at once where `approve` says so. */
  readonly propose: (content: ProposedContent, options?: { readonly approve?: boolean }) => Promise<DecisionState>;
  /** `content`: what one thinks is voted on; where the service says that it is something else, nothing is signed. */
  readonly vote: (proposal: string, action: VoteAction, content?: ProposedContent) => Promise<DecisionState>;
  /** Carries out what is approved and past its time lock. */
  readonly execute: (proposal: string, content?: ProposedContent) => Promise<DecisionState>;
  /** Both at once, where the last vote is missing. */
  readonly approveAndExecute: (proposal: string, content?: ProposedContent) => Promise<DecisionState>;
};

/**
 * The newest proposals of the account that is signed in, and taking part in its votes. A publishable key needs
 * `proposals:read` and `proposals:write` for it.
 */
export function useProposals(options: ProposalsOptions = {}): Proposals {
  const { pollMs = usualPollMs, limit = usualLimit, status } = options;
  const connection = useConnection();
  const query: ListProposalsQuery = { limit, ...(status === undefined ? {} : { status }) };
  const reading = useReading(
    `proposals ${JSON.stringify(query)}`,
    async (client, account) => (await client.proposals.page(account, query)).proposals,
    pollMs,
  );
  const acts = connection.acts();
  const states = acts?.decisions.states;
  const decided = useSyncExternalStore(
    states?.subscribe ?? subscribeToNothing,
    states?.get ?? getNothing,
    states?.get ?? getNothing,
  );
  return {
    ...reading,
    stateOf: (proposal = "new") => decided.get(proposal) ?? idle,
    propose: async (content, { approve = false } = {}) => acts?.propose(content, approve) ?? nobody("propose"),
    vote: async (proposal, action, content) => acts?.vote(proposal, action, content) ?? nobody(action),
    execute: async (proposal, content) => acts?.execute(proposal, content) ?? nobody("execute"),
    approveAndExecute: async (proposal, content) =>
      acts?.approveAndExecute(proposal, content) ?? nobody("approve-and-execute"),
  };
}

/** One proposal and what it would do. */
export function useProposal(proposal: string, { pollMs = 0 }: ReadOptions = {}): Read<ProposalDetails> {
  return useReading(`proposal ${proposal}`, (client, account) => client.proposals.get(account, proposal), pollMs);
}

function nobody(action: Exclude<DecisionState, { readonly status: "idle" }>["action"]): DecisionState {
  return { status: "refused", action, error: explainError(new Error("Nobody is signed in.")) };
}
