import { beforeAll, describe, expect, test } from "vitest";
import { concat, fromHex, hex, u8, u16, u32, u64 } from "./support/bytes.js";
import { call, DISCRIMINATORS } from "./support/calls.js";
import { batchCorpus, bufferCorpus, poolMint, tableCorpus, tokenCorpus } from "./support/fuzz-pool.js";
import { activateProposal, close, createSmartAccount, executeSync } from "./support/instructions.js";
import { CONFIG_INITIALIZER, key, named, PROGRAM, SYSTEM, TOKEN } from "./support/keys.js";
import {
  CONFIG_AUTHORITY,
  createLedger,
  FEE_PAYER,
  type Instruction,
  type Ledger,
  type Meta,
  type Outcome,
  type Stored,
  TREASURY,
} from "./support/ledger.js";
import { A, ALL, B, C, D, VOTE } from "./support/members.js";
import { syncPayload, transferData, transferMessage } from "./support/messages.js";
import { r, s, w, ws } from "./support/metas.js";
import { expectSuccess } from "./support/outcomes.js";
import { pda } from "./support/pda.js";
import { createRandom, type Random } from "./support/random.js";
import {
  action,
  addLimitAsAuthority,
  asAuthority,
  executeSettings,
  executeSettingsSync,
  removeLimitAsAuthority,
  useLimit,
} from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";

const CASES_PER_TEST = 7_500;

let ledger: Ledger;
/** One valid instruction of every kind, most of which succeed as they are. */
let corpus: Instruction[];
/** Every account the corpus touches, to be restored after a case that succeeded. */
let snapshot: [Uint8Array, Stored | undefined][];
let pool: Uint8Array[];
/** The accounts whose content only members or the authority may change, and the vaults. */
let guarded: Uint8Array[];

