import { expect, test } from "vitest";
import { concat, fromHex, hex, u8, u16, u32 } from "./support/bytes.js";
import { decodeProposal } from "./support/decoding.js";
import { activateProposal, close, executeSync } from "./support/instructions.js";
import { named, SYSTEM } from "./support/keys.js";
import { createLedger, FEE_PAYER, type Instruction, type Ledger } from "./support/ledger.js";
import { syncPayload, transferData, transferMessage } from "./support/messages.js";
import { r, w } from "./support/metas.js";
import { type Change, createModel, type Model, type Status, type Vote } from "./support/model.js";
import { createRandom, type Random } from "./support/random.js";
import { action, asAuthority, executeSettings, executeSettingsSync } from "./support/settings-instructions.js";
import { openAccount, type SmartAccount } from "./support/smart-account.js";

const HISTORIES = 48;
const STEPS_PER_HISTORY = 250;

test(`${HISTORIES * STEPS_PER_HISTORY} random steps do what the model says`, async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= HISTORIES; seed++) await runHistory(seed, seen);
  // The histories must reach everything, or the test proves less than it says.
  const reached = [
    ...["createPayment", "createSettings", "propose", "activate", "approve", "reject", "cancel"],
    ...["execute payment", "execute settings", "payTogether", "changeTogether", "changeByAuthority", "handOver"],
    ...["close payment", "close settings"],
    ...[0, 3012, 6001, 6004, 6005, 6006, 6008, 6009, 6010, 6011, 6012, 6013, 6021, 6022, 6023].map((n) => `error ${n}`),
    ...[6029, 6031, 6047, 6049, 6051].map((n) => `error ${n}`),
  ];
  for (const name of reached) expect(seen.get(name) ?? 0, `${name} was never reached`).toBeGreaterThan(0);
});

const PEOPLE = Array.from({ length: 7 }, (_, i) => named(`person ${i}`));
const AUTHORITIES = [named("authority 1"), named("authority 2")];
const PAYEE = named("payee");

interface World {
  readonly random: Random;
  readonly ledger: Ledger;
  readonly account: SmartAccount;
  readonly model: Model;
}

/** One step: the instruction and what the model says about it. */
interface Step {
  readonly name: string;
  readonly instruction: Instruction;
  readonly expected: number | undefined;
  /** The proposal to compare afterwards. */
  readonly proposal?: number;
}

const bytes = (key: string): Uint8Array => fromHex(key);

const encodeChange = (change: Change): Uint8Array => {
  switch (change.kind) {
    case "addSigner":
      return action.addSigner({ key: bytes(change.key), mask: change.mask });
    case "removeSigner":
      return action.removeSigner(bytes(change.key));
    case "changeThreshold":
      return action.changeThreshold(change.threshold);
    case "setTimeLock":
      return action.setTimeLock(change.seconds);
  }
};

function randomChange({ random, model }: World): Change {
  const kind = random.below(10);
  if (kind < 4) {
    const mask = random.chance(0.8) ? 7 : random.below(9);
    return { kind: "addSigner", key: hex(random.pick(PEOPLE)), mask };
  }
  if (kind < 6) return { kind: "removeSigner", key: hex(random.pick(PEOPLE)) };
  if (kind < 8) return { kind: "changeThreshold", threshold: random.below(model.state().members.size + 2) };
  return { kind: "setTimeLock", seconds: random.chance(0.05) ? 7_776_001 : random.pick([0, 0, 0, 30]) };
}

/** Mostly one or two changes, at times none. */
const randomChanges = (world: World): Change[] =>
  Array.from({ length: world.random.pick([0, 1, 1, 1, 1, 2, 2, 3]) }, () => randomChange(world));

/** Mostly a member, sometimes any address. */
function caller({ random, model }: World): Uint8Array {
  const members = [...model.state().members.keys()];
  return random.chance(0.9) ? bytes(random.pick(members)) : random.pick(PEOPLE);
}

/** Mostly enough members to agree, sometimes any of them, at times one twice. */
function together({ random, model }: World): Uint8Array[] {
  const chosen = random.some(PEOPLE, 0.5);
  const members = [...model.state().members.keys()].map(bytes);
  const signers = random.chance(0.75) ? random.some(members, 0.9) : chosen;
  const [first] = signers;
  return random.chance(0.05) && first !== undefined ? [...signers, first] : signers;
}

/** An index near the end, where things happen; at times one that does not exist. */
function someIndex({ random, model }: World): number {
  const { index } = model.state();
  return random.chance(0.85) ? Math.max(1, index - random.below(4)) : random.below(index + 3);
}

/** Mostly an index whose proposal stands like this ("none": has no proposal yet), if there is one. */
function indexWith(world: World, ...wanted: readonly (Status | "none")[]): number {
  const { random, model } = world;
  const { index, stale } = model.state();
  const recent = Array.from({ length: 12 }, (_, i) => index - i).filter((at) => at > stale);
  const fitting = recent.filter((at) => wanted.includes(model.proposal(at)?.status ?? "none"));
  return fitting.length > 0 && random.chance(0.75) ? random.pick(fitting) : someIndex(world);
}

