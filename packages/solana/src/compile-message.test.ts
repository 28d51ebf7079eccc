import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getAddressDecoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileMessage } from "./compile-message.js";
import { readPlainMessage } from "./transaction-bytes.js";

describe("compileMessage", () => {
  it("gives kit's bytes and signers for any instructions, and refuses what kit refuses", () => {
    let compiled = 0;
    fc.assert(
      fc.property(anyCall, ({ feePayer, blockhash, instructions }) => {
        const expected = oracle([feePayer, blockhash, instructions]);
        if (expected === "too many signers") return;
        if (expected === "refused") {
          expect(() => compileMessage(feePayer, blockhash, instructions)).toThrow(TrellisError);
          return;
        }
        compiled += 1;
        const { messageBytes, signers } = compileMessage(feePayer, blockhash, instructions);
        expect({ messageBytes, signers }).toEqual(expected);
      }),
      { numRuns: 1_500 },
    );
    expect(compiled).toBeGreaterThan(300);
  });

  it("puts into tables what neither signs nor is called, and means the same as without tables", () => {
    let lookedUp = 0;
    fc.assert(
      fc.property(anyCall, fc.array(fc.nat(), { maxLength: 12 }), ({ feePayer, blockhash, instructions }, picks) => {
        const plain = attempt(() => compileMessage(feePayer, blockhash, instructions));
        const named = instructions.flatMap(({ accounts = [] }) => accounts.map(({ address }) => address));
        if (plain === undefined || named.length === 0) return;
        const entries = picks.map((pick) => named[pick % named.length] as Address);
        const [table, other] = [blockhash as Address, "SysvarC1ock11111111111111111111111111111111" as Address];
        const tables = { [table]: entries.slice(0, 4), [other]: entries.slice(4) };
        const { messageBytes, signers } = compileMessage(feePayer, blockhash, instructions, tables);
        expect(signers).toEqual(plain.signers);
        const message = readPlainMessage(messageBytes);
        if (message === undefined) throw new Error("not canonical");
        if ("addressTableLookups" in message) lookedUp += 1;
        const read = (bytes: typeof message) => {
          const decompiled = decompileTransactionMessage(bytes, { addressesByLookupTableAddress: tables });
          return (decompiled.instructions as readonly Instruction[]).map(({ programAddress, accounts = [], data }) => ({
            programAddress,
            accounts: accounts.map(({ address, role }) => [address, role]),
            data: [...(data ?? [])],
          }));
        };
        const expected = readPlainMessage(plain.messageBytes);
        expect(expected && read(message)).toEqual(expected && read(expected));
      }),
      { numRuns: 2_000 },
    );
    expect(lookedUp).toBeGreaterThan(50);
  });

  it("orders addresses that differ in nothing but the case of letters as kit does", () => {
    const text = "So11111111111111111111111111111111111111112";
    const twins = ["SO", "sO", "so", "So", "Sp", "sP", "9A", "9a", "aA", "Aa"].map((start) => start + text.slice(2));
    const valid = twins.filter((twin) => !/[OIl0]/.test(twin)) as Address[];
    const instruction: Instruction = {
      programAddress: "11111111111111111111111111111111" as Address,
      accounts: valid.map((address) => ({ address, role: AccountRole.READONLY })),
    };
    const feePayer = "ComputeBudget111111111111111111111111111111" as Address;
    const kit = compileWithKit(feePayer, feePayer, [instruction]);
    expect(compileMessage(feePayer, feePayer, [instruction]).messageBytes).toEqual(Uint8Array.from(kit.messageBytes));
  });

  it("refuses more accounts than one byte can count", () => {
    const addresses = Array.from({ length: 300 }, (_, i) =>
      getAddressDecoder().decode(Uint8Array.from({ length: 32 }, (_byte, at) => (at < 2 ? (i >> (8 * at)) & 0xff : 7))),
    );
    const [feePayer, programAddress, ...rest] = addresses as [Address, Address, ...Address[]];
    const accounts = rest.map((address) => ({ address, role: AccountRole.READONLY }));
    expect(() => compileMessage(feePayer, feePayer, [{ programAddress, accounts }])).toThrow(
      expect.objectContaining({ code: "transaction_too_large" }),
    );
  });
});

const anyAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => getAddressDecoder().decode(bytes));

/** Instructions over few addresses, so that they meet each other in every role. */
const anyCall = fc
  .tuple(
    fc.uniqueArray(anyAddress, { minLength: 2, maxLength: 24 }),
    fc.array(
      fc.record({
        program: fc.nat(),
        accounts: fc.option(
          fc.array(fc.record({ at: fc.nat(), role: fc.constantFrom(...[0, 1, 2, 3]) }), { maxLength: 12 }),
        ),
        data: fc.option(fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ minLength: 120, maxLength: 300 }))),
      }),
      { maxLength: 6 },
    ),
    anyAddress,
  )
  .map(([addresses, calls, blockhash]) => {
    const pick = (at: number) => addresses[at % addresses.length] as Address;
    const instructions = calls.map(
      ({ program, accounts, data }): Instruction => ({
        programAddress: pick(program),
        ...(accounts === null
          ? {}
          : { accounts: accounts.map(({ at, role }) => ({ address: pick(at), role: role as AccountRole })) }),
        ...(data === null ? {} : { data }),
      }),
    );
    return { feePayer: pick(0), blockhash, instructions };
  });

function compileWithKit(feePayer: Address, blockhash: string, instructions: readonly Instruction[]) {
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayer(feePayer, m),
      (m) =>
        setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash as Blockhash, lastValidBlockHeight: 1n }, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    ),
  );
}

/** What kit makes of it, or that it refuses. It has bounds of its own that no transaction within a packet reaches. */
function oracle(call: Parameters<typeof compileWithKit>) {
  try {
    const { messageBytes, signatures } = compileWithKit(...call);
    return { messageBytes: Uint8Array.from(messageBytes), signers: Object.keys(signatures) };
  } catch (error) {
    return String(error).includes("signer addresses") ? "too many signers" : "refused";
  }
}

function attempt<T>(compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof TrellisError) return undefined;
    throw error;
  }
}
