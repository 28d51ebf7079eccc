import { type Address, isAddress } from "@solana/addresses";
import { type AccountHolder, addressesOfHolder } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import { assertSaidApprovable, assertStoredApprovable } from "./assert-approvable.js";
import { assertExecutionMatches, type ExpectedExecution } from "./assert-execution.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import { assertShown, contentShown, type ShownProposal } from "./assert-shown.js";
import { assertVotesMatch } from "./assert-votes.js";
import type { GivenAmount } from "./base-units.js";
import { type ReadAccounts, readHeld } from "./begun-earlier.js";
import { createBufferCalls } from "./close-buffers.js";
import { decodeBase64 } from "./encoding.js";
import { type DecodedTransaction, decodeTransaction } from "./inspect/decode-transaction.js";
import type { LookupTables } from "./inspect/decode-wrapped-message.js";
import type { Currencies } from "./mints.js";
import { assertSummaryIs, type ProposalContent } from "./proposal-content.js";
import { type ProposalLimits, readProposalCalls } from "./proposal-frame.js";
import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type {
  CreateProposalRequest,
  ExecuteProposalRequest,
  ListProposalsQuery,
  PreparedExecution,
  PreparedProposal,
  PreparedVote,
  Proposal,
  ProposalDetails,
  ProposedAction,
  VoteAction,
  VoteAndExecuteRequest,
  VoteRequest,
} from "./wire.js";

/** What is to be put to a vote. */
export type ProposedContent =
  | (GivenAmount & {
      readonly type: "transfer";
      /** Symbol (`sol`, `usdc`, …) or mint address. */
      readonly currency: string;
      /** An owner's address, or a token account when `destinationIsTokenAccount` is set. */
      readonly destination: string;
      readonly destinationIsTokenAccount?: boolean;
      /** True: `destination` is an address that a program signs for, such as a vault that was never used (gap 147). */
      readonly confirmProgramAddress?: boolean;
      /** What the payee is to read with it, at most 256 bytes. */
      readonly memo?: string;
      /** Decimals of the mint, when the caller knows them. */
      readonly decimals?: number;
    })
  /** Up to ten changes of the settings, in the order in which they take effect. */
  | { readonly type: "settings"; readonly actions: readonly ProposedAction[] }
  /** A transaction of the caller's own, with the smart account as payer and authority. */
  | { readonly type: "custom"; readonly transaction: string; readonly lookupTables?: LookupTables }
  /** Two to twenty of them, voted on together and executed one after the other (gap 109). */
  | { readonly type: "batch"; readonly transactions: readonly string[]; readonly lookupTables?: LookupTables };

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
  /** Who proposes; default: the first of the holder's addresses. */
  readonly signer?: string;
};

/** Votes to be prepared, checked, signed and submitted in one go. */
export type CastVotes = AboutProposal & {
  readonly action: VoteAction;
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
  /** Who executes; default: the first of the holder's addresses. */
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

/** One page of proposals; without `nextCursor` it is the last. */
export type ProposalPage = { readonly proposals: readonly Proposal[]; readonly nextCursor?: string };

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
  const pathOf = (account: string, proposal?: string, action?: string): string =>
    `/accounts/${[account, "proposals", proposal, action]
      .filter((part) => part !== undefined)
      .map(encodeURIComponent)
      .join("/")}`;

  const pageOf = (account: string, query: ListProposalsQuery) => needs.getPage<Proposal>(pathOf(account), query);

  const proposals = {
    /** Prepares a proposal (gap 36). Check it before signing, or use `create`, which does. */
    prepareCreate: (account: string, request: CreateProposalRequest, callOptions?: CallOptions) =>
      needs.post<PreparedProposal>(pathOf(account), request, callOptions),
    /** Proposes a transfer, a change of the settings or a transaction of the caller's own, and opens the vote on it. */
    create: async (
      creation: CreateProposal,
      submitOptions: SubmitOptions<ProposalPlace> = {},
    ): Promise<ProposalReceipt> => {
      const account = requireAddress(creation.account);
      const content = contentOf(creation.content, needs);
      const approve = creation.approve ?? false;
      const signer = requireAddress(creation.signer ?? firstOf(creation));
      const request = { ...requestOf(creation.content, needs), signer, approve };
      return needs.act(submitOptions, {
        account,
        holder: creation,
        prepare: (options) => proposals.prepareCreate(account, request, options),
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
    },
    ...createBufferCalls(needs),
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
    /** Reads one proposal and what it would do (interface 4.11). */
    get: (account: string, proposal: string, query: Pick<ListProposalsQuery, "showOnChainStatus"> = {}) =>
      needs.get<ProposalDetails>(pathOf(account, proposal), query),
    /** Prepares votes (interface 4.12). Check them before signing, or use `vote`, which does. */
    prepareVote: (account: string, proposal: string, request: VoteRequest, callOptions?: CallOptions) =>
      needs.post<PreparedVote>(pathOf(account, proposal, "vote"), request, callOptions),
    /** Approves, rejects or cancels a proposal. Those who have cast this vote already are left out. */
    vote: async (vote: CastVotes, submitOptions: SubmitOptions<Participation> = {}): Promise<VoteReceipt> => {
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
        prepare: (options) => proposals.prepareVote(account, proposal, request, options),
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
          if (isApproval) await assertApprovable([decoded], prepared.proposal, approveUnreadable);
          return { members, membersOnly: true, receipt: participationIn(prepared.proposal, members) };
        },
      });
    },
    /** Prepares an execution (gap 39). Check it before signing, or use `execute`, which does. */
    prepareExecute: (account: string, proposal: string, request: ExecuteProposalRequest, callOptions?: CallOptions) =>
      needs.post<PreparedExecution>(pathOf(account, proposal, "execute"), request, callOptions),
    /** Executes an approved proposal whose time lock is over. */
    execute: async (
      execution: ExecuteProposal,
      submitOptions: SubmitOptions<Participation> = {},
    ): Promise<VoteReceipt> => {
      const { account, proposal } = targetOf(execution);
      const signer = requireAddress(execution.signer ?? firstOf(execution));
      return needs.act(submitOptions, {
        account,
        holder: execution,
        prepare: (options) => proposals.prepareExecute(account, proposal, { signer }, options),
        check: (prepared) => checkExecution(execution, prepared, { signers: [signer] }),
      });
    },
    /** Prepares approvals and the execution after them (gap 39). */
    prepareVoteAndExecute: (
      account: string,
      proposal: string,
      request: VoteAndExecuteRequest,
      callOptions?: CallOptions,
    ) => needs.post<PreparedExecution>(pathOf(account, proposal, "vote-and-execute"), request, callOptions),
    /** Approves a proposal and executes it at once. */
    voteAndExecute: async (
      execution: VoteAndExecute,
      submitOptions: SubmitOptions<Participation> = {},
    ): Promise<VoteReceipt> => {
      const { account, proposal } = targetOf(execution);
      const signers = (execution.signers ?? addressesOfHolder(execution)).map(requireAddress);
      return needs.act(submitOptions, {
        account,
        holder: execution,
        prepare: (options) => proposals.prepareVoteAndExecute(account, proposal, { signers }, options),
        check: (prepared) => checkExecution(execution, prepared, { signers, withVotes: true }),
      });
    },
  };

  /** By what the service says, and where there is a node of the caller's own, by what the chain holds. */
  const assertApprovable = async (
    transactions: readonly DecodedTransaction[],
    said: ProposalDetails,
    approveUnreadable: boolean,
  ): Promise<void> => {
    assertSaidApprovable(said, approveUnreadable);
    const { readAccounts } = needs;
    const [call] = transactions.flatMap((transaction) => readProposalCalls(transaction).calls);
    if (readAccounts === undefined || call === undefined) return;
    const { transactionIndex } = said;
    const approval = { settings: call.settings, transactionIndex, approveUnreadable };
    await assertStoredApprovable(readAccounts, approval, said);
  };

  const checkExecution = async (
    execution: AboutProposal & { readonly content?: ProposedContent; readonly shown?: ShownProposal },
    prepared: PreparedExecution,
    who: Pick<ExpectedExecution, "signers" | "withVotes">,
  ) => {
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
    await assertApprovable(decoded, prepared.proposal, false);
    const membersOf = (transaction: string) => {
      const { requiredSigners } = decodeTransaction(transaction);
      return members.filter((member) => requiredSigners.includes(member));
    };
    return { members: membersOf, membersOnly: true, receipt: participationIn(prepared.proposal, members) };
  };

  return proposals;
}

