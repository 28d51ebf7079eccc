import { readBytes } from "./byte-reader.js";

/** What the compute-budget instructions of a transaction ask for; absent where there is none. */
export type ComputeBudget = {
  readonly heapFrameBytes?: number;
  readonly unitLimit?: number;
  readonly unitPriceMicroLamports?: bigint;
  readonly loadedAccountsDataSizeLimitBytes?: number;
};

/** Reads one compute-budget instruction. Throws a `RangeError` when it is none of the four or does not end where it should. */
export function decodeComputeBudgetInstruction(data: Uint8Array): ComputeBudget {
  const reader = readBytes(data);
  const tag = reader.u8();
  const decoded = decodeByTag(tag, reader.u32, reader.u64);
  reader.end();
  return decoded;
}

function decodeByTag(tag: number, u32: () => number, u64: () => bigint): ComputeBudget {
  switch (tag) {
    case 1:
      return { heapFrameBytes: u32() };
    case 2:
      return { unitLimit: u32() };
    case 3:
      return { unitPriceMicroLamports: u64() };
    case 4:
      return { loadedAccountsDataSizeLimitBytes: u32() };
    default:
      throw new RangeError(`no compute-budget instruction has the tag ${tag}`);
  }
}