beforeAll(async () => {
  ledger = await createLedger();
  const members = [
    { key: A, mask: ALL },
    { key: B, mask: ALL },
    { key: C, mask: VOTE },
  ];
  const own = await openAccount(ledger, { threshold: 2, members });
  const controlled = await openAccount(ledger, { threshold: 1, members, authority: AUTHORITY });
  ledger.fund(...SIGNERS, D);
  const limitTerms = { seed: SEED, amount: 1_000_000n, period: 1, signers: [SERVICE], destinations: [D] };
  const limit = await own.limitKey(SEED);
  const tokenLimit = await own.limitKey(TOKEN_SEED);
  const foreignLimit = await controlled.limitKey(SEED);
  expectSuccess(
    ledger.send(
      executeSettingsSync({
        settings: own.settings,
        members: [A, B],
        actions: [
          action.addSpendingLimit(limitTerms),
          action.addSpendingLimit({ ...limitTerms, seed: TOKEN_SEED, mint: poolMint }),
        ],
        payer: FEE_PAYER,
        limits: [limit, tokenLimit],
      }),
      addLimitAsAuthority({
        settings: controlled.settings,
        authority: AUTHORITY,
        limit: foreignLimit,
        terms: limitTerms,
      }),
    ),
  );
  const payment = await own.approvedTransfer(D, 1_000_000n, [A, B]);
  const newLimit = await own.limitKey(NEW_SEED);
  const change = await own.approvedSettings(
    [action.addSigner({ key: D, mask: VOTE }), action.addSpendingLimit({ ...limitTerms, seed: NEW_SEED })],
    [A, B],
  );
  const open = await own.approvedTransfer(D, 2_000_000n, []);
  const executed = await own.approvedTransfer(D, 3_000_000n, [A, B]);
  expectSuccess(ledger.send(await own.executeTransfer(A, executed, D)));
  const draft = own.nextIndex();
  expectSuccess(
    ledger.send(
      await own.createTransaction(A, transferMessage(own.vault, D, 1_000_000)),
      await own.propose(A, draft, { draft: true }),
    ),
  );
  const unproposed = own.nextIndex();
  expectSuccess(ledger.send(await own.createTransaction(A, transferMessage(own.vault, D, 1_000_000))));

  // More kinds of accounts; what advances the index of transactions comes first.
  const tables = await tableCorpus(ledger, own);
  const payments = tokenCorpus(ledger, own, tokenLimit, SERVICE);
  const batches = await batchCorpus(ledger, own);
  const buffers = await bufferCorpus(ledger, own);

  const config = (await pda.programConfig()).key;
  const candidates = await Promise.all([3, 4, 5].map(async (seed) => (await pda.settings(seed)).key));
  const of = { settings: controlled.settings, authority: AUTHORITY, payer: FEE_PAYER };
  const pay = { accounts: [w(own.vault), w(D), r(SYSTEM)], settings: own.settings, members: [A, B] };
  corpus = [
    call("initialize_program_config", [w(config), ws(CONFIG_INITIALIZER), r(SYSTEM)], A, u64(0), B),
    call("set_program_config_authority", [w(config), s(CONFIG_AUTHORITY)], CONFIG_AUTHORITY),
    call("set_program_config_smart_account_creation_fee", [w(config), s(CONFIG_AUTHORITY)], u64(5)),
    call("set_program_config_treasury", [w(config), s(CONFIG_AUTHORITY)], TREASURY),
    await createSmartAccount({ threshold: 2, members, candidates, memo: "fuzz" }),
    executeSync({ ...pay, payload: syncPayload([{ program: 2, accounts: [0, 1], data: transferData(1_000_000) }]) }),
    executeSync({
      ...pay,
      legacy: true,
      payload: syncPayload([{ program: 4, accounts: [2, 3], data: transferData(1_000_000) }]),
    }),
    executeSettingsSync({
      settings: own.settings,
      members: [A, B],
      actions: [
        action.addSigner({ key: D, mask: VOTE }),
        action.removeSigner(C),
        action.changeThreshold(1),
        // Additions first: after a removal the payer cannot pay for anything (see settings.test.ts).
        action.addSpendingLimit({ ...limitTerms, seed: NEW_SEED }),
        action.removeSpendingLimit(limit),
      ],
      payer: FEE_PAYER,
      limits: [limit, newLimit],
    }),
    await own.createTransaction(A, transferMessage(own.vault, D, 1), { ephemeralSigners: 2 }),
    await own.createSettings(A, [action.setTimeLock(5), action.setArchivalAuthority(D)]),
    await own.propose(A, unproposed),
    activateProposal(own.settings, A, await own.proposalKey(draft)),
    await own.vote("approve", A, open, { memo: "yes" }),
    await own.vote("reject", B, open),
    await own.vote("cancel", C, payment),
    await own.executeTransfer(A, payment, D),
    executeSettings({
      settings: own.settings,
      signer: A,
      proposal: await own.proposalKey(change),
      transaction: await own.transactionKey(change),
      payer: FEE_PAYER,
      limits: [newLimit],
    }),
    close({
      kind: "close_transaction",
      settings: own.settings,
      proposal: await own.proposalKey(executed),
      transaction: await own.transactionKey(executed),
    }),
    close({
      kind: "close_settings_transaction",
      settings: own.settings,
      proposal: await own.proposalKey(change),
      transaction: await own.transactionKey(change),
    }),
    useLimit({ settings: own.settings, signer: SERVICE, limit, vault: own.vault, destination: D, amount: 7n }),
    asAuthority("add_signer_as_authority", { ...of, argument: concat(D, u8(VOTE)) }),
    asAuthority("remove_signer_as_authority", { ...of, argument: C }),
    asAuthority("change_threshold_as_authority", { ...of, argument: u16(2) }),
    asAuthority("set_time_lock_as_authority", { ...of, argument: u32(60) }),
    asAuthority("set_new_settings_authority_as_authority", { ...of, argument: D }),
    asAuthority("set_archival_authority_as_authority", { ...of, argument: concat(u8(1), D) }),
    addLimitAsAuthority({
      settings: controlled.settings,
      authority: AUTHORITY,
      limit: await controlled.limitKey(NEW_SEED),
      terms: { ...limitTerms, seed: NEW_SEED },
    }),
    removeLimitAsAuthority({
      settings: controlled.settings,
      authority: AUTHORITY,
      limit: foreignLimit,
      collector: FEE_PAYER,
    }),
    call("log_event", [s(own.settings)], u32(3), new Uint8Array(3)),
    ...tables,
    ...payments,
    ...batches,
    ...buffers,
  ];
  guarded = [own.vault, own.settings, controlled.vault, controlled.settings, limit, tokenLimit, foreignLimit, config];
  const keys = new Map<string, Uint8Array>();
  for (const meta of corpus.flatMap((instruction) => instruction.accounts)) keys.set(hex(meta.key), meta.key);
  for (const more of [...guarded, ...SIGNERS, TOKEN, FEE_PAYER, named("nobody")]) keys.set(hex(more), more);
  for (const index of [payment, change, open, executed, draft, unproposed]) {
    for (const derived of [await own.transactionKey(index), await own.proposalKey(index)]) {
      keys.set(hex(derived), derived);
    }
  }
  pool = [...keys.values()];
  snapshot = pool
    .filter((address) => ![hex(PROGRAM), hex(SYSTEM), hex(TOKEN)].includes(hex(address)))
    .map((address) => [address, ledger.account(address)]);
});