/** What the service says about the proposal has to fit what the caller thinks. */
function assertSaid(
  said: ProposalDetails,
  account: Address,
  proposal: Address,
  content: ProposalContent | undefined,
): void {
  if (said.proposalAddress !== proposal) {
    throw new TransactionMismatchError("proposal", "the service speaks of another proposal", {
      expected: proposal,
      actual: said.proposalAddress,
    });
  }
  if (content !== undefined) assertSummaryIs(said.summary, content, account);
}

function targetOf(about: AboutProposal): { readonly account: Address; readonly proposal: Address } {
  return { account: requireAddress(about.account), proposal: requireAddress(about.proposal) };
}

function contentIn(
  { content, shown }: { readonly content?: ProposedContent; readonly shown?: ShownProposal },
  currencies: Currencies,
): ProposalContent | undefined {
  if (content !== undefined) return contentOf(content, currencies);
  return shown && contentShown(shown);
}

function contentOf(content: ProposedContent, { mintOf, exactAmount }: Currencies): ProposalContent {
  if (content.type !== "transfer") return content;
  const { currency, destination, destinationIsTokenAccount, decimals, memo } = content;
  const mint = mintOf(currency);
  return {
    type: "transfer",
    to: requireAddress(destination),
    mint,
    toIsTokenAccount: destinationIsTokenAccount ?? false,
    ...(memo === undefined ? {} : { memo }),
    ...exactAmount(content, mint, decimals),
  };
}

function requestOf(content: ProposedContent, { mintOf, exactAmount }: Currencies) {
  switch (content.type) {
    case "custom":
      return { type: "custom", transaction: content.transaction } as const;
    case "batch":
      return { type: "custom", transactions: content.transactions } as const;
    case "settings":
      return { type: "settings", actions: content.actions } as const;
    case "transfer": {
      const { currency, decimals, memo } = content;
      const destination =
        content.confirmProgramAddress === true
          ? { address: content.destination, confirm_program_address: true }
          : content.destination;
      const { amount } = exactAmount(content, mintOf(currency), decimals);
      const named = isAddress(currency) ? { mint: currency } : { currency };
      const noted = memo === undefined ? {} : { memo };
      return { type: "transfer", amount: amount.toString(), destination, ...noted, ...named } as const;
    }
  }
}

function placeOf({ proposalAddress, transactionIndex }: ProposalPlace): ProposalPlace {
  return { proposalAddress, transactionIndex };
}

function participationIn(proposal: ProposalDetails, signers: readonly string[]): Participation {
  return { ...placeOf(proposal), signers, proposal };
}

function firstOf(holder: AccountHolder): string {
  const [first] = addressesOfHolder(holder);
  if (first === undefined) throw new TypeError("nobody signs: give a session, keys, or both");
  return first;
}
