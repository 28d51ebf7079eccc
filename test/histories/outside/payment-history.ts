import { randomUUID } from "node:crypto";
import { railTransferStates } from "@trellis/kernel/ports/rails.js";
import type { Draw } from "../draw.js";
import { createAgenda } from "./agenda.js";
import { createPaymentJudge } from "./judge-payments.js";
import { type Attempt, createClient, finalCodes, openHolder, payeeOf, type WantedPayment } from "./payments.js";
import { isPassing, type Stage } from "./stage.js";
import type { Answered } from "./world.js";

const soon = (draw: Draw) => draw.between(0, 5_000);
const minute = 60_000;

const forgotten = ["transaction_not_prepared", "payment_intent_not_found"];

/** When a wallet sends bytes on its own, in milliseconds after it has them: none, one or two times. */
function drawSends(draw: Draw): readonly number[] {
  return draw.oneOf<() => readonly number[]>([
    () => [],
    () => [soon(draw)],
    () => [soon(draw)],
    () => [draw.between(30_000, 59_900)],
    () => [draw.between(60_100, 100_000)],
    () => [soon(draw), draw.between(5_000, 90_000)],
  ])();
}

/** When the same bytes are submitted for the first time; undefined: never. */
function drawSubmit(draw: Draw): number | undefined {
  return draw.oneOf<() => number | undefined>([
    () => undefined,
    () => soon(draw),
    () => soon(draw),
    () => draw.between(5_000, 58_000),
    () => draw.between(59_000, 90_000),
    () => draw.between(3 * minute, 4 * 60 * minute),
  ])();
}

/** The same where the wallet signs other bytes: the client has those that were prepared too late for them to be confirmed. */
function drawLateSubmit(draw: Draw): number | undefined {
  return draw.percent(50) ? undefined : draw.between(6 * minute, 4 * 60 * minute);
}

/**
 * One account's client pays, on chain, by v0 and to a bank, while the wallet sends bytes by
 * itself, the partner says anything, and the database loses its last second. Then all that ends, and time passes.
 */
