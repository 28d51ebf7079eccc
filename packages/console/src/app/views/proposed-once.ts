import type { DecisionState } from "@trellis/react";
import type { ProposedContent } from "@trellis/sdk";
import { isMismatch } from "./decision-notice.js";

/** What tells one content from another: the same text for the same content. */
export const keyOf = (content: ProposedContent): string =>
  JSON.stringify(content, (_name, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));

/** What is shown below a content that can be proposed. */
export interface Shown {
  /** Whether it can be proposed now. */
  readonly isOffered: boolean;
  /** Whether the state is about this content, or has to be known whatever it is about. */
  readonly isReported: boolean;
  readonly isProposed: boolean;
}

/** `asked` is the key of what was proposed last from here, `key` that of what is shown now. */
export function shownOf(state: DecisionState, asked: string | undefined, key: string): Shown {
  const isAsked = asked === key;
  const isProposed = isAsked && state.status === "done";
  const isUnknown = state.status === "unknown";
  return {
    isOffered: !isProposed && !isUnknown && !(isAsked && isMismatch(state)),
    isReported: isAsked || isUnknown || state.status === "acting",
    isProposed,
  };
}
