import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { payStandingOrders } from "../../src/standing-orders/pay-orders.js";
import { recoverSubmissions } from "../../src/submissions/recover-submissions.js";
import { settleSubmissions } from "../../src/submissions/settle-submissions.js";
import { createDraw, type Draw } from "./draw.js";
import { createConvoys, type Faults, type FaultyChain, honestNode, type NodeFaults, noFaults } from "./faulty-nodes.js";
import { judgeOrders, type OrderCounts } from "./judge-orders.js";
import { openFewOrders, openManyOrders, type PlayedAccount } from "./open-orders.js";
import { drawPlan, type HistoryPlan } from "./plan.js";
import type { ServiceProcess, World } from "./world.js";

/** What was learned from playing a history of standing orders. */
export interface OrderHistory {
  readonly trace: readonly string[];
  /** What must not be: empty. */
  readonly wrong: readonly string[];
  readonly counts: OrderCounts;
}

/** How a history is played. */
export interface HistorySize {
  /** So many due dates, and the time between them leapt over while the faults last; undefined: a few, most of them after. */
  readonly dues?: number;
  /** Whether every step is reported. */
  readonly isTold?: boolean;
}

const processesEach = 3;
/** Events at the most, of a history of few due dates and for each of many. */
const eventsMax = 20_000;
const eventsOfDue = 500;
/** Where there are many due dates, their payments reach the chain together that leave within this: virtual milliseconds. */
const convoysApartMs = 100;

/**
 * Plays the history of a seed: three schedulers that die and restart, over nodes that fail, pay the due dates of a few
 * orders, of which some have passed already, while the chain's clock jumps. Then the faults end, and one scheduler continues
 * until there is nothing left to do.
 */
export async function playOrderHistory(
  world: World,
  seed: number,
  { dues, isTold: isReported = true }: HistorySize = {},
): Promise<OrderHistory> {
  const { timeline } = world;
  const eventsMost = eventsMax + eventsOfDue * (dues ?? 0);
  timeline.skip(1_000);
  timeline.align();
  const draw = createDraw(seed);
  const plan = drawPlan(draw);
  const began = timeline.now();
  const trace: string[] = [];
  const wrong: string[] = [];
  const note = (line: string) => {
    if (isReported) trace.push(`${timeline.now() - began} ${line}`);
  };
  const counts: OrderCounts = { paid: 0, missed: 0, deaths: 0, lost: 0 };

  let faults: Faults = plan.faults;
  let kinds: readonly NodeFaults[] = plan.nodes;
  let isCalm = false;
  const sent = new Set<string>();
  const chain: FaultyChain = {
    handle: world.handle,
    faults: () => faults,
    onSend: async (wire) => void sent.add(wire),
    blockhashes: [],
    ...(dues === undefined ? {} : { convoys: createConvoys(timeline, convoysApartMs) }),
  };
  const { value } = await world.chain.rpc.getLatestBlockhash().send();
  chain.blockhashes.push({ blockhash: value.blockhash, lastValidBlockHeight: Number(value.lastValidBlockHeight) });
  const nodes = () => kinds.map((kind) => ({ ...kind, ledgerStart: 0n }));
  const setting = (name: string, dieAt: number | undefined, from: Draw) => ({
    name,
    environment: plan.environment,
    draw: from,
    chain,
    nodes,
    dieAt,
    slowness: isCalm ? 1 : plan.slowness,
    note,
    onError: (message: string) => {
      // A chain that does not answer is said to be so; nothing else may go wrong.
      if (!message.startsWith("transactions stay open")) wrong.push(message);
    },
  });

  const network = await openNetwork(world, plan, draw, setting);
  const accounts = await (dues === undefined
    ? openFewOrders(world, network, draw)
    : openManyOrders(world, network, draw, dues));
  timeline.setPace(plan.pacePerMille);

  const deadly = dues === undefined ? { lives: 3, steps: 400 } : { lives: 30, steps: 4_000 };
  let isOver = false;
  const keep = async (place: number): Promise<void> => {
    for (let life = 0; !isOver; life += 1) {
      const dieAt = life < deadly.lives ? draw.between(1, deadly.steps) : undefined;
      const process = await world
        .start(setting(`process ${place + 1}.${life + 1}`, dieAt, draw))
        .catch((error: unknown) => {
          if (error instanceof UnusableEnvironmentError || error instanceof TrellisError) return undefined;
          throw error;
        });
      if (process) {
        await Promise.race([keepPassing(process, draw), process.life.ended, wait(world, 240_000)]);
        process.life.end();
        counts.deaths += 1;
      }
      await wait(world, draw.between(200, 20_000));
    }
  };
  const jumps = Array.from({ length: draw.below(4) }, () => draw.between(5_000, 400_000));
  for (const after of jumps) {
    const seconds = draw.oneOf([30, 61, 3_600, 86_400]);
    timeline.at(timeline.now() + after, async () => {
      if (isCalm) return;
      note(`the chain's clock jumps by ${seconds} seconds`);
      await world.chain.sandbox?.advanceClock(seconds);
    });
  }
  const crew = Promise.all(Array.from({ length: processesEach }, (_, place) => keep(place)));
  await timeline.run(
    dues === undefined ? wait(world, draw.between(60_000, 500_000)) : leap(world, plan, accounts, network, draw),
    eventsMost,
  );
  isOver = true;
  await timeline.run(crew, eventsMost);

  faults = noFaults;
  kinds = plan.nodes.map(() => honestNode);
  isCalm = true;
  timeline.setPace(Math.max(1_000, plan.pacePerMille));
  note("the faults end");
  for (const { account, funds } of accounts) {
    if (funds.missing === 0n || !draw.percent(50)) continue;
    await world.chain.sandbox?.airdrop(account.address, funds.missing);
    funds.given += funds.missing;
  }
  const last = await timeline.run(world.start(setting("the last process", undefined, createDraw(1))));
  if (!last) throw new Error("nothing kills the last process");
  for (let round = 0; ; round += 1) {
    await timeline.run(passOnce(last), eventsMost);
    const next = await timeline.aside(() => nextRefresh(world, plan, accounts, last.network.clock.now()));
    if (next === undefined) break;
    if (round > 400 + (dues ?? 0)) throw new Error("a history of standing orders does not come to its end");
    await timeline.run(wait(world, next));
  }
  await timeline.drain();
  timeline.setPace(1_000);

  await judgeOrders(world, { accounts, sent, counts, tell: (line) => void wrong.push(line) });
  await putAway(world, accounts);
  last.life.end();
  return { trace, wrong, counts };
}

