import type { Proposal } from "@trellis/sdk";
import { State } from "../../parts/states.js";
import { texts } from "../texts.js";

const tones: Readonly<Record<string, "good" | "bad" | "waiting">> = {
  Active: "waiting",
  Approved: "waiting",
  Executed: "good",
  Rejected: "bad",
  Cancelled: "bad",
};

/** Where a proposal stands, in a word. */
export function ProposalState({
  proposal: { status, stale },
}: {
  readonly proposal: Pick<Proposal, "status" | "stale">;
}) {
  if (stale && status === "Active") return <State value={texts.inbox.outdated} tone="bad" />;
  return <State value={texts.inbox.states[status] ?? status} tone={tones[status] ?? "plain"} />;
}