export async function playPayments(stage: Stage): Promise<void> {
  const { world, seed, draw, counts, note, perhapsLost } = stage;
  const drawn = draw.oneOf(["none", "none", "honest", "wild", "wild"]);
  const partner = drawn === "wild" ? stage.partners : drawn;
  const holder = await openHolder(world, draw, partner !== "none");
  const client = createClient(world, draw, holder, note);
  const payments: WantedPayment[] = [];
  const judge = await createPaymentJudge(stage, holder, client, payments);
  if (partner === "wild") world.wild.setManner("wild");
  // A blockhash lives for 150 blocks, which is a minute, or longer.
  world.clocks.setPace(draw.oneOf([1_000, 1_000, 700, 450]));

  const agenda = createAgenda(world.clocks);

  const begin = async (wanted: WantedPayment, round: number): Promise<void> => {
    const key = randomUUID();
    const attempt =
      (await perhapsLost(15, () => client.prepare(wanted, key))) ??
      (wanted.isRefused ? undefined : await client.prepare(wanted, key));
    if (attempt === undefined) return;
    wanted.attempts.push(attempt);
    for (const after of drawSends(draw)) {
      agenda.add(after, async () => {
        // A client that was answered an end sends no more.
        if (attempt.over !== undefined || attempt.complete === undefined) return;
        counts.sent += 1;
        if ((await client.change(attempt)) !== undefined) counts.changed += 1;
        await perhapsLost(5, () => client.send(wanted, attempt));
      });
    }
    const changesAt = draw.between(0, 50_000);
    if (attempt.changes !== undefined && draw.percent(50)) {
      agenda.add(changesAt, async () => void (attempt.over ?? (await client.change(attempt))));
    }
    const first = attempt.changes === undefined ? drawSubmit(draw) : drawLateSubmit(draw);
    const submitKey = randomUUID();
    if (first !== undefined) agenda.add(first, () => submit(wanted, attempt, submitKey, round, draw.between(0, 4)));
    for (const after of [draw.between(61_000, 70_000), draw.between(2 * minute, 20 * minute)]) {
      if (draw.percent(60)) agenda.add(after, () => poll(wanted, attempt, round));
    }
  };

  const submit = async (
    wanted: WantedPayment,
    attempt: Attempt,
    key: string,
    round: number,
    patience: number,
  ): Promise<void> => {
    if (attempt.over !== undefined) return;
    const before = counts.failovers;
    const answer = await perhapsLost(30, () => client.submit(wanted, attempt, key));
    if (answer !== undefined && !isPassing(answer)) await hear(wanted, attempt, answer, round);
    // What the database has lost is mostly repeated, as often as it takes; what only passed, as long as the client is patient.
    const isForgotten = counts.failovers > before && draw.percent(75);
    if (!isForgotten && (patience === 0 || answer === undefined || !isPassing(answer))) return;
    const left = isForgotten ? patience : patience - 1;
    agenda.add(draw.between(500, 40_000), () => submit(wanted, attempt, key, round, left));
  };

  /** What the client makes of an answer to a submit. */
  const hear = async (wanted: WantedPayment, attempt: Attempt, answer: Answered, round: number): Promise<void> => {
    if (answer.status < 300 && answer.code === undefined) {
      await judge.noteAnswered(wanted, attempt, answer);
      return;
    }
    if (finalCodes.includes(answer.code ?? "")) await isOver(wanted, attempt, answer.code ?? "", round);
    // The database has forgotten them, and no other process can get them confirmed.
    else if (forgotten.includes(answer.code ?? "") && attempt.complete === undefined)
      await isOver(wanted, attempt, "forgotten", round);
    else judge.noteRefused(wanted, attempt, answer);
  };

  const poll = async (wanted: WantedPayment, attempt: Attempt, round: number): Promise<void> => {
    if (attempt.over !== undefined) return;
    const state = await judge.stateOf(attempt);
    note(`${wanted.name} is ${state ?? "unknown"}`);
    if (state === "canceled" || state === "error") await isOver(wanted, attempt, state, round);
  };

  const isOver = async (wanted: WantedPayment, attempt: Attempt, why: string, round: number): Promise<void> => {
    attempt.over = why;
    await judge.noteOver(wanted, attempt);
    if (round >= 2 || !draw.percent(60)) return;
    counts.again += 1;
    agenda.add(draw.between(100, 10_000), () => begin(wanted, round + 1));
  };

  const count = draw.between(1, 2);
  for (let at = 0; at < count; at += 1) {
    const form =
      holder.bank === undefined || holder.isInCustody
        ? draw.oneOf(["v1", "v1", "v0"] as const)
        : draw.oneOf(["bank", "bank", "v1"] as const);
    const currency = form === "bank" ? "usdc" : draw.oneOf(["sol", "usdc"] as const);
    const name = `payment ${seed}-${at}`;
    const wanted: WantedPayment = {
      name,
      form,
      currency,
      amount: form === "bank" ? BigInt(draw.between(2, 9)) * 1_000_000n : BigInt(draw.between(1_000_000, 2_000_000)),
      ...(form === "bank" ? {} : { payee: payeeOf(name) }),
      attempts: [],
    };
    payments.push(wanted);
    if (form === "bank" && partner === "wild") counts.wild += 1;
    agenda.add(draw.between(0, 20_000), () => begin(wanted, 0));
  }
  const runPasses = () => perhapsLost(8, () => world.runPasses());
  await agenda.run(
    async () => {
      await judge.check();
      if (draw.percent(40)) {
        await runPasses();
        await judge.check();
      }
    },
    () => draw.between(10_000, 90_000),
  );

  note("the faults end");
  if (partner === "wild")
    world.wild.setManner(draw.percent(70) ? "honest" : draw.oneOf([...railTransferStates] as never));
  world.clocks.setPace(1_000);
  for (let round = 0; round < 10; round += 1) {
    world.clocks.pass(35_000);
    await world.runPasses();
    await judge.check();
  }
  // Payments from banks take days, and those that are given up a month.
  const days = payments.some(({ form }) => form === "bank") ? 40 : 0;
  for (let day = 0; day < days && !(await judge.isQuiet()); day += 1) {
    world.clocks.pass(86_400_000);
    await world.runPasses();
  }
  await judge.check();
  await judge.end();
}
