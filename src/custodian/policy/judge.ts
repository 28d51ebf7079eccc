/** Whether a wallet signs, by its policy. Pure: what happened before is an argument. */
import { createHash } from "node:crypto";
import type { Address } from "@solana/kit";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import { NEVER_EXPIRES, ZERO_ADDRESS } from "@trellis/program-client";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import type { PolicyAuthority, Refusal, RefusalReason } from "../signing-policy.js";
import type { ChangeAction, Destination, Fact, SettingsChangeFact, TransferFact } from "./facts.js";
import { mintOf } from "./inner-calls.js";
import { periodStart } from "./periods.js";
import { countedAs, type WalletPolicy } from "./wallet-policy.js";

/** What a wallet did before. */
export interface Past {
  /** What was signed for since an instant. */
  readonly spentSince: (mint: Address | null, since: number) => bigint;
  /** Whether this very message was signed for before, and counts already. */
  readonly isCounted: boolean;
  /** Destinations that were approved once. */
  readonly isApproved: (destination: Address) => boolean;
}

/** A change of settings, by the hash of what it does, as canonical JSON. */
interface Delayed {
  readonly what: string;
  readonly change: string;
  readonly delayMs: number;
  readonly windowMs: number;
}

/** What a signature changes in what is known of the wallet. */
export interface Verdict {
  readonly kind: "sign";
  readonly spent: ReadonlyMap<Address | null, bigint>;
  /** Destinations that count as approved from then on. */
  readonly approved: readonly Address[];
  /** A change of settings that has to wait. */
  readonly delayed: Delayed | null;
}

interface Case {
  readonly facts: readonly Fact[];
  readonly policy: WalletPolicy;
  readonly authority: PolicyAuthority;
  readonly now: number;
  readonly past: Past;
}

const canVote = 2;

export const refuse = (
  reason: RefusalReason,
  text: string,
  waiting: Pick<Refusal, "notBefore" | "changeId"> = {},
): Refusal => ({ kind: "refuse", reason, text, ...waiting });

const needsPasskey = (what: string) => refuse("passkey_needed", `${what} needs a passkey.`);

/** Each asks one question, and the first refusal is the answer. */
const rules: readonly ((one: Case) => Refusal | undefined)[] = [
  requireAuthority,
  requireReadable,
  requireAccounts,
  requireSeenVotes,
  requireOneKind,
  requireChangeAuthority,
  requireBoundedLimits,
  requireMints,
  requireTransactionLimits,
  requirePeriodLimits,
  requireDestinations,
];

export function judge(one: Case): Verdict | Refusal {
  for (const rule of rules) {
    const refusal = rule(one);
    if (refusal !== undefined) return refusal;
  }
  const { policy } = one;
  const changes = changesOf(one);
  const { delay_seconds: delay, window_seconds: window } = policy.settings_changes;
  const waits = changes.length > 0 && delay > 0 && !changes.every((change) => isImmediate(change, policy));
  return {
    kind: "sign",
    spent: sumsOf(one),
    approved: isOwnPage(one) ? transfersOf(one).flatMap(({ destination }) => namesOf(destination)) : [],
    delayed: waits ? { ...whatOf(changes), delayMs: delay * 1_000, windowMs: window * 1_000 } : null,
  };
}

function requireAuthority({ policy, authority }: Case): Refusal | undefined {
  return policy.authority === "passkey" && authority.kind !== "passkey" ? needsPasskey("This wallet") : undefined;
}

function requireReadable({ facts, policy, authority }: Case): Refusal | undefined {
  const found = facts.find((fact) => fact.kind === "opaque");
  if (found === undefined || policy.opaque === "allow") return undefined;
  if (policy.opaque === "passkey" && authority.kind === "passkey") return undefined;
  if (policy.opaque === "passkey") return needsPasskey("What cannot be read");
  const where = found.instruction === null ? "The transaction" : `Instruction ${found.instruction + 1}`;
  return refuse("opaque", `${where} cannot be read to its end: ${found.reason.replaceAll("_", " ")}.`);
}

function requireAccounts({ facts, policy: { accounts } }: Case): Refusal | undefined {
  if (accounts === null) return undefined;
  const stranger = facts.find((fact) => "settings" in fact && !accounts.includes(fact.settings));
  return stranger && refuse("account_not_allowed", "The wallet does not act for this smart account.");
}

function requireSeenVotes({ facts, policy, authority }: Case): Refusal | undefined {
  const isUnseen = facts.some((fact) => fact.kind === "step" && fact.step === "approve" && !fact.isSeen);
  if (!isUnseen || policy.unseen_votes === "allow") return undefined;
  if (policy.unseen_votes === "refuse") return refuse("unseen_vote", "The approval does not show what it approves.");
  return authority.kind === "passkey" ? undefined : needsPasskey("An approval that does not show what it approves");
}

/** A change that waits would otherwise take a payment with it, and a payment would hide a change. */
function requireOneKind(one: Case): Refusal | undefined {
  if (changesOf(one).length === 0 || transfersOf(one).length === 0) return undefined;
  return refuse("settings_change_beside_payment", "A change of settings and a payment are signed apart.");
}

function requireChangeAuthority(one: Case): Refusal | undefined {
  const isMet = one.policy.settings_changes.authority === "any" || one.authority.kind === "passkey";
  return isMet || changesOf(one).length === 0 ? undefined : needsPasskey("A change of settings");
}

