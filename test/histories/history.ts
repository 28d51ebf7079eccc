import { createHash, randomUUID } from "node:crypto";
import { getBase64Encoder, getTransactionDecoder } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Pass } from "@trellis/kernel/module.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { createAccount } from "../../src/accounts/create-account.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { completeOpenWork, openWorkPasses } from "../../src/scheduler/passes.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { stampKmsA } from "../support/test-network.js";
import { createDraw, type Draw } from "./draw.js";
import { type Faults, type FaultyChain, honestNode, type NodeFaults, noFaults } from "./faulty-nodes.js";
import { createJudge, expiries, finalRefusals, type Judge, type Reported } from "./judge.js";
import { drawPlan, type HistoryPlan } from "./plan.js";
import type { Payer, ServiceProcess, World } from "./world.js";

/** What was learned from playing a history. */
export interface PlayedHistory {
  /** Everything that happened, in order, with times counted from its beginning. */
  readonly trace: readonly string[];
  /** What must not be: empty. */
  readonly wrong: readonly string[];
  readonly counts: HistoryCounts;
}

/** What happened how often. */
export interface HistoryCounts {
  landed: number;
  failed: number;
  expired: number;
  deaths: number;
  created: number;
  preparedAgain: number;
  /** Submissions that stayed open, with an alarm, because their outcome could not be proven. */
  unprovable: number;
}

/** The result of a call, as its caller sees it. */
type Outcome<Data> =
  | { readonly kind: "answered"; readonly data: Data }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "silent" };

/** A signer of accounts that are only to be made. */
const someKey = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

/** Nothing is wrong with a client that meets these, and retries. */
const passing = ["chain_unavailable", "submission_in_progress", "service_unavailable", "transaction_failed"];

interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

type Submitted = Extract<Reported, { kind: "answered" }>["data"];

/**
 * Plays the history of a seed: clients pay and open accounts through processes that die, over nodes that fail, until every
 * client has its answer or has given up; then the faults end, and passes run until nothing is open.
 */
export async function playHistory(world: World, seed: number): Promise<PlayedHistory> {
  const { timeline } = world;
  timeline.skip(1_000);
  timeline.align();
  const draw = createDraw(seed);
  const plan = drawPlan(draw);
  const began = timeline.now();
  const trace: string[] = [];
  const note = (line: string) => void trace.push(`${timeline.now() - began} ${line}`);
  const counts: HistoryCounts = {
    landed: 0,
    failed: 0,
    expired: 0,
    deaths: 0,
    created: 0,
    preparedAgain: 0,
    unprovable: 0,
  };
  const payer = world.payers[plan.environment][plan.payer];
  if (!payer) throw new Error("a plan names a payer there is");
  const judge = await createJudge(world, payer, plan.environment);

  let faults: Faults = plan.faults;
  let kinds: readonly NodeFaults[] = plan.nodes;
  const ledgerStarts = plan.nodes.map(() => 0n);
  const nodes = () => kinds.map((kind, i) => ({ ...kind, ledgerStart: ledgerStarts[i] ?? 0n }));
  const chain: FaultyChain = {
    handle: world.handle,
    faults: () => faults,
    onSend: (wire) => judge.noteSent(wire),
    blockhashes: [],
  };
  chain.blockhashes.push(await readBlockhash(world));
  timeline.setPace(plan.pacePerMille);
  timeline.skip(plan.quietMs);

  let isMended = false;
  for (const [i, restart] of plan.restarts.entries()) {
    if (restart === undefined) continue;
    timeline.at(timeline.now() + restart, async () => {
      if (isMended) return;
      ledgerStarts[i] = await readSlot(world);
      note(`node ${i + 1} begins its ledger anew`);
    });
  }

  const crew = createCrew(world, plan, draw, {
    chain,
    nodes,
    note,
    counts,
    onError: judge.noteWrong,
  });
  const clients = crew
    .open()
    .then(() =>
      Promise.all([
        ...plan.intents.map((intent, i) =>
          intent.kind === "creation"
            ? openAccount({ world, plan, draw, crew, judge, note, counts }, `creation-${i}`)
            : pay({ world, plan, draw, crew, judge, note, counts }, payer, intent, `intent ${i}`),
        ),
      ]),
    );
  await timeline.run(clients);
  await timeline.run(crew.close());

  faults = noFaults;
  kinds = plan.nodes.map(() => honestNode);
  timeline.setPace(Math.max(1_000, plan.pacePerMille));
  note("the faults end");
  await timeline.run(recover(world, plan, { chain, nodes, note, judge }));
  await timeline.drain();
  if (ledgerStarts.some((start) => start > 0n)) {
    await judge.findOpen(ledgerStarts, counts);
    note("a node that keeps everything comes up");
    isMended = true;
    ledgerStarts.fill(0n);
    await timeline.run(recover(world, plan, { chain, nodes, note, judge }));
  }
  // What was still on its way arrives now, after everything was called final.
  await timeline.drain();
  const wrong = await judge.findWrong(counts);
  timeline.setPace(1_000);
  return { trace, wrong, counts };
}