/** The network of the history's processes, for a read without faults. */
async function openNetwork(
  world: World,
  plan: HistoryPlan,
  draw: Draw,
  setting: (name: string, dieAt: number | undefined, from: Draw) => Parameters<World["start"]>[0],
): Promise<Network> {
  if (plan.environment === "sandbox") return world.chain;
  const calm = { ...setting("setup", undefined, draw) };
  const chain = { ...calm.chain, faults: () => noFaults };
  const process = await world.timeline.run(world.start({ ...calm, chain, nodes: () => [honestNode] }));
  if (!process) throw new Error("nothing kills the process of the setup");
  const { name, clock, feePayer, executor } = process.network;
  process.life.end();
  return { ...world.chain, name, clock, feePayer, executor };
}

/** Each pass has a timer of its own. */
async function keepPassing(process: ServiceProcess, draw: Draw): Promise<void> {
  const { needs, network, life } = process;
  const repeat = async (least: number, most: number, pass: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      await life.wait(draw.between(least, most));
      await pass().catch((error: unknown) => {
        if (!(error instanceof TrellisError)) throw error;
      });
    }
  };
  await Promise.all([
    repeat(1_000, 20_000, () => payStandingOrders(needs, network)),
    repeat(5_000, 60_000, () => recoverSubmissions(needs, network, 20_000)),
    repeat(5_000, 90_000, () => settleSubmissions(needs.db, network)),
  ]);
}

async function passOnce({ needs, network }: ServiceProcess): Promise<void> {
  await recoverSubmissions(needs, network, 0);
  await payStandingOrders(needs, network);
  await settleSubmissions(needs.db, network);
}

/** Lets the schedulers work for moments, and leaps from one instant at which there is work to the next, or over several. */
async function leap(
  world: World,
  plan: HistoryPlan,
  accounts: readonly PlayedAccount[],
  network: Network,
  draw: Draw,
): Promise<void> {
  const { timeline } = world;
  for (let rounds = draw.between(5, 40); rounds > 0; rounds -= 1) {
    await wait(world, draw.between(10_000, 90_000));
    const next = await timeline.aside(() => nextRefresh(world, plan, accounts, network.clock.now()));
    if (next === undefined) return;
    const further = draw.percent(20) ? draw.between(1, 20) * 86_400_000 : draw.between(0, 30_000);
    if (next > 60_000) timeline.leap(next + further);
  }
}

/** No later history has to do with these. */
async function putAway(world: World, accounts: readonly PlayedAccount[]): Promise<void> {
  await world.db
    .updateTable("standing_order")
    .set({ status: "cancelled", attempt_at: null, leased_until: null })
    .where("id", "in", idsOf(accounts))
    .execute();
}

function idsOf(accounts: readonly PlayedAccount[]): readonly string[] {
  return accounts.flatMap(({ orders }) => orders.map(({ row }) => row.id));
}

/** In how many milliseconds something is due; undefined when there is nothing any more. */
async function nextRefresh(
  world: World,
  plan: HistoryPlan,
  accounts: readonly PlayedAccount[],
  now: number,
): Promise<number | undefined> {
  const ids = idsOf(accounts);
  const rows = await world.db
    .selectFrom("standing_order")
    .select(["attempt_at", "status"])
    .where("id", "in", ids)
    .where("attempt_at", "is not", null)
    .execute();
  const open = await world.db
    .selectFrom("submission")
    .select("id")
    .where("environment", "=", plan.environment)
    .where("purpose", "=", "standing_order")
    .where("state", "in", ["signed", "sent"])
    .execute();
  if (open.length > 0) return 30_000;
  const active = rows.filter(({ status }) => status === "active");
  if (active.length === 0) return undefined;
  const next = Math.min(...active.map(({ attempt_at }) => Number(attempt_at)));
  // A process that died may have left an order to a lease.
  return Math.max(20_000, next - now + 1_000);
}

function wait(world: World, ms: number): Promise<void> {
  const { timeline } = world;
  return new Promise((resolve) => timeline.at(timeline.now() + ms, resolve));
}
