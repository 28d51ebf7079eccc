import type { Address } from "@solana/addresses";
import { type AccountHolder, addressesOfHolder } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import { assertApprovable, assertSaid } from "./assert-approvable.js";
import { assertExecutionMatches, type ExpectedExecution } from "./assert-execution.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import { assertShown, type ShownProposal } from "./assert-shown.js";
import { assertVotesMatch, type ExpectedVotes } from "./assert-votes.js";
import { type ReadAccounts, readHeld } from "./begun-earlier.js";
import { createBufferCalls } from "./close-buffers.js";
import { decodeBase64 } from "./encoding.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import type { Currencies } from "./mints.js";
import type { ProposalLimits } from "./proposal-frame.js";
import { createProposalLists, createProposalPreparations } from "./proposal-requests.js";
import { contentIn, contentOf, type ProposedContent, requestOf } from "./proposed-content.js";
import { accountPath, type ServiceCalls } from "./service-calls.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import type { Account, Permission, PreparedExecution, ProposalDetails, VoteAction } from "./wire.js";

type AboutAccount = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  readonly limits?: ProposalLimits;
};

type AboutProposal = AboutAccount & { readonly proposal: string };

/** A proposal to be prepared, checked, signed and submitted in one go. */
export type CreateProposal = AboutAccount & {
  readonly content: ProposedContent;
  /** True: the proposer approves in the same transaction. */
  readonly approve?: boolean;
  /** Who proposes; default: the first of the holder's addresses that may. Of several, that is read from the account (`accounts:read`). */
  readonly signer?: string;
};

/** Votes to be prepared, checked, signed and submitted in one go. */
export type CastVotes = AboutProposal & {
  readonly action: VoteAction;
  readonly limits?: Pick<ExpectedVotes, "maxGrowthLamports">;
  /** Who votes; default: everybody the holder can sign for. */
  readonly signers?: readonly string[];
  /** What the caller thinks is voted on. With it, a vote is refused on what the service says is something else. */
  readonly content?: ProposedContent;
  /**
   * What `proposals.get` answered and a person was shown. With it, nothing is signed where the service meanwhile says something
   * else, or warns of something that was not shown.
   */
  readonly shown?: ShownProposal;
  /**
   * True: approve also what cannot be read, as a proposal of another client that grants a policy. What is not decided yet, as
   * a place of a lookup table without an entry, is never approved.
   */
  readonly approveUnreadable?: boolean;
};

/** An execution to be prepared, checked, signed and submitted in one go. */
export type ExecuteProposal = AboutProposal & {
  /** Who executes; default: the first of the holder's addresses that may. Of several, that is read from the account (`accounts:read`). */
  readonly signer?: string;
  /** What the caller thinks is executed; see the README for what that proves. */
  readonly content?: ProposedContent;
  /** As in a vote. */
  readonly shown?: ShownProposal;
};

/** The same with approvals in front. */
export type VoteAndExecute = AboutProposal & {
  /** Who approves, and of whom one executes; default: everybody the holder can sign for. */
  readonly signers?: readonly string[];
  readonly content?: ProposedContent;
  /** As in a vote. */
  readonly shown?: ShownProposal;
};

/** Which proposal. */
export type ProposalPlace = { readonly proposalAddress: string; readonly transactionIndex: number };

/** What became of a transaction about a proposal. */
export type ProposalReceipt = ProposalPlace & Confirmation;

/** Who took part, and what the service said about the proposal before. */
export type Participation = ProposalPlace & {
  readonly signers: readonly string[];
  readonly proposal: ProposalDetails;
};

export type VoteReceipt = Participation & Confirmation;

/** What the proposal calls need of the client they are part of. */
type ProposalNeeds = Currencies &
  ServiceCalls & {
    readonly act: Act;
    /** Asks a node of the caller's own; absent: there is none. */
    readonly readAccounts: ReadAccounts | undefined;
  };

/**
 * The proposal calls of a client (interface 4.10 to 4.12; gaps 36 to 40). Those that act make sure that the prepared
 * bytes do what was asked for and nothing else; they reject with `TransactionMismatchError` otherwise, before anything
 * is signed, and with `OutcomeUnknownError` when what was signed may have taken effect.
 */
