import { type Address, isAddress } from "@solana/addresses";
import canonicalize from "canonicalize";
import { deriveAssociatedTokenAddress, token2022ProgramAddress, tokenProgramAddress } from "./program-address.js";
import type { ProposalContent } from "./proposal-content.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { Permission, ProposalDetails, ProposedAction, SpendingLimitPeriod, SummaryEntry } from "./wire.js";

/** What `proposals.get` answered, as it was shown to the person who decides. */
export type ShownProposal = Pick<
  ProposalDetails,
  "proposalAddress" | "transactionIndex" | "kind" | "summary" | "warnings" | "batch"
>;

/**
 * Makes sure that the service still says of a proposal what was shown: the same index and kind, every part of its content, and no
 * warning of a kind that was not shown, which `ignoresWarnings` leaves out. Throws `TransactionMismatchError`.
 */
export function assertShown(said: ProposalDetails, view: ShownProposal, ignoresWarnings = false): void {
  const differs = (message: string, expected: unknown, actual: unknown) =>
    new TransactionMismatchError("content", message, { expected: canonical(expected), actual: canonical(actual) });
  if (said.proposalAddress !== view.proposalAddress || said.transactionIndex !== view.transactionIndex) {
    throw new TransactionMismatchError("proposal", "another proposal was displayed", {
      expected: view.proposalAddress,
      actual: said.proposalAddress,
    });
  }
  const [expected, actual] = [contentSaid(view), contentSaid(said)];
  if (canonical(expected) !== canonical(actual)) throw differs("other content was displayed", expected, actual);
  if (ignoresWarnings) return;
  const codes = new Set(view.warnings.map(({ code }) => code));
  const further = said.warnings.find(({ code }) => !codes.has(code));
  if (further !== undefined) throw differs("the service warns of what was not displayed", [...codes], further);
}

function contentSaid({ kind, summary, batch }: Pick<ShownProposal, "kind" | "summary" | "batch">) {
  return { kind, summary, size: batch?.size ?? null, transactions: batch?.transactions ?? null };
}

/**
 * The content that a summary names, for the checks of votes and executions: one transfer, or changes of the settings. Undefined
 * where it names anything else: then what is shown is compared, and nothing can be said about the bytes.
 */
export function contentView({ summary }: Pick<ShownProposal, "summary">): ProposalContent | undefined {
  const [first, ...others] = summary.filter(({ type }) => type !== "create_token_account");
  if (first === undefined || others.length > 0) return undefined;
  return first.type === "transfer" ? transferView(first) : settingsView(first);
}

/** A transfer of another kind says so in members of its own: it closes an account, opens one, or pays a fee. */
const plainMembers: ReadonlySet<string> = new Set(["type", "from", "to", "mint", "amount"]);
const tokenMembers: ReadonlySet<string> = new Set([...plainMembers, "from_token_account", "to_token_account"]);

function transferView(entry: SummaryEntry): ProposalContent | undefined {
  const { mint, amount, to, to_token_account: target } = entry;
  const plain = mint === null ? plainMembers : tokenMembers;
  if (!Object.keys(entry).every((name) => plain.has(name))) return undefined;
  if (typeof amount !== "string" || !/^[0-9]{1,20}$/.test(amount) || !isText(to)) return undefined;
  const terms = { type: "transfer", amount: BigInt(amount) } as const;
  if (mint === null) return { ...terms, mint, to };
  if (!isText(mint) || !isText(target)) return undefined;
  const programs = [tokenProgramAddress, token2022ProgramAddress];
  const isOwn = programs.some((program) => deriveAssociatedTokenAddress(to, mint, program) === target);
  return { ...terms, mint, to: isOwn ? to : target, toIsTokenAccount: !isOwn };
}

function settingsView({ type, actions: said }: SummaryEntry): ProposalContent | undefined {
  if (type !== "settings_change" || !Array.isArray(said)) return undefined;
  const actions = said.map((action: SummaryEntry) => proposedOf(action));
  return actions.every((action) => action !== undefined) ? { type: "settings", actions } : undefined;
}

/** An action of a summary as it would be proposed; undefined for one that cannot be. */
function proposedOf(action: SummaryEntry): ProposedAction | undefined {
  const texts = <Text extends string>(value: unknown) => (Array.isArray(value) ? value : []) as readonly Text[];
  switch (action.type) {
    case "add_signer":
      return {
        type: "AddSigner",
        newSigner: { address: String(action.address), permissions: texts<Permission>(action.permissions) },
      };
    case "remove_signer":
      return { type: "RemoveSigner", oldSigner: String(action.address) };
    case "change_threshold":
      return { type: "ChangeThreshold", newThreshold: Number(action.threshold) };
    case "set_time_lock":
      return { type: "SetTimeLock", newTimeLock: Number(action.time_lock) };
    case "add_spending_limit":
      return {
        type: "AddSpendingLimit",
        mint: action.mint === null ? null : String(action.mint),
        amount: String(action.amount),
        period: action.period as SpendingLimitPeriod,
        signers: texts(action.signers),
        destinations: texts(action.destinations),
        ...(action.expires_at === undefined ? {} : { expiration: Number(action.expires_at) }),
      };
    case "remove_spending_limit":
      return { type: "RemoveSpendingLimit", spendingLimit: String(action.spending_limit) };
    case "remove_policy":
      return { type: "PolicyRemove", policy: String(action.policy) };
    default:
      return undefined;
  }
}

const isText = (value: unknown): value is Address => typeof value === "string" && isAddress(value);

function canonical(value: unknown): string {
  return canonicalize(value) ?? "";
}
