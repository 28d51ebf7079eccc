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

/**
 * What the program wants at the end of every one of its instructions: nothing. A version of it that wants an account there, as
 * a sysvar, gets it here, and every builder with it.
 */
const atEveryEnd: readonly AccountMeta[] = [];

/**
 * The one way out of a builder of the program's instructions: removes signer objects, and appends `further` accounts, which
 * this instruction needs, and `last` ones, which each does.
 */
export function plain(
  instruction: Instruction,
  further: readonly AccountMeta[] = [],
  last: readonly AccountMeta[] = atEveryEnd,
): PlainInstruction {
  return {
    programAddress: instruction.programAddress,
    accounts: [
      ...(instruction.accounts ?? []).map(({ address, role }) => ({ address, role }) as AccountMeta),
      ...further,
      ...last,
    ],
    data: instruction.data ?? new Uint8Array(0),
  };
}
