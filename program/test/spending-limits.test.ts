import { base58 } from "@scure/base";
import { address } from "@solana/kit";
import { AccountState, getMintEncoder, getTokenEncoder } from "@solana-program/token";
import { beforeEach, describe, expect, test } from "vitest";
import { concat, u8 } from "./support/bytes.js";
import { decodeEvent } from "./support/decoding.js";
import { named, PROGRAM, SYSTEM, TOKEN, TOKEN_2022 } from "./support/keys.js";
import { eventBytes, FEE_PAYER, type Instruction, type Meta } from "./support/ledger.js";
import { A, B, D, TWO_OF_TWO } from "./support/members.js";
import { r, s, w } from "./support/metas.js";
import { expectError, expectRuntimeError, expectSuccess } from "./support/outcomes.js";
import { action, executeSettingsSync, type LimitTerms, useLimit } from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";
import { useSmartAccount } from "./support/use-smart-account.js";

const MINT = named("mint");
const DAY = 86_400n;

const { ledger, account } = useSmartAccount();
let limit: Uint8Array;
beforeEach(async () => {
  limit = await account.limitKey(SEED);
  ledger.fund(SERVICE, D);
});

describe("use_spending_limit in SOL", () => {
  test("pays, counts, logs event 5 and a deprecation line", async () => {
    openLimit();
    const before = ledger.balance(D);
    const outcome = expectSuccess(use(400_000n));
    expect(ledger.balance(D)).toBe(before + 400_000n);
    const stored = await account.limit(SEED);
    expect(stored.remaining).toBe(600_000n);
    const events = eventBytes(outcome);
    expect(events.length).toBe(1);
    expect(decodeEvent(events[0], 5)).toEqual({
      settingsKey: account.settings,
      limitKey: limit,
      vault: account.vault,
      vaultTokenAccount: SYSTEM,
      destination: D,
      destinationTokenAccount: SYSTEM,
      signer: SERVICE,
      mint: SYSTEM,
      decimals: 9,
      amount: 400_000n,
      limit: stored,
    });
    expect(outcome.logs.join("\n")).toContain("deprecated");
  });

  test("never more than the amount: 6027", () => {
    openLimit();
    expectError(use(1_000_001n), 6027);
    expectSuccess(use(1_000_000n));
    expectError(use(1n), 6027);
  });

  test.each([
    [1, DAY],
    [2, 604_800n],
    [3, 2_592_000n],
  ])("period %i refills after more than %i seconds, in whole periods", async (period, seconds) => {
    openLimit({ period });
    const start = ledger.now();
    expectSuccess(use(1_000_000n));
    ledger.setTime(start + seconds);
    expectError(use(1n), 6027);
    ledger.setTime(start + seconds + 1n);
    expectSuccess(use(900_000n));
    expect(await account.limit(SEED)).toMatchObject({ remaining: 100_000n, lastReset: start + seconds });
    ledger.setTime(start + 5n * seconds + 7n);
    expectSuccess(use(1n));
    expect(await account.limit(SEED)).toMatchObject({ remaining: 999_999n, lastReset: start + 5n * seconds });
  });

  test("a one-time limit never refills", () => {
    openLimit({ period: 0 });
    expectSuccess(use(1_000_000n));
    ledger.setTime(ledger.now() + 1000n * DAY);
    expectError(use(1n), 6027);
  });

  test("a clock before the last reset refills nothing", async () => {
    openLimit();
    const start = ledger.now();
    expectSuccess(use(10n));
    ledger.setTime(start - 100n * DAY);
    expectSuccess(use(10n));
    expect(await account.limit(SEED)).toMatchObject({ remaining: 999_980n, lastReset: start });
  });

  test("expires at its second: 6080", () => {
    openLimit({ expiration: ledger.now() + 100n });
    ledger.setTime(ledger.now() + 99n);
    expectSuccess(use(1n));
    ledger.setTime(ledger.now() + 1n);
    expectError(use(1n), 6080);
  });

  test("only its signers: 6005; members of the account have no right here", () => {
    openLimit();
    expectError(use(1n, { signer: A }), 6005);
  });

  test("only its destinations: 6026; without any, every destination", () => {
    openLimit();
    ledger.fund(named("stranger"));
    expectError(use(1n, { destination: named("stranger") }), 6026);
    expectSuccess(
      ledger.send(
        executeSettingsSync({
          settings: account.settings,
          members: [A, B],
          actions: [action.removeSpendingLimit(limit)],
          payer: FEE_PAYER,
          limits: [limit],
        }),
      ),
    );
    openLimit({ destinations: [] });
    expectSuccess(use(1n, { destination: named("stranger") }));
  });

  test("needs nine decimals (6028) and the system program (6024)", () => {
    openLimit();
    expectError(use(1n, { decimals: 6 }), 6028);
    expectError(use(1n, { system: false }), 6024);
  });

  test("a member who was removed keeps the right until the limit is removed", () => {
    openLimit({ signers: [B] });
    expectSuccess(
      ledger.send(
        executeSettingsSync({
          settings: account.settings,
          members: [A, B],
          actions: [action.removeSigner(B), action.changeThreshold(1)],
        }),
      ),
    );
    expectSuccess(use(1n, { signer: B }));
  });

  test("a time lock does not hold it back", () => {
    openLimit();
    expectSuccess(
      ledger.send(
        executeSettingsSync({ settings: account.settings, members: [A, B], actions: [action.setTimeLock(99)] }),
      ),
    );
    expectSuccess(use(1n));
  });

  test("a poor vault: the system program's error 1", () => {
    openLimit({ amount: 2_000_000n });
    ledger.set(account.vault, { lamports: 1_000_000n });
    expectError(use(1_000_001n), 1);
  });

  test("wrong accounts: another vault or limit 2006, read-only 2000, 3010, 3008, 3005, 3012", async () => {
    openLimit();
    const good = build(1n);
    expectError(ledger.send(replaced(good, 3, w(D))), 2006);
    const copy = ledger.account(limit);
    if (copy === undefined) throw new Error("no limit");
    ledger.set(named("elsewhere"), copy);
    expectError(ledger.send(replaced(good, 2, w(named("elsewhere")))), 2006);
    expectError(ledger.send(replaced(good, 2, r(limit))), 2000);
    expectError(ledger.send(replaced(good, 3, r(account.vault))), 2000);
    expectError(ledger.send(replaced(good, 4, r(D))), 2000);
    expectError(ledger.send(replaced(good, 1, r(SERVICE))), 3010);
    expectError(ledger.send(replaced(good, 5, r(D))), 3008);
    expectError(ledger.send(replaced(good, 9, r(SYSTEM))), 3008);
    expectError(ledger.send(replaced(good, 10, r(SYSTEM))), 3008);
    expectError(ledger.send(replaced(good, 2, w(named("nowhere")))), 3012);
    expectError(ledger.send({ ...good, accounts: good.accounts.slice(0, 10) }), 3005);
    const other = await openAccount(ledger, TWO_OF_TWO);
    expectError(ledger.send(replaced(good, 0, r(other.settings))), 2006);
  });

  test("a SOL limit is not used with a mint: 6025", () => {
    openLimit();
    setMint(TOKEN);
    expectError(use(1n, { token: { mint: MINT, program: TOKEN } }), 6025);
  });
});

