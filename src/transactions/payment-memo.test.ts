import { limits } from "@trellis/kernel/limits.js";
import { memoInstruction, readMemo } from "@trellis/solana/memo.js";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { describe, expect, it } from "vitest";
import { parsePaymentMemo, refuseBankMemo, refuseOwnMemo, withMemo } from "./payment-memo.js";

describe("the memo of a payment", () => {
  it("is the same under each of its names, also beside itself", () => {
    const text = "customer 4711";
    expect(parsePaymentMemo({})).toBeUndefined();
    expect(parsePaymentMemo({ memo: text })).toBe(text);
    expect(parsePaymentMemo({ reference: text })).toBe(text);
    expect(parsePaymentMemo({ destination: { memo: text } })).toBe(text);
    expect(parsePaymentMemo({ memo: text, destination: { reference: text } })).toBe(text);
  });

  it("is refused where two names differ, where it is too long in bytes, and where it is no text", () => {
    const invalid = "invalid_request invalid_request";
    expect(problemOf(() => parsePaymentMemo({ memo: "a", reference: "b" }))).toBe(`${invalid} reference`);
    const longest = "ü".repeat(limits.paymentMemoBytes / 2);
    expect(parsePaymentMemo({ memo: longest })).toBe(longest);
    expect(problemOf(() => parsePaymentMemo({ memo: `${longest}a` }))).toBe(`${invalid} memo`);
    expect(problemOf(() => parsePaymentMemo({ destination: { memo: "\ud800" } }))).toBe(`${invalid} destination.memo`);
  });

  it("is refused for a bank, which has a text of its own, and beside instructions of the caller's own", () => {
    const unknown = "invalid_request field_unknown";
    expect(problemOf(() => refuseBankMemo({ destination: { reference: "a" } }, true))).toBe("none");
    expect(problemOf(() => refuseBankMemo({ reference: "a" }, true))).toBe(`${unknown} reference`);
    expect(problemOf(() => refuseBankMemo({ destination: { memo: "a" } }, true))).toBe(`${unknown} destination.memo`);
    expect(problemOf(() => refuseBankMemo({ destination: { reference: "a" } }, false))).toBe(
      `${unknown} destination.reference`,
    );
    expect(problemOf(() => refuseOwnMemo({ memo: "a" }))).toBe(`${unknown} memo`);
    expect(problemOf(() => refuseOwnMemo({ memo: null }))).toBe("none");
  });

  it("stands beside the call, and inside where it is voted on, a passkey approves it, or the token account demands a memo", () => {
    const [opening, transfer, memo] = [memoInstruction("opening"), memoInstruction("transfer"), memoInstruction("hi")];
    const parts = { before: [opening], inside: [opening, transfer] };
    const account = (demands: number) => {
      const data = new Uint8Array(166 + 5);
      data.set([8, 0, 1, 0, demands], 166);
      return {
        address: TOKEN_2022_PROGRAM_ADDRESS,
        owner: TOKEN_2022_PROGRAM_ADDRESS,
        lamports: 1n,
        data,
        executable: false,
      };
    };
    const beside = { before: [opening, memo], inside: [opening, transfer] };
    const atOnce = { isVoted: false, isApproved: false };
    const inside = { before: [opening], inside: [opening, memo, transfer] };
    expect(withMemo(parts, "hi", { ...atOnce, paid: [undefined, account(0)] })).toEqual(beside);
    expect(withMemo(parts, "hi", { ...atOnce, isVoted: true, paid: [] })).toEqual(inside);
    expect(withMemo(parts, "hi", { ...atOnce, isApproved: true, paid: [] })).toEqual(inside);
    expect(withMemo(parts, "hi", { ...atOnce, paid: [undefined, account(1)] })).toEqual(inside);
  });

  it("is read from the bytes, and is none where they are no text", () => {
    expect(readMemo(memoInstruction("\ufeffß 🙂"))).toBe("\ufeffß 🙂");
    expect(readMemo({ ...memoInstruction(""), data: Uint8Array.of(0xff) })).toBeUndefined();
    expect(readMemo({ ...memoInstruction("a"), programAddress: TOKEN_2022_PROGRAM_ADDRESS })).toBeUndefined();
  });
});

const problemOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    const { code, details } = error as { code: string; details: readonly { code: string; field?: string }[] };
    return `${code} ${details[0]?.code} ${details[0]?.field}`;
  }
  return "none";
};
