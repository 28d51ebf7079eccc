import type { Address } from "@solana/kit";
import { ProgramDataError } from "@trellis/program-client";

/** What keeps the doctor from an answer, in words for the operator who runs it. */
export class DoctorError extends Error {
  override readonly name = "DoctorError";
}

/** Ends the examination when a node's answer cannot be true, whatever it is about. */
export function assertTrue(condition: unknown, what: string): asserts condition {
  if (!condition) throw new DoctorError(`The node contradicts itself: ${what}. Nothing it says can be relied on.`);
}

/** What `decode` makes of the account at `address`. Throws `DoctorError` where its data is not what it has to be. */
export function decodeAt<T>(address: Address, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof ProgramDataError)) throw error;
    throw new DoctorError(`The account ${address} cannot be read: ${error.message}.`, { cause: error });
  }
}