describe("mutated instructions", () => {
  test("the untouched corpus mostly succeeds, so that mutations start from what works", () => {
    const landed = corpus.filter((instruction) => {
      const outcome = ledger.send(PLENTY, instruction);
      restore();
      return outcome.error === undefined;
    });
    // Not succeeding: the second initialization, archiving (twice: once only stored), closing what is approved.
    expect(landed.length).toBe(corpus.length - 3);
  });

  test(`${CASES_PER_TEST} cases end in success or a clean error`, () => {
    const { landed, codes, reached } = run(1, (_, instruction) => instruction);
    expect(reached.accounts).toBeGreaterThan(0.2);
    expect(reached.body).toBeGreaterThan(0.2);
    expect(landed).toBeGreaterThan(500);
    expect(codes.size).toBeGreaterThan(25);
  });

  test(`${CASES_PER_TEST} cases without the signatures that matter change nothing that needs them`, () => {
    const isPowerful = new Set(SIGNERS.map(hex));
    const state = () => guarded.map((address) => ledger.account(address));
    const before = state();
    const powerless = (_: Random, instruction: Instruction): Instruction => ({
      ...instruction,
      accounts: instruction.accounts.map((meta) => ({
        ...meta,
        // Derived addresses cannot sign a transaction either.
        signer: meta.signer && !isPowerful.has(hex(meta.key)) && hex(meta.key) === hex(FEE_PAYER),
      })),
    });
    const { landed } = run(2, powerless, () => {
      const now = state();
      // Creating a smart account is open to any payer and moves the counter of the program config.
      expect(now.slice(0, -1)).toEqual(before.slice(0, -1));
    });
    expect(landed).toBeGreaterThan(50);
  });

  test(`${CASES_PER_TEST} cases over damaged accounts of the program end in success or a clean error`, () => {
    const ours = snapshot.filter(([, stored]) => stored !== undefined && hex(stored.owner) === hex(PROGRAM));
    let damaged = 0;
    const damage = (random: Random, instruction: Instruction): Instruction => {
      restore();
      const used = random.chance(0.8) ? random.pick(corpus) : instruction;
      // One of the accounts that are passed: damage elsewhere is never seen.
      const passed = new Set(used.accounts.map((meta) => hex(meta.key)));
      const candidates = ours.filter(([key]) => passed.has(hex(key)));
      if (candidates.length === 0) return used;
      const [address, stored] = random.pick(candidates);
      if (stored === undefined) return used;
      damaged++;
      const data = mutateData(random, stored.data);
      // Mostly keep the type, so that the damage is met while decoding or later.
      if (random.chance(0.8)) data.set(stored.data.subarray(0, Math.min(8, data.length)));
      ledger.set(address, { ...stored, data });
      return used;
    };
    const { landed, reached } = run(3, damage);
    expect(damaged / CASES_PER_TEST).toBeGreaterThan(0.9);
    expect(reached.body).toBeGreaterThan(0.3);
    expect(landed).toBeGreaterThan(500);
  });
});

