import { describe, expect, it } from "vitest";
import { anAddress, mint } from "../../../test/support/custodian-messages.js";
import { isTightening } from "./tightening.js";
import { defaultPolicies, type Limit, type WalletPolicy } from "./wallet-policy.js";

const { guarded, session } = defaultPolicies;
const day = { type: "rolling", seconds: 86_400 } as const;
const [one, other] = [anAddress(1), anAddress(2)];

const withTransfers = (transfers: Partial<WalletPolicy["transfers"]>): WalletPolicy => ({
  ...guarded,
  transfers: { ...guarded.transfers, ...transfers },
});
const withLimits = (...limits: Limit[]) => withTransfers({ limits });
const only = (...limits: Limit[]) => withTransfers({ limits, other_mints: "refuse" });
const listed = (...addresses: string[]) => withTransfers({ destinations: { type: "listed", addresses } });
const withChanges = (changes: Partial<WalletPolicy["settings_changes"]>): WalletPolicy => ({
  ...guarded,
  settings_changes: { ...guarded.settings_changes, ...changes },
});
const withSpending = (spending: Partial<WalletPolicy["spending_limits"]>): WalletPolicy => ({
  ...guarded,
  spending_limits: { ...guarded.spending_limits, ...spending },
});

/** From the looser to the stricter: that way it is a tightening, and the other way it is none. */
const steps: readonly (readonly [name: string, looser: WalletPolicy, stricter: WalletPolicy])[] = [
  ["session to guarded", session, guarded],
  ["authority", { ...guarded, authority: "any" }, guarded],
  ["some accounts", guarded, { ...guarded, accounts: [one] }],
  ["fewer accounts", { ...guarded, accounts: [one, other] }, { ...guarded, accounts: [other] }],
  ["no account", { ...guarded, accounts: [one] }, { ...guarded, accounts: [] }],
  ["a first limit", guarded, withLimits({ mint, per_transaction: "5" })],
  ["a lower amount", withLimits({ mint, per_transaction: "10" }), withLimits({ mint, per_transaction: "9" })],
  [
    "a period beside it",
    withLimits({ mint, per_transaction: "5" }),
    withLimits({ mint, per_transaction: "5", per_period: [{ amount: "9", period: day }] }),
  ],
  [
    "a lower period",
    withLimits({ mint, per_period: [{ amount: "9", period: day }] }),
    withLimits({ mint, per_period: [{ amount: "8", period: day }] }),
  ],
  ["no mint but one", withLimits({ mint, per_transaction: "5" }), only({ mint, per_transaction: "5" })],
  ["a mint that is no longer paid", only({ mint }, { mint: null }), only({ mint })],
  ["some destinations", guarded, listed(one)],
  ["approved destinations", guarded, withTransfers({ destinations: { type: "approved" } })],
  ["fewer destinations", listed(one, other), listed(one)],
  ["a longer delay", guarded, withChanges({ delay_seconds: 2 * 86_400 })],
  ["a shorter window", guarded, withChanges({ window_seconds: 3_600 })],
  ["no recovery signer", withChanges({ recovery_signer: one }), guarded],
  ["settings changed by passkeys", withChanges({ authority: "any" }), guarded],
  ["lower spending limits", guarded, withSpending({ amounts: [{ mint, amount: "5" }] })],
  ["spending limits of no other mint", guarded, withSpending({ other_mints: "refuse" })],
  ["spending limits that name whom they pay", withSpending({ any_destination: true }), guarded],
  ["spending limits that end", guarded, withSpending({ without_end: false })],
  ["unseen votes", { ...guarded, unseen_votes: "passkey" }, guarded],
  ["what is opaque", { ...guarded, opaque: "allow" }, { ...guarded, opaque: "passkey" }],
];

describe("a policy that tightens", () => {
  it.each(steps)("%s: in one direction alone", (_, looser, stricter) => {
    expect([isTightening(looser, stricter), isTightening(stricter, looser)]).toEqual([true, false]);
  });

  it("is the same policy", () => {
    for (const [, looser, stricter] of steps) {
      expect([isTightening(looser, looser), isTightening(stricter, stricter)]).toEqual([true, true]);
    }
  });

  it.each([
    ["stricter here and looser there", listed(one), { ...listed(), opaque: "allow" as const }],
    ["another destination", listed(one), listed(other)],
    ["a list where approvals were asked", withTransfers({ destinations: { type: "approved" } }), listed(one)],
    [
      "another period",
      withLimits({ mint, per_period: [{ amount: "9", period: day }] }),
      withLimits({ mint, per_period: [{ amount: "1", period: { type: "calendar", unit: "day" } }] }),
    ],
    ["a mint for a mint", only({ mint }), only({ mint: null })],
    ["another recovery signer", withChanges({ recovery_signer: one }), withChanges({ recovery_signer: other })],
    [
      "wrapped SOL that lifts what bounds SOL",
      withLimits({ mint: null, per_transaction: "5" }),
      withLimits({ mint: "So11111111111111111111111111111111111111112", per_transaction: "6" }),
    ],
  ])("is none with %s", (_, from, to) => {
    expect(isTightening(from, to)).toBe(false);
  });
});
