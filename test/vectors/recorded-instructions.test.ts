import { AccountRole, type Instruction } from "@solana/kit";
import {
  accountKindOf,
  addTransactionToBatchInstruction,
  closeBatchInstruction,
  closeBatchTransactionInstruction,
  closeTransactionBufferInstruction,
  createBatchInstruction,
  createTransactionBufferInstruction,
  createTransactionFromBufferInstruction,
  decodeBatch,
  decodeBatchTransaction,
  decodeTransactionBuffer,
  decodeWrappedMessage,
  executeBatchTransactionInstruction,
  extendTransactionBufferInstruction,
  SmartAccountProgramInstruction as Kind,
  type PlainInstruction,
  readProgramInstruction,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { readVectors, type Vector } from "../../program/test/support/conformance.js";
import { instructionsOf } from "./recorded-transaction.js";

const RECORDED = new Set([
  "create_batch",
  "add_transaction_to_batch",
  "execute_batch_transaction",
  "close_batch_transaction",
  "close_batch",
  "create_transaction_buffer",
  "extend_transaction_buffer",
  "create_transaction_from_buffer",
  "close_transaction_buffer",
]);

describe("batches and transaction buffers recorded on the public program", () => {
  // With several such instructions in one transaction the state before is not that of each; and this client never
  // writes bytes after the last argument, which the program ignores.
  const vectors = readVectors().filter(
    (vector) =>
      vector.expect.ok &&
      RECORDED.has(vector.instruction) &&
      !vector.name.includes("bytes after") &&
      instructionsOf(vector).length === 1,
  );

  it("are the instructions this client builds", () => {
    const counts = new Map<string, number>();
    for (const vector of vectors) {
      for (const recorded of instructionsOf(vector)) {
        const own = rebuilt(vector, recorded);
        if (own === undefined) continue;
        counts.set(vector.instruction, (counts.get(vector.instruction) ?? 0) + 1);
        expect(Buffer.from(own.data).toString("hex"), vector.name).toBe(
          Buffer.from(recorded.data ?? []).toString("hex"),
        );
        expect(
          own.accounts.map(({ address }) => address),
          vector.name,
        ).toEqual(recorded.accounts?.map(({ address }) => address));
        own.accounts.forEach(({ role }, i) => {
          // The transaction may give an account more rights, for another place where it stands.
          const given = recorded.accounts?.[i]?.role ?? AccountRole.READONLY;
          expect(isWritable(given) || !isWritable(role), `${vector.name}, account ${i} is written`).toBe(true);
          expect(isSigner(given) || !isSigner(role), `${vector.name}, account ${i} signs`).toBe(true);
        });
      }
    }
    expect(counts.size).toBe(9);
    for (const [instruction, count] of counts) expect(count, instruction).toBeGreaterThan(1);
  });

  it("leave accounts that this client can read", () => {
    const kinds = new Map<string, number>();
    for (const { expect: expected } of vectors) {
      for (const account of Object.values(expected.post)) {
        if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) continue;
        const data = Uint8Array.from(Buffer.from(account.data, "base64"));
        const kind = accountKindOf(data);
        expect(kind).toBeDefined();
        kinds.set(String(kind), (kinds.get(String(kind)) ?? 0) + 1);
        if (kind === "batch") expect(decodeBatch(data).size).toBeGreaterThanOrEqual(0);
        if (kind === "batchTransaction") expect(decodeBatchTransaction(data).message.instructions).toBeDefined();
        if (kind === "transactionBuffer") {
          const { content, finalSize } = decodeTransactionBuffer(data);
          expect(content.length).toBeLessThanOrEqual(finalSize);
        }
      }
    }
    for (const kind of ["batch", "batchTransaction", "transactionBuffer"]) {
      expect(kinds.get(kind), kind).toBeGreaterThan(5);
    }
  });
});

/** The account before the transaction, or else after it. */
function dataOf(vector: Vector, address: string): Uint8Array {
  const found = vector.accounts[address] ?? vector.expect.post[address];
  return Uint8Array.from(Buffer.from(found?.data ?? "", "base64"));
}

