import { createHash } from "node:crypto";
import { type Address, address, createNoopSigner, getAddressDecoder, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  closeTransactionBufferInstruction,
  compileWrappedMessage,
  createProposalInstruction,
  createTransactionBufferInstruction,
  createTransactionFromBufferInstruction,
  encodeWrappedMessage,
  extendTransactionBufferInstruction,
  voteInstruction,
} from "@trellis/program-client";
import { getTransactionEncoder } from "@trellis/program-client/generated/accounts/transaction.js";
import { getTransactionBufferEncoder } from "@trellis/program-client/generated/accounts/transactionBuffer.js";
import { describe, expect, it } from "vitest";
import { buildTransaction } from "../../../test/vectors/build-sync-transaction.js";
import { smartAccountVector } from "../../../test/vectors/smart-account.js";
import { assertBuffersAreClosed } from "./assert-buffer.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import type { ExpectedProposalCreation } from "./expected-proposal-creation.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import { deriveProposalAddress, deriveTransactionAddress, deriveTransactionBufferAddress } from "./program-address.js";
import { readProposalCalls } from "./proposal-frame.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

const keyOf = (fill: number): Address => getAddressDecoder().decode(new Uint8Array(32).fill(fill));
const settings: Address = address(smartAccountVector.settings);
const account: Address = address(smartAccountVector.vault0);
const [feePayer, creator, other, recipient, attacker] = [keyOf(2), keyOf(3), keyOf(4), keyOf(6), keyOf(7)];
const transactionIndex = 7n;

const pay = (amount: bigint, to = recipient): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(account), destination: to, amount });
const encoded = (...inside: Instruction[]) =>
  Uint8Array.from(encodeWrappedMessage(compileWrappedMessage(account, inside)));
const hashOf = (bytes: Uint8Array) => Uint8Array.from(createHash("sha256").update(bytes).digest());

const message = encoded(pay(1n), pay(2n));
const place = { settings, creator, bufferIndex: hashOf(message)[0] ?? 0 };
const half = message.length >> 1;
const fill = (part = message.subarray(half), more: object = {}) =>
  extendTransactionBufferInstruction({ ...place, part, ...more });
const use = (more: object = {}) =>
  createTransactionFromBufferInstruction({ ...place, transactionIndex, rentPayer: feePayer, ...more });
const open = (more: object = {}) =>
  createProposalInstruction({ settings, transactionIndex, creator, rentPayer: feePayer, ...more });
const approve = (signer = creator) => voteInstruction({ action: "approve", settings, transactionIndex, signer });

describe("a proposal through a buffer is signed", () => {
  it("where its parts add up to what was asked for", () => {
    check([[begin()], [fill(), use(), open(), approve()]]);
    check([[begin()], [fill()], [use(), open(), approve()]]);
    check([
      [giveUp(), begin()],
      [fill(), use(), open(), approve()],
    ]);
    check([[begin(message, { rentPayer: feePayer })], [fill(), use(), open(), approve()]]);
  });

  it("where the buffer holds the beginning already, if it follows from the whole message", () => {
    check([[fill(), use(), open(), approve()]], { bufferMessage: message });
    check([[use(), open(), approve()]], { bufferMessage: message });
    refused([[fill(), use(), open(), approve()]]);
    refused([[use(), open(), approve()]]);
    const elsewhere = { bufferIndex: (place.bufferIndex + 1) % 256 };
    const isOther = !hashOf(message).subarray(0, 4).includes(elsewhere.bufferIndex);
    expect(isOther).toBe(true);
    refused([[use(elsewhere), open(), approve()]], { bufferMessage: message });
  });
});

