import type { Address } from "@solana/kit";
import {
  accountKindOf,
  decodeTransactionBuffer,
  deriveTransactionBufferAddress,
  ProgramDataError,
} from "@trellis/program-client";
import type { FoundAccount } from "./chain-reader.js";
import { assertTrue, DoctorError } from "./doctor-error.js";

/** A transaction buffer: a message that a signer began to put together and has not put to a vote. */
export interface LeftOverBuffer {
  readonly address: Address;
  readonly consensus: Address;
  /** Who alone can continue it or give it up, and gets its rent. */
  readonly creator: Address;
  readonly number: number;
  readonly messageBytes: number;
  readonly writtenBytes: number;
}

/** The buffers among the accounts of settings or of a policy. Throws `DoctorError` for what cannot be true. */
export function examineBuffers(consensus: Address, under: readonly FoundAccount[]): LeftOverBuffer[] {
  return under.flatMap(({ address, data }) => {
    if (accountKindOf(data) !== "transactionBuffer") return [];
    try {
      const { creator, bufferIndex: number, finalSize, content } = decodeTransactionBuffer(data);
      const expected = deriveTransactionBufferAddress(consensus, creator, number);
      assertTrue(expected === address, `no buffer can lie at ${address}`);
      return [{ address, consensus, creator, number, messageBytes: finalSize, writtenBytes: content.length }];
    } catch (error) {
      if (!(error instanceof ProgramDataError)) throw error;
      throw new DoctorError(`The account ${address} cannot be read: ${error.message}.`, { cause: error });
    }
  });
}
