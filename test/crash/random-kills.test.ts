import { generateEncryptionKeyPair, openSession, type TrellisClient } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresUrl } from "../support/test-database.js";
import { type CrashSite, openCrashSite, type ServiceProcess, StartFailed } from "./crashing-service.js";
import {
  answerOf,
  comeBack,
  type Holder,
  idOf,
  lamportsOf,
  newKey,
  type Outcome,
  openAccount,
  outcomeOf,
  preparePayment,
  readCode,
  type SignedPayment,
  signIn,
  verifyRequest,
} from "./honest-client.js";
import { expectSoundAfterRecovery, submissionStates, totalLamports } from "./invariants.js";

/**
 * Histories of three holders who pay at the same time while a fourth opens an account, in a process that dies at a drawn
 * point of all that, or of its next start. TRELLIS_TEST_CRASH_SEED draws other points, and
 * TRELLIS_TEST_CRASH_HISTORIES says how many histories there are.
 */
const seed = Number(process.env.TRELLIS_TEST_CRASH_SEED ?? 1);
const histories = Number(process.env.TRELLIS_TEST_CRASH_HISTORIES ?? 10);
const historiesMs = 600_000;

let site: CrashSite;
let service: ServiceProcess;
let holders: Holder[];
let before: bigint;
let kills = 0;
let lastAmount = 1_000_000n;

beforeAll(async () => {
  site = await openCrashSite();
  service = await site.start();
  const emails = ["ada@example.org", "grace@example.org", "mary@example.org"];
  holders = await Promise.all(emails.map((email) => openAccount(service.client, email, startMoney)));
  await service.stop();
  before = await site.inspect(totalLamports);
  service = await site.start();
});

afterAll(() => site?.close());

describe(`${histories} histories with seed ${seed}`, () => {
  it(
    "each end with an account and with clients who know what they paid",
    async () => {
      for (let history = 0; history < histories; history += 1) {
        await play(history).catch((error: unknown) => {
          throw new Error(`history ${history} of seed ${seed}`, { cause: error });
        });
      }
      expect(kills).toBeGreaterThanOrEqual(histories);
    },
    historiesMs,
  );

  it(
    "leave no payment lost, none doubled, and as much money as there was",
    async () => {
      const balances = new Map<string, bigint>();
      for (const { address } of holders) balances.set(address, await lamportsOf(service.client, address));
      expect(await service.stop()).toEqual({ code: 0, signal: null });

      const states = await site.inspect((db) =>
        submissionStates(
          db,
          paid.map(({ id }) => id),
        ),
      );
      const expected = new Map(holders.map(({ address }) => [address as string, startMoney]));
      for (const { id, payment, signature } of paid) {
        if (signature !== undefined) expect(states.get(id)).toBe("landed");
        if (states.get(id) !== "landed") continue;
        expected.set(payment.from, (expected.get(payment.from) ?? 0n) - payment.amount);
        expected.set(payment.to, (expected.get(payment.to) ?? 0n) + payment.amount);
      }
      expect(balances).toEqual(expected);
      expect(paid.filter(({ signature }) => signature !== undefined).length).toBeGreaterThanOrEqual(histories);
      expect(await site.inspect(totalLamports)).toBe(before);
      await expectSoundAfterRecovery(site);
    },
    historiesMs,
  );
});

const startMoney = 1_000_000_000n;

type Draw = (below: number) => number;

/** A payment with what its payer was told. */
interface Paid {
  readonly id: string;
  readonly payment: SignedPayment;
  /** The chain's id, once the service acknowledged it. */
  signature: string | undefined;
}

const paid: Paid[] = [];

/** An account on its way, with what its holder has of it so far. */
interface Opening {
  readonly email: string;
  readonly keyPair: ReturnType<typeof generateEncryptionKeyPair>;
  readonly key: string;
  code: string | undefined;
  holder: Holder | undefined;
}

