import { type Address, getAddressEncoder, type Instruction } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { addressOfBytes } from "@trellis/program-client";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { describe, expect, it } from "vitest";
import { readEffects } from "../../packages/sdk/src/inspect/read-effects.js";
import { summarise } from "./summary.js";
import type { Effect } from "./summary-item.js";

const named = (n: number): Address => addressOfBytes(new Uint8Array(32).fill(n));
const [vault, other, own, theirs, mint, owner, base, nonce] = [1, 2, 3, 4, 5, 6, 7, 8].map(named) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const stake = "Stake11111111111111111111111111111111111111" as Address;
const loader = "BPFLoaderUpgradeab1e11111111111111111111111" as Address;

const u32 = (value: number) => [...new Uint8Array(new Uint32Array([value]).buffer)];
const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)];
const key = (address: Address) => [...getAddressEncoder().encode(address)];
const call = (programAddress: Address, accounts: readonly Address[], data: readonly number[]): Instruction => ({
  programAddress,
  accounts: accounts.map((address) => ({ address, role: 0 })),
  data: Uint8Array.from(data),
});
const system = (accounts: readonly Address[], data: readonly number[]) => call(SYSTEM_PROGRAM_ADDRESS, accounts, data);
const token = (accounts: readonly Address[], data: readonly number[], program: Address = TOKEN_PROGRAM_ADDRESS) =>
  call(program, accounts, data);

const seed = [...u64(4n), ...new TextEncoder().encode("seed")];

const sol = { type: "transfer", from: vault, to: other, mint: null, amount: "9" } as const;
const tokens = {
  type: "transfer",
  from: vault,
  to: other,
  mint,
  amount: "9",
  from_token_account: own,
  to_token_account: theirs,
} as const;
const authority = { type: "set_authority", authority: vault, new_authority: other } as const;

const cases: readonly (readonly [string, Instruction, readonly Effect[]])[] = [
  ["SOL", system([vault, other], [...u32(2), ...u64(9n)]), [sol]],
  ["SOL with a seed", system([vault, base, other], [...u32(11), ...u64(9n), ...seed, ...key(owner)]), [sol]],
  [
    "SOL into a new account",
    system([vault, other], [...u32(0), ...u64(9n), ...u64(80n), ...key(owner)]),
    [{ ...sol, opens_account_for: owner }],
  ],
  [
    "SOL into a new account with a seed",
    system([vault, other, base], [...u32(3), ...key(base), ...seed, ...u64(9n), ...u64(80n), ...key(owner)]),
    [{ ...sol, opens_account_for: owner }],
  ],
  [
    "SOL into a new account that has some",
    system([other, vault], [...u32(13), ...u64(9n), ...u64(80n), ...key(owner)]),
    [{ ...sol, opens_account_for: owner }],
  ],
  ["SOL out of a nonce account", system([nonce, other], [...u32(5), ...u64(9n)]), [{ ...sol, from: nonce }]],
  ["SOL out of a stake", call(stake, [nonce, other], [...u32(4), ...u64(9n)]), [{ ...sol, from: nonce }]],
  ["tokens", token([own, theirs, vault], [3, ...u64(9n)]), [tokens]],
  ["tokens, checked", token([own, mint, theirs, vault], [12, ...u64(9n), 6]), [tokens]],
  ["tokens with a hook's accounts", token([own, mint, theirs, vault, base], [12, ...u64(9n), 6]), [tokens]],
  [
    "tokens, checked, with a fee",
    token([own, mint, theirs, vault], [26, 1, ...u64(9n), 6, ...u64(1n)], TOKEN_2022_PROGRAM_ADDRESS),
    [{ ...tokens, fee: "1" }],
  ],
  [
    "tokens in a batch, with what else is in it",
    token(
      [own, theirs, vault, own, mint, theirs, vault, mint],
      [255, 3, 9, 3, ...u64(9n), 4, 10, 12, ...u64(9n), 6, 1, 1, 21],
    ),
    [tokens, tokens, { type: "instruction", program: TOKEN_PROGRAM_ADDRESS, accounts: [mint], data: "FQ==" }],
  ],
  ["wrapped SOL, so much", token([own, other, vault], [45, 1, ...u64(9n)]), [{ ...sol, from_token_account: own }]],
  ["wrapped SOL, all", token([own, other, vault], [45, 0]), [{ ...sol, amount: "70", from_token_account: own }]],
  [
    "an account that is closed for somebody else",
    token([own, other, vault], [9]),
    [{ ...sol, amount: "2039280", from_token_account: own, closes_account: true }],
  ],
  [
    "an account that is closed for its owner",
    token([own, vault, vault], [9]),
    [{ type: "close_token_account", token_account: own, owner: vault }],
  ],
  [
    "a delegate",
    token([own, other, vault], [4, ...u64(9n)]),
    [{ type: "approve_delegate", token_account: own, owner: vault, delegate: other, mint, amount: "9" }],
  ],
  [
    "a delegate, checked",
    token([own, mint, other, vault], [13, ...u64(9n), 6]),
    [{ type: "approve_delegate", token_account: own, owner: vault, delegate: other, mint, amount: "9" }],
  ],
  [
    "another owner",
    token([own, vault], [6, 2, 1, ...key(other)]),
    [{ ...authority, account: own, authority_type: "account_owner", program: TOKEN_PROGRAM_ADDRESS }],
  ],
  [
    "no authority any more",
    token([mint, vault], [6, 0, 0]),
    [
      {
        ...authority,
        account: mint,
        authority_type: "mint_tokens",
        new_authority: null,
        program: TOKEN_PROGRAM_ADDRESS,
      },
    ],
  ],
  [
    "tokens that are burnt",
    token([own, mint, vault], [15, ...u64(9n), 6]),
    [{ type: "burn", token_account: own, owner: vault, mint, amount: "9" }],
  ],
  [
    "the account itself, to a program",
    system([vault], [...u32(1), ...key(other)]),
    [{ ...authority, account: vault, authority_type: "owner_program", program: SYSTEM_PROGRAM_ADDRESS }],
  ],
  [
    "a nonce account",
    system([nonce, vault], [...u32(7), ...key(other)]),
    [{ ...authority, account: nonce, authority_type: "nonce", program: SYSTEM_PROGRAM_ADDRESS }],
  ],
  [
    "a stake",
    call(stake, [nonce, base, vault], [...u32(1), ...key(other), ...u32(1)]),
    [{ ...authority, account: nonce, authority_type: "withdrawer", program: stake }],
  ],
  [
    "a program",
    call(loader, [nonce, vault, other], u32(4)),
    [{ ...authority, account: nonce, authority_type: "program_upgrade", program: loader }],
  ],
];

