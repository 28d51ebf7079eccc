import { readFileSync } from "node:fs";
import type { Address, Instruction } from "@solana/kit";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { addressBytes, SMART_ACCOUNT_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { getSettingsEncoder } from "@trellis/program-client/generated/accounts/index.js";
import { checkTransaction } from "@trellis/sandbox/node/guard.js";
import { encodeEmptyMint } from "@trellis/sandbox/node/token-layout.js";
import { createVm } from "@trellis/sandbox/node/vm.js";
import { memoInstruction } from "@trellis/solana/memo.js";
import { readPlainMessage, writeTransaction } from "@trellis/solana/transaction-bytes.js";
import { describe, expect, it } from "vitest";
import { classify } from "../../src/custodian/policy/classify.js";
import {
  addSigner,
  feePayer,
  messageOf,
  mint,
  ofKind,
  opaqueOf,
  opening,
  otherMember,
  payee,
  payment,
  settings,
  settingsChange,
  smartAccount,
  sol,
  tokenAccountOf,
  tokens,
  wallet,
} from "../support/custodian-messages.js";

const program = new URL("../../program/artifact/smart_account_program.so", import.meta.url);
const vm = createVm([{ address: SMART_ACCOUNT_PROGRAM_ADDRESS, elf: readFileSync(program) }]);
const held = tokenAccountOf(smartAccount);
const funds = 1_000_000_000_000n;

const put = (address: Address, owner: Address, data: Uint8Array) =>
  vm.set(address, { lamports: funds, owner, data, executable: false });

const tokenAccount = (owner: Address, amount: bigint): Uint8Array => {
  const data = new Uint8Array(165);
  data.set(addressBytes(mint));
  data.set(addressBytes(owner), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  data[108] = 1;
  return data;
};

for (const address of [smartAccount, feePayer, wallet, otherMember])
  put(address, SYSTEM_PROGRAM_ADDRESS, new Uint8Array(0));
put(mint, TOKEN_PROGRAM_ADDRESS, encodeEmptyMint(null, 6));
put(held, TOKEN_PROGRAM_ADDRESS, tokenAccount(smartAccount, funds));
put(tokenAccountOf(payee), TOKEN_PROGRAM_ADDRESS, tokenAccount(payee, 0n));
put(
  settings,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  Uint8Array.from(
    getSettingsEncoder().encode({
      seed: 1n,
      settingsAuthority: SYSTEM_PROGRAM_ADDRESS,
      threshold: 2,
      timeLock: 0,
      transactionIndex: 0n,
      staleTransactionIndex: 0n,
      archivalAuthority: SYSTEM_PROGRAM_ADDRESS,
      archivableAfter: 0n,
      bump: 249,
      signers: [wallet, otherMember].map((key) => ({ key, permissions: 7 })),
      accountUtilization: 0,
      policySeed: 0n,
      reserved: 0,
    }),
  ),
);

const watched = new Set([smartAccount, held, wallet, settings]);
const amountIn = (data: Uint8Array) => Buffer.from(data).readBigUInt64LE(64);

/** What a message takes from the smart account and the wallet on the chain; undefined where it fails. */
function play(message: Uint8Array) {
  const signers = readPlainMessage(message)?.header.numSignerAccounts ?? 0;
  try {
    const wire = writeTransaction(
      Array.from({ length: signers }, () => new Uint8Array(64).fill(1)),
      message,
    );
    const { fault, after } = vm.simulate(checkTransaction(wire), {
      verifySignatures: false,
      withInner: false,
      of: watched,
    });
    if (fault !== null) return undefined;
    const stateOf = (address: Address) => after.get(address) ?? vm.get(address);
    const tokensAfter = stateOf(held)?.data ?? new Uint8Array(165);
    return {
      lamports: funds - (stateOf(smartAccount)?.lamports ?? 0n),
      tokens: funds - amountIn(tokensAfter),
      ofWallet: funds - (stateOf(wallet)?.lamports ?? 0n),
      // Owner, delegate, state and who may close it: everything but the amount.
      isHandedOver: !isSame([...tokensAfter.slice(0, 64), ...tokensAfter.slice(72)], heldBefore),
      isChanged: !isSame(stateOf(settings)?.data ?? [], vm.get(settings)?.data ?? []),
    };
  } catch {
    // No transaction that a node takes.
    return undefined;
  }
}

const before = tokenAccount(smartAccount, funds);
const heldBefore = [...before.slice(0, 64), ...before.slice(72)];
const isSame = (left: ArrayLike<number>, right: ArrayLike<number>) => Buffer.from(left).equals(Buffer.from(right));

/** The facts about a message, and what the chain does. */
function compare(message: Uint8Array) {
  const facts = classify(message, wallet);
  const played = opaqueOf(facts).length > 0 ? undefined : play(message);
  if (played === undefined) return false;
  const said = (of: Address | null) =>
    ofKind(facts, "transfer").reduce((sum, fact) => (fact.mint === of ? sum + fact.amountBaseUnits : sum), 0n);
  expect(played.lamports).toBeLessThanOrEqual(said(null));
  expect(played.tokens).toBeLessThanOrEqual(said(mint));
  expect(played.ofWallet).toBe(0n);
  expect(played.isHandedOver).toBe(false);
  if (played.isChanged) expect(ofKind(facts, "settings_change")).not.toEqual([]);
  return true;
}

describe("what a custodian reads from bytes, held to what the chain does", () => {
  const messages: readonly (readonly [name: string, instructions: readonly Instruction[]])[] = [
    ["a payment of SOL", [payment(sol(5_000_000n))]],
    ["a payment of SOL and tokens", [memoInstruction("rent"), payment(sol(5_000_000n), tokens(7n))]],
    ["a payment that opens a token account", [payment(opening(smartAccount, smartAccount), tokens(7n))]],
    ["a change of settings", [settingsChange(addSigner(payee), { __kind: "ChangeThreshold", newThreshold: 1 })]],
  ];

  it.each(messages)("%s, and with any byte changed", (_, instructions) => {
    const message = messageOf(instructions);
    expect(compare(message)).toBe(true);
    let played = 0;
    for (let at = 0; at < message.length; at += 1) {
      for (const bit of [1, 2, 4, 8, 32, 128]) {
        if (compare(message.with(at, (message[at] ?? 0) ^ bit))) played += 1;
      }
    }
    // The blockhash alone has 32 bytes that change nothing.
    expect(played).toBeGreaterThan(192);
  });
});