const addressOf = (key: Uint8Array) => address(base58.encode(key));

function setMint(program: Uint8Array, key = MINT, extra: Uint8Array = new Uint8Array()): void {
  const data = getMintEncoder().encode({
    mintAuthority: null,
    supply: 1_000_000_000n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: null,
  });
  ledger.set(key, { lamports: 10_000_000n, data: concat(new Uint8Array(data), extra), owner: program });
}

function setTokenAccount(
  key: Uint8Array,
  token: { mint?: Uint8Array; owner: Uint8Array; amount: bigint; program: Uint8Array; extra?: Uint8Array },
): void {
  const data = getTokenEncoder().encode({
    mint: addressOf(token.mint ?? MINT),
    owner: addressOf(token.owner),
    amount: token.amount,
    delegate: null,
    state: AccountState.Initialized,
    isNative: null,
    delegatedAmount: 0n,
    closeAuthority: null,
  });
  ledger.set(key, {
    lamports: 10_000_000n,
    data: concat(new Uint8Array(data), token.extra ?? new Uint8Array()),
    owner: token.program,
  });
}

const tokens = (key: Uint8Array): bigint =>
  Buffer.from(ledger.account(key)?.data ?? new Uint8Array(72)).readBigUInt64LE(64);

describe.each([
  ["SPL Token", TOKEN],
  ["Token-2022", TOKEN_2022],
])("use_spending_limit in %s", (_, program) => {
  const FROM = named("vault tokens");
  const TO = named("destination tokens");
  const token = { mint: MINT, from: FROM, to: TO, program };
  const pay = (amount: bigint, more: Partial<typeof token> = {}, rest: Partial<Parameters<typeof useLimit>[0]> = {}) =>
    use(amount, { decimals: 6, token: { ...token, ...more }, ...rest });

  beforeEach(() => {
    setMint(program);
    setTokenAccount(FROM, { owner: account.vault, amount: 5_000_000n, program });
    setTokenAccount(TO, { owner: D, amount: 0n, program });
    openLimit({ mint: MINT });
  });

  test("pays, counts, logs event 5", async () => {
    const outcome = expectSuccess(pay(400_000n));
    expect([tokens(FROM), tokens(TO)]).toEqual([4_600_000n, 400_000n]);
    expect((await account.limit(SEED)).remaining).toBe(600_000n);
    expect(decodeEvent(eventBytes(outcome)[0], 5)).toMatchObject({
      vaultTokenAccount: FROM,
      destination: D,
      destinationTokenAccount: TO,
      mint: MINT,
      decimals: 6,
      amount: 400_000n,
    });
  });

  test("refuses another mint (6025), wrong decimals (by the token program), aborts without a mint", () => {
    setMint(program, named("other mint"));
    setTokenAccount(named("other from"), { mint: named("other mint"), owner: account.vault, amount: 9n, program });
    setTokenAccount(named("other to"), { mint: named("other mint"), owner: D, amount: 9n, program });
    expectError(pay(1n, { mint: named("other mint"), from: named("other from"), to: named("other to") }), 6025);
    expectRuntimeError(use(1n), "ProgramFailedToComplete");
    expectError(pay(1n, {}, { decimals: 9 }), 18);
  });

  test("token accounts must be of the mint (2014) and of vault and destination (2015)", () => {
    setMint(program, named("other mint"));
    setTokenAccount(FROM, { mint: named("other mint"), owner: account.vault, amount: 9n, program });
    expectError(pay(1n), 2014);
    setTokenAccount(FROM, { owner: A, amount: 5_000_000n, program });
    expectError(pay(1n), 2015);
    setTokenAccount(FROM, { owner: account.vault, amount: 5_000_000n, program });
    setTokenAccount(TO, { owner: A, amount: 0n, program });
    expectError(pay(1n), 2015);
  });

  test("a token account without a mint: 2020; of a wrong owner and a wrong mint: the owner is named, 2015", () => {
    expectError(use(1n, { decimals: 6, token: { from: FROM, to: TO, program } }), 2020);
    setTokenAccount(FROM, { mint: named("other mint"), owner: A, amount: 9n, program });
    expectError(pay(1n), 2015);
  });

  test("all four token accounts are needed: 6024", () => {
    const without = (key: keyof typeof token) => {
      const rest: Partial<typeof token> = { ...token };
      delete rest[key];
      return use(1n, { decimals: 6, token: rest });
    };
    expectError(without("from"), 6024);
    expectError(without("to"), 6024);
    expectError(without("program"), 6024);
  });

  test("accounts that are not the token program's (3007), missing (3012) or of another shape, as the runtime calls it", () => {
    const other = named("not a token account");
    ledger.set(other, { lamports: 10_000_000n, data: new Uint8Array(165), owner: named("somebody") });
    expectError(pay(1n, { from: other }), 3007);
    expectError(pay(1n, { mint: other }), 3007);
    expectError(pay(1n, { to: named("nowhere") }), 3012);
    expectRuntimeError(pay(1n, { from: MINT }), "InvalidAccountData");
    expectRuntimeError(pay(1n, { mint: FROM }), "InvalidAccountData");
    ledger.set(other, { lamports: 10_000_000n, data: new Uint8Array(165), owner: program });
    expectRuntimeError(pay(1n, { from: other }), "UninitializedAccount");
    ledger.set(other, { lamports: 10_000_000n, data: new Uint8Array(82), owner: program });
    expectRuntimeError(pay(1n, { mint: other }), "UninitializedAccount");
  });

  test("expiry, signer, destination and amount as in SOL", () => {
    expectError(pay(1_000_001n), 6027);
    expectError(pay(1n, {}, { signer: A }), 6005);
    setTokenAccount(TO, { owner: A, amount: 0n, program });
    expectError(pay(1n, {}, { destination: A }), 6026);
  });

  test("a read-only token account: 2000", () => {
    const good = build(1n, { decimals: 6, token });
    expectError(ledger.send(replaced(good, 7, r(FROM))), 2000);
    expectError(ledger.send(replaced(good, 8, r(TO))), 2000);
    expectError(ledger.send(replaced(good, 1, s(A))), 6005);
  });

  test("more tokens than there are: the token program's error 1", () => {
    setTokenAccount(FROM, { owner: account.vault, amount: 5n, program });
    expectError(pay(6n), 1);
  });
});

