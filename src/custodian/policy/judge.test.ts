import type { Address, Instruction } from "@solana/kit";
import {
  addSpendingLimitAction,
  deriveSettingsAddress,
  Period,
  type SettingsActionArgs,
} from "@trellis/program-client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addSigner,
  anAddress,
  approval,
  messageOf,
  mint,
  opening,
  payee,
  payment,
  proposed,
  recovery,
  settings,
  settingsChange,
  sol,
  tokenAccountOf,
  tokens,
  unknownCall,
  wallet,
} from "../../../test/support/custodian-messages.js";
import type { PolicyAuthority } from "../signing-policy.js";
import { classify } from "./classify.js";
import { judge, type Past } from "./judge.js";
import { defaultPolicies, type WalletPolicy } from "./wallet-policy.js";

const passkey: PolicyAuthority = { kind: "passkey", passkeyId: "p" };
const ownPage: PolicyAuthority = { ...passkey, isOwnPage: true };
const session: PolicyAuthority = { kind: "session", authorizationKeyId: "s" };
const now = Date.UTC(2026, 10, 27, 12);
const nothing: Past = { spentSince: () => 0n, isCounted: false, isApproved: () => false };
const { guarded } = defaultPolicies;

interface Given {
  readonly policy?: WalletPolicy;
  readonly authority?: PolicyAuthority;
  readonly past?: Partial<Past>;
}

const judged = (
  instructions: readonly Instruction[],
  { policy = guarded, authority = passkey, past = {} }: Given = {},
) => judge({ facts: classify(messageOf(instructions), wallet), policy, authority, now, past: { ...nothing, ...past } });

const outcome = (instructions: readonly Instruction[], given: Given = {}) => {
  const result = judged(instructions, given);
  return result.kind === "sign" ? "sign" : result.reason;
};

const withTransfers = (transfers: Partial<WalletPolicy["transfers"]>): WalletPolicy => ({
  ...guarded,
  transfers: { ...guarded.transfers, ...transfers },
});

describe("a guarded wallet", () => {
  it("obeys passkeys only", () => {
    expect(outcome([payment(sol(1n))])).toBe("sign");
    expect(outcome([payment(sol(1n))], { authority: session })).toBe("passkey_needed");
  });

  it("signs nothing that it cannot read, unless its policy says so", () => {
    expect(outcome([payment(sol(1n)), unknownCall()])).toBe("opaque");
    const policy = { ...guarded, opaque: "passkey" } as const;
    expect(outcome([payment(sol(1n)), unknownCall()], { policy })).toBe("sign");
    const weaker = { ...policy, authority: "any" } as const;
    expect(outcome([payment(sol(1n)), unknownCall()], { policy: weaker, authority: session })).toBe("passkey_needed");
  });

  it("approves what it sees, and nothing else", () => {
    expect(outcome(proposed([sol(1n)]))).toBe("sign");
    expect(outcome([approval()])).toBe("unseen_vote");
    expect(outcome([approval()], { policy: { ...guarded, unseen_votes: "allow" } })).toBe("sign");
  });

  it("acts for its accounts only, where they are named", () => {
    expect(outcome([payment(sol(1n))], { policy: { ...guarded, accounts: [settings] } })).toBe("sign");
    const other = deriveSettingsAddress(2n);
    expect(outcome([payment(sol(1n))], { policy: { ...guarded, accounts: [other] } })).toBe("account_not_allowed");
    expect(outcome([settingsChange(addSigner(payee))], { policy: { ...guarded, accounts: [other] } })).toBe(
      "account_not_allowed",
    );
  });
});

