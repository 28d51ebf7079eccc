import type { Draw } from "./draw.js";
import { type Faults, honestNode, type NodeFaults, noFaults } from "./faulty-nodes.js";
import type { PlayedEnvironment } from "./world.js";

/** One thing that a client wants. */
type Intent =
  | {
      readonly kind: "payment";
      readonly startsAfterMs: number;
      /** Lamports; above a thousand: per mille of all that the account has. Several go into one request. */
      readonly amounts: readonly number[];
      /** How often the same request is made at the same time. */
      readonly copies: number;
      /** How often it is repeated before the client gives up. */
      readonly patience: number;
      /** How often new bytes are asked for at most. */
      readonly rounds: number;
      /** Between the preparation and the submit. */
      readonly thinkMs: readonly [number, ...number[]];
    }
  | { readonly kind: "creation" };

/** Everything about a history that is settled before it begins. */
export interface HistoryPlan {
  readonly environment: PlayedEnvironment;
  readonly payer: number;
  readonly faults: Faults;
  readonly nodes: readonly NodeFaults[];
  /** When each is started anew, with a ledger that begins then, in milliseconds; undefined where it is not. */
  readonly restarts: readonly (number | undefined)[];
  /** Of the chain against real time. */
  readonly pacePerMille: number;
  /** How long nothing happens first; the oldest blockhash there is dates from before. */
  readonly quietMs: number;
  /** Each with the steps at which its lives end. */
  readonly processes: readonly { readonly deaths: readonly number[] }[];
  /** How many times as long as asked for the pauses of a process last: busy machines, and fewer reads of the chain. */
  readonly slowness: number;
  readonly intents: readonly Intent[];
}

/** Draws a history. */
export function drawPlan(draw: Draw): HistoryPlan {
  const environment = draw.percent(25) ? "sandbox" : "devnet";
  const { nodes, pacePerMille } = environment === "sandbox" ? oneNode(draw) : drawCluster(draw);
  const intents = Array.from({ length: draw.between(1, 2) }, () => drawIntent(draw));
  const restarting = draw.oneOf([0, 0, 60, 100]);
  return {
    environment,
    payer: draw.below(6),
    faults: drawFaults(draw),
    nodes,
    restarts: nodes.map(() => (draw.percent(restarting) ? draw.between(0, 60_000) : undefined)),
    pacePerMille,
    quietMs: draw.percent(20) ? draw.between(0, 90_000) : 0,
    processes: Array.from({ length: draw.percent(50) ? 2 : 1 }, () => ({
      deaths: Array.from({ length: draw.below(3) }, () => draw.between(1, 140)),
    })),
    slowness: draw.oneOf([4, 10, 20, 40]),
    intents: draw.percent(12) ? [...intents.slice(1), { kind: "creation" }] : intents,
  };
}

function drawIntent(draw: Draw): Intent {
  const isDear = draw.percent(12);
  const amounts = Array.from({ length: draw.percent(10) ? 2 : 1 }, () =>
    isDear ? draw.between(1_510, 1_700) : draw.between(1, 1_000),
  );
  return {
    kind: "payment",
    startsAfterMs: draw.between(0, 4_000),
    amounts,
    copies: draw.oneOf([1, 1, 1, 2, 2, 3]),
    patience: draw.between(0, 5),
    rounds: draw.between(1, 3),
    thinkMs: draw.oneOf<readonly [number, ...number[]]>([
      [0, 100, 3_000],
      [200],
      [30_000, 55_000, 59_500],
      [10, 65_000, 0],
    ]),
  };
}

/** From nothing to a storm. */
function drawFaults(draw: Draw): Faults {
  const most = draw.oneOf([0, 3, 8, 16]);
  if (most === 0) return noFaults;
  const some = () => draw.between(0, most);
  return {
    dropped: some(),
    unanswered: some(),
    slow: some(),
    late: draw.between(0, most),
    doubled: some(),
    unwell: some() >> 1,
    swallowed: draw.oneOf([0, most, most * 3, 100]),
    stale: some() * 2,
    phantom: some(),
  };
}

/** One node, which does not lie: where it is the only one, its word is all there is. */
function oneNode(draw: Draw): Pick<HistoryPlan, "nodes" | "pacePerMille"> {
  return {
    nodes: [{ ...honestNode, steadyHeights: false }],
    pacePerMille: draw.oneOf([1_000, 1_000, 600, 1_500]),
  };
}

/**
 * A cluster in which the promise can be kept. Either the chain is not so slow that 150 seconds pass before 150 blocks; then
 * nodes may lie about heights as they like. Or it is; then none runs ahead, or two others that answer outvote it. Histories
 * may be lost without a word by all nodes but one; any node may be started anew, with a ledger that begins then.
 */
function drawCluster(draw: Draw): Pick<HistoryPlan, "nodes" | "pacePerMille"> {
  const count = draw.between(1, 3);
  const honest = (steadyHeights: boolean): NodeFaults => ({ ...honestNode, steadyHeights });
  const lagging = (): NodeFaults => ({
    ...honestNode,
    skewBlocks: -draw.oneOf([5, 30, 90, 200, 900]),
    steadyHeights: draw.percent(50),
  });
  const scheme = draw.oneOf(["liars", "slow", "outvoted", "forgetful"]);
  if (scheme === "liars") {
    const ahead = (): NodeFaults => ({
      ...honestNode,
      skewBlocks: draw.oneOf([20, 90, 140, 160, 400, 1_000_000]),
      steadyHeights: draw.percent(50),
    });
    return {
      pacePerMille: draw.oneOf([450, 700, 1_000, 1_500]),
      nodes: Array.from({ length: count }, () => draw.oneOf([ahead, lagging, () => honest(draw.percent(50))])()),
    };
  }
  const pacePerMille = draw.oneOf([100, 250, 400, 1_000]);
  if (scheme === "outvoted") {
    const ahead: NodeFaults = { ...honestNode, skewBlocks: draw.oneOf([150, 500, 1_000_000]) };
    const nodes = [honest(true), honest(true)];
    nodes.splice(draw.below(3), 0, ahead);
    return { pacePerMille, nodes };
  }
  if (scheme === "slow") {
    const nodes = Array.from({ length: count }, () => (draw.percent(40) ? lagging() : honest(draw.percent(50))));
    return { pacePerMille, nodes };
  }
  const nodes = Array.from({ length: Math.max(2, count) }, () => ({ ...honest(draw.percent(50)), forgets: true }));
  nodes[draw.below(nodes.length)] = honest(true);
  return { pacePerMille, nodes };
}
