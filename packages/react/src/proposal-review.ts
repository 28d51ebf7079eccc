import type { BalanceChange, ProposalDetails, ProposalWarning, SummaryEntry } from "@trellis/sdk";
import { describeEntry } from "./describe-entry.js";
import type { SentencePart, SpellAmount } from "./sentence.js";

/** One thing that a proposal does. */
export type ReviewedEffect = {
  /** No other effect of the review has it, not even one that does the same. */
  readonly key: string;
  /** As a sentence for people, with whole addresses. */
  readonly parts: readonly SentencePart[];
  /** False: what it does cannot be said here, and `parts` shows the raw entry. */
  readonly isReadable: boolean;
  readonly entry: SummaryEntry;
};

export type ReviewedWarning = { readonly code: string; readonly message: string };

/**
 * What has to be displayed to a person before they approve: everything a proposal does and everything the service warns of. Only the
 * hooks make one, of content that was loaded; `approve`, `execute` and `approveAndExecute` take nothing else.
 */
export type ProposalReview = {
  readonly proposal: ProposalDetails;
  readonly effects: readonly ReviewedEffect[];
  /** In plain sentences; those of a kind that is not known here with the service's own. */
  readonly warnings: readonly ReviewedWarning[];
  /** Whose balances would change if it were executed now, from what to what, in base units. */
  readonly balanceChanges: readonly BalanceChange[];
  /** Why executing it now would fail, in the service's words. Undefined: it would not, or is not simulated any more. */
  readonly simulationError: string | undefined;
  /** Of an approved one: when its time lock ends and it can be executed, in Unix milliseconds by the chain's clock. */
  readonly executableAtMs: number | undefined;
  /** Why it cannot be approved here, as a sentence. Undefined: it can. */
  readonly refusal: string | undefined;
};

/** Makes the reviews of one account, and knows those it made. */
export type Reviews = {
  readonly of: (details: ProposalDetails) => ProposalReview;
  readonly isMade: (review: ProposalReview) => boolean;
};

/** These say that there is more to it than can be displayed. */
const unreadable: ReadonlySet<string> = new Set(["unreadable_content", "undecided_content"]);

const unreadableHelp =
  "Part of this proposal cannot be read, so it cannot be approved here. You can reject it. Ask its proposer what it does.";

/** In place of the service's words, which are for developers too. */
const warningHelp: Readonly<Record<string, string>> = {
  lowers_threshold: "Fewer people will have to approve payments and changes of the rules.",
  removes_signer: "A signer loses their say in this account.",
  changes_time_lock: "The waiting time gets shorter, so there is less time to stop a payment.",
  grants_spending_limit: "One or more people will be able to pay from this account without any vote.",
  no_time_lock: "More than half of what the account holds leaves at once, and there is no waiting time to stop it.",
  old_approvals: "Some approvals are more than a day old. Check that those who gave them still agree.",
  stale: "The account's rules have changed since this was proposed, so it cannot be decided any more.",
  durable_nonce: "This was prepared to be sent at any time, perhaps long ago. Check who made it, and when.",
  blocks_account: "It could leave this account unable to act, for good. It is not executed here.",
  never_executable: "It can never be executed.",
  simulation_failed: "It would fail if it were executed now. Approve it only if you know why, and what will change.",
  unpayable_destination: "What is paid to one of these addresses is lost. Check each of them with the proposer.",
  not_whole: "Less may arrive than is paid: the token keeps a fee, or runs a program of its own at every payment.",
  grants_delegate: "Another address will be able to take tokens out of this account at any time, without any vote.",
  changes_authority: "It hands over, or gives up, power over an account. This may be irreversible.",
  burns_tokens: "It destroys tokens. No one receives them.",
  pays_out_account:
    "It closes a token account and pays out all the SOL that is in it by then, which may be more than now.",
  grants_policy: "It gives another address a permission over this account that works without any vote.",
  unreadable_content: "Part of it cannot be read, so its effect is unknown.",
  undecided_content: "Part of it is not decided yet and can still change after you approve.",
};

export function createReviews(spell: SpellAmount): Reviews {
  const made = new WeakSet<ProposalReview>();
  const known = new WeakMap<ProposalDetails, ProposalReview>();
  return {
    of: (details) => {
      const before = known.get(details);
      if (before !== undefined) return before;
      // A copy: what was displayed stays what it was, whatever is done to the answer.
      const review = frozen(reviewOf(JSON.parse(JSON.stringify(details)) as ProposalDetails, spell));
      made.add(review);
      known.set(details, review);
      return review;
    },
    isMade: (review) => made.has(review),
  };
}

function reviewOf(proposal: ProposalDetails, spell: SpellAmount): ProposalReview {
  const effects = effectsOf(proposal).map((entry, at) => ({ key: String(at), ...describeEntry(entry, spell), entry }));
  const warnings = viewWarnings(proposal.warnings);
  const isReadable =
    effects.length > 0 &&
    proposal.kind !== "unknown" &&
    effects.every((effect) => effect.isReadable) &&
    !warnings.some(({ code }) => unreadable.has(code));
  const { balanceChanges = [], simulationError, executableAt } = proposal;
  return {
    proposal,
    effects,
    warnings,
    balanceChanges,
    simulationError,
    executableAtMs: executableAt === undefined ? undefined : Date.parse(executableAt),
    refusal: isReadable ? undefined : unreadableHelp,
  };
}

/** The changes of a settings change stand for themselves. */
function effectsOf({ summary }: ProposalDetails): readonly SummaryEntry[] {
  return summary.flatMap((entry) => {
    const { actions } = entry;
    return entry.type === "settings_change" && Array.isArray(actions) && actions.length > 0
      ? actions.map((action: SummaryEntry) => action)
      : [entry];
  });
}

/** Each once, however often it applies: what it means, and which it is of several, as the service says. */
function viewWarnings(warnings: readonly ProposalWarning[]): readonly ReviewedWarning[] {
  const view = warnings.map(({ code, message }): [string, ReviewedWarning] => {
    const help = Object.hasOwn(warningHelp, code) ? warningHelp[code] : undefined;
    const said = help === undefined ? message : `${help} The service says: ${message}`;
    return [JSON.stringify([code, said]), { code, message: said }];
  });
  return [...new Map(view).values()];
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