interface Stage {
  readonly world: World;
  readonly plan: HistoryPlan;
  readonly draw: Draw;
  readonly crew: Crew;
  readonly judge: Judge;
  readonly note: (line: string) => void;
  readonly counts: HistoryCounts;
}

async function readSlot(world: World): Promise<bigint> {
  const asked = { jsonrpc: "2.0", id: 1, method: "getSlot", params: [] };
  return BigInt(String(((await world.handle(asked)) as { readonly result: unknown }).result));
}

async function readBlockhash(world: World): Promise<unknown> {
  const asked = { jsonrpc: "2.0", id: 1, method: "getLatestBlockhash", params: [] };
  return ((await world.handle(asked)) as { readonly result: { readonly value: unknown } }).result.value;
}

/** The processes of a history. One that died returns after a while. */
interface Crew {
  open(): Promise<void>;
  /** Makes a call at one of them. */
  call<Data>(work: (process: ServiceProcess) => Promise<Data>): Promise<Outcome<Data>>;
  /** Ends them all. */
  close(): Promise<void>;
}

interface CrewParts {
  readonly chain: FaultyChain;
  readonly nodes: () => readonly NodeFaults[];
  readonly note: (line: string) => void;
  readonly counts: HistoryCounts;
  readonly onError: (message: string) => void;
}

function createCrew(world: World, plan: HistoryPlan, draw: Draw, parts: CrewParts): Crew {
  const { chain, nodes, note, counts, onError } = parts;
  const running: (ServiceProcess | undefined)[] = plan.processes.map(() => undefined);
  let closing = false;
  const sleep = (ms: number) => wait(world, ms);

  /** Keeps a place filled: starts, runs its passes, and starts again after a death. */
  const keep = async (place: number, deaths: readonly number[]): Promise<void> => {
    for (let life = 0; !closing; life += 1) {
      const name = `process ${place + 1}.${life + 1}`;
      const setting = {
        name,
        environment: plan.environment,
        draw,
        chain,
        nodes,
        dieAt: deaths[life],
        slowness: plan.slowness,
        note,
        onError,
      };
      const process = await world.start(setting).catch((error: unknown) => {
        if (error instanceof UnusableEnvironmentError || error instanceof TrellisError) return undefined;
        throw error;
      });
      if (process === undefined) {
        await sleep(draw.between(500, 5_000));
        continue;
      }
      if (closing) process.life.end();
      running[place] = process;
      await Promise.race([keepPassing(process), process.life.ended]);
      running[place] = undefined;
      if (closing) return;
      counts.deaths += 1;
      await sleep(draw.between(200, 40_000));
    }
  };

  /** Each pass has a timer of its own. */
  const keepPassing = async (process: ServiceProcess): Promise<void> => {
    const repeat = async ({ run }: Pass): Promise<void> => {
      for (;;) {
        await process.life.wait(draw.between(5_000, 90_000));
        await run().catch((error: unknown) => {
          if (!(error instanceof TrellisError)) throw error;
        });
      }
    };
    await Promise.all(openWorkPasses(process.needs, process.network).map(repeat));
  };

  let keeping: Promise<unknown> = Promise.resolve();
  return {
    open: async () => {
      keeping = Promise.all(plan.processes.map(({ deaths }, place) => keep(place, deaths)));
      while (running.every((process) => process === undefined)) await Promise.race([sleep(100), keeping]);
    },
    call: async (work) => {
      await sleep(draw.between(1, 500));
      const wanted = draw.below(running.length);
      for (let tries = 0; ; tries += 1) {
        const process = running[(wanted + tries) % running.length];
        if (process !== undefined) return outcomeOf(process, work);
        if (tries % running.length === running.length - 1) await sleep(500);
      }
    },
    close: async () => {
      closing = true;
      for (const process of running) process?.life.end();
      await keeping;
      note("all processes have ended");
    },
  };
}

