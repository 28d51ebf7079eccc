import type { Address } from "@solana/kit";
import type { StandingOrderTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { dueAt, type Frequency } from "../../src/standing-orders/schedule.js";
import { type ControlledAccount, giveLimit, openControlledAccount } from "../support/standing-orders.js";
import { publicKeyOf } from "../support/test-network.js";
import type { Draw } from "./draw.js";
import type { World } from "./world.js";

/** An order as its history begins. */
export interface PlayedOrder {
  readonly row: StandingOrderTable;
  readonly payee: Address;
  readonly amount: bigint;
  readonly dues: readonly number[];
}

/** An account with its orders and its money. */
export interface PlayedAccount {
  readonly account: ControlledAccount;
  readonly orders: readonly PlayedOrder[];
  /** Lamports: what it was given, and what it lacks for all that it owes. */
  readonly funds: { given: bigint; missing: bigint };
}

/** What every payee has from the beginning, for its rent. */
export const payeeLamports = 1_000_000n;
const amountEach = 1_000_000n;
/** What the account must keep. */
const keptLamports = 890_880n;
const frequencies: readonly [Frequency, ...Frequency[]] = ["daily", "weekly", "monthly"];
/** As many as the service lets one account have. */
const ordersEach = 20;
let opened = 0;

/** What one order pays when. */
interface Terms {
  readonly frequency: Frequency;
  readonly startAt: number;
  readonly dues: number;
}

/** An account, sometimes with less than it owes, and a few orders with an end. */
export async function openFewOrders(world: World, network: Network, draw: Draw): Promise<readonly PlayedAccount[]> {
  const opening = await beginAccount(network);
  const orders: PlayedOrder[] = [];
  const count = draw.between(1, 4);
  for (let place = 0; place < count; place += 1) {
    const frequency = draw.oneOf(frequencies);
    const dues = draw.between(1, 5);
    // Some of its due dates have passed already, and the last ones follow a little later.
    const past = draw.below(dues + 1);
    const startAt = dueAt({ frequency, startAt: network.clock.now() + draw.between(0, 300_000) }, -past);
    orders.push(await openOne(world, network, opening, place, { frequency, startAt, dues }));
  }
  const perCent = draw.percent(40) ? draw.below(100) : 100;
  return [await endAccount(world, opening, orders, perCent)];
}

/**
 * Accounts with twenty orders each, that owe so many due dates together. Many fall on the same instants, some of which have
 * passed; some accounts have less than they owe.
 */
export async function openManyOrders(
  world: World,
  network: Network,
  draw: Draw,
  dues: number,
): Promise<readonly PlayedAccount[]> {
  const duesEach = Math.min(dues, draw.oneOf([5, 10, 20, 40]));
  const groups = Array.from({ length: draw.between(1, 3) }, (): Omit<Terms, "dues"> => {
    const frequency = draw.oneOf(frequencies);
    const past = draw.percent(40) ? draw.below(duesEach + 1) : 0;
    return { frequency, startAt: dueAt({ frequency, startAt: network.clock.now() + draw.between(0, 300_000) }, -past) };
  });
  const accounts: PlayedAccount[] = [];
  for (let left = dues; left > 0; ) {
    const opening = await beginAccount(network);
    const terms: Terms[] = [];
    for (; left > 0 && terms.length < ordersEach; left -= duesEach) {
      const group = groups[draw.below(groups.length)];
      if (!group) throw new Error("there is a group");
      terms.push({ ...group, dues: Math.min(left, duesEach) });
    }
    const orders = await Promise.all(terms.map((each, place) => openOne(world, network, opening, place, each)));
    const perCent = draw.percent(30) ? draw.between(30, 99) : 100;
    accounts.push(await endAccount(world, opening, orders, perCent));
  }
  return accounts;
}

interface Opening {
  readonly number: number;
  readonly account: ControlledAccount;
}

async function beginAccount(network: Network): Promise<Opening> {
  opened += 1;
  return { number: opened, account: await openControlledAccount(network, `history ${opened}`) };
}

async function openOne(
  world: World,
  network: Network,
  { number, account }: Opening,
  place: number,
  { frequency, startAt, dues }: Terms,
): Promise<PlayedOrder> {
  const payee = publicKeyOf(`payee ${number} ${place}`);
  await world.chain.sandbox?.airdrop(payee, payeeLamports);
  const row = await giveLimit(network, account, {
    id: `history-${number}-${place}`,
    amount: amountEach,
    frequency,
    startAt,
    endAt: dueAt({ frequency, startAt }, dues - 1),
    payee,
    place,
    // The chain's clock may run far ahead.
    limit: { expiration: null },
  });
  const instants = Array.from({ length: dues }, (_, i) => dueAt({ frequency, startAt }, i));
  return { row, payee, amount: amountEach, dues: instants };
}

/** Gives an account so much of what it owes. */
async function endAccount(
  world: World,
  { account }: Opening,
  orders: readonly PlayedOrder[],
  perCent: number,
): Promise<PlayedAccount> {
  const owed = orders.reduce((sum, { amount, dues }) => sum + amount * BigInt(dues.length), 0n);
  const rows = orders.map(({ row }) => row);
  await world.db.insertInto("standing_order").values(rows).execute();
  const given = (owed * BigInt(perCent)) / 100n;
  await world.chain.sandbox?.airdrop(account.address, given + keptLamports);
  return { account, orders, funds: { given: given + keptLamports, missing: owed - given } };
}
