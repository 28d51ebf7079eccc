import type { Address } from "@solana/kit";
import { sql } from "kysely";
import { UnusableEnvironmentError } from "../../src/adapters/chain/unusable-environment-error.js";
import { readAccount } from "../../src/core/chain/read-accounts.js";
import { decodeSpendingLimit } from "../../src/core/program-client/index.js";
import { payStandingOrders } from "../../src/core/standing-orders/pay-orders.js";
import { dueAt, type Frequency } from "../../src/core/standing-orders/schedule.js";
import { recoverSubmissions } from "../../src/core/submissions/recover-submissions.js";
import { settleSubmissions } from "../../src/core/submissions/settle-submissions.js";
import { TrellisError } from "../../src/errors.js";
import type { StandingOrderTable } from "../../src/ports/database.js";
import type { Network } from "../../src/ports/network.js";
import { type ControlledAccount, openControlledAccount, openOrder } from "../support/standing-orders.js";
import { publicKeyOf } from "../support/test-network.js";
import { createDraw, type Draw } from "./draw.js";
import { type Faults, type FaultyChain, honestNode, type NodeFaults, noFaults } from "./faulty-nodes.js";
import { drawPlan, type HistoryPlan } from "./plan.js";
import type { ServiceProcess, World } from "./world.js";

/** What was learned from playing a history of standing orders. */
export interface OrderHistory {
  readonly trace: readonly string[];
  /** What must not be: empty. */
  readonly wrong: readonly string[];
  readonly counts: OrderCounts;
}

/** What happened how often. */
export interface OrderCounts {
  paid: number;
  missed: number;
  deaths: number;
  /** Transactions that failed or never landed. */
  lost: number;
}

/** An order as its history begins. */
interface Played {
  readonly row: StandingOrderTable;
  readonly payee: Address;
  readonly amount: bigint;
  readonly dues: readonly number[];
}

const processesEach = 3;
const amountEach = 1_000_000n;
/** What the account must keep. */
const keptLamports = 890_880n;
let played = 0;

/**
 * Plays the history of a seed: three schedulers that die and come back, over nodes that fail, pay the due dates of a few
 * orders, of which some have come already, while the chain's clock jumps. Then the faults end, and one scheduler goes on
 * until there is nothing left to do.
 */