async function outcomeOf<Data>(
  process: ServiceProcess,
  work: (process: ServiceProcess) => Promise<Data>,
): Promise<Outcome<Data>> {
  const answered = work(process).then(
    (data): Outcome<Data> => ({ kind: "answered", data }),
    (error: unknown): Outcome<Data> => {
      if (error instanceof TrellisError) return { kind: "refused", code: error.code };
      throw error;
    },
  );
  const outcome = await Promise.race([answered, process.life.ended]);
  return outcome ?? { kind: "silent" };
}

function wait(world: World, ms: number): Promise<void> {
  const { timeline } = world;
  return new Promise((resolve) => timeline.at(timeline.now() + ms, resolve));
}

/** A payment as its client goes about it: new bytes are asked for only once the former ones were said to be dead. */
async function pay(
  stage: Stage,
  payer: Payer,
  intent: Extract<HistoryPlan["intents"][number], { kind: "payment" }>,
  name: string,
): Promise<void> {
  const { world, draw, judge, note, counts } = stage;
  await wait(world, intent.startsAfterMs);
  for (let round = 0; round < intent.rounds; round += 1) {
    const amounts = intent.amounts.map((share) => (share <= 1_000 ? BigInt(share) : judge.shareOfMoney(share)));
    const prepared: Prepared[] = [];
    for (const amount of amounts) {
      const one = await prepare(stage, payer, amount, name);
      if (one === undefined) return;
      prepared.push(one);
    }
    if (round > 0) counts.preparedAgain += 1;
    const ids = prepared.map(({ transaction }) => idOf(transaction));
    judge.notePrepared(name, ids, amounts);
    const body = submitBody(payer, prepared, intent.amounts.length > 1);
    const submit = async (): Promise<Outcome<Submitted>> => {
      const outcome = await stage.crew.call((process) =>
        process.call<Submitted>(submitTransactions, { params: { address: payer.address }, body }),
      );
      note(`${name} is told ${report(outcome)}`);
      await world.timeline.aside(() => judge.noteTold(ids, outcome));
      return outcome;
    };
    await wait(world, draw.oneOf(intent.thinkMs));
    const copies = await Promise.all(Array.from({ length: intent.copies }, submit));
    // One copy's success is every copy's, and so is its expiry. Any other refusal tells the end only of a copy that was alone
    // under way: another one might just have been about to be recorded.
    let last =
      copies.length === 1
        ? copies[0]
        : (copies.find(({ kind }) => kind === "answered") ??
          copies.find((copy) => copy.kind === "refused" && expiries.includes(copy.code)));
    for (let tries = 0; tries < intent.patience && !isEnd(last); tries += 1) {
      await wait(world, draw.between(500, 40_000));
      last = await submit();
    }
    if (!isEnd(last) || last?.kind !== "refused" || intent.amounts.length > 1) return;
  }
}

function isEnd(outcome: Outcome<unknown> | undefined): boolean {
  if (outcome === undefined || outcome.kind === "silent") return false;
  return outcome.kind === "answered" || finalRefusals.includes(outcome.code);
}

