/**
 * Plays seeded histories of standing orders with many due dates each, one after another: three schedulers that die, clocks
 * that jump, nodes that fail and lie, and afterwards every due date paid once or reported missed.
 *
 * `npm run histories -- --seeds 1-1000 --dues 1000` plays all of them, in hours. `--minutes 30` begins none after that;
 * `--after FILE` leaves out the seeds that the output of an earlier run tells of, and counts them. `--told` prints every step.
 * Ends with a failure at the first history in which something is wrong. Played on the embedded database, or twice as fast on the
 * PostgreSQL of TRELLIS_TEST_DATABASE_URL. A seed decides what is played; which of many signatures is made first is the machine's.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { OrderCounts } from "../test/histories/judge-orders.js";
import { playOrderHistory } from "../test/histories/standing-order-history.js";
import { openWorld, type World } from "../test/histories/world.js";

/** So many due dates are played in one world, which grows. */
const duesOfWorld = 10_000;
const line = /^seed (\d+): (\d+) paid, (\d+) missed, (\d+) deaths, (\d+) lost/;

const { values: given } = parseArgs({
  options: {
    seeds: { type: "string", default: "1-1000" },
    dues: { type: "string", default: "1000" },
    minutes: { type: "string" },
    after: { type: "string" },
    told: { type: "boolean", default: false },
  },
});
const dues = wholeNumber("--dues", given.dues);
const [first, last = first] = given.seeds.split("-").map((seed) => wholeNumber("--seeds", seed)) as [number, number?];
const began = Date.now();
const until = given.minutes === undefined ? Number.POSITIVE_INFINITY : began + Number(given.minutes) * 60_000;
const total: OrderCounts = { paid: 0, missed: 0, deaths: 0, lost: 0 };
const known = given.after === undefined ? new Set<number>() : await readKnown(given.after);
let histories = known.size;

process.exitCode = await play();
const { paid, missed, deaths, lost } = total;
print(
  `${histories} histories, ${paid + missed} due dates: ${paid} paid, ${missed} missed, ${deaths} deaths, ${lost} lost; ` +
    `${Math.round((Date.now() - began) / 1000)} s of this run`,
);

async function play(): Promise<number> {
  let world: World | undefined;
  let inWorld = 0;
  try {
    for (let seed = first; seed <= last; seed += 1) {
      if (known.has(seed)) continue;
      if (Date.now() >= until) break;
      if (world && inWorld >= duesOfWorld) {
        await world.close();
        world = undefined;
      }
      if (!world) inWorld = 0;
      world ??= await openWorld();
      inWorld += dues;
      if (!(await playOne(world, seed))) return 1;
    }
    return 0;
  } finally {
    await world?.close();
  }
}

/** Whether nothing is wrong. */
async function playOne(world: World, seed: number): Promise<boolean> {
  const startedAt = performance.now();
  try {
    const { counts, wrong, trace } = await playOrderHistory(world, seed, { dues, isTold: given.told });
    for (const step of trace) print(step);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    for (const message of wrong) print(`seed ${seed}: WRONG: ${message}`);
    if (wrong.length > 0) return false;
    print(
      `seed ${seed}: ${counts.paid} paid, ${counts.missed} missed, ${counts.deaths} deaths, ${counts.lost} lost, ${seconds} s`,
    );
    count(counts);
    histories += 1;
    return true;
  } catch (error) {
    print(`seed ${seed}: WRONG: it broke off`);
    console.error(error);
    return false;
  }
}

async function readKnown(file: string): Promise<Set<number>> {
  const seeds = new Set<number>();
  for (const text of (await readFile(file, "utf8")).split("\n")) {
    const [, seed, ...numbers] = line.exec(text) ?? [];
    if (seed === undefined || seeds.has(Number(seed))) continue;
    seeds.add(Number(seed));
    const [paid = 0, missed = 0, deaths = 0, lost = 0] = numbers.map(Number);
    count({ paid, missed, deaths, lost });
  }
  return seeds;
}

function count(counts: OrderCounts): void {
  for (const what of Object.keys(total) as (keyof OrderCounts)[]) total[what] += counts[what];
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${name} takes whole numbers from 1 on`);
  return Number(text);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