export function createProposalCalls(needs: ProposalNeeds) {
  const requests = createProposalPreparations(needs);
  const parts: Parts = { needs, requests };
  return {
    ...requests,
    ...createBufferCalls(needs),
    ...createProposalLists(needs),
    /** Proposes a transfer, a change of the settings or a transaction of the caller's own, and opens the vote on it. */
    create: (creation: CreateProposal, submitOptions: SubmitOptions<ProposalPlace> = {}): Promise<ProposalReceipt> =>
      propose(parts, creation, submitOptions),
    /** Approves, rejects or cancels a proposal. Those who have cast this vote already are left out. */
    vote: (vote: CastVotes, submitOptions: SubmitOptions<Participation> = {}): Promise<VoteReceipt> =>
      castVotes(parts, vote, submitOptions),
    /** Executes an approved proposal whose time lock is over. */
    execute: (execution: ExecuteProposal, submitOptions: SubmitOptions<Participation> = {}): Promise<VoteReceipt> =>
      execute(parts, execution, submitOptions),
    /** Approves a proposal and executes it at once. */
    voteAndExecute: (
      execution: VoteAndExecute,
      submitOptions: SubmitOptions<Participation> = {},
    ): Promise<VoteReceipt> => voteAndExecute(parts, execution, submitOptions),
  };
}

type Parts = { readonly needs: ProposalNeeds; readonly requests: ReturnType<typeof createProposalPreparations> };

async function propose(
  { needs, requests }: Parts,
  creation: CreateProposal,
  submitOptions: SubmitOptions<ProposalPlace>,
): Promise<ProposalReceipt> {
  const account = requireAddress(creation.account);
  const content = contentOf(creation.content, needs);
  const approve = creation.approve ?? false;
  const signer = requireAddress(
    creation.signer ??
      (await signerWho(needs, creation, ["CAN_INITIATE", ...(approve ? (["CAN_VOTE"] as const) : [])])),
  );
  const request = { ...requestOf(creation.content, needs), signer, approve };
  return needs.act(submitOptions, {
    account,
    holder: creation,
    prepare: (options) => requests.prepareCreate(account, request, options),
    check: async (prepared) => {
      const decoded = prepared.transactions.map((text) => decodeTransaction(text));
      assertProposalCreationMatches(decoded, {
        ...creation.limits,
        account,
        proposal: requireAddress(prepared.proposalAddress),
        transactionIndex: prepared.transactionIndex,
        content,
        creators: [signer],
        approvers: approve ? [signer] : [],
        mustApprove: approve ? [signer] : [],
        ...(prepared.buffer ? { bufferMessage: decodeBase64(prepared.buffer.message) } : {}),
        ...(prepared.batch ? { begunTransactions: prepared.batch.stored } : {}),
        ...(await readHeld(needs.readAccounts, decoded, content, prepared.transactionIndex)),
      });
      return { members: [signer], membersOnly: true, receipt: placeOf(prepared) };
    },
    // Only the last one puts anything to a vote.
    takesEffectAtTheEnd: true,
  });
}

async function castVotes(
  { needs, requests }: Parts,
  vote: CastVotes,
  submitOptions: SubmitOptions<Participation>,
): Promise<VoteReceipt> {
  const { account, proposal } = targetOf(vote);
  const signers = (vote.signers ?? addressesOfHolder(vote)).map(requireAddress);
  const content = contentIn(vote, needs);
  const approveUnreadable = vote.approveUnreadable ?? false;
  const isApproval = vote.action === "approve";
  const request = {
    action: vote.action,
    signers,
    ...(isApproval && approveUnreadable ? { approve_unreadable: true } : {}),
  };
  return needs.act(submitOptions, {
    account,
    holder: vote,
    prepare: (options) => requests.prepareVote(account, proposal, request, options),
    check: async (prepared) => {
      assertSaid(prepared.proposal, account, proposal, content);
      if (vote.shown) assertShown(prepared.proposal, vote.shown, vote.action !== "approve");
      const decoded = decodeTransaction(prepared.transaction);
      const members = assertVotesMatch(decoded, {
        ...vote.limits,
        account,
        proposal,
        transactionIndex: prepared.proposal.transactionIndex,
        action: vote.action,
        signers,
      });
      if (isApproval) await assertApprovable(needs.readAccounts, [decoded], prepared.proposal, approveUnreadable);
      return { members, membersOnly: true, receipt: participationIn(prepared.proposal, members) };
    },
  });
}