export async function playOrderHistory(world: World, seed: number): Promise<OrderHistory> {
  const { timeline } = world;
  timeline.skip(1_000);
  timeline.align();
  const draw = createDraw(seed);
  const plan = drawPlan(draw);
  const began = timeline.now();
  const trace: string[] = [];
  const wrong: string[] = [];
  const note = (line: string) => void trace.push(`${timeline.now() - began} ${line}`);
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
  const { orders, account, funds } = await openOrders(world, network, draw);
  timeline.setPace(plan.pacePerMille);

  let isOver = false;
  const keep = async (place: number): Promise<void> => {
    for (let life = 0; !isOver; life += 1) {
      const dieAt = life < 3 ? draw.between(1, 400) : undefined;
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
  await timeline.run(wait(world, draw.between(60_000, 500_000)));
  isOver = true;
  await timeline.run(crew);

  faults = noFaults;
  kinds = plan.nodes.map(() => honestNode);
  isCalm = true;
  timeline.setPace(Math.max(1_000, plan.pacePerMille));
  note("the faults end");
  if (funds.missing > 0n && draw.percent(50)) {
    await world.chain.sandbox?.airdrop(account.address, funds.missing);
    funds.given += funds.missing;
  }
  const last = await timeline.run(world.start(setting("the last process", undefined, createDraw(1))));
  if (!last) throw new Error("nothing kills the last process");
  for (let round = 0; ; round += 1) {
    await timeline.run(passOnce(last));
    const next = await timeline.aside(() => nextLook(world, plan, orders, last.network.clock.now()));
    if (next === undefined) break;
    if (round > 400) throw new Error("a history of standing orders does not come to its end");
    await timeline.run(wait(world, next));
  }
  await timeline.drain();
  timeline.setPace(1_000);

  await judge(world, network, orders, { account, given: funds.given, wrong, counts, sent });
  last.life.end();
  return { trace, wrong, counts };
}

/** The network of the history's processes, for a look without faults. */
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

/** An account, sometimes with less than it owes, and a few orders with an end. */
async function openOrders(world: World, network: Network, draw: Draw) {
  played += 1;
  const account = await openControlledAccount(network, `history ${played}`);
  const frequencies: readonly [Frequency, ...Frequency[]] = ["daily", "weekly", "monthly"];
  const orders: Played[] = [];
  let owed = 0n;
  const count = draw.between(1, 4);
  for (let place = 0; place < count; place += 1) {
    const frequency = draw.oneOf(frequencies);
    const dues = draw.between(1, 5);
    // Some of its due dates have come already, and the last ones come a little later.
    const past = draw.below(dues + 1);
    const startAt = dueAt({ frequency, startAt: network.clock.now() + draw.between(0, 300_000) }, -past);
    const endAt = dueAt({ frequency, startAt }, dues - 1);
    const payee = publicKeyOf(`payee ${played} ${place}`);
    await world.chain.sandbox?.airdrop(payee, 1_000_000n);
    const id = `history-${played}-${place}`;
    const row = await openOrder(world.db, network, account, {
      id,
      amount: amountEach,
      frequency,
      startAt,
      endAt,
      payee,
      place,
      // The chain's clock may run far ahead.
      limit: { expiration: null },
    });
    orders.push({
      row,
      payee,
      amount: amountEach,
      dues: Array.from({ length: dues }, (_, i) => dueAt({ frequency, startAt }, i)),
    });
    owed += BigInt(dues) * amountEach;
  }
  const given = draw.percent(40) ? (owed * BigInt(draw.below(100))) / 100n : owed;
  await world.chain.sandbox?.airdrop(account.address, given + keptLamports);
  return { orders, account, funds: { given: given + keptLamports, missing: owed - given } };
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

/** In how many milliseconds something is to be looked at; undefined when there is nothing any more. */
async function nextLook(
  world: World,
  plan: HistoryPlan,
  orders: readonly Played[],
  now: number,
): Promise<number | undefined> {
  const ids = orders.map(({ row }) => row.id);
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

async function judge(
  world: World,
  network: Network,
  orders: readonly Played[],
  about: {
    readonly given: bigint;
    readonly account: ControlledAccount;
    readonly wrong: string[];
    readonly counts: OrderCounts;
    readonly sent: ReadonlySet<string>;
  },
): Promise<void> {
  const { wrong, counts } = about;
  let moved = 0n;
  const { rows: submissions } = await sql<{ id: string; signature: string; state: string; wire: Uint8Array }>`
    select id, signature, state, wire_transaction as wire from submission
    where account_address = ${about.account.address}`.execute(world.db);
  const stored = new Set(submissions.map(({ wire }) => Buffer.from(wire).toString("base64")));
  const executor = new Set<string>();
  for (const { signature, state } of submissions) {
    const { value } = await world.chain.rpc
      .getSignatureStatuses([signature as never], { searchTransactionHistory: true })
      .send();
    const truth = value[0] === null || value[0] === undefined ? "expired" : value[0].err === null ? "landed" : "failed";
    if (truth !== state) wrong.push(`${signature} is recorded as ${state}, and the chain says ${truth}`);
    if (state === "landed") executor.add(signature);
    else counts.lost += 1;
  }
  for (const wire of about.sent)
    if (!stored.has(wire) && !(await isStored(world, wire))) wrong.push("bytes were sent that were not stored");
  for (const { row, payee, amount, dues } of orders) {
    const runs = await world.db
      .selectFrom("standing_order_run")
      .selectAll()
      .where("order_id", "=", row.id)
      .orderBy("due_at")
      .execute();
    const paid = runs.filter(({ state }) => state === "paid");
    const missed = runs.filter(({ state }) => state === "missed");
    counts.paid += paid.length;
    counts.missed += missed.length;
    const now = await world.db
      .selectFrom("standing_order")
      .selectAll()
      .where("id", "=", row.id)
      .executeTakeFirstOrThrow();
    // After three in a row it rests, and is over with its end.
    const isStopped = runs.slice(-3).filter(({ state }) => state === "missed").length === 3 && now.status !== "active";
    if (now.status !== "completed" && !isStopped) wrong.push(`${row.id} ended as ${now.status} ${now.reason}`);
    const expected = isStopped ? dues.slice(0, runs.length) : dues;
    if (runs.map(({ due_at }) => Number(due_at)).join() !== expected.join())
      wrong.push(
        `${row.id} (${now.status}) has due dates ${textOf(runs.map(({ due_at }) => Number(due_at)))} instead of ${textOf(expected)}`,
      );
    if (paid.length + missed.length !== runs.length) wrong.push(`${row.id} has due dates without an end`);
    for (const { error } of missed)
      if (error !== "insufficient_balance") wrong.push(`${row.id} missed a due date: ${error}`);
    if (new Set(paid.map(({ signature }) => signature)).size !== paid.length)
      wrong.push(`${row.id} has one payment for two due dates`);
    for (const { signature } of paid)
      if (!executor.delete(signature ?? "")) wrong.push(`${row.id} has a payment that never landed`);
    const sum = amount * BigInt(paid.length);
    moved += sum;
    if ((await balanceOf(network, payee)) !== 1_000_000n + sum)
      wrong.push(`the payee of ${row.id} has another sum than it was paid`);
    const limit = await readAccount(world.chain, row.spending_limit_address as Address);
    const left = limit && decodeSpendingLimit(limit.data).remainingBaseUnits;
    if (left !== amount * BigInt(dues.length) - sum)
      wrong.push(`the limit of ${row.id} was drawn on for something else`);
  }
  if (executor.size > 0) wrong.push(`${executor.size} payments landed that no due date knows`);
  if ((await balanceOf(network, about.account.address)) !== about.given - moved)
    wrong.push("the account's money does not add up");
  await world.db
    .updateTable("standing_order")
    .set({ status: "cancelled", attempt_at: null, leased_until: null })
    .where(
      "id",
      "in",
      orders.map(({ row }) => row.id),
    )
    .execute();
}

/** Whatever the processes sent for others was stored by them before. */
async function isStored(world: World, wire: string): Promise<boolean> {
  const found = await world.db
    .selectFrom("submission")
    .select("id")
    .where("wire_transaction", "=", Buffer.from(wire, "base64"))
    .executeTakeFirst();
  return found !== undefined;
}

async function balanceOf(network: Network, address: Address): Promise<bigint> {
  return (await network.rpc.getBalance(address).send()).value;
}

function wait(world: World, ms: number): Promise<void> {
  const { timeline } = world;
  return new Promise((resolve) => timeline.at(timeline.now() + ms, resolve));
}

function textOf(instants: readonly number[]): string {
  return instants.map((instant) => new Date(instant).toISOString()).join(" ");
}
