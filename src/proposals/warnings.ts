import type { Address, Instruction } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import { EPHEMERAL_SIGNERS_MAX, type Settings } from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import { callsAboutItself, isNonceAdvance } from "../transactions/forbidden-instructions.js";
import { type ContentVerdict, sayUndecided, sayUnreadable } from "../transactions/judge-content.js";
import { messagesOf } from "../transactions/stored-proposal.js";
import type { Effect } from "../transactions/summary-item.js";
import type { BalanceChange, ProposalWarning } from "./proposal.js";
import type { Vote } from "./proposal-votes.js";

/** Everything the warnings are about. */
export interface WarningFacts {
  readonly settings: Settings;
  readonly settingsAddress: Address;
  readonly content: ProposalContent | undefined;
  readonly instructions: readonly Instruction[];
  /** What it would do, in the words of the summary. */
  readonly effects: readonly Effect[];
  /** What keeps it from being approved blindly. */
  readonly verdict: Pick<ContentVerdict, "unreadable" | "undecided">;
  readonly vault: Address;
  readonly isStale: boolean;
  readonly usesDurableNonce: boolean;
  /** Approvals that count, with the Unix second each was given. */
  readonly approvals: readonly Vote[];
  /** Environment time, Unix seconds. */
  readonly now: number;
  /** What leaves the account, and what it holds of it. */
  readonly outflows: readonly Outflow[];
  readonly simulationError: string | undefined;
  /** Signers of the request that is answered. */
  readonly callers: readonly string[];
}

/** What the account would pay out of one currency. */
export interface Outflow {
  readonly mint: string | null;
  readonly amount: bigint;
  readonly held: bigint;
}

/** What a signer who decides on a proposal should know. */
export function findWarnings(facts: WarningFacts): ProposalWarning[] {
  const { settings, content, outflows, simulationError } = facts;
  const warnings: ProposalWarning[] = [];
  const { unreadable, undecided } = facts.verdict;
  if (unreadable.length > 0) warnings.push({ code: "unreadable_content", message: sayUnreadable(unreadable) });
  if (undecided.length > 0) warnings.push({ code: "undecided_content", message: sayUndecided(undecided) });
  if (facts.usesDurableNonce || facts.instructions.some(isNonceAdvance)) {
    warnings.push({
      code: "durable_nonce",
      message: "A transaction behind this proposal lives by a durable nonce: it may have been signed long ago.",
    });
  }
  if (facts.instructions.some((instruction) => callsAboutItself(instruction, facts.settingsAddress))) {
    warnings.push({
      code: "blocks_account",
      message:
        "It calls the smart account program about this very account. Executed, it can leave the account unable to propose " +
        "anything, for good. It is not executed here.",
    });
  }
  const throwAway = Math.max(0, ...messagesOf(content).map(({ ephemeralSignerCount }) => ephemeralSignerCount));
  if (throwAway > EPHEMERAL_SIGNERS_MAX) {
    warnings.push({
      code: "never_executable",
      message: `It has ${throwAway} throw-away signers, and the chain lets ${EPHEMERAL_SIGNERS_MAX} sign.`,
    });
  }
  if (facts.isStale) {
    warnings.push({ code: "stale", message: "The settings changed after this proposal was made." });
  }
  if (settings.timeLockSeconds === 0) {
    for (const { mint } of outflows.filter(({ amount, held }) => amount * 2n > held)) {
      warnings.push({
        code: "no_time_lock",
        message: "More than half of what the account holds leaves it, and no time lock leaves time to object.",
        mint,
      });
    }
  }
  warnings.push(...warningsOfEffects(facts.effects));
  if (content?.kind === "settings") warnings.push(...warningsOfChange(settings, content, facts.callers));
  const old = facts.approvals.filter(({ at }) => facts.now - at > limits.oldApprovalSeconds);
  if (old.length > 0) {
    warnings.push({
      code: "old_approvals",
      message: "Approvals that count are older than a day.",
      signers: old.map(({ signer }) => signer),
    });
  }
  if (simulationError !== undefined) {
    warnings.push({ code: "simulation_failed", message: `Executed now it would fail. ${simulationError}` });
  }
  return warnings;
}

/** Power over coins that is handed over, and coins whose amount is what an account holds by then: no balance shows it. */
function warningsOfEffects(effects: readonly Effect[]): ProposalWarning[] {
  return effects.flatMap((effect): ProposalWarning[] => {
    switch (effect.type) {
      case "approve_delegate":
        return [
          {
            code: "grants_delegate",
            message: `${effect.delegate} may move ${effect.amount} base units out of ${effect.token_account} at any time.`,
            signers: [effect.delegate],
          },
        ];
      case "set_authority": {
        const next = effect.new_authority;
        return [
          {
            code: "changes_authority",
            message: `${next ?? "No one"} has the authority ${effect.authority_type} over ${effect.account} afterwards.`,
            ...(next === null ? {} : { signers: [next] }),
          },
        ];
      }
      case "burn":
        return [
          {
            code: "burns_tokens",
            message: `${effect.amount} base units in ${effect.token_account} are destroyed.`,
            mint: effect.mint,
          },
        ];
      case "transfer":
        if (effect.closes_account !== true) return [];
        return [
          {
            code: "pays_out_account",
            message: `${effect.from_token_account} is closed, and ${effect.to} gets whatever SOL it holds by then.`,
            signers: [effect.to],
          },
        ];
      default:
        return [];
    }
  });
}

function warningsOfChange(
  settings: Settings,
  { actions }: Extract<ProposalContent, { kind: "settings" }>,
  callers: readonly string[],
): ProposalWarning[] {
  const warnings: ProposalWarning[] = [];
  const added = new Set(actions.flatMap((action) => (action.__kind === "AddSigner" ? [action.newSigner.key] : [])));
  const removed = actions
    .flatMap((action) => (action.__kind === "RemoveSigner" ? [action.oldSigner] : []))
    .filter((signer) => !added.has(signer));
  if (removed.length > 0) {
    warnings.push({
      code: "removes_signer",
      message: "Signers lose their say.",
      signers: removed,
      caller: removed.some((signer) => callers.includes(signer)),
    });
  }
  for (const action of actions) {
    if (action.__kind === "ChangeThreshold" && action.newThreshold < settings.threshold) {
      warnings.push({
        code: "lowers_threshold",
        message: "Fewer approvals will be needed.",
        from: settings.threshold,
        to: action.newThreshold,
      });
    }
    if (action.__kind === "SetTimeLock" && action.newTimeLock < settings.timeLockSeconds) {
      warnings.push({
        code: "changes_time_lock",
        message: "The time lock becomes shorter.",
        from: settings.timeLockSeconds,
        to: action.newTimeLock,
      });
    }
    if (action.__kind === "PolicyCreate" || action.__kind === "PolicyUpdate") {
      warnings.push({
        code: "grants_policy",
        message:
          "The signers of a policy act for the account by their own vote. Which they are, and what they may do, is not read here.",
      });
    }
    if (action.__kind === "AddSpendingLimit") {
      warnings.push({
        code: "grants_spending_limit",
        message: "The signers of a spending limit pay without any vote.",
        signers: [...action.signers],
      });
    }
  }
  return warnings;
}

/** What leaves the account by the balances a simulation changed. */
export function outflowsOfChanges(vault: Address, changes: readonly BalanceChange[]): Outflow[] {
  return changes
    .filter(({ address, change }) => address === vault && change.startsWith("-"))
    .map(({ mint, before, change }) => ({ mint, amount: -BigInt(change), held: BigInt(before) }));
}
