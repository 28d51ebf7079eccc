import { expect, test } from "vitest";
import { named, SYSTEM } from "./support/keys.js";
import type { Instruction } from "./support/ledger.js";
import { transferData } from "./support/messages.js";
import { w, ws } from "./support/metas.js";
import { type Answer, createPasskeyScene, decodePasskey, innerOf, type PasskeyScene } from "./support/passkeys.js";
import { createRandom, type Random } from "./support/random.js";

const HISTORIES = 12;
const STEPS_PER_HISTORY = 80;
const NOW = 1_700_000_000n;
const DAYS_90 = 90n * 86_400n;
const PAYEE = named("payee");
const KEYS = [named("session one"), named("session two")];

test(`${HISTORIES * STEPS_PER_HISTORY} random steps do what the model says`, async () => {
  const seen = new Map<number, number>();
  for (let seed = 1; seed <= HISTORIES; seed++) await runHistory(seed, seen);
  // The histories must reach everything, or the test proves less than it says.
  for (const code of [0, 7011, 7012, 7013, 7014, 7015, 7019, 7020, 7021, 7022]) {
    expect(seen.get(code) ?? 0, `${code} was never reached`).toBeGreaterThan(0);
  }
});

/** What a passkey's account should hold, and what was paid. */
interface Model {
  lastSlot: bigint;
  counter: number;
  session: { readonly key: Uint8Array; readonly expiresAt: bigint };
  paid: bigint;
}

/** A step and what the model says about it: 0, or the error. */
interface Step {
  readonly instructions: readonly Instruction[];
  readonly expected: number;
  apply(): void;
}

async function runHistory(seed: number, seen: Map<number, number>): Promise<void> {
  const random = createRandom(seed);
  const scene = await createPasskeyScene();
  const session = { key: random.pick(KEYS), expiration: NOW + 600n };
  expect(scene.ledger.send(...scene.initialized(session)).error).toBeUndefined();
  const model: Model = {
    lastSlot: scene.recent(),
    counter: 0,
    session: { key: session.key, expiresAt: session.expiration },
    paid: 0n,
  };
  scene.ledger.fund(scene.passkey.executionAccount, ...KEYS);
  for (let step = 0; step < STEPS_PER_HISTORY; step++) {
    if (random.chance(0.6)) scene.moveTo(scene.slot + BigInt(random.pick([1, 1, 2, 40, 400])));
    if (random.chance(0.2)) scene.ledger.setTime(scene.ledger.now() + BigInt(random.below(400)));
    const { instructions, expected, apply } = nextStep(random, scene, model);
    const outcome = scene.ledger.send(...instructions);
    const place = `history ${seed}, step ${step}\n${outcome.logs.join("\n")}`;
    expect(outcome.error === undefined ? 0 : outcome.error.custom, place).toBe(expected);
    if (expected === 0) apply();
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
    const stored = decodePasskey(scene.stored() ?? new Uint8Array());
    expect(stored, place).toMatchObject({
      lastSlot: Number(model.lastSlot),
      counter: BigInt(model.counter),
      sessionKey: model.session.key,
      sessionExpiration: model.session.expiresAt,
    });
    expect(scene.ledger.balance(PAYEE), place).toBe(model.paid);
  }
}

function nextStep(random: Random, scene: PasskeyScene, model: Model): Step {
  const { executionAccount } = scene.passkey;
  const lamports = 1_000_000n + BigInt(random.below(1_000));
  const transfer = { program: SYSTEM, accounts: [ws(executionAccount), w(PAYEE)], data: transferData(lamports) };
  const inner = innerOf([transfer], [executionAccount]);
  const pay = (): void => {
    model.paid += lamports;
  };
  const now = scene.ledger.now();
  if (random.chance(0.3)) {
    const key = random.chance(0.8) ? model.session.key : random.pick(KEYS);
    const isKey = Buffer.compare(key, model.session.key) === 0;
    const expected = !isKey ? 7013 : now >= model.session.expiresAt ? 7012 : 0;
    return { instructions: [scene.executeBySession(inner, 0, {}, key)], expected, apply: pay };
  }
  const age = BigInt(random.chance(0.85) ? 1 + random.below(4) : random.pick([20, 149, 150, 151, 400]));
  const slot = scene.slot - age;
  const counter = random.chance(0.5) ? 0 : Math.max(1, model.counter + random.pick([-1, 0, 1, 1, 5]));
  const bend = random.chance(0.8) ? undefined : random.pick(["challenge", "host", "presence"] as const);
  const answer: Answer = {
    counter,
    ...(bend === "challenge" && { challenge: random.bytes(32) }),
    ...(bend === "host" && { rpId: "other.example.com" }),
    ...(bend === "presence" && { flags: 0x1c }),
  };
  const refusal = judge(model, { age, slot, counter, bend });
  const noteSignature = (): void => {
    model.lastSlot = slot;
    if (counter !== 0) model.counter = counter;
  };
  if (random.chance(0.6)) {
    const apply = (): void => {
      noteSignature();
      pay();
    };
    return { instructions: scene.executed(inner, 0, answer, { slot }), expected: refusal, apply };
  }
  const seconds = random.pick([0n, 60n, 600n, DAYS_90, DAYS_90 + 1n]);
  const session = { key: random.pick(KEYS), expiration: seconds };
  const apply = (): void => {
    noteSignature();
    model.session = { key: session.key, expiresAt: now + seconds };
  };
  const expected = refusal === 0 && seconds > DAYS_90 ? 7011 : refusal;
  return { instructions: scene.refreshed(session, answer, { slot }), expected, apply };
}

/** The first of the rules of an assertion that this one breaks. */
function judge(
  { lastSlot, counter: last }: Model,
  one: {
    readonly age: bigint;
    readonly slot: bigint;
    readonly counter: number;
    readonly bend: "challenge" | "host" | "presence" | undefined;
  },
): number {
  if (one.age > 150n) return 7014;
  if (one.bend === "host") return 7020;
  if (one.bend === "presence") return 7019;
  if (one.bend === "challenge") return 7021;
  if (one.slot <= lastSlot) return 7015;
  return one.counter !== 0 && one.counter <= last ? 7022 : 0;
}