describe("a summary", () => {
  it.each(cases)("names %s", (_, instruction, effects) => {
    expect(summarise([instruction], { owners })).toEqual(effects);
  });

  it.each(cases)("names %s as the client library reads it from the same bytes", (_, instruction) => {
    const raw = {
      programAddress: instruction.programAddress,
      accounts: (instruction.accounts ?? []).map(({ address }) => address),
      data: Uint8Array.from(instruction.data ?? []),
    };
    const said = summarise([instruction], { owners });
    const read = readEffects(raw);
    expect(read.map(({ entry }) => entry)).toEqual(
      said.map((item, i) =>
        Object.fromEntries(Object.entries(item).filter(([name]) => !read[i]?.untold.includes(name))),
      ),
    );
  });

  it("takes the mint of a transfer from an account that the transaction opens, and returns the bytes where it is unknown", () => {
    const transfer = token([own, theirs, vault], [3, ...u64(9n)]);
    expect(summarise([token([own, mint], [18, ...key(vault)]), transfer]).at(-1)).toMatchObject({
      ...tokens,
      to: theirs,
    });
    expect(summarise([transfer])).toMatchObject([{ type: "instruction", accounts: [own, theirs, vault] }]);
  });

  it.each([
    ["too short", token([own, theirs, vault], [3, 9])],
    ["a batch that does not add up", token([own, theirs], [255, 3, 9, 3, ...u64(9n)])],
    ["an empty batch", token([own], [255])],
    ["without its accounts", system([vault], [...u32(2), ...u64(9n)])],
    ["with a seed beyond its end", system([vault, other, base], [...u32(3), ...key(base), ...u64(2n ** 63n)])],
  ])("shows bytes as they are that are %s", (_, instruction) => {
    expect(summarise([instruction], { owners })).toMatchObject([{ type: "instruction" }]);
  });
});

/** What the chain knows of the token accounts. */
const owners = new Map([
  [own, { owner: vault, mint, amount: 70n, lamports: 2_039_280n }],
  [theirs, { owner: other, mint, amount: 0n, lamports: 2_039_280n }],
]);
