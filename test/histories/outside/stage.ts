import { createDraw, type Draw } from "../draw.js";
import type { Answered, OutsideWorld } from "./world.js";

/** What was learned from playing a history. */
export interface OutsideHistory {
  /** Everything that happened, in order, with times counted from its beginning. */
  readonly trace: readonly string[];
  /** What must not be: empty. */
  readonly wrong: readonly string[];
  readonly counts: OutsideCounts;
}

/** What happened how often. */
export interface OutsideCounts {
  /** Payments that were confirmed. */
  paid: number;
  /** Payments that ended without one. */
  unpaid: number;
  /** Bytes that a wallet sent on its own. */
  sent: number;
  /** Of those, what it had changed before. */
  changed: number;
  failovers: number;
  /** Payments to a bank whose partner said anything. */
  wild: number;
  /** Payments for which the client asked for other bytes, as the answer was that the former ones are dead. */
  again: number;
  /** Due dates of standing orders that have their end. */
  dues: number;
  proposals: number;
  creations: number;
}

export const noCounts = (): OutsideCounts => ({
  paid: 0,
  unpaid: 0,
  sent: 0,
  changed: 0,
  failovers: 0,
  wild: 0,
  again: 0,
  dues: 0,
  proposals: 0,
  creations: 0,
});

/** Whether partners say anything, or tell the truth in every history. */
export type Partners = "wild" | "honest";

/** Where a history is played. */
export interface Stage {
  readonly world: OutsideWorld;
  readonly seed: number;
  readonly partners: Partners;
  readonly draw: Draw;
  readonly counts: OutsideCounts;
  readonly trace: string[];
  readonly wrong: Set<string>;
  readonly note: (line: string) => void;
  /** Begun later than which alarms belong to this history. */
  readonly alarmsFrom: number;
  /** Once in so many hundred times what was committed during this is lost after it, and mostly its answer as well. */
  perhapsLost<Data>(percent: number, act: () => Promise<Data>): Promise<Data | undefined>;
  /** Makes a request again and again, as a client does that got no answer, or was asked to retry. */
  persist(name: string, percent: number, ask: () => Promise<Answered>): Promise<Answered>;
  /** Time passes, with the passes that fall into it; each may be lost. */
  rest(ms: number, percent?: number): Promise<void>;
}

/** Nothing is wrong with a client that meets these, and retries. */
const passing = [
  "chain_unavailable",
  "submission_in_progress",
  "service_unavailable",
  "idempotency_in_progress",
  "partner_unavailable",
  "provider_unavailable",
];

export const isPassing = ({ code }: Answered) => code !== undefined && passing.includes(code);

/** Sets it; `failing`: whether the database loses anything at all. */
export function openStage(
  world: OutsideWorld,
  seed: number,
  draw: Draw,
  { failing, partners }: { readonly failing: boolean; readonly partners: Partners },
): Stage {
  const counts = noCounts();
  const trace: string[] = [];
  const began = world.clocks.real.now();
  const note = (line: string) => void trace.push(`${world.clocks.real.now() - began} ${line}`);
  world.clocks.setPace(1_000);
  world.clocks.catchUp();
  world.wild.begin(createDraw(seed + 1_000_000), "honest");
  const perhapsLost = async <Data>(percent: number, act: () => Promise<Data>): Promise<Data | undefined> => {
    if (!failing || !draw.percent(percent)) return act();
    await world.replica.follow();
    const answer = await act();
    await world.replica.takeOver();
    counts.failovers += 1;
    const isHeard = draw.percent(40);
    note(`the database loses its last second${isHeard ? "" : ", and the answer is lost"}`);
    if (draw.percent(15)) await world.restart();
    return isHeard ? answer : undefined;
  };
  return {
    world,
    seed,
    partners,
    draw,
    counts,
    trace,
    wrong: new Set(),
    note,
    alarmsFrom: world.alarms.length,
    perhapsLost,
    persist: async (name, percent, ask) => {
      for (let tries = 0; ; tries += 1) {
        const answer = await (tries < 10 ? perhapsLost(percent, ask) : ask());
        if (answer !== undefined) note(`${name}: ${answer.code ?? answer.status}`);
        if (answer !== undefined && (!isPassing(answer) || tries > 20)) return answer;
        world.clocks.pass(draw.between(300, 8_000));
      }
    },
    rest: async (ms, percent = 10) => {
      world.clocks.pass(ms);
      await perhapsLost(percent, () => world.runPasses());
    },
  };
}

/** What the service reported as an error during this, and is not expected: in words. */
export function unexpectedAlarms({ world, alarmsFrom }: Stage, expected: readonly string[]): readonly string[] {
  return world.alarms.slice(alarmsFrom).flatMap(({ message, fields }) => {
    if (expected.some((text) => message.includes(text))) return [];
    const { err, ...rest } = fields as { readonly err?: unknown };
    const view = JSON.stringify(rest, (_, value) => (typeof value === "bigint" ? value.toString() : value));
    return [`an unexpected error: ${message} ${view} ${err === undefined ? "" : String(err)}`];
  });
}

/** Everything that is under way for an account, where nothing should be any more. */
export async function openSubmissions({ db }: OutsideWorld, account: string): Promise<readonly string[]> {
  const open = await db
    .selectFrom("submission")
    .select(["id", "purpose", "state"])
    .where("account_address", "=", account)
    .where("state", "in", ["signed", "sent"])
    .execute();
  return open.map(({ id, purpose, state }) => `the submission ${id} (${purpose}) stays ${state}`);
}
