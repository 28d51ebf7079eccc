import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import {
  addressOfBytes,
  compileWrappedMessage,
  derivePasskeyAddress,
  deriveSettingsAddress,
  deriveSmartAccountAddress,
  type Settings,
} from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { requireExecutable, requireUnits } from "./executable-content.js";

const named = (n: number): Address => addressOfBytes(new Uint8Array(32).fill(n));
const settingsAddress = deriveSettingsAddress(1n);
const vault = deriveSmartAccountAddress(settingsAddress);
const [feePayer, member, program, table] = [named(1), named(2), named(3), named(4)];

describe("what is to be voted on", () => {
  it("may name 64 accounts in its execution, those from lookup tables included", () => {
    // Fee payer, member, settings, proposal, transaction, smart account, table, and three programs.
    const others = 64 - 10;
    const judge = (count: number) => {
      const lookupTables = { [table]: Array.from({ length: count }, (_, i) => named(10 + i)) };
      const message = compileWrappedMessage(vault, [withAccounts(count)], lookupTables);
      const content = { kind: "transaction", message, lookupTables } as const;
      return refusal(() => requireExecutable({ settings, settingsAddress, passkeys }, content, feePayer));
    };
    expect(judge(others - 1)).toBeUndefined();
    expect(judge(others + 1)).toMatch(/65 accounts|66 accounts/);
  });

  it("must leave room for every signer of the execution; a member who is the fee payer takes none", () => {
    const judge = (count: number, payer: Address) => {
      const message = compileWrappedMessage(vault, [withAccounts(count, AccountRole.READONLY_SIGNER)]);
      return refusal(() =>
        requireExecutable({ settings, settingsAddress, passkeys }, { kind: "transaction", message }, payer),
      );
    };
    const most = (payer: Address) =>
      Array.from({ length: 20 }, (_, i) => i)
        .filter((count) => judge(count, payer) === undefined)
        .at(-1) ?? 0;
    expect(judge(most(feePayer) + 1, feePayer)).toContain(`at most ${limits.transactionBytes} fit`);
    expect(most(member)).toBe(most(feePayer) + 1);
  });

  it("leaves room for a passkey's session where passkeys alone execute", () => {
    const own = derivePasskeyAddress(Uint8Array.of(2, ...new Uint8Array(32).fill(7)));
    const passkey = { relyingPartyId: "trellis.example", publicKey: new Uint8Array(33), session: null, counter: 0n };
    const most = (signers: readonly Address[]) =>
      Array.from({ length: 30 }, (_, i) => i)
        .filter((count) => {
          const message = compileWrappedMessage(vault, [withAccounts(count)]);
          const account = {
            settings: { ...settings, signers: signers.map((address) => ({ address, mask: 7 })) },
            settingsAddress,
            passkeys: new Map([[own, passkey]]),
          };
          return refusal(() => requireExecutable(account, { kind: "transaction", message }, feePayer)) === undefined;
        })
        .at(-1) ?? 0;
    expect(most([own, member])).toBe(most([member]));
    expect(most([own])).toBeLessThan(most([member]));
  });

  it("may use all units but what the execution itself needs", () => {
    expect(refusal(() => requireUnits({ unitsConsumed: 1_380_000 }))).toBeUndefined();
    expect(refusal(() => requireUnits({ unitsConsumed: 1_400_000 }))).toContain("compute units");
  });
});

const passkeys = new Map();
const settings: Settings = {
  seed: 1n,
  settingsAuthority: null,
  threshold: 1,
  timeLockSeconds: 0,
  transactionIndex: 0n,
  staleTransactionIndex: 0n,
  bump: 255,
  signers: [{ address: member, mask: 7 }],
  accountUtilization: 0,
  policySeed: 0n,
};

/** The message of the refusal; undefined where there is none. */
function refusal(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof TrellisError && error.code === "transaction_too_large") return error.message;
    throw error;
  }
}

const withAccounts = (count: number, role = AccountRole.WRITABLE): Instruction => ({
  programAddress: program,
  accounts: Array.from({ length: count }, (_, i) => ({ address: named(10 + i), role })),
});
