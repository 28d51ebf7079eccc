import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { addSpendingLimitAction, Period } from "@trellis/program-client";
import { memoInstruction } from "@trellis/solana/memo.js";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addSigner,
  anAddress,
  approval,
  messageOf,
  mint,
  ofKind,
  opaqueOf,
  opening,
  otherMember,
  payee,
  payment,
  proposed,
  settings,
  settingsChange,
  smartAccount,
  sol,
  tokens,
  wallet,
} from "../../../test/support/custodian-messages.js";
import { classify } from "./classify.js";
import type { Fact } from "./facts.js";
import { tokenAccountRentMax } from "./inner-calls.js";

const read = (...instructions: readonly Instruction[]) => classify(messageOf(instructions), wallet);

describe("a payment", () => {
  it("of SOL is read with its amount and where it goes", () => {
    expect(read(payment(sol(5n)))).toEqual([
      {
        kind: "transfer",
        settings,
        via: "members",
        mint: null,
        amountBaseUnits: 5n,
        source: smartAccount,
        destination: { account: payee, owner: payee, token: null },
      },
    ]);
  });

  it("of tokens names the owner only where the transaction opens the token account", () => {
    const [unproven] = ofKind(read(payment(tokens(7n))), "transfer");
    expect(unproven).toMatchObject({ mint, amountBaseUnits: 7n, destination: { owner: null } });
    for (const facts of [read(opening(), payment(tokens(7n))), read(payment(opening(), tokens(7n)))]) {
      expect(ofKind(facts, "transfer")).toMatchObject([{ mint, amountBaseUnits: 7n, destination: { owner: payee } }]);
      expect(opaqueOf(facts)).toEqual([]);
    }
  });

  it("of tokens of the newer program is read by their mint", () => {
    const to = deriveTokenAccount(payee, mint, TOKEN_2022_PROGRAM_ADDRESS);
    const newer = { ...tokens(9n, to), programAddress: TOKEN_2022_PROGRAM_ADDRESS };
    expect(ofKind(read(payment(newer)), "transfer")).toMatchObject([
      { amountBaseUnits: 9n, destination: { account: to, token: { mint, program: TOKEN_2022_PROGRAM_ADDRESS } } },
    ]);
  });

  it("of wrapped SOL counts as SOL", () => {
    const wrapped = "So11111111111111111111111111111111111111112" as Address;
    expect(ofKind(read(payment(tokens(3n, payee, wrapped))), "transfer")).toMatchObject([{ mint: null }]);
  });

  it("counts the rent of a token account that the smart account opens for another party", () => {
    expect(ofKind(read(payment(opening(payee, smartAccount))), "transfer")).toMatchObject([
      { mint: null, amountBaseUnits: tokenAccountRentMax, destination: { owner: payee } },
    ]);
  });

  it("that is stored, opened and approved at once is read as what it would do", () => {
    const facts = read(...proposed([sol(4n)]));
    expect(ofKind(facts, "transfer")).toMatchObject([{ via: "proposal", amountBaseUnits: 4n }]);
    expect(ofKind(facts, "step")).toMatchObject([
      { step: "store" },
      { step: "open" },
      { step: "approve", isSeen: true },
    ]);
  });

  it("that is approved alone, or under another number than it was stored, is not seen", () => {
    const seen = (facts: readonly Fact[]) => ofKind(facts, "step").filter(({ step }) => step === "approve");
    expect(seen(read(approval()))).toMatchObject([{ isSeen: false }]);
    const [store, open] = proposed([sol(4n)], 2n);
    if (store === undefined || open === undefined) throw new Error("both are composed");
    expect(seen(read(store, open, approval(1n)))).toMatchObject([{ isSeen: false }]);
    expect(seen(read(store, approval(2n)))).toMatchObject([{ isSeen: false }]);
  });

  it("counts on no token account that only a stored message would open", () => {
    const facts = read(...proposed([opening()]), payment(tokens(7n)));
    expect(ofKind(facts, "transfer")).toMatchObject([{ destination: { owner: null } }]);
  });

  it("is read alike for whichever member signs", () => {
    expect(classify(messageOf([payment(sol(1n))]), otherMember)).toEqual(read(payment(sol(1n))));
  });
});

describe("a change of settings", () => {
  const limit = addSpendingLimitAction({
    seed: anAddress(40),
    mint,
    amountBaseUnits: 10n,
    period: Period.Day,
    signers: [anAddress(41)],
    destinations: [payee],
    expiration: null,
  });

  it("is read action by action", () => {
    const facts = read(settingsChange(addSigner(anAddress(30)), { __kind: "ChangeThreshold", newThreshold: 1 }, limit));
    expect(ofKind(facts, "settings_change")).toMatchObject([
      {
        settings,
        by: "members",
        actions: [{ __kind: "AddSigner" }, { newThreshold: 1 }, { amount: 10n, destinations: [payee] }],
      },
    ]);
    expect(opaqueOf(facts)).toEqual([]);
  });

  it.each([["PolicyCreate"], ["PolicyUpdate"]] as const)("is opaque where it has a %s", (__kind) => {
    const change = settingsChange({ __kind, encoded: new Uint8Array(40) });
    expect(read(change).map(({ kind }) => kind)).toEqual(["opaque"]);
  });

  it("is opaque with an account that no action names", () => {
    const change = settingsChange(limit);
    const more = { ...change, accounts: [...(change.accounts ?? []), { address: payee, role: AccountRole.WRITABLE }] };
    expect(opaqueOf(read(more))).toEqual(["malformed"]);
  });
});

describe("bytes that were changed", () => {
  const messages = [
    messageOf([memoInstruction("rent"), opening(), payment(tokens(500n), sol(3n))]),
    messageOf(proposed([sol(500n)])),
    messageOf([settingsChange(addSigner(payee), { __kind: "ChangeThreshold", newThreshold: 2 })]),
  ];
  const changes = fc.record({
    of: fc.nat(messages.length - 1),
    at: fc.nat(2_000),
    byte: fc.nat(255),
    kind: fc.constantFrom("flip", "add", "cut"),
  });

  it("never throw, and what is cut or added to is opaque", () => {
    fc.assert(
      fc.property(changes, ({ of, at, byte, kind }) => {
        const message = messages[of] ?? new Uint8Array(0);
        const place = at % message.length;
        if (kind === "flip") {
          expect(classify(message.with(place, byte), wallet).length).toBeGreaterThan(0);
          return;
        }
        const bytes = kind === "add" ? Uint8Array.from([...message, byte]) : message.slice(0, place);
        expect(opaqueOf(classify(bytes, wallet))).toEqual(["not_a_message"]);
      }),
      { numRuns: 1_500 },
    );
  });

  it("never hide what the instructions still do", () => {
    // Whatever byte of a payment is changed: either it is opaque, or its payment is among the facts.
    const message = messageOf([payment(sol(500n))]);
    for (let at = 0; at < message.length; at += 1) {
      for (const bit of [1, 2, 4, 128]) {
        const facts = classify(message.with(at, (message[at] ?? 0) ^ bit), wallet);
        expect(opaqueOf(facts).length + ofKind(facts, "transfer").length).toBe(1);
      }
    }
  });
});
