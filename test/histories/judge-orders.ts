import type { Address } from "@solana/kit";
import type { StandingOrderRunTable, StandingOrderTable } from "@trellis/kernel/ports/database.js";
import { decodeSpendingLimit } from "@trellis/program-client";
import { readAccount } from "@trellis/solana/read-accounts.js";
import type { Selectable } from "kysely";
import { type PlayedAccount, type PlayedOrder, payeeLamports } from "./open-orders.js";
import type { World } from "./world.js";

/** What happened how often. */
export interface OrderCounts {
  paid: number;
  missed: number;
  deaths: number;
  /** Transactions that failed or were never confirmed. */
  lost: number;
}

/** A history that is over. */
export interface PlayedOut {
  readonly accounts: readonly PlayedAccount[];
  /** What the processes sent; base64. */
  readonly sent: ReadonlySet<string>;
  readonly counts: OrderCounts;
  /** Gets everything that must not be. */
  readonly tell: (wrong: string) => void;
}

/** Statuses in one question. */
const askedAtOnce = 256;

/**
 * Compares what the database says of a history with the chain: every due date was paid once or is reported missed, every
 * payment is a due date's, and no money was made or lost.
 */
export async function judgeOrders(world: World, over: PlayedOut): Promise<void> {
  const landed = await judgeSubmissions(world, over);
  const find = await readOrders(world, over.accounts);
  for (const { account, orders, funds } of over.accounts) {
    let moved = 0n;
    for (const order of orders) moved += await judgeOrder(world, over, order, find(order), landed);
    if ((await balanceOf(world, account.address)) !== funds.given - moved)
      over.tell("the account's money does not add up");
  }
  if (landed.size > 0) over.tell(`${landed.size} payments landed that no due date knows`);
}

/** The signatures of all that were confirmed. */
async function judgeSubmissions(
  world: World,
  { accounts, sent, counts, tell: report }: PlayedOut,
): Promise<Set<string>> {
  const submissions = await world.db
    .selectFrom("submission")
    .select(["signature", "state", "wire_transaction"])
    .where(
      "account_address",
      "in",
      accounts.map(({ account }) => account.address),
    )
    .execute();
  const landed = new Set<string>();
  const stored = new Set<string>();
  for (let first = 0; first < submissions.length; first += askedAtOnce) {
    const some = submissions.slice(first, first + askedAtOnce);
    const { value } = await world.chain.rpc
      .getSignatureStatuses(some.map(({ signature }) => signature) as never, { searchTransactionHistory: true })
      .send();
    for (const [i, { signature, state, wire_transaction }] of some.entries()) {
      stored.add(Buffer.from(wire_transaction).toString("base64"));
      const status = value[i] ?? null;
      const truth = status === null ? "expired" : status.err === null ? "landed" : "failed";
      if (truth !== state) report(`${signature} is recorded as ${state}, and the chain says ${truth}`);
      if (state === "landed") landed.add(signature);
      else counts.lost += 1;
    }
  }
  for (const wire of sent)
    if (!stored.has(wire) && !(await isStored(world, wire))) report("bytes were sent that were not stored");
  return landed;
}

interface FoundOrder {
  readonly now: Selectable<StandingOrderTable>;
  /** Oldest due date first. */
  readonly runs: readonly Selectable<StandingOrderRunTable>[];
}

/** What the database says of all orders. */
async function readOrders(
  world: World,
  accounts: readonly PlayedAccount[],
): Promise<(order: PlayedOrder) => FoundOrder> {
  const ids = accounts.flatMap(({ orders }) => orders.map(({ row }) => row.id));
  const [rows, runs] = await Promise.all([
    world.db.selectFrom("standing_order").selectAll().where("id", "in", ids).execute(),
    world.db.selectFrom("standing_order_run").selectAll().where("order_id", "in", ids).orderBy("due_at").execute(),
  ]);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const runsOf = new Map<string, Selectable<StandingOrderRunTable>[]>(ids.map((id) => [id, []]));
  for (const run of runs) runsOf.get(run.order_id)?.push(run);
  return ({ row: { id } }) => {
    const now = rowOf.get(id);
    if (!now) throw new Error(`${id} is gone`);
    return { now, runs: runsOf.get(id) ?? [] };
  };
}

/** What the order's payee was paid; removes its payments from the confirmed ones. */
async function judgeOrder(
  world: World,
  { counts, tell: report }: PlayedOut,
  { row, payee, amount, dues }: PlayedOrder,
  { now, runs }: FoundOrder,
  landed: Set<string>,
): Promise<bigint> {
  const inState = (wanted: StandingOrderRunTable["state"]) => runs.filter(({ state }) => state === wanted);
  const paid = inState("paid");
  const missed = inState("missed");
  counts.paid += paid.length;
  counts.missed += missed.length;
  // After three in a row it rests, and is over with its end.
  const isStopped = runs.slice(-3).filter(({ state }) => state === "missed").length === 3 && now.status !== "active";
  if (now.status !== "completed" && !isStopped) report(`${row.id} ended as ${now.status} ${now.reason}`);
  const expected = isStopped ? dues.slice(0, runs.length) : dues;
  const instants = runs.map(({ due_at }) => Number(due_at));
  if (instants.join() !== expected.join())
    report(`${row.id} (${now.status}) has due dates ${textOf(instants)} instead of ${textOf(expected)}`);
  if (paid.length + missed.length !== runs.length) report(`${row.id} has due dates without an end`);
  // Once it rests, its further due dates until its end are not tried any more.
  const restsFrom = runs.findIndex(
    (_, at) => at >= 3 && runs.slice(at - 3, at).every(({ state }) => state === "missed"),
  );
  for (const [at, { state, error }] of runs.entries()) {
    const isLeft = error === "order_inactive" && restsFrom >= 0 && at >= restsFrom;
    if (state === "missed" && error !== "insufficient_balance" && !isLeft)
      report(`${row.id} missed a due date: ${error}`);
  }
  if (new Set(paid.map(({ signature }) => signature)).size !== paid.length)
    report(`${row.id} has one payment for two due dates`);
  for (const { signature } of paid)
    if (!landed.delete(signature ?? "")) report(`${row.id} has a payment that never landed`);
  const sum = amount * BigInt(paid.length);
  if ((await balanceOf(world, payee)) !== payeeLamports + sum)
    report(`the payee of ${row.id} has another sum than it was paid`);
  const limit = await readAccount(world.chain, row.spending_limit_address as Address);
  const left = limit && decodeSpendingLimit(limit.data).remainingBaseUnits;
  if (left !== amount * BigInt(dues.length) - sum) report(`the limit of ${row.id} was drawn on for something else`);
  return sum;
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

async function balanceOf(world: World, address: Address): Promise<bigint> {
  return (await world.chain.rpc.getBalance(address).send()).value;
}

function textOf(instants: readonly number[]): string {
  return instants.map((instant) => new Date(instant).toISOString()).join(" ");
}
