import type { Address, ReadonlyUint8Array } from "@solana/kit";
import { ProgramDataError, type readProgramInstruction, SmartAccountProgramInstruction } from "@trellis/program-client";

/** An instruction of the program about a buffer, in which a message is put together that does not fit one transaction. */
export type BufferCall =
  | {
      readonly kind: "begin_buffer";
      readonly settings: Address;
      readonly buffer: Address;
      readonly signer: Address;
      /** Pays the rent, which goes to `signer` once the buffer is used or given up. */
      readonly rentPayer: Address;
      /** Of the whole message: SHA-256 and length in bytes. */
      readonly finalHash: ReadonlyUint8Array;
      readonly finalSize: number;
      readonly part: ReadonlyUint8Array;
    }
  | {
      readonly kind: "fill_buffer";
      readonly settings: Address;
      readonly buffer: Address;
      readonly signer: Address;
      readonly part: ReadonlyUint8Array;
    }
  /** Stores the message of a complete buffer for voting, and closes the buffer. */
  | {
      readonly kind: "use_buffer";
      readonly settings: Address;
      readonly buffer: Address;
      readonly transaction: Address;
      readonly signer: Address;
      readonly rentPayer: Address;
      readonly accountIndex: number;
      readonly ephemeralSignerCount: number;
    }
  | { readonly kind: "close_buffer"; readonly settings: Address; readonly buffer: Address; readonly signer: Address };

/** Whether it is one of them. */
export const isBufferCall = (call: { readonly kind: string }): call is BufferCall => call.kind.endsWith("_buffer");

/** What a prepared transaction leaves of the message that was asked for; kept with it, because its bytes do not say. */
export interface BufferStep {
  /** Lower-case hex SHA-256 of the whole message. */
  readonly digest: string;
  /** How much of it is in the buffer afterwards, or is used by it. */
  readonly reachedBytes: number;
}

/** Reads an instruction about a buffer; undefined for any other. Throws a `ProgramDataError` for the payload of a policy. */
export function readBufferCall(parsed: NonNullable<ReturnType<typeof readProgramInstruction>>): BufferCall | undefined {
  switch (parsed.instructionType) {
    case SmartAccountProgramInstruction.CreateTransactionBuffer: {
      const { accounts, data } = parsed;
      return {
        kind: "begin_buffer",
        settings: accounts.consensusAccount.address,
        buffer: accounts.transactionBuffer.address,
        signer: accounts.creator.address,
        rentPayer: accounts.rentPayer.address,
        finalHash: data.finalBufferHash,
        finalSize: data.finalBufferSize,
        part: data.buffer,
      };
    }
    case SmartAccountProgramInstruction.ExtendTransactionBuffer: {
      const { accounts, data } = parsed;
      return {
        kind: "fill_buffer",
        settings: accounts.consensusAccount.address,
        buffer: accounts.transactionBuffer.address,
        signer: accounts.creator.address,
        part: data.buffer,
      };
    }
    case SmartAccountProgramInstruction.CreateTransactionFromBuffer: {
      const { accounts, data } = parsed;
      if (data.args.__kind !== "TransactionPayload") throw new ProgramDataError("the payload is that of a policy");
      return {
        kind: "use_buffer",
        settings: accounts.consensusAccount.address,
        buffer: accounts.transactionBuffer.address,
        transaction: accounts.transaction.address,
        signer: accounts.creator.address,
        rentPayer: accounts.rentPayer.address,
        accountIndex: data.args.accountIndex,
        ephemeralSignerCount: data.args.ephemeralSigners,
      };
    }
    case SmartAccountProgramInstruction.CloseTransactionBuffer: {
      const { consensusAccount, transactionBuffer, creator } = parsed.accounts;
      return {
        kind: "close_buffer",
        settings: consensusAccount.address,
        buffer: transactionBuffer.address,
        signer: creator.address,
      };
    }
    default:
      return undefined;
  }
}
