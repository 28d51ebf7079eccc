/** The memory of one answer, from its making until its receiver has it. */
export interface AnswerRoom {
  /** Counts bytes of the answer. False, and nothing counted, where they find no room any more. */
  take(bytes: number): boolean;
  /** Gives back some of what was taken, which the answer does not need after all. */
  giveBack(bytes: number): void;
  /** Gives back all that was taken; nothing can be taken afterwards. */
  release(): void;
}
