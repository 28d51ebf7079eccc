import { type Bytes, concat, smallVec, u8, u16, u32, u64 } from "./bytes.js";
import { SYSTEM } from "./keys.js";

/** An inner instruction by account positions. */
export interface Compiled {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

const compiled = (instruction: Compiled): Bytes =>
  concat(
    u8(instruction.program),
    smallVec(instruction.accounts.map(u8)),
    u16(instruction.data.length),
    instruction.data,
  );

/** The compact list that synchronous execution carries. */
export const syncPayload = (instructions: readonly Compiled[]): Bytes => smallVec(instructions.map(compiled));

/** Data of a system transfer. */
export const transferData = (lamports: bigint | number): Bytes => concat(u32(2), u64(lamports));

export interface WrappedMessage {
  readonly signers: number;
  readonly writableSigners: number;
  readonly writableNonSigners: number;
  readonly keys: readonly Uint8Array[];
  readonly instructions: readonly Compiled[];
  readonly lookups?: readonly {
    readonly table: Uint8Array;
    readonly writable: readonly number[];
    readonly readonly: readonly number[];
  }[];
}

/** The compact message that create_transaction carries. */
export const wrappedMessage = (message: WrappedMessage): Bytes =>
  concat(
    u8(message.signers),
    u8(message.writableSigners),
    u8(message.writableNonSigners),
    smallVec(message.keys),
    smallVec(message.instructions.map(compiled)),
    smallVec(
      (message.lookups ?? []).map((lookup) =>
        concat(lookup.table, smallVec(lookup.writable.map(u8)), smallVec(lookup.readonly.map(u8))),
      ),
    ),
  );

/** "The vault sends lamports to somebody", as a wrapped message. */
export const transferMessage = (vault: Uint8Array, to: Uint8Array, lamports: bigint | number): WrappedMessage => ({
  signers: 1,
  writableSigners: 1,
  writableNonSigners: 1,
  keys: [vault, to, SYSTEM],
  instructions: [{ program: 2, accounts: [0, 1], data: transferData(lamports) }],
});
