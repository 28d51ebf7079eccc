/**
 * One step of a flow that outlives the process that is at it. `State` is what the flow has stored, with what its driver knows
 * besides.
 */
export interface Step<Flow, State> {
  /** As the table in the module's README names it. */
  readonly name: string;
  isDone(state: State): boolean;
  /** Does it, and returns the state after it. It may get further than its own step, or find that an earlier one is to be redone. */
  run(flow: Flow, state: State): Promise<State>;
}

/** The step that a flow is at: the first that is not done. Undefined: all are. */
export function nextStep<State, One extends { isDone(state: State): boolean }>(
  steps: readonly One[],
  state: State,
): One | undefined {
  return steps.find((step) => !step.isDone(state));
}

/**
 * Takes a flow to its end, from whatever state it was left in, and returns the state there. A request and a pass walk the
 * same list. A step that can be done no more, or not now, throws.
 */
export async function walkSteps<Flow, State>(
  steps: readonly Step<Flow, State>[],
  flow: Flow,
  from: State,
): Promise<State> {
  let state = from;
  for (let step = nextStep(steps, state); step !== undefined; step = nextStep(steps, state)) {
    state = await step.run(flow, state);
  }
  return state;
}
