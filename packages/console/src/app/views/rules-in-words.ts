import type { OwnedAccount } from "@trellis/react";
import { texts } from "../texts.js";
import { spellExactDuration } from "./countdown.js";

const words = texts.overview;

/** Who decides about a payment, and what that means for who is signed in, in sentences. */
export function sentencesOf({ policies, own }: Pick<OwnedAccount, "policies" | "own">): readonly string[] {
  const voters = policies.signers.filter(({ permissions }) => permissions.includes("CAN_VOTE")).length;
  const { threshold, time_lock: timeLockSeconds } = policies;
  if (own.way === "direct") return [words.alone];
  return [
    words.decided(threshold, voters),
    timeLockSeconds === 0 ? words.atOnce : words.waits(spellExactDuration(timeLockSeconds)),
    own.way === "vote" ? words.mayPropose : words.mayNotPropose,
  ];
}
