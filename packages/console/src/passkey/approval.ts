/** What a passkey approves itself, in words that are read off the bytes that it signs. */
import { createSpelling, type Description, describeEntry, type SentencePart } from "@trellis/react";
import { type ApprovedAct, readApproval, TransactionMismatchError } from "@trellis/sdk";
import type { Approval } from "./ceremony.js";

/** One thing that is approved. */
export interface ShownAct {
  readonly parts: readonly SentencePart[];
  /** What it does lies elsewhere, and cannot be seen here. */
  readonly isUnseen: boolean;
}

/** All that is approved; undefined where a part of it cannot be said: then nothing may be signed. */
export function describeApproval(approval: Approval): readonly ShownAct[] | undefined {
  const spell = createSpelling(approval.environment as Parameters<typeof createSpelling>[0]);
  try {
    const acts = readApproval(approval).map((act) => describe(act, (entry) => describeEntry(entry, spell)));
    return acts.every((act) => act !== undefined) ? acts : undefined;
  } catch (error) {
    if (error instanceof TransactionMismatchError) return undefined;
    throw error;
  }
}

type Entry = Extract<ApprovedAct, { type: "effect" }>["entry"];

const votes = {
  approve: "Votes yes on the proposal ",
  reject: "Votes no on the proposal ",
  cancel: "Votes to cancel the proposal ",
} as const;

function describe(act: ApprovedAct, say: (entry: Entry) => Description): ShownAct | undefined {
  switch (act.type) {
    case "effect": {
      const { parts, isReadable } = say(act.entry);
      if (!isReadable) return undefined;
      return { parts: act.isProposed ? [{ text: "Proposes, for a vote: " }, ...parts] : parts, isUnseen: false };
    }
    case "vote":
      return { parts: [{ text: votes[act.action] }, { address: act.proposal }], isUnseen: act.action === "approve" };
    case "execution":
      return {
        parts: [{ text: "Carries out what was voted on in the proposal " }, { address: act.proposal }],
        isUnseen: true,
      };
  }
}
