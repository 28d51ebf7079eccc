import { type Confirmation, OutcomeUnknownError, type SignedSubmission } from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
import { ProposalUnderWayError } from "./proposal-under-way-error.js";
import { createValue, type Value } from "./value.js";

/** What a user does about a proposal. */
export type DecisionAction = "propose" | "approve" | "reject" | "cancel" | "execute" | "approve-and-execute";

/** Where that stands. */
export type DecisionState =
  | { readonly status: "idle" }
  | { readonly status: "acting"; readonly action: DecisionAction }
  | { readonly status: "done"; readonly action: DecisionAction; readonly signature: string }
  /** Nothing has been decided by it. */
  | { readonly status: "refused"; readonly action: DecisionAction; readonly error: ExplainedError }
  /** It may have taken effect; done again it finds that out, by the same bytes. */
  | { readonly status: "unknown"; readonly action: DecisionAction; readonly error: ExplainedError };

type Carry = () => Promise<Confirmation>;

/** What is being decided in an account: one thing at a time for each proposal. `new` stands for what is being proposed. */
export type Decisions = {
  readonly states: Value<ReadonlyMap<string, DecisionState>>;
  /**
   * Does it, and answers where that has led; never rejects. Of one proposal one thing is done at a time: a caller that asks meanwhile is
   * answered that one's end, and `action` says what it was. `subject` tells apart what has one name and is not the same, as what is
   * proposed: another one is refused, and is done when it is asked for again.
   */
  readonly act: (proposal: string, action: DecisionAction, carry: Carry, subject?: string) => Promise<DecisionState>;
};

const idle: DecisionState = { status: "idle" };

export function createDecisions(needs: {
  readonly resume: (signed: SignedSubmission) => Promise<Confirmation>;
  readonly onDone: () => void;
}): Decisions {
  const states = createValue<ReadonlyMap<string, DecisionState>>(new Map());
  const running = new Map<string, Promise<DecisionState>>();
  /** What was last done of each, while that may still take effect. */
  const subjects = new Map<string, string>();

  const run = async (proposal: string, action: DecisionAction, before: DecisionState, carry: Carry) => {
    const put = (state: DecisionState): DecisionState => {
      states.set(new Map(states.get()).set(proposal, state));
      return state;
    };
    // What may have taken effect is found out about before anything else is done.
    const open = before.status === "unknown" ? before.error.cause : undefined;
    const doing = open instanceof OutcomeUnknownError && before.status === "unknown" ? before.action : action;
    put({ status: "acting", action: doing });
    try {
      const { signature } = await (open instanceof OutcomeUnknownError ? needs.resume(open.signed) : carry());
      const done = put({ status: "done", action: doing, signature });
      needs.onDone();
      return done;
    } catch (thrown) {
      const status = thrown instanceof OutcomeUnknownError ? "unknown" : "refused";
      return put({ status, action: doing, error: explainError(thrown) });
    } finally {
      running.delete(proposal);
    }
  };

  return {
    states,
    act: async (proposal, action, carry, subject = "") => {
      const before = states.get().get(proposal) ?? idle;
      const isOpen = running.has(proposal) || before.status === "unknown";
      const isOther = isOpen && subjects.get(proposal) !== subject;
      let promise = running.get(proposal);
      if (promise === undefined) {
        promise = run(proposal, action, before, carry);
        running.set(proposal, promise);
        if (!isOther) subjects.set(proposal, subject);
      }
      if (!isOther) return promise;
      if (before.status === "unknown") await promise;
      return { status: "refused", action, error: explainError(new ProposalUnderWayError()) };
    },
  };
}
