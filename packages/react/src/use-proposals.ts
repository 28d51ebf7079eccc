import { type ListProposalsQuery, type Proposal, type ProposalDetails, SignedOutError } from "@trellis/sdk";
import { useSyncExternalStore } from "react";
import { useChosenAccount } from "./account-provider.js";
import type { Acts, ProposableContent } from "./connection.js";
import type { DecisionState } from "./decisions.js";
import { explainError } from "./explain-error.js";
import type { ProposalReview } from "./proposal-review.js";
import { useConnection } from "./provider.js";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

const usualPollMs = 15_000;
const usualLimit = 20;
const idle: DecisionState = { status: "idle" };
const nothingDecided: ReadonlyMap<string, DecisionState> = new Map();
const subscribeToNothing = () => () => undefined;
const getNothing = () => nothingDecided;

export type ProposalsOptions = ReadOptions & Pick<ListProposalsQuery, "status" | "limit">;

/** Putting things to a vote. */
export type Propose = {
  /** Where what was proposed last stands. */
  readonly state: DecisionState;
  /**
   * Puts something to a vote, and approves it at once where `approve` says so: a payment or several, another policy (signers, threshold, time
   * lock), a spending limit, or its end. Where one signer of the user's may propose and another may vote, the one proposes, and then the other
   * approves; `notApproved` in what is done says why that has not happened. Never rejects.
   */
  readonly propose: (content: ProposableContent, options?: { readonly approve?: boolean }) => Promise<DecisionState>;
};

/** What one does about proposals. No function rejects; while one is under way, doing more to the same proposal does nothing. */
export type ProposalActs = {
  /** Where the last thing that was done about a proposal stands; without one, the last thing that was proposed. */
  readonly stateOf: (proposal?: string) => DecisionState;
  /** As that of `usePropose`. */
  readonly propose: Propose["propose"];
  /**
   * Approves what `useProposal` read and the page displayed, and nothing else: where the service meanwhile says something else, or
   * warns of something further, nothing is signed.
   */
  readonly approve: (review: ProposalReview) => Promise<DecisionState>;
  readonly reject: (proposal: string) => Promise<DecisionState>;
  /** Stops what is approved and not executed yet. */
  readonly cancel: (proposal: string) => Promise<DecisionState>;
  /** Executes what is approved and past its time lock; it has to be displayed as well. */
  readonly execute: (review: ProposalReview) => Promise<DecisionState>;
  /** Both at once, where the last approval is missing. */
  readonly approveAndExecute: (review: ProposalReview) => Promise<DecisionState>;
};

/** The newest proposals, and what one does about them. */
export type Proposals = Read<readonly Proposal[]> & ProposalActs;

/**
 * The newest proposals of the chosen account, and taking part in its votes. A publishable key needs
 * `proposals:read` and `proposals:write` for it.
 */
export function useProposals(options: ProposalsOptions = {}): Proposals {
  const { pollMs = usualPollMs, limit = usualLimit, status } = options;
  const query: ListProposalsQuery = { limit, ...(status === undefined ? {} : { status }) };
  const reading = useReading(
    `proposals ${JSON.stringify(query)}`,
    async (client, account) => (await client.proposals.page(account, query)).proposals,
    pollMs,
  );
  return { ...reading, ...useProposalActs() };
}

/**
 * Taking part in votes, on a screen that lists no proposals: it shares its states with `useProposals`. A publishable key needs
 * `proposals:write` for it.
 */
export function useProposalActs(): ProposalActs {
  const acts = useActs();
  const decided = useDecided(acts);
  return {
    stateOf: (proposal = "new") => decided.get(proposal) ?? idle,
    propose: proposeBy(acts),
    approve: async (review) => acts?.approve(review) ?? noCaller("approve"),
    reject: async (proposal) => acts?.stop(proposal, "reject") ?? noCaller("reject"),
    cancel: async (proposal) => acts?.stop(proposal, "cancel") ?? noCaller("cancel"),
    execute: async (review) => acts?.execute(review) ?? noCaller("execute"),
    approveAndExecute: async (review) => acts?.approveAndExecute(review) ?? noCaller("approve-and-execute"),
  };
}

/**
 * Putting things to a vote, on a screen that lists no proposals: it shares its state with `useProposals`. A publishable key needs
 * `proposals:write` for it, and `accounts:read` to propose a policy.
 *
 * @example
 * const { propose } = usePropose();
 * const done = await propose({ type: "policy", changes: { threshold: 2 } }, { approve: true });
 */
export function usePropose(): Propose {
  const acts = useActs();
  return { state: useDecided(acts).get("new") ?? idle, propose: proposeBy(acts) };
}

/** One proposal and what has to be displayed of it before a person approves; undefined until it was read. */
export type OneProposal = Read<ProposalDetails> & { readonly review: ProposalReview | undefined };

/** One proposal and what it would do. */
export function useProposal(proposal: string, { pollMs = 0 }: ReadOptions = {}): OneProposal {
  const reading = useReading(
    `proposal ${proposal}`,
    (client, account) => client.proposals.get(account, proposal),
    pollMs,
  );
  const acts = useActs();
  return { ...reading, review: reading.data && acts?.reviewOf(reading.data) };
}

/** What who is signed in does in the chosen account. */
function useActs(): Acts | undefined {
  const connection = useConnection();
  const account = useChosenAccount();
  return account === undefined ? undefined : connection.acts(account);
}

/** Where everything stands that was done in it. */
function useDecided(acts: Acts | undefined): ReadonlyMap<string, DecisionState> {
  const { subscribe, get } = acts?.decisions.states ?? { subscribe: subscribeToNothing, get: getNothing };
  return useSyncExternalStore(subscribe, get, get);
}

const proposeBy =
  (acts: Acts | undefined): Propose["propose"] =>
  async (content, { approve = false } = {}) =>
    acts?.propose(content, approve) ?? noCaller("propose");

function noCaller(action: Exclude<DecisionState, { readonly status: "idle" }>["action"]): DecisionState {
  return { status: "refused", action, error: explainError(new SignedOutError("no user is signed in")) };
}