describe("a limit", () => {
  const policy = withTransfers({
    limits: [
      { mint, per_transaction: "100", per_period: [{ amount: "150", period: { type: "rolling", seconds: 86_400 } }] },
    ],
  });

  it("is of the whole transaction", () => {
    expect(outcome([payment(tokens(100n))], { policy })).toBe("sign");
    expect(outcome([payment(tokens(101n))], { policy })).toBe("over_transaction_limit");
    expect(outcome([payment(tokens(60n), tokens(60n))], { policy })).toBe("over_transaction_limit");
    expect(outcome([payment(tokens(60n)), payment(tokens(60n))], { policy })).toBe("over_transaction_limit");
    expect(outcome(proposed([tokens(101n)]), { policy })).toBe("over_transaction_limit");
  });

  it("counts what was signed before, and the same message once", () => {
    const past = { spentSince: () => 51n };
    expect(outcome([payment(tokens(99n))], { policy, past })).toBe("sign");
    expect(outcome([payment(tokens(100n))], { policy, past })).toBe("over_period_limit");
    expect(outcome([payment(tokens(100n))], { policy, past: { ...past, isCounted: true } })).toBe("sign");
  });

  it("is of its mint, and others are refused where the policy says so", () => {
    const strict = withTransfers({ ...policy.transfers, other_mints: "refuse" });
    expect(outcome([payment(tokens(500n, payee, anAddress(20)))], { policy })).toBe("sign");
    expect(outcome([payment(tokens(500n, payee, anAddress(20)))], { policy: strict })).toBe("mint_not_allowed");
    expect(outcome([payment(sol(1n))], { policy: strict })).toBe("mint_not_allowed");
  });

  it("of SOL counts wrapped SOL, however the policy names it", () => {
    const wrapped = "So11111111111111111111111111111111111111112" as Address;
    for (const named of [null, wrapped]) {
      const ofSol = withTransfers({ limits: [{ mint: named, per_transaction: "100" }] });
      expect(outcome([payment(sol(60n), tokens(60n, payee, wrapped))], { policy: ofSol })).toBe(
        "over_transaction_limit",
      );
    }
  });
});

describe("destinations", () => {
  const listed = withTransfers({ destinations: { type: "listed", addresses: [payee] } });
  const approved = withTransfers({ destinations: { type: "approved" } });

  it("that are listed are paid as owner, and at their conventional token account", () => {
    for (const paid of [[payment(sol(1n))], [payment(tokens(1n))], [opening(), payment(tokens(1n))]]) {
      expect(outcome(paid, { policy: listed })).toBe("sign");
    }
  });

  it("that are a token account of another owner are refused", () => {
    const stranger = tokenAccountOf(anAddress(21));
    expect(outcome([payment(tokens(1n, stranger))], { policy: listed })).toBe("destination_not_allowed");
    expect(outcome([opening(anAddress(21)), payment(tokens(1n, stranger))], { policy: listed })).toBe(
      "destination_not_allowed",
    );
    expect(outcome([payment(tokens(1n), sol(1n, anAddress(21)))], { policy: listed })).toBe("destination_not_allowed");
  });

  it("that are paid first are approved on the custodian's own page", () => {
    expect(outcome([payment(sol(1n))], { policy: approved })).toBe("destination_needs_own_page");
    expect(judged([payment(sol(1n))], { policy: approved, authority: ownPage })).toMatchObject({ approved: [payee] });
    const past = { isApproved: (one: Address) => one === payee };
    expect(outcome([payment(sol(1n))], { policy: approved, past })).toBe("sign");
    expect(outcome([opening(), payment(tokens(1n))], { policy: approved, past })).toBe("sign");
    expect(outcome([payment(sol(1n), sol(1n, anAddress(21)))], { policy: approved, past })).toBe(
      "destination_needs_own_page",
    );
  });
});

