import type { ViewProps } from "../views.js";
import { InboxList } from "./inbox-list.js";
import { OneProposal } from "./one-proposal.js";

/** What is proposed: all of it, or one proposal where the address names it. */
export default function Page({ parts: [proposal] }: ViewProps) {
  return proposal === undefined || proposal === "" ? <InboxList /> : <OneProposal key={proposal} address={proposal} />;
}