describe("with a node of the caller's own, a proposal through a buffer", () => {
  const buffer = deriveTransactionBufferAddress(settings, creator, place.bufferIndex);
  const holding = (of: Uint8Array, more: object = {}) =>
    Uint8Array.from(
      getTransactionBufferEncoder().encode({
        ...{ settings, creator, bufferIndex: place.bufferIndex, accountIndex: 0 },
        ...{ finalBufferHash: hashOf(of), finalBufferSize: of.length, buffer: of.subarray(0, half) },
        ...more,
      }),
    );
  const held = (data: Uint8Array | null) => ({ heldAccounts: new Map([[buffer, data]]), bufferMessage: message });
  const rest = [fill(), use(), open(), approve()];

  it("is signed where the buffer was made for this message, or is yet to be made", () => {
    check([rest], held(holding(message)));
    check([[begin()], rest], held(null));
    check([[begin()], rest], held(holding(message)));
  });

  it("is signed where the buffer was used up for this content and by this creator, and for nothing else", () => {
    const at = deriveTransactionAddress(settings, transactionIndex);
    const madeOf = (amount: bigint, by = creator) => {
      const { accountKeys, instructions, ...more } = compileWrappedMessage(account, [pay(1n), pay(amount)]);
      const message = {
        ...more,
        accountKeys: [...accountKeys],
        instructions: [...instructions],
        addressTableLookups: [],
      };
      const payload = {
        __kind: "TransactionPayload",
        accountIndex: 0,
        ephemeralSignerBumps: new Uint8Array(),
        message,
      } as const;
      const whose = { consensusAccount: settings, creator: by, rentCollector: feePayer, index: transactionIndex };
      const made = Uint8Array.from(getTransactionEncoder().encode({ ...whose, payload }));
      return {
        heldAccounts: new Map([
          [buffer, null],
          [at, made],
        ]),
        bufferMessage: encoded(pay(1n), pay(2n)),
      };
    };
    check([rest], madeOf(2n));
    refused([rest], madeOf(3n));
    refused([rest], madeOf(2n, other));
  });

  it("is not signed where the buffer was made for another message, is not there, or nothing is known of it", () => {
    // What its creator left there could be put to the vote by the last transaction alone.
    const wrong = encoded(pay(1n), pay(3n));
    refused([rest], held(holding(wrong)));
    refused([[begin()], rest], held(holding(wrong)));
    refused([[giveUp(), begin()], rest], held(holding(wrong)));
    refused([rest], held(holding(message, { finalBufferSize: message.length - 1 })));
    refused([rest], held(null));
    refused([rest], held(Uint8Array.of(1, 2, 3)));
    refused([rest], { heldAccounts: new Map(), bufferMessage: message });
  });
});

describe("buffers are given up", () => {
  const close = (bufferIndex: number, more: object = {}) =>
    closeTransactionBufferInstruction({ settings, creator, bufferIndex, ...more });
  const at = (bufferIndex: number) => deriveTransactionBufferAddress(settings, creator, bufferIndex);
  const closing = (instructions: readonly Instruction[], asked?: readonly string[]) =>
    assertBuffersAreClosed(readProposalCalls(read(instructions)).calls, creator, asked);

  it("where they are those that were asked for, or any of the signer's", () => {
    expect(closing([close(3), close(200)])).toEqual([at(3), at(200)]);
    expect(closing([close(200), close(3)], [at(3), at(200)])).toEqual([at(200), at(3)]);
  });

  it("and no others, none twice, none left out", () => {
    const mismatch = (instructions: readonly Instruction[], asked?: readonly string[]) =>
      expect(() => closing(instructions, asked)).toThrow(TransactionMismatchError);
    mismatch([close(3), close(4)], [at(3)]);
    mismatch([close(4)], [at(3)]);
    mismatch([close(3)], [at(3), at(4)]);
    mismatch([close(3), close(3)]);
    mismatch([close(3), close(3)], [at(3)]);
    mismatch([close(3, { creator: other })]);
    mismatch([close(3, { settings: keyOf(9) }), close(3)]);
    mismatch([close(3), fill()]);
  });
});

