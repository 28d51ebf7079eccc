/** Something else is being put to a vote, or was and nobody knows what became of it. Nothing was proposed for the call that fails so. */
export class ProposalUnderWayError extends Error {
  override readonly name = "ProposalUnderWayError";

  constructor() {
    super("something else is being proposed; wait for its end, then propose this");
  }
}