describe("token accounts with extensions", () => {
  test("are distinguished from mints by their kind byte", () => {
    const extensionMint = concat(new Uint8Array(83), u8(1), new Uint8Array(4));
    setMint(TOKEN_2022, MINT, extensionMint);
    setTokenAccount(named("from"), {
      owner: account.vault,
      amount: 100n,
      program: TOKEN_2022,
      extra: concat(u8(2), new Uint8Array(4)),
    });
    setTokenAccount(named("to"), { owner: D, amount: 0n, program: TOKEN_2022 });
    openLimit({ mint: MINT });
    expectSuccess(
      use(7n, { decimals: 6, token: { mint: MINT, from: named("from"), to: named("to"), program: TOKEN_2022 } }),
    );
    expect(tokens(named("to"))).toBe(7n);
    expectRuntimeError(
      use(7n, { decimals: 6, token: { mint: MINT, from: MINT, to: named("to"), program: TOKEN_2022 } }),
      "InvalidAccountData",
    );
  });

  test("the other token program cannot move them", () => {
    setMint(TOKEN);
    setTokenAccount(named("from"), { owner: account.vault, amount: 100n, program: TOKEN });
    setTokenAccount(named("to"), { owner: D, amount: 0n, program: TOKEN });
    openLimit({ mint: MINT });
    const outcome = use(7n, {
      decimals: 6,
      token: { mint: MINT, from: named("from"), to: named("to"), program: TOKEN_2022 },
    });
    expectRuntimeError(outcome, "IncorrectProgramId");
  });

  test("the program's own id stands for an absent account", () => {
    openLimit();
    const good = build(1n);
    expect(good.accounts.slice(6, 10)).toEqual([r(PROGRAM), r(PROGRAM), r(PROGRAM), r(PROGRAM)]);
    expectSuccess(ledger.send(good));
  });
});

const SEED = named("limit");
const SERVICE = named("service");

const build = (amount: bigint, more: Partial<Parameters<typeof useLimit>[0]> = {}): Instruction =>
  useLimit({
    settings: account.settings,
    signer: SERVICE,
    limit,
    vault: account.vault,
    destination: D,
    amount,
    ...more,
  });
const use = (amount: bigint, more: Partial<Parameters<typeof useLimit>[0]> = {}) => ledger.send(build(amount, more));

/** Opens a limit with A, B signing; by default SERVICE may pay D 1,000,000 a day. */
function openLimit(terms: Partial<LimitTerms> = {}): void {
  const full = { seed: SEED, amount: 1_000_000n, period: 1, signers: [SERVICE], destinations: [D], ...terms };
  expectSuccess(
    ledger.send(
      executeSettingsSync({
        settings: account.settings,
        members: [A, B],
        actions: [action.addSpendingLimit(full)],
        payer: FEE_PAYER,
        limits: [limit],
      }),
    ),
  );
}

const replaced = (good: Instruction, position: number, meta: Meta): Instruction => ({
  ...good,
  accounts: good.accounts.map((present, i) => (i === position ? meta : present)),
});