const lamports = (random: Random): bigint => 1_000_000n + BigInt(random.below(1000));

async function createStep(world: World): Promise<Step> {
  const { random, account, model } = world;
  const creator = caller(world);
  const index = BigInt(model.state().index + 1);
  if (random.chance(0.5)) {
    const amount = lamports(random);
    const message = transferMessage(account.vault, PAYEE, amount);
    const instruction = await account.createTransaction(creator, message, { index });
    return { name: "createPayment", instruction, expected: model.createPayment(hex(creator), amount) };
  }
  const changes = randomChanges(world);
  const instruction = await account.createSettings(creator, changes.map(encodeChange), { index });
  return { name: "createSettings", instruction, expected: model.createSettings(hex(creator), changes) };
}

async function proposeStep(world: World): Promise<Step> {
  const { random, account, model, ledger } = world;
  const creator = caller(world);
  const proposal = indexWith(world, "none");
  const draft = random.chance(0.2);
  const instruction = await account.propose(creator, proposal, { draft });
  const expected = model.propose(hex(creator), proposal, draft, ledger.now());
  return { name: "propose", instruction, expected, proposal };
}

async function activateStep(world: World): Promise<Step> {
  const { account, model, ledger } = world;
  const signer = caller(world);
  const proposal = indexWith(world, "Draft");
  const instruction = activateProposal(account.settings, signer, await account.proposalKey(proposal));
  return { name: "activate", instruction, expected: model.activate(hex(signer), proposal, ledger.now()), proposal };
}

async function voteStep(world: World): Promise<Step> {
  const { random, account, model, ledger } = world;
  const signer = caller(world);
  const proposal = indexWith(world, ...(random.chance(0.2) ? (["Approved"] as const) : (["Active"] as const)));
  const isApproved = model.proposal(proposal)?.status === "Approved";
  const kind: Vote = isApproved ? "cancel" : random.pick(["approve", "approve", "approve", "reject", "cancel"]);
  const instruction = await account.vote(kind, signer, proposal);
  return { name: kind, instruction, expected: model.vote(kind, hex(signer), proposal, ledger.now()), proposal };
}

async function executeStep(world: World): Promise<Step> {
  const { random, account, model, ledger } = world;
  const signer = caller(world);
  const proposal = indexWith(world, "Approved");
  const stored = model.transaction(proposal)?.kind ?? "payment";
  const kind = random.chance(0.95) ? stored : random.pick(["payment", "settings"] as const);
  const instruction =
    kind === "payment"
      ? await account.executeTransfer(signer, proposal, PAYEE)
      : executeSettings({
          settings: account.settings,
          signer,
          proposal: await account.proposalKey(proposal),
          transaction: await account.transactionKey(proposal),
          payer: FEE_PAYER,
        });
  const expected = model.execute(kind, hex(signer), proposal, ledger.now());
  return { name: `execute ${kind}`, instruction, expected, proposal };
}

async function togetherStep(world: World): Promise<Step> {
  const { random, account, model } = world;
  const members = together(world);
  const names = members.map(hex);
  if (random.chance(0.5)) {
    const amount = lamports(random);
    const instruction = executeSync({
      settings: account.settings,
      members,
      accounts: [w(account.vault), w(PAYEE), r(SYSTEM)],
      payload: syncPayload([{ program: 2, accounts: [0, 1], data: transferData(amount) }]),
    });
    return { name: "payTogether", instruction, expected: model.payTogether(names, amount) };
  }
  const changes = randomChanges(world);
  const instruction = executeSettingsSync({
    settings: account.settings,
    members,
    actions: changes.map(encodeChange),
    payer: FEE_PAYER,
  });
  return { name: "changeTogether", instruction, expected: model.changeTogether(names, changes) };
}

async function authorityStep(world: World): Promise<Step> {
  const { random, account, model } = world;
  const current = model.state().authority;
  const authority = current !== undefined && random.chance(0.9) ? bytes(current) : random.pick(AUTHORITIES);
  const given = { settings: account.settings, authority, payer: FEE_PAYER };
  if (random.chance(0.1)) {
    const to = random.chance(0.1) ? undefined : hex(random.pick(AUTHORITIES));
    const argument = to === undefined ? SYSTEM : bytes(to);
    const instruction = asAuthority("set_new_settings_authority_as_authority", { ...given, argument });
    return { name: "handOver", instruction, expected: model.handOver(hex(authority), to) };
  }
  const change = randomChange(world);
  const expected = model.changeByAuthority(hex(authority), change);
  const name = "changeByAuthority";
  switch (change.kind) {
    case "addSigner": {
      const argument = concat(bytes(change.key), u8(change.mask));
      return { name, expected, instruction: asAuthority("add_signer_as_authority", { ...given, argument }) };
    }
    case "removeSigner":
      return {
        name,
        expected,
        instruction: asAuthority("remove_signer_as_authority", { ...given, argument: bytes(change.key) }),
      };
    case "changeThreshold":
      return {
        name,
        expected,
        instruction: asAuthority("change_threshold_as_authority", { ...given, argument: u16(change.threshold) }),
      };
    case "setTimeLock":
      return {
        name,
        expected,
        instruction: asAuthority("set_time_lock_as_authority", { ...given, argument: u32(change.seconds) }),
      };
  }
}

