/** Something was to be approved that was not displayed in full, or cannot be read. Nothing was signed for the call that fails so. */
export class ProposalNotShownError extends Error {
  override readonly name = "ProposalNotShownError";
}
