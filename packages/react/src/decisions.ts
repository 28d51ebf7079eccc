import { OutcomeUnknownError, type SignedSubmission } from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
import { ProposalUnderWayError } from "./proposal-under-way-error.js";
import { createValue, type Value } from "./value.js";

/** What a user does about a proposal. */
export type DecisionAction = "propose" | "approve" | "reject" | "cancel" | "execute" | "approve-and-execute";

/** Where something that is signed stands. */
export type ActState<Action extends string, Done extends object> =
  | { readonly status: "idle" }
  | { readonly status: "acting"; readonly action: Action }
  | ({ readonly status: "done"; readonly action: Action } & Done)
  /** Nothing was done by it. */
  | { readonly status: "refused"; readonly action: Action; readonly error: ExplainedError }
  /** It may have taken effect; done again it finds that out, by the same bytes. */
  | { readonly status: "unknown"; readonly action: Action; readonly error: ExplainedError };

/** How it was confirmed, and the proposal that it is about. */
export type Decided = {
  readonly signature: string;
  readonly proposal?: string;
  /** It was proposed, and another of the user's signers was to approve it: why that has not happened. */
  readonly notApproved?: ExplainedError;
};

/** Where what a user does about a proposal stands. */
export type DecisionState = ActState<DecisionAction, Decided>;

/** What is being done in an account: one thing at a time for each name, as a proposal's address. `new` stands for what is being made. */
export type Decisions<Action extends string, Done extends object> = {
  readonly states: Value<ReadonlyMap<string, ActState<Action, Done>>>;
  /**
   * Does it, and answers where that has led; never rejects. Under one name one thing is done at a time: a caller that asks meanwhile is
   * answered that one's end, and `action` says what it was. `subject` tells apart what has one name and is not the same, as what is
   * proposed: another one is refused, and is done when it is asked for again. `carry` is called with what it had signed where the outcome
   * of that is not known: it finds that out by the same bytes, and does what is still to be done.
   */
  readonly act: (
    name: string,
    action: Action,
    carry: (open?: SignedSubmission) => Promise<Done>,
    subject?: string,
  ) => Promise<ActState<Action, Done>>;
};

const idle = { status: "idle" } as const;

export function createDecisions<Action extends string, Done extends object>(needs: {
  readonly onDone: () => void;
}): Decisions<Action, Done> {
  type State = ActState<Action, Done>;
  type Carry = (open?: SignedSubmission) => Promise<Done>;
  const states = createValue<ReadonlyMap<string, State>>(new Map());
  const running = new Map<string, Promise<State>>();
  /** What was last done of each, while that may still take effect. */
  const subjects = new Map<string, string>();
  /** What did what may have taken effect: it also goes on from there. */
  const carriers = new Map<string, Carry>();

  const run = async (proposal: string, action: Action, before: State, carry: Carry) => {
    const put = (state: State): State => {
      states.set(new Map(states.get()).set(proposal, state));
      return state;
    };
    // What may have taken effect is found out about before anything else is done.
    const open = before.status === "unknown" ? before.error.cause : undefined;
    const doing = open instanceof OutcomeUnknownError && before.status === "unknown" ? before.action : action;
    const carrier = (open && carriers.get(proposal)) ?? carry;
    carriers.set(proposal, carrier);
    put({ status: "acting", action: doing });
    try {
      const outcome = await carrier(open instanceof OutcomeUnknownError ? open.signed : undefined);
      const done = put({ status: "done", action: doing, ...outcome });
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
