import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChainTransaction, TokenBalance } from "./chain-transaction.js";
import type { Movement } from "./movement-books.js";
import { readMovements, sumOf } from "./read-movements.js";

const little = (value: bigint, bytes = 8) => {
  const data = new Uint8Array(bytes);
  for (let i = 0; i < bytes; i += 1) data[i] = Number((value >> BigInt(8 * i)) & 0xffn);
  return [...data];
};

describe("movements", () => {
  it("are read from system transfers, counted in the order instructions began", () => {
    const read = readMovements(
      transaction({
        instructions: [pay(other, vault, 5n), call(tokenProgram, [], [99]), pay(vault, other, 2n)],
        inner: [{ index: 1, instructions: [pay(vault, other, 1n), pay(payer, other, 9n)] }],
        lamports: { vault: [10n, 12n] },
      }),
      vault,
    );
    expect(brief(read)).toEqual([
      ["inflow", 5n, other, vault, 0],
      ["outflow", 1n, vault, other, 2],
      ["outflow", 2n, vault, other, 4],
    ]);
  });

  it("name owners, and belong to the token account they changed", () => {
    const read = readMovements(
      transaction({
        instructions: [send(theirs, own, 7n)],
        before: [holds(own, vault, 1n), holds(theirs, other, 10n)],
        after: [holds(own, vault, 8n), holds(theirs, other, 3n)],
      }),
      vault,
    );
    expect(read).toMatchObject([{ direction: "inflow", ownAddress: own, mint, from: other, to: vault, amount: 7n }]);
  });

  it("to itself are both sent and received", () => {
    const paid = transaction({ instructions: [pay(vault, vault, 5n)], lamports: { vault: [10n, 10n] } });
    expect(brief(readMovements(paid, vault))).toEqual([
      ["outflow", 5n, vault, vault, 0],
      ["inflow", 5n, vault, vault, 0],
    ]);
  });

  it("of a failed transaction are none", () => {
    const failed = {
      instructions: [pay(other, vault, 5n)],
      lamports: { vault: [10n, 10n] },
      err: "AccountInUse",
    } as const;
    expect(readMovements(transaction({ ...failed, instructions: [...failed.instructions] }), vault)).toEqual([]);
  });

  it("arrive less what a mint withholds", () => {
    const programId = TOKEN_2022_PROGRAM_ADDRESS;
    const parts = {
      before: [holds(own, vault, 0n, { programId }), holds(theirs, other, 100n, { programId })],
      after: [holds(own, vault, 99n, { programId }), holds(theirs, other, 0n, { programId })],
    };
    const plain = transaction({ ...parts, instructions: [send(theirs, own, 100n, programId)] });
    const reported = transaction({
      ...parts,
      instructions: [call(programId, [theirs, mint, own], [26, 1, ...little(100n), 6, ...little(1n)])],
    });
    for (const one of [plain, reported]) {
      expect(readMovements(one, vault)).toMatchObject([{ direction: "inflow", amount: 99n, isToken2022: true }]);
    }
  });

  it("in a batch of the token program are one each, also what is sent and received back", () => {
    const batched = (...transfers: readonly (readonly [from: Address, to: Address, amount: bigint])[]) =>
      call(
        tokenProgram,
        transfers.flatMap(([from, to]) => [from, to, payer]),
        [255, ...transfers.flatMap(([, , amount]) => [3, 9, 3, ...little(amount)])],
      );
    const before = [holds(own, vault, 12n), holds(theirs, other, 0n)];
    const paid = transaction({
      instructions: [batched([own, theirs, 5n], [own, payer, 7n])],
      before,
      after: [holds(own, vault, 0n), holds(theirs, other, 5n), holds(payer, payer, 7n)],
    });
    expect(brief(readMovements(paid, vault))).toEqual([
      ["outflow", 5n, vault, other, 0],
      ["outflow", 7n, vault, payer, 0],
    ]);
    const returned = transaction({
      instructions: [batched([own, theirs, 5n], [theirs, own, 5n])],
      before,
      after: before,
    });
    expect(brief(readMovements(returned, vault))).toEqual([
      ["outflow", 5n, vault, other, 0],
      ["inflow", 5n, other, vault, 0],
    ]);
    const broken = transaction({
      instructions: [call(tokenProgram, [own, theirs, payer], [255, 9, 9, 3])],
      before: [holds(own, vault, 12n)],
      after: [holds(own, vault, 11n)],
    });
    expect(brief(readMovements(broken, vault))).toEqual([["outflow", 1n, vault, SYSTEM_PROGRAM_ADDRESS, 1]]);
  });

  it.each([
    ["so much", [45, 1, ...little(30n)], 30n],
    ["all", [45, 0], 50n],
  ] as const)("of unwrapping %s are wrapped SOL that is sent, and SOL that is received", (_, data, amount) => {
    const rent = 20n;
    const native = { mint: wrapped, uiTokenAmount: { amount: "50", decimals: 9 } };
    const left = { mint: wrapped, uiTokenAmount: { amount: (50n - amount).toString(), decimals: 9 } };
    const unwrap = (to: Address, vaultAfter: bigint) =>
      transaction({
        instructions: [call(tokenProgram, [own, to, vault], data)],
        lamports: { own: [50n + rent, 50n + rent - amount], vault: [1n, vaultAfter] },
        before: [holds(own, vault, 50n, native)],
        after: [holds(own, vault, 50n - amount, left)],
      });
    expect(brief(readMovements(unwrap(vault, 1n + amount), vault))).toEqual([
      ["outflow", amount, vault, vault, 0],
      ["inflow", amount, own, vault, 0],
    ]);
    expect(brief(readMovements(unwrap(other, 1n), vault))).toEqual([["outflow", amount, vault, other, 0]]);
  });

  it("of closing bring the rent back, and wrapped SOL with it", () => {
    const read = readMovements(
      transaction({
        instructions: [call(tokenProgram, [own, vault, vault], [9])],
        lamports: { own: [2_039_285n, 0n], vault: [0n, 2_039_285n] },
        before: [holds(own, vault, 5n, { mint: wrapped })],
      }),
      vault,
    );
    expect(brief(read)).toEqual([
      ["outflow", 5n, vault, vault, 0],
      ["inflow", 2_039_285n, own, vault, 0],
    ]);
  });

  it("that no instruction explains are there all the same, behind the last of them", () => {
    const read = readMovements(
      transaction({
        instructions: [pay(other, vault, 5n)],
        lamports: { vault: [10n, 18n] },
        before: [holds(own, vault, 9n)],
        after: [holds(own, vault, 2n)],
      }),
      vault,
    );
    expect(brief(read)).toEqual([
      ["inflow", 5n, other, vault, 0],
      ["inflow", 3n, SYSTEM_PROGRAM_ADDRESS, vault, 1],
      ["outflow", 7n, vault, SYSTEM_PROGRAM_ADDRESS, 1],
    ]);
  });

  it("add up to what the balances say, whatever instructions there are", () => {
    const lamports = fc.bigInt({ min: 0n, max: 2n ** 63n });
    const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const some = fc.constantFrom(...keys);
    const instruction = fc.oneof(
      fc.tuple(some, some, amount).map(([from, to, value]) => pay(from, to, value)),
      fc.tuple(some, some, amount).map(([from, to, value]) => send(from, to, value)),
      fc.tuple(some, some).map(([closed, to]) => call(tokenProgram, [closed, to], [9])),
      fc
        .tuple(fc.constantFrom(...keys.slice(6)), fc.array(some, { maxLength: 4 }), fc.uint8Array({ maxLength: 60 }))
        .map(([program, accounts, data]) => call(program, accounts, [...data])),
    );
    fc.assert(
      fc.property(
        fc.array(instruction, { maxLength: 5 }),
        lamports,
        lamports,
        amount,
        amount,
        fc.constantFrom(mint, wrapped),
        fc.constantFrom(tokenProgram, TOKEN_2022_PROGRAM_ADDRESS),
        (instructions, before, after, held, holding, label, programId) => {
          const one = transaction({
            instructions,
            lamports: { vault: [before, after] },
            before: [holds(own, vault, held, { mint: label, programId })],
            after: [holds(own, vault, holding, { mint: label, programId })],
          });
          const read = readMovements(one, vault);
          const of = (address: Address) => sumOf(read.filter(({ ownAddress }) => ownAddress === address));
          expect([of(vault), of(own)]).toEqual([after - before, holding - held]);
          for (const movement of read) expect(movement.amount).toBeGreaterThan(0n);
        },
      ),
    );
  });
});

