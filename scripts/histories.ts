/**
 * Plays seeded histories, one after another, and holds what the service says at their end against the chain.
 *
 * `--of orders` (the default): standing orders with many due dates each, three schedulers that die, clocks that jump, nodes
 * that fail and lie; afterwards every due date is paid once or reported missed. `--seeds 1-1000 --dues 1000` plays all of
 * them, in hours. `--of outside`: wallets that send on their own, partners that say anything, and a database that loses its
 * last second now and then.
 *
 * `--minutes 30` begins none after that; `--after FILE` leaves out the seeds that the output of an earlier run lists, and
 * counts them. `--told` prints every step. Ends with a failure at the first history in which something is wrong. Played on the
 * embedded database, or on the PostgreSQL of TRELLIS_TEST_DATABASE_URL. A seed decides what is played; which of many
 * signatures is made first is the machine's.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { playOutsideHistory } from "../test/histories/outside/play.js";
import { openOutsideWorld } from "../test/histories/outside/world.js";
import { playOrderHistory } from "../test/histories/standing-order-history.js";
import { openWorld } from "../test/histories/world.js";

/** What was learned from one. */
interface Played {
  readonly trace: readonly string[];
  readonly wrong: readonly string[];
  readonly counts: object;
}

/** A chain and a database for several histories. */
interface Stage {
  play(seed: number): Promise<Played>;
  close(): Promise<void>;
}

const { values: given } = parseArgs({
  options: {
    of: { type: "string", default: "orders" },
    seeds: { type: "string", default: "1-1000" },
    dues: { type: "string", default: "1000" },
    minutes: { type: "string" },
    after: { type: "string" },
    told: { type: "boolean", default: false },
  },
});
const dues = wholeNumber("--dues", given.dues);
const [first, last = first] = given.seeds.split("-").map((seed) => wholeNumber("--seeds", seed)) as [number, number?];

/** How each kind is played, and how many histories share a world, which grows. */
const kinds: Readonly<Record<string, { readonly perWorld: number; readonly open: () => Promise<Stage> }>> = {
  orders: {
    perWorld: Math.ceil(10_000 / dues),
    open: async () => {
      const world = await openWorld();
      return { play: (seed) => playOrderHistory(world, seed, { dues, isTold: given.told }), close: world.close };
    },
  },
  outside: {
    perWorld: 25,
    open: async () => {
      const world = await openOutsideWorld();
      const play = async (seed: number) => {
        const played = await playOutsideHistory(world, seed);
        return given.told ? played : { ...played, trace: [] };
      };
      return { play, close: world.close };
    },
  },
};
const kind = kinds[given.of];
if (kind === undefined) throw new Error(`--of takes ${Object.keys(kinds).join(" or ")}`);

const began = Date.now();
const until = given.minutes === undefined ? Number.POSITIVE_INFINITY : began + Number(given.minutes) * 60_000;
const total = new Map<string, number>();
const known = given.after === undefined ? new Set<number>() : await readKnown(given.after);
let histories = known.size;

process.exitCode = await play(kind);
print(`${histories} histories: ${textOf(total)}; ${Math.round((Date.now() - began) / 1000)} s of this run`);

async function play({ perWorld, open }: (typeof kinds)[string]): Promise<number> {
  let stage: Stage | undefined;
  let inWorld = 0;
  try {
    for (let seed = first; seed <= last; seed += 1) {
      if (known.has(seed)) continue;
      if (Date.now() >= until) break;
      if (stage && inWorld >= perWorld) {
        await stage.close();
        stage = undefined;
      }
      if (!stage) inWorld = 0;
      stage ??= await open();
      inWorld += 1;
      if (!(await playOne(stage, seed))) return 1;
    }
    return 0;
  } finally {
    await stage?.close();
  }
}

/** Whether nothing is wrong. */
async function playOne(stage: Stage, seed: number): Promise<boolean> {
  const startedAt = performance.now();
  try {
    const { counts, wrong, trace } = await stage.play(seed);
    for (const step of trace) print(step);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    for (const message of wrong) print(`seed ${seed}: WRONG: ${message}`);
    if (wrong.length > 0) return false;
    const own = new Map(Object.entries(counts));
    print(`seed ${seed}: ${textOf(own)}, ${seconds} s`);
    count(own);
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
    const seed = Number(/^seed (\d+): \d/.exec(text)?.[1] ?? Number.NaN);
    if (Number.isNaN(seed) || seeds.has(seed)) continue;
    seeds.add(seed);
    count(new Map([...text.matchAll(/(\d+) (\w+)(?=,)/g)].map(([, number, what]) => [what ?? "", Number(number)])));
  }
  return seeds;
}

function count(counts: ReadonlyMap<string, number>): void {
  for (const [what, number] of counts) total.set(what, (total.get(what) ?? 0) + number);
}

function textOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, number]) => `${number} ${what}`).join(", ");
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${name} takes whole numbers from 1 on`);
  return Number(text);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
