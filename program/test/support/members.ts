import { repeated } from "./keys.js";
import type { Member } from "./settings-instructions.js";

/** Members of the specification's vectors, and an outsider. */
export const A = repeated(1);
export const B = repeated(2);
export const C = repeated(3);
export const D = repeated(4);

export const INITIATE = 1;
export const VOTE = 2;
export const EXECUTE = 4;
export const ALL = 7;

export interface Terms {
  readonly members: readonly Member[];
  readonly threshold: number;
  readonly timeLock?: number;
  readonly authority?: Uint8Array;
}

/** A and B, both with every permission; two votes needed. */
export const TWO_OF_TWO: Terms = {
  threshold: 2,
  members: [
    { key: A, mask: ALL },
    { key: B, mask: ALL },
  ],
};

/** A and B with every permission, C only votes; two votes needed. */
export const TWO_OF_THREE: Terms = {
  threshold: 2,
  members: [
    { key: A, mask: ALL },
    { key: B, mask: ALL },
    { key: C, mask: VOTE },
  ],
};