const name = (text: string) => text as Address;

const tokenProgram = name("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const wrapped = name("So11111111111111111111111111111111111111112");
const [payer, vault, other, own, theirs, mint] = ["payer", "vault", "other", "own", "theirs", "mint"].map(name) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const keys = [payer, vault, other, own, theirs, mint, SYSTEM_PROGRAM_ADDRESS, tokenProgram, TOKEN_2022_PROGRAM_ADDRESS];

const at = (address: Address) => keys.indexOf(address);

const call = (program: Address, accounts: readonly Address[], data: readonly number[]) => ({
  programIdIndex: at(program),
  accounts: accounts.map(at),
  data: base58.encode(Uint8Array.from(data)),
});

const pay = (from: Address, to: Address, amount: bigint) =>
  call(SYSTEM_PROGRAM_ADDRESS, [from, to], [2, 0, 0, 0, ...little(amount)]);

const send = (from: Address, to: Address, amount: bigint, program = tokenProgram) =>
  call(program, [from, to, payer], [3, ...little(amount)]);

const holds = (address: Address, owner: Address, amount: bigint, more: Partial<TokenBalance> = {}): TokenBalance => ({
  accountIndex: at(address),
  mint,
  owner,
  programId: tokenProgram,
  uiTokenAmount: { amount: amount.toString(), decimals: 6 },
  ...more,
});

/** A transaction that changes the vault's lamports by so much, and the token balances as given. */
function transaction(parts: {
  instructions: ReturnType<typeof call>[];
  inner?: { index: number; instructions: ReturnType<typeof call>[] }[];
  lamports?: Readonly<Record<string, readonly [before: bigint, after: bigint]>>;
  before?: TokenBalance[];
  after?: TokenBalance[];
  err?: unknown;
}): ChainTransaction {
  const lamports = (side: 0 | 1) => keys.map((key) => parts.lamports?.[key]?.[side] ?? 0n);
  return {
    slot: 1n,
    blockTime: 1n,
    meta: {
      err: parts.err ?? null,
      fee: 5_000n,
      innerInstructions: parts.inner ?? [],
      preBalances: lamports(0),
      postBalances: lamports(1),
      preTokenBalances: parts.before ?? [],
      postTokenBalances: parts.after ?? [],
    },
    transaction: { message: { accountKeys: keys, instructions: parts.instructions } },
  };
}

const brief = (movements: readonly Movement[]) =>
  movements.map(({ direction, amount, from, to, instructionIndex }) => [direction, amount, from, to, instructionIndex]);