async function execute(
  { needs, requests }: Parts,
  execution: ExecuteProposal,
  submitOptions: SubmitOptions<Participation>,
): Promise<VoteReceipt> {
  const { account, proposal } = targetOf(execution);
  const signer = requireAddress(execution.signer ?? (await signerWho(needs, execution, ["CAN_EXECUTE"])));
  return needs.act(submitOptions, {
    account,
    holder: execution,
    prepare: (options) => requests.prepareExecute(account, proposal, { signer }, options),
    check: (prepared) => checkExecution(needs, execution, prepared, { signers: [signer] }),
  });
}

async function voteAndExecute(
  { needs, requests }: Parts,
  execution: VoteAndExecute,
  submitOptions: SubmitOptions<Participation>,
): Promise<VoteReceipt> {
  const { account, proposal } = targetOf(execution);
  const signers = (execution.signers ?? addressesOfHolder(execution)).map(requireAddress);
  return needs.act(submitOptions, {
    account,
    holder: execution,
    prepare: (options) => requests.prepareVoteAndExecute(account, proposal, { signers }, options),
    check: (prepared) => checkExecution(needs, execution, prepared, { signers, withVotes: true }),
  });
}

async function checkExecution(
  needs: ProposalNeeds,
  execution: AboutProposal & { readonly content?: ProposedContent; readonly shown?: ShownProposal },
  prepared: PreparedExecution,
  who: Pick<ExpectedExecution, "signers" | "withVotes">,
) {
  const { account, proposal } = targetOf(execution);
  const content = contentIn(execution, needs);
  assertSaid(prepared.proposal, account, proposal, content);
  if (execution.shown) assertShown(prepared.proposal, execution.shown);
  const decoded = prepared.transactions.map((text) => decodeTransaction(text));
  const members = assertExecutionMatches(decoded, {
    ...execution.limits,
    ...who,
    account,
    proposal,
    transactionIndex: prepared.proposal.transactionIndex,
    ...(content === undefined ? {} : { content }),
  });
  await assertApprovable(needs.readAccounts, decoded, prepared.proposal, false);
  const membersOf = (transaction: string) => {
    const { requiredSigners } = decodeTransaction(transaction);
    return members.filter((member) => requiredSigners.includes(member));
  };
  return { members: membersOf, membersOnly: true, receipt: participationIn(prepared.proposal, members) };
}

function targetOf(about: AboutProposal): { readonly account: Address; readonly proposal: Address } {
  return { account: requireAddress(about.account), proposal: requireAddress(about.proposal) };
}

function placeOf({ proposalAddress, transactionIndex }: ProposalPlace): ProposalPlace {
  return { proposalAddress, transactionIndex };
}

function participationIn(proposal: ProposalDetails, signers: readonly string[]): Participation {
  return { ...placeOf(proposal), signers, proposal };
}

/**
 * The first of a holder's addresses that has all of these permissions in the account. Where none has them it is the first, and the service
 * says what it lacks. Rejects with a `TypeError` when there is no signer.
 */
async function signerWho(
  { get }: Pick<ProposalNeeds, "get">,
  about: AboutAccount,
  wanted: readonly Permission[],
): Promise<string> {
  const addresses = addressesOfHolder(about);
  const [first = "", ...others] = addresses;
  if (others.length === 0) return first;
  const { policies } = await get<Account>(accountPath(about.account));
  const may = (address: string) =>
    policies.signers.some((one) => one.address === address && wanted.every((each) => one.permissions.includes(each)));
  return addresses.find(may) ?? first;
}