function requireBoundedLimits(one: Case): Refusal | undefined {
  const { amounts, other_mints, any_destination, without_end } = one.policy.spending_limits;
  const no = (text: string) => refuse("spending_limit_not_allowed", text);
  for (const action of changesOf(one).flatMap(({ actions }) => actions)) {
    if (action.__kind !== "AddSpendingLimit") continue;
    if (action.accountIndex !== 0) return no("A spending limit is of the first smart account only.");
    if (action.destinations.length === 0 && !any_destination) return no("A spending limit has to name whom it pays.");
    if (action.expiration === NEVER_EXPIRES && !without_end) return no("A spending limit has to end.");
    const mint = action.mint === ZERO_ADDRESS ? null : mintOf(action.mint);
    const bounds = amounts.filter((bound) => countedAs(bound) === mint);
    if (bounds.length === 0 && other_mints === "refuse") return no("No spending limit may pay this mint.");
    if (bounds.some(({ amount }) => action.amount > BigInt(amount))) return no("The spending limit is too high.");
  }
  return undefined;
}

function requireMints(one: Case): Refusal | undefined {
  const { limits, other_mints } = one.policy.transfers;
  if (other_mints === "allow") return undefined;
  const isUnnamed = ({ mint }: TransferFact) => !limits.some((limit) => countedAs(limit) === mint);
  return transfersOf(one).some(isUnnamed)
    ? refuse("mint_not_allowed", "The wallet does not pay this mint.")
    : undefined;
}

function requireTransactionLimits(one: Case): Refusal | undefined {
  const sums = sumsOf(one);
  const isOver = one.policy.transfers.limits.some(
    (limit) =>
      limit.per_transaction !== undefined && (sums.get(countedAs(limit)) ?? 0n) > BigInt(limit.per_transaction),
  );
  return isOver ? refuse("over_transaction_limit", "It moves more than one transaction may.") : undefined;
}

function requirePeriodLimits(one: Case): Refusal | undefined {
  if (one.past.isCounted) return undefined;
  const sums = sumsOf(one);
  const isOver = one.policy.transfers.limits.some((limit) => {
    const mint = countedAs(limit);
    const sum = sums.get(mint);
    if (sum === undefined) return false;
    return (limit.per_period ?? []).some(
      ({ amount, period }) => one.past.spentSince(mint, periodStart(period, one.now)) + sum > BigInt(amount),
    );
  });
  return isOver
    ? refuse("over_period_limit", "With what was signed before it moves more than its period may.")
    : undefined;
}

function requireDestinations(one: Case): Refusal | undefined {
  const { destinations } = one.policy.transfers;
  if (destinations.type === "any") return undefined;
  if (destinations.type === "listed") {
    const isListed = (transfer: TransferFact) =>
      destinations.addresses.some((listed) => isPaidTo(transfer.destination, listed as Address));
    return transfersOf(one).every(isListed)
      ? undefined
      : refuse("destination_not_allowed", "The wallet does not pay this destination.");
  }
  const isKnown = ({ destination }: TransferFact) => namesOf(destination).some(one.past.isApproved);
  return isOwnPage(one) || transfersOf(one).every(isKnown)
    ? undefined
    : refuse("destination_needs_own_page", "The first payment to a destination is approved on the custodian's page.");
}

/** Whether a payment reaches a listed address: as its owner, as its account, or as its conventional token account. */
function isPaidTo({ account, owner, token }: Destination, listed: Address): boolean {
  if (listed === account || listed === owner) return true;
  return owner === null && token !== null && deriveTokenAccount(listed, token.mint, token.program) === account;
}

/** An owner who is proven stands for all of their token accounts. */
const namesOf = ({ account, owner }: Destination): readonly Address[] =>
  owner === null || owner === account ? [account] : [owner, account];

const isOwnPage = ({ authority }: Case) => authority.kind === "passkey" && authority.isOwnPage === true;

const transfersOf = ({ facts }: Pick<Case, "facts">) => facts.filter((fact) => fact.kind === "transfer");
const changesOf = ({ facts }: Pick<Case, "facts">) => facts.filter((fact) => fact.kind === "settings_change");

function sumsOf(one: Case): ReadonlyMap<Address | null, bigint> {
  const sums = new Map<Address | null, bigint>();
  for (const { mint, amountBaseUnits } of transfersOf(one)) sums.set(mint, (sums.get(mint) ?? 0n) + amountBaseUnits);
  return sums;
}

/** What gives nobody more than they have: the recovery signer is added back, or a right to spend ends. */
function isImmediate({ actions }: SettingsChangeFact, policy: WalletPolicy): boolean {
  const recovery = policy.settings_changes.recovery_signer;
  return actions.every((action) => {
    if (action.__kind === "RemoveSpendingLimit" || action.__kind === "PolicyRemove") return true;
    return (
      action.__kind === "AddSigner" && action.newSigner.key === recovery && action.newSigner.permissions === canVote
    );
  });
}

/**
 * What a change is known by while it waits: what it does, and not the message, whose blockhash does not live as long, nor the random key
 * by which a spending limit is found, which is another one each time that it is prepared.
 */
function whatOf(changes: readonly SettingsChangeFact[]): Pick<Delayed, "what" | "change"> {
  const plain = (action: ChangeAction) =>
    JSON.parse(
      JSON.stringify(action, (name, value) =>
        typeof value === "bigint" ? value.toString() : name === "seed" ? undefined : value,
      ),
    );
  const change = canonicalJson(
    changes.map(({ settings, by, actions }) => ({ settings, by, actions: actions.map(plain) })),
  );
  return { what: createHash("sha256").update(change).digest("hex"), change };
}
