/**
 * Instructions without signer objects. Prepared transactions are signed elsewhere and later, so builders here take
 * addresses, and what they return holds only addresses and roles.
 */
import {
  type AccountMeta,
  type Address,
  createNoopSigner,
  type Instruction,
  type ReadonlyUint8Array,
  type TransactionSigner,
} from "@solana/kit";

/** An instruction with its accounts and data present and no signer objects attached. */
export type PlainInstruction = {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: ReadonlyUint8Array;
};

/** What a generated builder wants in place of the address of a signer. */
export const asSigner = (address: Address): TransactionSigner => createNoopSigner(address);

/** Removes signer objects and appends further accounts. */
export function plain(instruction: Instruction, further: readonly AccountMeta[] = []): PlainInstruction {
  return {
    programAddress: instruction.programAddress,
    accounts: [
      ...(instruction.accounts ?? []).map(({ address, role }) => ({ address, role }) as AccountMeta),
      ...further,
    ],
    data: instruction.data ?? new Uint8Array(0),
  };
}
