/** The memory of one answer, from its making until its receiver has it. */
export interface AnswerRoom {
  /** Counts bytes of the answer. False, and nothing counted, where they find no room any more. */
  take(bytes: number): boolean;
  /** Gives back what was claimed; nothing can be claimed afterwards. */
  release(): void;
}
