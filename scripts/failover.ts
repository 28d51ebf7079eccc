/**
 * Plays what a database cluster is for. It brings up `deploy/ha` on loopback addresses: three PostgreSQL nodes under Patroni, three
 * etcd members, HAProxy and PgBouncer, with their TLS and passwords. Two built services on it pay, propose, keep standing orders and
 * deliver events, while the primary is taken away ten times in turn: its process is killed, its machine, its machine stops
 * answering, and a planned switch. Afterwards everything that clients heard and the service says is held against the chain.
 *
 * `npm run failover` plays ten rounds, in about ten minutes; `-- --rounds 3` so many. `-- --lose` plays replicas that wait for nothing, and that
 * have not heard of the last second when the primary dies. `--keep` leaves the directory with all logs, and prints its name.
 * Needs Debian's packages; where they are missing it names them and plays nothing. Ends with a failure where anything was lost,
 * doubled, left undecided, or called failed that landed.
 */
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { OutcomeUnknownError } from "@trellis/sdk";
import { type Cluster, type Death, findMissingCommands, type OnOpening, startCluster } from "./failover/cluster.js";
import { finish, judge } from "./failover/judge.js";
import { isForgotten, type Load, startLoad } from "./failover/load.js";
import { openStage, type Stage } from "./failover/play.js";
import { pause } from "./failover/processes.js";

const { values: given } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    lose: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const rounds = Number(given.rounds);
/** No run takes longer: what hangs is a failure, not a wait. */
const longestMs = 300_000 + rounds * 150_000;
const memoryBytes = 4e9;
const deaths: readonly Death[] = ["process", "machine", "frozen", "planned"];
/** Between rounds: enough to see that payments go on. */
const steadyMs = 5_000;
/** How long the replicas hear nothing before the primary is taken away. */
const lostMs = 1_000;

const missing = findMissingCommands();
if (missing.length > 0) {
  say(`NOT PLAYED: these are not installed: ${missing.join(", ")}. On Debian:`);
  say("apt-get install postgresql patroni etcd-server haproxy pgbouncer python3-etcd python3-idna openssl");
} else process.exitCode = await main();

async function main(): Promise<number> {
  const directory = mkdtempSync(join(placeForFiles(), "trellis-ha-"));
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
    if (given.keep) say(`the logs are in ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
  };
  const giveUp = async (why: string) => {
    say(`broken off: ${why}`);
    await close();
    process.exit(1);
  };
  const late = setTimeout(() => void giveUp(`it takes longer than ${longestMs / 1000} s`), longestMs);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void giveUp(signal));
  process.once("uncaughtException", (error) => void giveUp(String(error.stack)));
  try {
    const onOpening: OnOpening = (stop) => closing.push(stop);
    const cluster = await startCluster(directory, onOpening, say);
    if (given.lose) await cluster.allowLoss();
    const stage = await openStage(directory, cluster, onOpening);
    return await play(cluster, stage);
  } finally {
    clearTimeout(late);
    await close();
  }
}

async function play(cluster: Cluster, stage: Stage): Promise<number> {
  const load = await startLoad(stage);
  await pause(steadyMs);
  const silences: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const death = given.lose ? "machine" : (deaths[round % deaths.length] as Death);
    const began = performance.now();
    if (given.lose) {
      await cluster.cutReplication();
      await pause(lostMs);
    }
    const takenAt = performance.now();
    const former = await cluster.take(death);
    await cluster.awaitSuccessor(former);
    const lost = given.lose
      ? load.deeds.filter(({ answeredAt = 0 }) => answeredAt > began && answeredAt < takenAt)
      : [];
    await cluster.heal();
    await pause(steadyMs);
    const silence = longestSilence(load, takenAt);
    silences.push(silence);
    const submitted = given.lose ? `; ${await submitAgain(stage, lost)}` : "";
    say(`round ${round + 1}: ${former}, ${death}: no payment for ${seconds(silence)}${submitted}`);
  }
  await load.stop();
  await finish(stage);
  const { counts, wrong } = await judge(stage, load, given.lose);
  say(`longest silence ${seconds(Math.max(...silences))} in ${rounds} rounds`);
  say(textOf(Object.entries(counts)));
  say(`other answers: ${textOf([...stage.refusals]) || "none"}`);
  say(`errors in the logs: ${textOf([...stage.readErrors()]) || "none"}`);
  for (const what of wrong) say(`WRONG: ${what}`);
  say(wrong.length === 0 ? "0 lost, 0 doubled, 0 unresolved" : `${wrong.length} wrong`);
  return wrong.length === 0 ? 0 : 1;
}

/** The longest time without an answered payment from this instant on, in milliseconds. */
function longestSilence({ deeds }: Load, from: number): number {
  const answered = deeds.flatMap(({ kind, answeredAt = 0 }) =>
    kind === "payment" && answeredAt > from ? [answeredAt] : [],
  );
  let [longest, last] = [0, from];
  for (const at of [...answered.sort((a, b) => a - b), performance.now()]) {
    longest = Math.max(longest, at - last);
    last = at;
  }
  return longest;
}

/**
 * A client that submits once more what was answered is answered the same, though the database has forgotten it. Where it has forgotten
 * the preparation, too, the answer leaves the outcome open. Says how many there are of each.
 */
async function submitAgain({ clients }: Stage, deeds: Load["deeds"]): Promise<string> {
  let [same, open] = [0, 0];
  for (const { signed, signature, kind, amount } of deeds) {
    if (signed === undefined) continue;
    try {
      const again = await clients[1].transactions.resume(signed);
      if (again.signature !== signature)
        throw new Error(`${kind} ${amount} was answered ${signature}, then ${again.signature}`);
      same += 1;
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError && isForgotten(error))) throw error;
      open += 1;
    }
  }
  return `${same} of the lost second answered the same again, ${open} unknown`;
}

/** Memory, where there is much of it. */
function placeForFiles(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > memoryBytes ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function textOf(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([what, number]) => `${number} ${what}`).join(", ");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
