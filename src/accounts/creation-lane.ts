import { limits } from "@trellis/kernel/limits.js";

/**
 * How many creations of one process may be under way in an environment, and how far the account number that one of them
 * gets may be from the expected one: that many candidates are offered before and behind it, and the program takes the
 * one whose turn it is (program spec 6).
 *
 * On a cluster everything that is under way may overtake everything else; with ten signers and fifteen candidates a
 * creation still fits a packet. Where transactions land in the order they are sent, only one that did not land, or
 * another creator's, moves those behind it. When that has led to a failure no more are admitted than the candidates cover
 * whatever happens, and one more for each that lands.
 */
interface Room {
  readonly places: number;
  readonly leeway: number;
  readonly isInOrder: boolean;
}

const onCluster: Room = {
  places: limits.creationsUnderWayMax,
  leeway: limits.creationLeeway,
  isInOrder: false,
};
const inOrder: Room = {
  places: limits.creationsUnderWayInOrderMax,
  leeway: limits.creationLeewayInOrder,
  isInOrder: true,
};

/** Candidates and signers take 33 bytes each of what a packet leaves them. */
const candidatesAndSignersMax = 25;

/** Who waits for a place. */
interface Waiting {
  /** Real time. */
  readonly since: number;
}

/** The creations of one environment: those that are under way, and those that wait. Nothing here waits, or asks anything. */
export interface Lane<Waiter extends Waiting = Waiting> {
  readonly room: Room;
  /** Tickets of creations under way, in the order they were admitted. */
  readonly underWay: Set<number>;
  nextTicket: number;
  /** Who waits, by tenant; the tenant whose turn is next is first. */
  readonly waiting: Map<string, Waiter[]>;
  waitingCount: number;
  /** The highest account number seen since the terms were last forgotten. */
  noted: bigint;
  /** How many creations have landed since then. */
  landed: number;
}

export function openLane<Waiter extends Waiting>(landsInOrder: boolean): Lane<Waiter> {
  return {
    room: landsInOrder ? inOrder : onCluster,
    underWay: new Set(),
    nextTicket: 0,
    waiting: new Map(),
    waitingCount: 0,
    noted: 0n,
    landed: 0,
  };
}

/** Whether the line takes no more of a tenant. */
export function isFull(lane: Lane, tenantId: string): boolean {
  const own = lane.waiting.get(tenantId)?.length ?? 0;
  return own >= limits.creationsWaitingPerTenantMax || lane.waitingCount >= limits.creationsWaitingMax;
}

export function joinLine<Waiter extends Waiting>(lane: Lane<Waiter>, tenantId: string, waiter: Waiter): void {
  const own = lane.waiting.get(tenantId);
  if (own) own.push(waiter);
  else lane.waiting.set(tenantId, [waiter]);
  lane.waitingCount += 1;
}

/** Takes the one whose turn it is out of the line; undefined: none waits. */
export function takeNext<Waiter extends Waiting>(lane: Lane<Waiter>): Waiter | undefined {
  const next = lane.waiting.entries().next();
  if (next.done === true) return undefined;
  const [tenantId, own] = next.value;
  const waiter = own.shift();
  // The next place is the next tenant's.
  lane.waiting.delete(tenantId);
  if (own.length > 0) lane.waiting.set(tenantId, own);
  lane.waitingCount -= 1;
  return waiter;
}

/** Takes those out of the line who have waited for too long. A tenant's own stand in the order they arrived. */
export function takeOverdue<Waiter extends Waiting>(lane: Lane<Waiter>, now: number): readonly Waiter[] {
  const all: Waiter[] = [];
  for (const [tenantId, own] of lane.waiting) {
    const inTime = own.findIndex(({ since }) => now - since < limits.creationWaitMaxMs);
    const overdue = own.splice(0, inTime < 0 ? own.length : inTime);
    lane.waitingCount -= overdue.length;
    all.push(...overdue);
    if (own.length === 0) lane.waiting.delete(tenantId);
  }
  return all;
}

/** Whether the oldest creation under way is near enough for another one. */
export function hasPlace({ room, underWay, landed, nextTicket }: Lane): boolean {
  // A Set keeps the order of insertion: its first ticket is the oldest.
  const oldest = underWay.values().next();
  return oldest.done === true || nextTicket - oldest.value < Math.min(room.places, room.leeway + 1 + landed);
}

/** Lets a creation in, under the ticket that is returned. */
export function takePlace(lane: Lane): number {
  const ticket = lane.nextTicket;
  lane.nextTicket += 1;
  lane.underWay.add(ticket);
  return ticket;
}

/** Gives a place back. What never began moves no number, and the next one may have its ticket. */
export function leavePlace(lane: Lane, ticket: number, isBegun: boolean): void {
  lane.underWay.delete(ticket);
  if (!isBegun && ticket === lane.nextTicket - 1) lane.nextTicket = ticket;
}

/** A creation has landed, as account number `seed` where that is known. */
export function noteLanded(lane: Lane, seed: bigint | undefined): void {
  if (seed !== undefined && seed > lane.noted) lane.noted = seed;
  lane.landed += 1;
}

/** Nothing that was noted is believed any more, and few are admitted until some have landed. */
export function forgetNoted(lane: Lane): void {
  lane.noted = 0n;
  lane.landed = 0;
}

/** Account numbers in a row. */
interface Numbers {
  readonly low: bigint;
  readonly count: number;
}

/** The numbers whose settings accounts a creation offers, when the chain was last seen with `index`. */
export function candidatesOf(lane: Lane, ticket: number, index: bigint): Numbers {
  return { low: lowestOf(lane, ticket, index).low, count: 2 * lane.room.leeway + 1 };
}

/**
 * The numbers that may be next, up to the last one that is offered, as many as fit beside `signerCount` signers. On a cluster
 * they are the same.
 */
export function nextOnesOf(lane: Lane, ticket: number, index: bigint, signerCount: number): Numbers {
  const { low, next } = lowestOf(lane, ticket, index);
  const count = Number(low - next) + 2 * lane.room.leeway + 1;
  return { low: next, count: Math.min(count, candidatesAndSignersMax - signerCount) };
}

/** The lowest number a creation offers, and one more than are known to exist, when the chain was last seen with `index`. */
function lowestOf(lane: Lane, ticket: number, index: bigint): { readonly low: bigint; readonly next: bigint } {
  const known = lane.noted === 0n ? index : lane.noted;
  const next = higherOf(index, known) + 1n;
  // What was read may count some that are still under way here, so the two are not added up.
  const expected = higherOf(index, known + BigInt(Array.from(lane.underWay).indexOf(ticket))) + 1n;
  return { low: higherOf(next, expected - BigInt(lane.room.leeway)), next };
}

/** Math.max does not take bigints. */
function higherOf(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