describe("a change of settings", () => {
  const policy = { ...guarded, settings_changes: { ...guarded.settings_changes, recovery_signer: recovery } };
  const delay = (...actions: readonly SettingsActionArgs[]) => {
    const result = judged([settingsChange(...actions)], { policy });
    return result.kind === "sign" ? (result.delayed?.delayMs ?? 0) : result.reason;
  };
  const limit = (more: Partial<Parameters<typeof addSpendingLimitAction>[0]> = {}) =>
    addSpendingLimitAction({
      seed: anAddress(40),
      mint,
      amountBaseUnits: 10n,
      period: Period.Day,
      signers: [anAddress(41)],
      destinations: [payee],
      expiration: 9n,
      ...more,
    });

  it("waits, unless it only adds the recovery signer back or ends a right to spend", () => {
    const day = 86_400_000;
    expect(delay(addSigner(payee))).toBe(day);
    expect(delay(limit())).toBe(day);
    expect(delay(addSigner(recovery, 2))).toBe(0);
    expect(delay(addSigner(recovery, 7))).toBe(day);
    expect(delay(addSigner(recovery, 2), { __kind: "ChangeThreshold", newThreshold: 1 })).toBe(day);
    expect(delay({ __kind: "RemoveSpendingLimit", spendingLimit: anAddress(42) })).toBe(0);
    expect(delay({ __kind: "RemoveSigner", oldSigner: recovery })).toBe(day);
  });

  it("is known by what it does, whatever carries it", () => {
    const what = (instructions: readonly Instruction[], lifetime: Address) => {
      const facts = classify(messageOf(instructions, { lifetime }), wallet);
      const result = judge({ facts, policy, authority: passkey, now, past: nothing });
      return result.kind === "sign" ? result.delayed?.what : result.reason;
    };
    const first = what([settingsChange(addSigner(payee))], anAddress(99));
    expect(what([settingsChange(addSigner(payee))], anAddress(98))).toBe(first);
    expect(what([settingsChange(addSigner(payee, 6))], anAddress(99))).not.toBe(first);
    // A spending limit is found by a random key, which is another one each time that it is prepared.
    const added = what([settingsChange(limit())], anAddress(99));
    expect(what([settingsChange(limit({ seed: anAddress(43) }))], anAddress(98))).toBe(added);
    expect(what([settingsChange(limit({ amountBaseUnits: 11n }))], anAddress(99))).not.toBe(added);
  });

  it("beside a payment is refused", () => {
    expect(outcome([settingsChange(addSigner(payee)), payment(sol(1n))])).toBe("settings_change_beside_payment");
  });

  it("by a session is refused where the policy wants passkeys for it", () => {
    const mixed = { ...guarded, authority: "any" } as const;
    expect(outcome([settingsChange(addSigner(payee))], { policy: mixed, authority: session })).toBe("passkey_needed");
    expect(outcome([payment(sol(1n))], { policy: mixed, authority: session })).toBe("sign");
  });

  it("to a spending limit is bounded", () => {
    const bounded: WalletPolicy = {
      ...guarded,
      spending_limits: {
        amounts: [{ mint, amount: "10" }],
        other_mints: "refuse",
        any_destination: false,
        without_end: false,
      },
    };
    const of = (more: Parameters<typeof limit>[0]) => outcome([settingsChange(limit(more))], { policy: bounded });
    expect(of({})).toBe("sign");
    for (const more of [
      { amountBaseUnits: 11n },
      { mint: null },
      { destinations: [] },
      { expiration: null },
      { accountIndex: 1 },
    ]) {
      expect(of(more)).toBe("spending_limit_not_allowed");
    }
  });
});

describe("bytes that were changed", () => {
  const policy: WalletPolicy = {
    ...withTransfers({
      limits: [
        { mint, per_transaction: "100" },
        { mint: null, per_transaction: "100" },
      ],
      other_mints: "refuse",
      destinations: { type: "listed", addresses: [payee] },
    }),
    accounts: [settings],
  };
  const refused = [
    [payment(tokens(101n))],
    [payment(sol(101n))],
    [payment(tokens(1n, tokenAccountOf(anAddress(21))))],
    [payment(tokens(1n)), unknownCall()],
    [payment(tokens(1n)), settingsChange(addSigner(anAddress(21)))],
    [approval()],
  ].map((instructions) => messageOf(instructions));

  it("never turn a refusal into more than the policy allows", () => {
    const draw = fc.tuple(
      fc.nat(refused.length - 1),
      fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(draw, ([of, changes]) => {
        const message = Uint8Array.from(refused[of] ?? []);
        for (const [at, byte] of changes) message[at % message.length] = byte;
        const facts = classify(message, wallet);
        const result = judge({ facts, policy, authority: passkey, now, past: nothing });
        if (result.kind === "refuse") return;
        const sums = [...result.spent.values()];
        expect(sums.every((sum) => sum <= 100n)).toBe(true);
        expect(facts.every((fact) => fact.kind !== "settings_change" || result.delayed !== null)).toBe(true);
        expect(facts.some((fact) => fact.kind === "opaque")).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });
});