describe("a proposal through a buffer is not signed", () => {
  it("where another message is put together, whole or in a part", () => {
    const wrong = encoded(pay(1n), pay(3n));
    const number = { bufferIndex: hashOf(wrong)[0] ?? 0 };
    refused([[begin(wrong, number)], [fill(wrong.subarray(half), number), use(number), open(), approve()]]);
    refused([[begin()], [fill(wrong.subarray(half)), use(), open(), approve()]]);
    refused([[begin()], [fill(wrong.subarray(half)), use(), open(), approve()]], { bufferMessage: message });
    refused([[use(number), open(), approve()]], { bufferMessage: wrong });
    const drain = encoded(pay(1n), pay(2n, attacker));
    refused([[begin(drain)], [fill(drain.subarray(half)), use(), open(), approve()]]);
  });

  it("where a part is missing, too many, or in another order", () => {
    refused([[begin()], [use(), open(), approve()]]);
    refused([[begin()], [fill()], [fill(), use(), open(), approve()]]);
    refused([[fill()], [begin(), use(), open(), approve()]], { bufferMessage: message });
    refused([[begin()], [fill(), open(), use(), approve()]]);
    refused([[begin()], [fill(), use(), open(), approve()], [fill()]]);
    refused([[begin()], [fill()]]);
    refused([[giveUp(), fill(), use(), open(), approve()]], { bufferMessage: message });
    refused([[fill(), giveUp(), use(), open(), approve()]], { bufferMessage: message });
    refused([[begin()], [fill(), use(), open(), approve(), giveUp()]]);
  });

  it("where hash, size, account, buffer, creator or payer are others", () => {
    const rest = [fill(), use(), open(), approve()];
    refused([[begin(message, { finalHash: hashOf(Uint8Array.of(1)) })], rest]);
    refused([[begin(message, { finalSize: message.length + 1 })], rest]);
    refused([[begin(message, { accountIndex: 1 })], rest]);
    refused([[begin(message, { rentPayer: other })], rest]);
    refused([[begin(message, { creator: other })], rest]);
    refused([
      [begin()],
      [fill(message.subarray(half), { bufferIndex: place.bufferIndex ^ 1 }), use(), open(), approve()],
    ]);
    refused([[begin()], [fill(), use({ accountIndex: 1 }), open(), approve()]]);
    refused([[begin()], [fill(), use({ ephemeralSigners: 1 }), open(), approve()]]);
    refused([[begin()], [fill(), use({ rentPayer: creator }), open(), approve()]]);
    refused([[begin()], [fill(), use({ transactionIndex: 8n }), open(), approve()]]);
    refused([[begin()], rest], { creators: [other] });
    refused([[begin()], [fill(), use(), open({ draft: true }), approve()]]);
    refused([[begin()], [fill(), use(), open(), approve(other)]]);
  });

  it("where bytes stand behind the message", () => {
    const longer = Uint8Array.from([...message, 0]);
    const number = { bufferIndex: hashOf(longer)[0] ?? 0 };
    refused([[begin(longer, number)], [fill(longer.subarray(half), number), use(number), open(), approve()]]);
  });
});

const read = (instructions: readonly Instruction[]) => decodeTransaction(buildTransaction(feePayer, instructions));

const expected: ExpectedProposalCreation = {
  account,
  proposal: deriveProposalAddress(settings, transactionIndex),
  transactionIndex,
  creators: [creator],
  approvers: [creator],
  mustApprove: [creator],
  content: { type: "custom", transaction: buildTransaction(account, [pay(1n), pay(2n)]) },
};

const begin = (of = message, more: object = {}) =>
  createTransactionBufferInstruction({
    ...place,
    rentPayer: creator,
    finalHash: hashOf(of),
    finalSize: of.length,
    firstPart: of.subarray(0, half),
    ...more,
  });

const giveUp = (more: object = {}) => closeTransactionBufferInstruction({ ...place, ...more });

const check = (parts: readonly (readonly Instruction[])[], more: Partial<ExpectedProposalCreation> = {}) =>
  assertProposalCreationMatches(parts.map(read), { ...expected, ...more });

const refused = (parts: readonly (readonly Instruction[])[], more: Partial<ExpectedProposalCreation> = {}) =>
  expect(() => check(parts, more)).toThrow(TransactionMismatchError);