const SEED = named("limit");
const NEW_SEED = named("new limit");
const TOKEN_SEED = named("token limit");
const AUTHORITY = named("authority");
const SERVICE = named("service");

/** Everybody whose signature could matter. */
const SIGNERS = [A, B, C, AUTHORITY, SERVICE, CONFIG_AUTHORITY, CONFIG_INITIALIZER];
const COMPUTE_BUDGET = key("ComputeBudget111111111111111111111111111111");
const PLENTY: Instruction = {
  program: COMPUTE_BUDGET,
  accounts: [],
  data: concat(u8(2), u32(1_400_000)),
};

/** What a program that does not crash may answer: success, a custom error, or what the runtime says of a callee. */
const CLEAN_RUNTIME_ERRORS = [
  "BorshIoError",
  "ArithmeticOverflow",
  "InvalidRealloc",
  // Of inner instructions, and of rules the runtime alone enforces:
  "MissingRequiredSignature",
  "InvalidInstructionData",
  "InvalidArgument",
  "InvalidAccountData",
  "InvalidAccountOwner",
  "NotEnoughAccountKeys",
  "MissingAccount",
  "UnsupportedProgramId",
  "PrivilegeEscalation",
  "ReadonlyLamportChange",
  // A transfer to the address of a program: calls do not report the balances of programs back.
  "ExternalAccountLamportSpend",
  "InsufficientFundsForRent",
  "ReentrancyNotAllowed",
  "IncorrectProgramId",
  "AccountNotExecutable",
];

/**
 * Where the program aborts because the public one does: out of memory (also for lists that claim to be long), a counter
 * at its end, fewer accounts than signers, a token limit without its mint, a consensus account too short for a type.
 */
const KNOWN_ABORTS = [
  "runtime/heap.rs",
  "alloc/src/alloc.rs",
  "state/program_config.rs",
  "instructions/execute_transaction_sync.rs",
  "instructions/use_spending_limit.rs",
  "state/settings.rs",
];

/** Puts every account back. */
function restore(): void {
  for (const [address, stored] of snapshot) ledger.set(address, stored ?? { lamports: 0n });
}

function mutateData(random: Random, data: Uint8Array): Uint8Array {
  const changed = new Uint8Array(data);
  const at = random.below(changed.length);
  switch (random.below(8)) {
    case 0:
      return changed.slice(0, at);
    case 1:
      return concat(changed, random.bytes(random.below(40)));
    case 2:
      changed[at] = random.below(256);
      return changed;
    case 3:
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
      return changed;
    case 4:
      changed.set(random.pick([u32(2 ** 32 - 1), u32(0x7fffffff), u32(300)]).subarray(0, changed.length - at), at);
      return changed;
    case 5:
      changed.set(random.pick(pool).subarray(0, changed.length - at), at);
      return changed;
    case 6:
      return concat(changed.slice(0, at), random.bytes(random.below(10)), changed.slice(at));
    default:
      return concat(fromHex(random.pick(Object.values(DISCRIMINATORS))), changed.slice(8));
  }
}

