import {
  getSolanaErrorFromTransactionError,
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN,
  SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN,
  type TransactionError,
} from "@solana/kit";
import { describe, expect, it } from "vitest";
import { describeFault, instructionFaults, transactionFaults } from "./transaction-error.js";

// Newer than the client library's own list: it reports them as unknown, with their name.
const newer = ["ProgramCacheHitMaxLimit", "CommitCancelled"];

describe("the names of the VM's errors", () => {
  it("are all of Solana's, each understood by the client library", () => {
    expect(transactionFaults).toHaveLength(35);
    expect(instructionFaults).toHaveLength(53);
    for (const name of transactionFaults) {
      const error = getSolanaErrorFromTransactionError(name as TransactionError);
      expect(isSolanaError(error, SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN), name).toBe(newer.includes(name));
    }
    for (const name of instructionFaults) {
      const error = getSolanaErrorFromTransactionError({ InstructionError: [0, name] } as TransactionError);
      expect(isSolanaError(error, SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN), name).toBe(false);
    }
  });

  it("become sentences", () => {
    expect(describeFault("BlockhashNotFound")).toBe("Blockhash not found");
    expect(describeFault("TooManyAccountLocks")).toBe("too many account locks");
    expect(describeFault({ InstructionError: [2, { Custom: 6_001 }] })).toBe(
      "Error processing Instruction 2: custom program error: 0x1771",
    );
    expect(describeFault({ InstructionError: [0, "InvalidAccountData"] })).toBe(
      "Error processing Instruction 0: invalid account data",
    );
    expect(describeFault({ InsufficientFundsForRent: { account_index: 1 } })).toBe("insufficient funds for rent");
  });
});
