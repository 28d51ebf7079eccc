import type { BalanceChange, ProposalDetails, ProposalWarning, SummaryEntry } from "@trellis/sdk";
import { describeAction, describeEffect, type SentencePart, type SpellAmount } from "./describe-effect.js";

/** One thing that a proposal does. */
export type ReviewedEffect = {
  /** As a sentence for people, with whole addresses. */
  readonly parts: readonly SentencePart[];
  /** False: this version has no words for it, and `parts` shows the raw entry. */
  readonly isReadable: boolean;
  readonly entry: SummaryEntry;
};

export type ReviewedWarning = { readonly code: string; readonly message: string };

/**
 * What a person has to be shown before they approve: everything a proposal does and everything the service warns of. Only the
 * hooks make one, of content that was loaded; `approve`, `execute` and `approveAndExecute` take nothing else.
 */
export type ProposalReview = {
  readonly proposal: ProposalDetails;
  readonly effects: readonly ReviewedEffect[];
  /** In plain sentences; those of a kind that is not known here with the service's own. */
  readonly warnings: readonly ReviewedWarning[];
  /** What would change if it were executed now, in base units. */
  readonly balanceChanges: readonly BalanceChange[];
  /** Why it cannot be approved here, as a sentence. Undefined: it can. */
  readonly refusal: string | undefined;
};

/** Makes the reviews of one account, and knows those it made. */
export type Reviews = {
  readonly of: (details: ProposalDetails) => ProposalReview;
  readonly isMade: (review: ProposalReview) => boolean;
};

/** These say that there is more to it than can be shown. */
const unreadable: ReadonlySet<string> = new Set(["unreadable_content", "undecided_content"]);

const unreadableHelp =
  "Part of this proposal cannot be read, so it cannot be approved here. You can reject it. Ask whoever proposed it what it does.";

/** In place of the service's words, which are for developers too. */
const warningHelp: Readonly<Record<string, string>> = {
  lowers_threshold: "Fewer people will have to approve payments and changes of the rules.",
  removes_signer: "A signer loses their say in this account.",
  changes_time_lock: "The waiting time gets shorter, so there is less time to stop a payment.",
  grants_spending_limit: "Somebody will be able to pay from this account without any vote.",
  no_time_lock: "More than half of what the account holds leaves at once, and there is no waiting time to stop it.",
  old_approvals: "Some approvals are more than a day old. Check that those who gave them still agree.",
  stale: "The account's rules have changed since this was proposed, so it cannot be decided any more.",
  durable_nonce: "This was prepared to be sent at any time, perhaps long ago. Check who made it, and when.",
  blocks_account: "It could leave this account unable to act, for good. It is not executed here.",
  never_executable: "It can never be executed.",
  grants_policy: "It gives somebody a permission over this account that works without any vote.",
  unreadable_content: "Part of it cannot be read, so nobody can say what it does.",
  undecided_content: "Part of it is not decided yet and can still change after you approve.",
};

export function createReviews(spell: SpellAmount): Reviews {
  const made = new WeakSet<ProposalReview>();
  const known = new WeakMap<ProposalDetails, ProposalReview>();
  return {
    of: (details) => {
      const before = known.get(details);
      if (before !== undefined) return before;
      // A copy: what was shown stays what it was, whatever is done to the answer.
      const review = frozen(reviewOf(JSON.parse(JSON.stringify(details)) as ProposalDetails, spell));
      made.add(review);
      known.set(details, review);
      return review;
    },
    isMade: (review) => made.has(review),
  };
}

function reviewOf(proposal: ProposalDetails, spell: SpellAmount): ProposalReview {
  const effects = effectsOf(proposal).map((entry) => shownEffect(entry, spell));
  const warnings = proposal.warnings.map(shownWarning);
  const isReadable =
    effects.length > 0 &&
    proposal.kind !== "unknown" &&
    effects.every((effect) => effect.isReadable) &&
    !warnings.some(({ code }) => unreadable.has(code));
  const { balanceChanges = [] } = proposal;
  return { proposal, effects, warnings, balanceChanges, refusal: isReadable ? undefined : unreadableHelp };
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

function shownEffect(entry: SummaryEntry, spell: SpellAmount): ReviewedEffect {
  const parts = describeEffect(entry, spell) ?? describeAction(entry, spell);
  if (parts !== undefined) return { parts, isReadable: true, entry };
  const raw = [{ text: `This cannot be put into words here: ${JSON.stringify(entry)}` }];
  return { parts: raw, isReadable: false, entry };
}

function shownWarning({ code, message }: ProposalWarning): ReviewedWarning {
  const help = Object.hasOwn(warningHelp, code) ? warningHelp[code] : undefined;
  return { code, message: help ?? message };
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