/** Mulberry32: small, and good enough to scatter. */
function createDraw(from: number): Draw {
  let state = from >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Where a process is to die: at a statement, or on the embedded database while it writes its files. */
function drawDeath(draw: Draw, below: number): string {
  const sides = postgresUrl === undefined ? ["before", "after", "write"] : ["before", "after"];
  return `${sides[draw(sides.length)]} ${1 + draw(below)}`;
}

/** Starts a process on what a dead one left; one start in four dies on the way, too. */
async function startThroughDeaths(draw: Draw): Promise<void> {
  while (draw(4) === 0) {
    try {
      service = await site.start({ CRASH_AT: drawDeath(draw, 60) });
      await service.kill();
    } catch (error) {
      if (!(error instanceof StartFailed) || error.exit.signal !== "SIGKILL") throw error;
    }
    kills += 1;
  }
  service = await site.start();
}

/** Pays, and remembers what was heard of it. */
async function pay(client: TrellisClient, from: Holder, to: string, key: string): Promise<Paid | undefined> {
  lastAmount += 1n;
  const prepared = await outcomeOf(preparePayment(client, from, to, lastAmount));
  if (prepared.kind !== "answered") {
    expect(prepared).toEqual({ kind: "silent" });
    return undefined;
  }
  const payment = prepared.value;
  const entry: Paid = { id: idOf(payment), payment, signature: undefined };
  paid.push(entry);
  note(entry, await outcomeOf(client.transactions.submit(from.address, payment.submit, { idempotencyKey: key })));
  return entry;
}

function note(entry: Paid, outcome: Outcome<{ readonly transaction_signature: string }>): void {
  if (outcome.kind === "silent") return;
  const { transaction_signature: signature } = answerOf(outcome);
  if (entry.signature !== undefined) expect(signature).toBe(entry.signature);
  entry.signature = signature;
}

/** Brings an account on as far as the process lives. */
async function open(client: TrellisClient, opening: Opening): Promise<void> {
  const { email, keyPair, key } = opening;
  if (opening.code === undefined) {
    const asked = await outcomeOf(client.accounts.create({ type: "email", email }));
    if (asked.kind === "silent") return;
    answerOf(asked);
    const code = await outcomeOf(readCode(client, email));
    if (code.kind === "silent") return;
    opening.code = answerOf(code);
  }
  const request = verifyRequest(email, opening.code, keyPair);
  const verified = await comeBack(key, (options) => client.accounts.verify(request, options));
  if (verified.kind === "silent") return;
  if (verified.kind === "refused") {
    // A session was opened for the code, and the answer with it was lost.
    expect(verified.code).toBe("invalid_otp");
    opening.holder = await signIn(client, email);
    return;
  }
  const session = await openSession(verified.value.authentication[0], keyPair);
  opening.holder = { email, address: verified.value.address, session };
}

async function play(history: number): Promise<void> {
  const draw = createDraw(seed * 1_000 + history);
  await service.doom(drawDeath(draw, 140));
  const opening: Opening = {
    email: `history-${history}@example.org`,
    keyPair: generateEncryptionKeyPair(),
    key: newKey(),
    code: undefined,
    holder: undefined,
  };
  const keys = holders.map(newKey);
  const [payments] = await Promise.all([
    Promise.all(
      holders.map((from, i) => {
        const to = holders[(i + 1 + draw(2)) % holders.length]?.address ?? "";
        return pay(service.client, from, to, keys[i] ?? "");
      }),
    ),
    open(service.client, opening),
  ]);
  await service.kill();
  kills += 1;

  await startThroughDeaths(draw);
  for (const [i, entry] of payments.entries()) {
    // Some clients retry with their key, some without, and some never ask again.
    const habit = draw(3);
    if (entry === undefined || habit === 2) continue;
    const submit = (options: { readonly idempotencyKey?: string }) =>
      service.client.transactions.submit(entry.payment.from, entry.payment.submit, options);
    const outcome = await comeBack(habit === 0 ? keys[i] : undefined, submit);
    // Bytes that never were stored can grow too old while the service starts; then they can never be confirmed.
    if (outcome.kind === "refused" && entry.signature === undefined) expect(outcome.code).toBe("payload_expired");
    else note(entry, outcome);
  }
  if (opening.holder === undefined) await open(service.client, opening);
  expect(opening.holder).toBeDefined();
}