async function prepare(stage: Stage, payer: Payer, amount: bigint, name: string): Promise<Prepared | undefined> {
  const { world, draw, crew, judge, note } = stage;
  for (let tries = 0; tries < 6; tries += 1) {
    const outcome = await crew.call((process) =>
      process.call<Prepared>(preparePayment, {
        params: { address: payer.address },
        body: {
          amount: amount.toString(),
          source: { account: payer.address, currency: "sol" },
          destination: { address: payer.payee, currency: "sol" },
        },
      }),
    );
    note(`${name} prepares: ${outcome.kind === "refused" ? outcome.code : outcome.kind}`);
    if (outcome.kind === "answered") return outcome.data;
    if (outcome.kind === "refused" && !passing.includes(outcome.code)) {
      if (outcome.code !== "insufficient_balance") judge.noteWrong(`${name} may not prepare: ${outcome.code}`);
      return undefined;
    }
    await wait(world, draw.between(200, 20_000));
  }
  return undefined;
}

function submitBody(payer: Payer, prepared: readonly Prepared[], isMultiple: boolean): unknown {
  const signed = prepared.map(({ kms_payloads }) =>
    kms_payloads.map(({ payload }) => ({
      provider: payer.provider,
      kms_signed_payload: { signature: stampKmsA(payload, payer.authorizationKey) },
    })),
  );
  return isMultiple
    ? { transactions: prepared.map(({ transaction }) => transaction), kms_payloads: signed }
    : { transaction: prepared[0]?.transaction, kms_payloads: signed[0] };
}

/** An account of keys, asked for under one operation until it is there. */
async function openAccount(stage: Stage, name: string): Promise<void> {
  const { world, draw, crew, judge, note } = stage;
  const operationId = randomUUID();
  judge.noteCreation(operationId);
  const body = { type: "signers", signers: [someKey], threshold: 1 };
  await wait(world, draw.between(0, 3_000));
  for (let tries = 0; tries < 6; tries += 1) {
    const outcome = await crew.call((process) =>
      process.call<{ readonly address: string }>(createAccount, { body, operationId }),
    );
    note(`${name} is told ${outcome.kind === "refused" ? outcome.code : outcome.kind}`);
    if (outcome.kind === "answered") {
      judge.noteCreated(operationId, outcome.data.address);
      return;
    }
    if (outcome.kind === "refused" && !passing.includes(outcome.code)) judge.noteWrong(`${name}: ${outcome.code}`);
    await wait(world, draw.between(500, 40_000));
  }
}

function report(outcome: Outcome<Submitted>): string {
  if (outcome.kind === "refused") return outcome.code;
  if (outcome.kind === "silent") return "nothing";
  return outcome.data.partial_failure?.error_code ?? "that it landed";
}

/** Lower-case hex SHA-256 of the message: a transaction's identity, computed here once more. */
function idOf(transaction: string): string {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  return createHash("sha256").update(Uint8Array.from(messageBytes)).digest("hex");
}

/** How many passes of a healthy process on healthy nodes may be needed: one before a window is over, and those after. */
const passesMax = 6;

async function recover(
  world: World,
  plan: HistoryPlan,
  parts: Pick<CrewParts, "chain" | "nodes" | "note"> & { readonly judge: Judge },
): Promise<void> {
  const process = await world.start({
    name: "the last process",
    environment: plan.environment,
    draw: createDraw(1),
    chain: parts.chain,
    nodes: parts.nodes,
    dieAt: undefined,
    slowness: 1,
    note: parts.note,
    onError: parts.judge.noteWrong,
  });
  if (!process) throw new Error("nothing kills the last process");
  for (let pass = 0; pass < passesMax; pass += 1) {
    await completeOpenWork(process.needs, process.network);
    if (await world.timeline.aside(() => parts.judge.isQuiet())) return;
    await wait(world, 60_000);
    parts.note(`pass ${pass + 1} left something open`);
  }
}
