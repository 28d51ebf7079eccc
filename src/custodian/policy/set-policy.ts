/** What becomes of a wallet's policy by a document of its holder. Pure: the wallet was locked and read before. */
import type { PolicyWallet } from "../signing-policy.js";
import { isTightening } from "./tightening.js";
import { defaultPolicies, parseWalletPolicy, policyText, type WalletPolicy } from "./wallet-policy.js";
import type { NextPolicy, WalletState } from "./wallet-state.js";

/** A policy as its holder's passkey has signed for it. */
export interface PolicyOrder {
  readonly policy: WalletPolicy;
  /** Which version it takes the place of. */
  readonly replaces: number;
  /** Unix milliseconds of the environment's time. */
  readonly expiresAt: number;
  /** SHA-256 of the document, in hex. */
  readonly documentHash: string;
}

/** The policy that a wallet is judged by, and the one that will be. */
export interface HeldPolicy {
  readonly policy: WalletPolicy;
  /** Counts the documents that were taken: 0 is the policy of the wallet's kind. */
  readonly version: number;
  readonly next: { readonly policy: WalletPolicy; readonly from: number } | null;
  /** Unix milliseconds of the environment's time. */
  readonly asOf: number;
}

/** Why a document is not taken. */
export type OrderFault = "altered" | "expired" | "outdated";

/** How far ahead the end of a document may be. */
export const orderMaxMs = 3_600_000;

/** As long as another policy waits at most: who stole one passkey would otherwise lock a wallet by a long delay, which holds at once. */
const policyDelayMaxMs = 7 * 86_400_000;

/** The wallet with the policy that has waited for its delay. */
export function promoted(state: WalletState, now: number): WalletState {
  return state.next === null || now < state.next.from ? state : { ...state, policy: state.next.policy, next: null };
}

/** The policy that a wallet is judged by; undefined where what is stored is none. */
export function policyOf(
  { policy }: Pick<WalletState, "policy">,
  { kind }: Pick<PolicyWallet, "kind">,
): WalletPolicy | undefined {
  return policy === null ? defaultPolicies[kind] : parseWalletPolicy(JSON.parse(policy));
}

/** What is said of a wallet's policy; undefined where what is stored is none. */
export function heldPolicy(state: WalletState, wallet: PolicyWallet, now: number): HeldPolicy | undefined {
  const policy = policyOf(state, wallet);
  const next = state.next === null ? null : policyOf(state.next, wallet);
  if (policy === undefined || next === undefined) return undefined;
  const waits = state.next !== null && next !== null ? { policy: next, from: state.next.from } : null;
  return { policy, version: state.version, next: waits, asOf: now };
}

/**
 * Takes another policy, once: at once where it only tightens, and where the wallet has signed nothing yet; otherwise when the delay of
 * the policy that holds is over, or a week. It takes the place of one that waits. The document that was taken last is answered as it was.
 */
export function takeOrder(
  before: WalletState,
  wallet: PolicyWallet,
  order: PolicyOrder,
  now: number,
): WalletState | OrderFault {
  const current = policyOf(before, wallet);
  if (current === undefined) return "altered";
  if (order.documentHash === before.setBy) return before;
  if (order.expiresAt <= now || order.expiresAt > now + orderMaxMs) return "expired";
  if (order.replaces !== before.version) return "outdated";
  const text = policyText(order.policy);
  const taken = { ...before, version: before.version + 1, setBy: order.documentHash, latestAt: now };
  const delayMs = Math.min(current.settings_changes.delay_seconds * 1_000, policyDelayMaxMs);
  if (before.isNew || delayMs === 0 || isTightening(current, order.policy))
    return { ...taken, policy: text, next: null };
  const next: NextPolicy = { policy: text, from: now + delayMs };
  return { ...taken, next };
}