/** The same instruction made by this client, from what the recorded one says and from the accounts it names. */
function rebuilt(vector: Vector, instruction: Instruction): PlainInstruction | undefined {
  const parsed = readProgramInstruction(instruction);
  if (parsed === undefined) return undefined;
  const batchOf = (address: string) => decodeBatch(dataOf(vector, address));
  switch (parsed.instructionType) {
    case Kind.CreateBatch: {
      const { settings, batch, creator, rentPayer } = parsed.accounts;
      const { accountIndex, memo } = parsed.data;
      if (memo.__option === "Some") return undefined;
      const after = decodeBatch(Uint8Array.from(Buffer.from(vector.expect.post[batch.address]?.data ?? "", "base64")));
      return createBatchInstruction({
        settings: settings.address,
        batchIndex: after.index,
        creator: creator.address,
        rentPayer: rentPayer.address,
        accountIndex,
      });
    }
    case Kind.AddTransactionToBatch: {
      const { settings, batch, signer, rentPayer } = parsed.accounts;
      const { index, size } = batchOf(batch.address);
      const message = decodeWrappedMessage(parsed.data.transactionMessage);
      return addTransactionToBatchInstruction({
        settings: settings.address,
        batchIndex: index,
        number: size + 1,
        signer: signer.address,
        rentPayer: rentPayer.address,
        message,
        ephemeralSigners: parsed.data.ephemeralSigners,
      });
    }
    case Kind.ExecuteBatchTransaction: {
      const { settings, batch, signer, transaction } = parsed.accounts;
      const { index, executedCount, accountIndex } = batchOf(batch.address);
      const { message, ephemeralSignerCount } = decodeBatchTransaction(dataOf(vector, transaction.address));
      if (message.addressTableLookups.length > 0) return undefined;
      return executeBatchTransactionInstruction({
        settings: settings.address,
        batchIndex: index,
        number: executedCount + 1,
        signer: signer.address,
        message,
        accountIndex,
        ephemeralSignerCount,
      });
    }
    case Kind.CloseBatchTransaction: {
      const { settings, batch, rentCollector } = parsed.accounts;
      const { index, size } = batchOf(batch.address);
      return closeBatchTransactionInstruction({
        settings: settings.address,
        batchIndex: index,
        number: size,
        rentCollector: rentCollector.address,
      });
    }
    case Kind.CloseBatch: {
      const { settings, batch, proposalRentCollector, batchRentCollector } = parsed.accounts;
      return closeBatchInstruction({
        settings: settings.address,
        batchIndex: batchOf(batch.address).index,
        proposalRentCollector: proposalRentCollector.address,
        batchRentCollector: batchRentCollector.address,
      });
    }
    case Kind.CreateTransactionBuffer: {
      const { consensusAccount, creator, rentPayer } = parsed.accounts;
      const { bufferIndex, accountIndex, finalBufferHash, finalBufferSize, buffer } = parsed.data;
      return createTransactionBufferInstruction({
        settings: consensusAccount.address,
        creator: creator.address,
        rentPayer: rentPayer.address,
        bufferIndex,
        accountIndex,
        finalHash: finalBufferHash,
        finalSize: finalBufferSize,
        firstPart: buffer,
      });
    }
    case Kind.ExtendTransactionBuffer: {
      const { consensusAccount, transactionBuffer, creator } = parsed.accounts;
      const { bufferIndex } = decodeTransactionBuffer(dataOf(vector, transactionBuffer.address));
      const place = { settings: consensusAccount.address, creator: creator.address, bufferIndex };
      return extendTransactionBufferInstruction({ ...place, part: parsed.data.buffer });
    }
    case Kind.CloseTransactionBuffer: {
      const { consensusAccount, transactionBuffer, creator } = parsed.accounts;
      const { bufferIndex } = decodeTransactionBuffer(dataOf(vector, transactionBuffer.address));
      return closeTransactionBufferInstruction({
        settings: consensusAccount.address,
        creator: creator.address,
        bufferIndex,
      });
    }
    case Kind.CreateTransactionFromBuffer: {
      const { consensusAccount, transaction, creator, rentPayer, transactionBuffer } = parsed.accounts;
      const { bufferIndex } = decodeTransactionBuffer(dataOf(vector, transactionBuffer.address));
      const { args } = parsed.data;
      if (args.__kind !== "TransactionPayload" || args.memo.__option === "Some") return undefined;
      const after = Buffer.from(vector.expect.post[transaction.address]?.data ?? "", "base64");
      return createTransactionFromBufferInstruction({
        settings: consensusAccount.address,
        creator: creator.address,
        bufferIndex,
        transactionIndex: after.readBigUInt64LE(104),
        rentPayer: rentPayer.address,
        accountIndex: args.accountIndex,
        ephemeralSigners: args.ephemeralSigners,
      });
    }
    default:
      return undefined;
  }
}

const isWritable = (role: AccountRole): boolean => (role & AccountRole.WRITABLE) !== 0;

const isSigner = (role: AccountRole): boolean => (role & AccountRole.READONLY_SIGNER) !== 0;