async function closeStep(world: World): Promise<Step> {
  const { random, account, model } = world;
  const stored = [...model.firstStoredIndexes()];
  const at = stored.length > 0 && random.chance(0.9) ? random.pick(stored) : someIndex(world);
  const kind = model.transaction(at)?.kind ?? "payment";
  const instruction = close({
    kind: kind === "payment" ? "close_transaction" : "close_settings_transaction",
    settings: account.settings,
    proposal: await account.proposalKey(at),
    transaction: await account.transactionKey(at),
  });
  return { name: `close ${kind}`, instruction, expected: model.close(kind, at), proposal: at };
}

const STEPS: readonly (readonly [number, (world: World) => Promise<Step>])[] = [
  [16, createStep],
  [16, proposeStep],
  [4, activateStep],
  [40, voteStep],
  [12, executeStep],
  [8, togetherStep],
  [3, authorityStep],
  [5, closeStep],
];
const LOT = STEPS.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

/** Compares the accounts with the model. */
async function compare({ ledger, account, model }: World, proposal: number | undefined): Promise<void> {
  const expected = model.state();
  const settings = account.read();
  const members = [...expected.members].sort(([a], [b]) => (a < b ? -1 : 1));
  expect(settings.signers.map((member) => [hex(member.key), member.mask])).toEqual(members);
  expect({
    threshold: settings.threshold,
    timeLock: settings.timeLock,
    index: Number(settings.transactionIndex),
    stale: Number(settings.staleTransactionIndex),
    authority: hex(settings.settingsAuthority),
    paid: ledger.balance(PAYEE),
  }).toEqual({
    threshold: expected.threshold,
    timeLock: expected.timeLock,
    index: expected.index,
    stale: expected.stale,
    authority: expected.authority ?? hex(SYSTEM),
    paid: expected.paid,
  });
  if (proposal === undefined) return;
  const stored = ledger.account(await account.proposalKey(proposal));
  const wanted = model.proposal(proposal);
  if (wanted === undefined || stored === undefined) {
    expect([stored, wanted]).toEqual([undefined, undefined]);
    return;
  }
  const found = decodeProposal(stored.data);
  const sorted = (keys: Set<string>): string[] => [...keys].sort();
  expect({
    status: found.status,
    approved: found.approved.map(hex),
    rejected: found.rejected.map(hex),
    cancelled: found.cancelled.map(hex),
  }).toEqual({
    status: { name: wanted.status, since: wanted.since },
    approved: sorted(wanted.approved),
    rejected: sorted(wanted.rejected),
    cancelled: sorted(wanted.cancelled),
  });
}

/** Runs one history; returns how often each step succeeded and each error was given. */
async function runHistory(seed: number, seen: Map<string, number>): Promise<void> {
  const random = createRandom(seed);
  const ledger = await createLedger();
  const count = 1 + random.below(4);
  const members = PEOPLE.slice(0, count).map((key, i) => ({ key, mask: i === 0 ? 7 : random.pick([7, 7, 3, 6, 2]) }));
  const voters = members.filter((member) => member.mask & 2).length;
  const threshold = 1 + random.below(voters);
  const timeLock = random.pick([0, 0, 0, 60]);
  const authority = random.chance(0.25) ? AUTHORITIES[0] : undefined;
  const account = await openAccount(ledger, {
    members,
    threshold,
    timeLock,
    ...(authority === undefined ? {} : { authority }),
  });
  ledger.fund(...PEOPLE);
  const model = createModel({
    members,
    threshold,
    timeLock,
    authority: authority === undefined ? undefined : hex(authority),
  });
  const world: World = { random, ledger, account, model };
  for (let i = 0; i < STEPS_PER_HISTORY; i++) {
    if (random.chance(0.3)) ledger.setTime(ledger.now() + BigInt(random.below(40)));
    const step = await random.pick(LOT)(world);
    const outcome = ledger.send(step.instruction);
    const place = `seed ${seed}, step ${i}: ${step.name}\n${outcome.error?.text ?? "success"}\n${outcome.logs.join("\n")}`;
    expect(outcome.error === undefined ? undefined : (outcome.error.custom ?? outcome.error.text), place).toBe(
      step.expected,
    );
    try {
      await compare(world, step.proposal);
    } catch (difference) {
      throw new Error(`state differs after ${place}`, { cause: difference });
    }
    const result = step.expected === undefined ? step.name : `error ${step.expected}`;
    seen.set(result, (seen.get(result) ?? 0) + 1);
  }
}
