import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { payStandingOrders } from "./pay-orders.js";
import type { PayingNeeds } from "./paying.js";
import { countBehind, findNextAttempt, playerKey } from "./run-store.js";

/** What moving time along the due dates asks of the world. */
export type PlayingNeeds = PayingNeeds & { readonly random: Random };

/** What happened while time was moved. */
export interface PlayedTime {
  /** Environment time after it, Unix milliseconds. */
  readonly now: number;
  readonly slot: bigint;
  /** Due dates that were paid, and given up. */
  readonly paid: number;
  readonly missed: number;
  /** Orders that are due and were not reached any more, `leftMax` at most. */
  readonly left: number;
}

/** How much one move plays. */
export interface MoveBounds {
  /** Due dates that reach their end. */
  readonly runs: number;
  readonly stops: number;
}

/** How long the move of a process that died holds back others, and how often a waiting one checks: real milliseconds. */
const playerLeaseMs = 30_000;
const refreshApartMs = 25;
const renewAfterMs = 5_000;
/** Ends of moves that have a name are found in `meta` under it for as long as anybody may repeat them, in real time. */
const moveEnd = "sandbox.clock_move.";
const moveEndsKeptMs = 2 * 86_400_000;
/** A million orders are not counted to report so. */
const leftMax = 10_000;

/**
 * Moves the sandbox's clock forward by at least so many seconds, and pays standing orders on the way, in the order of time:
 * the clock stops at every instant at which an order is to be checked, first payments and repeated ones, and moves on when
 * all that is due there has its end (gap 77). Above so many due dates, or stops, it moves on to the end at once; what is left
 * then is paid afterwards, by the passes.
 *
 * One move at a time, whatever processes there are: others wait, and their seconds are added. Meanwhile the passes rest.
 * Where it breaks off the clock stays where it is, and the passes continue from there. A move with the name of an
 * `operation` ends at the same instant however often it is repeated, and returns what the last repetition paid.
 */
export async function advanceTime(
  needs: PlayingNeeds,
  network: Network,
  seconds: number,
  operation?: string,
  bounds: MoveBounds = { runs: limits.standingOrderRunsInOneMove, stops: limits.standingOrderStopsInOneMove },
): Promise<PlayedTime> {
  const { sandbox } = network;
  assertOurs(sandbox, "only a sandbox moves its clock");
  const player = operation ?? needs.random.uuid();
  while (!(await takeTurn(needs, player))) await needs.pause(refreshApartMs);
  try {
    const tally = { paid: 0, missed: 0 };
    const wanted = network.clock.now() + seconds * 1000;
    const until = operation === undefined ? wanted : await keepEnd(needs, operation, wanted);
    let claimedAt = needs.realClock.now();
    let stops = 0;
    while (tally.paid + tally.missed < bounds.runs && stops < bounds.stops) {
      if (needs.realClock.now() - claimedAt > renewAfterMs) {
        claimedAt = needs.realClock.now();
        if (!(await takeTurn(needs, player))) throw claimedOver();
      }
      const options = { batchesMax: 1, player, stillUntil: until };
      const reported = await payStandingOrders(needs, network, options);
      tally.paid += reported.paid;
      tally.missed += reported.missed;
      const next = await findNextAttempt(needs.db, network, needs.realClock.now());
      if (!next.isBusy) stops += 1;
      if (next.isBusy) await needs.pause(refreshApartMs);
      else if (next.at === undefined || next.at > until) break;
      else if (next.at > network.clock.now()) await sandbox.advanceClockTo(next.at);
    }
    const { now, slot } = await sandbox.advanceClockTo(until);
    return { now, slot, ...tally, left: await countBehind(needs.db, network, { now, most: leftMax }) };
  } finally {
    await endTurn(needs, player);
  }
}

function claimedOver(): TrellisError {
  return new TrellisError("service_unavailable", { message: "Another call moves the sandbox's clock now." });
}

/** Takes the turn, or keeps it for longer; false while another process has it. */
async function takeTurn({ db, realClock }: PlayingNeeds, player: string): Promise<boolean> {
  const realNow = realClock.now();
  const { rows } = await sql`
    insert into meta (key, value) values (${playerKey}, ${`${realNow + playerLeaseMs} ${player}`})
    on conflict (key) do update set value = excluded.value
      where split_part(meta.value, ' ', 1)::int8 <= ${realNow}::int8 or split_part(meta.value, ' ', 2) = ${player}
    returning key`.execute(db);
  return rows.length > 0;
}

/** The instant at which the move of that name ends: `wanted`, where none was kept before. */
async function keepEnd({ db, realClock }: PlayingNeeds, operation: string, wanted: number): Promise<number> {
  const realNow = realClock.now();
  await sql`
    delete from meta where starts_with(key, ${moveEnd})
      and case when starts_with(key, ${moveEnd}) then split_part(value, ' ', 2)::int8 end < ${realNow - moveEndsKeptMs}::int8
  `.execute(db);
  const { rows } = await sql<{ until: string }>`
    insert into meta (key, value) values (${moveEnd + operation}, ${`${wanted} ${realNow}`})
    on conflict (key) do update set value = meta.value
    returning split_part(value, ' ', 1) as until`.execute(db);
  return Number(rows[0]?.until ?? wanted);
}

async function endTurn({ db }: PlayingNeeds, player: string): Promise<void> {
  await sql`delete from meta where key = ${playerKey} and split_part(value, ' ', 2) = ${player}`.execute(db);
}
