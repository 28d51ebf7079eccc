/** Something else is being put to a vote, or was and its outcome is unknown. Nothing was proposed for the call that fails so. */
export class ProposalUnderWayError extends Error {
  override readonly name = "ProposalUnderWayError";

  constructor() {
    super("something else is being proposed; wait for its end, then propose this");
  }
}
