import type { AnswerRoom } from "./ports/answer-room.js";

/** Memory for answers of any size, bounded for each of them, for each owner, and for the process. */
export interface AnswerSpace {
  /** Begins an answer for an owner. The caller that opens it releases it. */
  open(owner: string): AnswerRoom;
}

/** Bounds of such a space, in bytes. */
export interface AnswerBounds {
  /** Of one answer. */
  readonly answerBytes: number;
  /** Of all answers together, and of those of one owner. An answer's first `smallBytes` are not counted here. */
  readonly answersBytes: number;
  readonly answersBytesPerOwner: number;
  readonly smallBytes: number;
}

/** Makes a space with these bounds. */
export function createAnswerSpace(bounds: AnswerBounds): AnswerSpace {
  const heldByOwner = new Map<string, number>();
  let held = 0;

  const hold = (owner: string, bytes: number): void => {
    const next = (heldByOwner.get(owner) ?? 0) + bytes;
    held += bytes;
    if (next === 0) heldByOwner.delete(owner);
    else heldByOwner.set(owner, next);
  };

  return {
    open: (owner) => {
      let taken = 0;
      let counted = 0;
      let isOpen = true;
      const change = (bytes: number, more: number): void => {
        taken += bytes;
        counted += more;
        if (more !== 0) hold(owner, more);
      };
      const moreFor = (bytes: number): number => Math.max(0, taken + bytes - bounds.smallBytes) - counted;
      return {
        take: (bytes) => {
          if (!isOpen || taken + bytes > bounds.answerBytes) return false;
          const more = moreFor(bytes);
          const own = heldByOwner.get(owner) ?? 0;
          if (more > 0 && (held + more > bounds.answersBytes || own + more > bounds.answersBytesPerOwner)) return false;
          change(bytes, more);
          return true;
        },
        giveBack: (bytes) => {
          if (isOpen) change(-bytes, moreFor(-bytes));
        },
        release: () => {
          if (!isOpen) return;
          change(-taken, -counted);
          isOpen = false;
        },
      };
    },
  };
}