function mutateAccounts(random: Random, accounts: readonly Meta[]): Meta[] {
  const changed = [...accounts];
  if (changed.length === 0) return [w(random.pick(pool))];
  const at = random.below(changed.length);
  const meta = changed[at];
  if (meta === undefined) return changed;
  switch (random.below(7)) {
    case 0:
      changed.splice(at, 1);
      break;
    case 1:
      changed.splice(at, 0, random.pick(changed));
      break;
    case 2:
      changed[at] = { ...meta, key: random.pick(pool) };
      break;
    case 3:
      changed[at] = { ...meta, writable: !meta.writable };
      break;
    case 4:
      changed[at] = { ...meta, signer: !meta.signer };
      break;
    case 5: {
      const other = random.below(changed.length);
      changed[at] = changed[other] ?? meta;
      changed[other] = meta;
      break;
    }
    default:
      changed.push({ key: random.pick(pool), writable: random.chance(0.5), signer: random.chance(0.3) });
  }
  return changed;
}

function mutate(random: Random, instruction: Instruction): Instruction {
  let { data, accounts } = instruction;
  for (let i = random.below(3); i >= 0; i--) {
    if (random.chance(0.5)) data = mutateData(random, data);
    else accounts = mutateAccounts(random, accounts);
    if (data.length === 0) data = u8(0);
  }
  return { ...instruction, data: data.slice(0, 700), accounts: accounts.slice(0, 30) };
}

function isKnownAbort(outcome: Outcome): boolean {
  if (outcome.error?.text.includes("ProgramFailedToComplete") !== true) return false;
  const logs = outcome.logs.join("\n");
  return (
    KNOWN_ABORTS.some((file) => logs.includes(file)) ||
    /Access violation .* at address 0x3000[0-3][0-9a-f]{4} /.test(logs)
  );
}

function expectClean(outcome: Outcome, place: string): void {
  if (isKnownAbort(outcome)) return;
  const logs = outcome.logs.join("\n");
  const seen = `${place}\n${outcome.error?.text.slice(0, 300) ?? "success"}\n${logs}`;
  expect(/panicked|Access violation|exceeded CUs|failed to complete|out of memory|aborted/i.test(logs), seen).toBe(
    false,
  );
  if (outcome.error === undefined || outcome.error.custom !== undefined) return;
  const kind = CLEAN_RUNTIME_ERRORS.find((name) => outcome.error?.text.includes(name));
  expect(kind, seen).toBeDefined();
}

/** How far a case got: its data did not decode, its accounts did not fit, or the instruction itself was reached. */
function reachOf({ error }: Outcome): "data" | "accounts" | "body" {
  const code = error?.custom ?? 6_000;
  if (code >= 100 && code < 200) return "data";
  return code >= 2_000 && code < 4_000 ? "accounts" : "body";
}

/** Runs mutated instructions; returns how many succeeded, the distinct error numbers, and the shares of what was reached. */
function run(seed: number, prepare: (random: Random, instruction: Instruction) => Instruction, after?: () => void) {
  const random = createRandom(seed);
  const codes = new Set<number>();
  let landed = 0;
  const reached = { data: 0, accounts: 0, body: 0 };
  for (let i = 0; i < CASES_PER_TEST; i++) {
    const instruction = prepare(random, mutate(random, random.pick(corpus)));
    const outcome = ledger.send(PLENTY, instruction);
    reached[reachOf(outcome)] += 1 / CASES_PER_TEST;
    expectClean(outcome, `seed ${seed}, case ${i}: ${hex(instruction.data)}`);
    if (outcome.error === undefined) {
      landed++;
      after?.();
      restore();
    } else if (outcome.error.custom !== undefined) codes.add(outcome.error.custom);
  }
  restore();
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  console.log(
    `seed ${seed}: ${percent(reached.data)} end at the data, ${percent(reached.accounts)} at the accounts, ` +
      `${percent(reached.body)} in the instruction; ${landed} land`,
  );
  return { landed, codes, reached };
}
