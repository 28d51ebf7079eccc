import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import {
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import { limits } from "@trellis/kernel/limits.js";
import { executeTransactionSyncInstruction } from "@trellis/program-client";
import { addressOfKey } from "@trellis/sdk";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { payFrom, transfersOf } from "../../test/history/support.js";
import { openAccount, openChainClient } from "../../test/proposals/index-chain-client.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf, hashOf } from "../../test/support/test-network.js";
import { openMint } from "../../test/support/token-2022.js";
import { getBalanceHistory } from "./get-balance-history.js";
import { getBalances } from "./get-balances.js";
import { rebuildHistories } from "./rebuild-histories.js";

const payee = "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g";
const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const wrappedSol = "So11111111111111111111111111111111111111112" as Address;
const hour = 3_600_000;
const day = 24 * hour;
const test = useTestNetwork({ each: true });
const holder = use(() => test.openHolder("over-time@example.org"), { each: true });

describe("200", () => {
  it("shows what was held at the end of each day, and what moved in it", async () => {
    const start = nextDay();
    const spender = await test.openHolder("spends@example.org");
    const { address } = spender;
    await test.airdrop(address, "sol", "1000000000");
    await test.airdrop(address, "usdc", "5000000");
    await payFrom(test, spender, { currency: "usdc", amount: "1500000", to: payee });
    test.needs.realClock.advance(2 * day);
    await test.airdrop(address, "usdc", "10");
    const { points, tokens, ...rest } = await read(address, { from: iso(start - day) });
    expect(rest).toEqual({
      address,
      interval: "day",
      complete_from: iso(start - day),
      complete_to: iso(Math.floor(test.needs.realClock.now() / 1000) * 1000),
      has_more_tokens: false,
    });
    expect(tokens).toEqual([
      { token_address: SYSTEM_PROGRAM_ADDRESS, decimals: 9, symbol: "SOL" },
      { token_address: usdc, decimals: 6, symbol: "USDC" },
    ]);
    const none = { amount: "0", in: "0", out: "0" };
    const rent = 2_039_280n;
    const sol = String(1_000_000_000n - rent);
    expect(points.map(({ at, balances }) => [at, balances.map(({ token_address: _mint, ...one }) => one)])).toEqual([
      [iso(start), [none, none]],
      [
        iso(start + day),
        [
          { amount: sol, in: "1000000000", out: String(rent) },
          { amount: "3500000", in: "5000000", out: "1500000" },
        ],
      ],
      [
        iso(start + 2 * day),
        [
          { ...none, amount: sol },
          { ...none, amount: "3500000" },
        ],
      ],
      [
        iso(start + 3 * day),
        [
          { ...none, amount: sol },
          { amount: "3500010", in: "10", out: "0" },
        ],
      ],
    ]);
    await expectAsHeld(address);
  });

  it("says the same of a range that has ended, whatever has happened since", async () => {
    const start = nextDay();
    for (let i = 1; i <= 4; i += 1) {
      await test.airdrop(holder.address, "usdc", String(i));
      test.needs.realClock.advance(25 * hour);
    }
    for (const interval of ["hour", "day"]) {
      const ms = interval === "hour" ? hour : day;
      const whole = await read(holder.address, { from: iso(start), interval });
      const part = await read(holder.address, { from: iso(start + ms), to: iso(start + 2 * ms), interval });
      expect(part.points).toEqual(whole.points.slice(1, 3));
      expect(part.complete_to).toBe(iso(start + 3 * ms));
      const byNow = whole.points.at(-1)?.balances.find(({ token_address }) => token_address === usdc);
      expect(byNow?.amount).toBe("10");
    }
    const one = await read(holder.address, { from: iso(start), to: iso(start), interval: "hour", token_address: usdc });
    expect(one.points).toEqual([
      { at: iso(start + hour), balances: [{ token_address: usdc, amount: "1", in: "1", out: "0" }] },
    ]);
    expect((await read(holder.address, { from: "2020-01-02", to: "2020-01-01" })).points).toEqual([]);
    expect((await read(holder.address, { from: "2020-01-01", to: "2020-01-02" })).points).toHaveLength(2);
    expect((await read(holder.address, {})).points).toHaveLength(30);
    expect((await read(holder.address, { interval: "hour" })).points).toHaveLength(24);
    const never = await read(holder.address, { token_address: payee, from: iso(test.needs.realClock.now()) });
    expect(never.tokens).toEqual([{ token_address: payee }]);
    expect(never.points[0]?.balances).toEqual([{ token_address: payee, amount: "0", in: "0", out: "0" }]);
  });

  it("ends in what balances say, whatever moved: wrapped SOL, fees of a mint, closed accounts, mints and burns", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const client = await openChainClient(test);
    const [member] = account.members as [Uint8Array];
    const { settings, address: own } = account;
    const act = (...instructions: Instruction[]) => {
      const call = executeTransactionSyncInstruction({ settings, members: [addressOfKey(member)], instructions });
      return client.send([call], [member]);
    };
    const vault = createNoopSigner(own);
    const stranger = createNoopSigner(client.payerAddress);
    const wrapped = deriveTokenAccount(own, wrappedSol, TOKEN_PROGRAM_ADDRESS);
    const fees = await openMint(test.network, serviceKeyOf(hashOf("with fees")), serviceKeyOf(hashOf("issuer")), {
      fee: 100,
    });
    const plain = await openMint(test.network, serviceKeyOf(hashOf("plain")), serviceKeyOf(hashOf("issuer")), {
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    });
    const programAddress = TOKEN_2022_PROGRAM_ADDRESS;
    const steps: (() => Promise<unknown>)[] = [
      () =>
        client.send([
          getCreateAssociatedTokenIdempotentInstruction({
            payer: stranger,
            ata: wrapped,
            owner: own,
            mint: wrappedSol,
            tokenProgram: TOKEN_PROGRAM_ADDRESS,
          }),
          getTransferSolInstruction({ source: stranger, destination: wrapped, amount: 70_000_000n }),
          getSyncNativeInstruction({ account: wrapped }),
        ]),
      // Lamports that are laid on it, and taken notice of later.
      () => client.send([getTransferSolInstruction({ source: stranger, destination: wrapped, amount: 5_000_000n })]),
      () => act(getTransferSolInstruction({ source: vault, destination: wrapped, amount: 11_000_000n })),
      () => client.send([getSyncNativeInstruction({ account: wrapped })]),
      () => fees.mintTo(client.payerAddress, 1_000_000n),
      () => fees.open(own),
      () =>
        client.send([
          getTransferCheckedInstruction(
            {
              source: fees.tokenOf(client.payerAddress),
              mint: fees.address,
              destination: fees.tokenOf(own),
              authority: stranger,
              amount: 900_000n,
              decimals: 6,
            },
            { programAddress },
          ),
        ]),
      () =>
        act(
          getTransferCheckedInstruction(
            {
              source: fees.tokenOf(own),
              mint: fees.address,
              destination: fees.tokenOf(client.payerAddress),
              authority: vault,
              amount: 100_000n,
              decimals: 6,
            },
            { programAddress },
          ),
        ),
      () => plain.mintTo(own, 50_000n),
      () =>
        act(
          getBurnInstruction({ account: plain.tokenOf(own), mint: plain.address, authority: vault, amount: 20_000n }),
        ),
      () =>
        act(
          getBurnInstruction({ account: plain.tokenOf(own), mint: plain.address, authority: vault, amount: 30_000n }),
        ),
      () => act(getCloseAccountInstruction({ account: plain.tokenOf(own), destination: own, owner: vault })),
      () => act(getCloseAccountInstruction({ account: wrapped, destination: own, owner: vault })),
      () => act(getTransferSolInstruction({ source: vault, destination: own, amount: 3n })),
    ];
    for (const step of steps) {
      await step();
      test.needs.realClock.advance(hour);
      await expectAsHeld(own);
    }
    const { tokens, points } = await read(own, { interval: "hour" });
    expect(tokens.map(({ token_address }) => token_address).sort()).toEqual(
      [SYSTEM_PROGRAM_ADDRESS, wrappedSol, fees.address, plain.address].sort(),
    );
    // What a closed account held is in the points of its time.
    const held = points.map(({ balances }) => balances.find(({ token_address }) => token_address === plain.address));
    expect(new Set(held.map((one) => one?.amount))).toEqual(new Set(["0", "50000", "30000"]));
    await expectSums();
    await rebuildHistories(test.needs, test.network);
    await expectSums();
    await expectAsHeld(own);
  });

  it("knows no amount while the index does not have everything, and says until when it had", async () => {
    const start = nextDay();
    await test.airdrop(holder.address, "usdc", "5");
    await read(holder.address, {});
    const elsewhere = { ...test.network, changes: undefined, sandbox: undefined } as never;
    const set = (completeAt: number | null) =>
      sql`update history_watch set complete_at = ${completeAt === null ? null : BigInt(completeAt)},
        looked_at = ${BigInt(test.needs.realClock.now() + 10 * day)} where account_address = ${holder.address}`.execute(
        test.needs.db,
      );
    test.needs.realClock.advance(2 * day);
    const amounts = async () => {
      const answer = await read(holder.address, { from: iso(start), token_address: usdc }, { network: elsewhere });
      const { complete_from: from, complete_to: to } = answer;
      return { from, to, amounts: answer.points.map(({ balances }) => balances[0]?.amount) };
    };
    await set(null);
    expect(await amounts()).toEqual({ from: null, to: null, amounts: [null, null, null] });
    await set(start + day + hour);
    const known = { from: iso(start), to: iso(start + day + hour), amounts: ["5", "5", null] };
    expect(await amounts()).toEqual(known);
    // A later read has found something, and not all.
    const readAt = (at: number) =>
      sql`update history_watch set read_at = ${BigInt(at)} where account_address = ${holder.address}`.execute(
        test.needs.db,
      );
    await readAt(start + day + 2 * hour);
    expect(await amounts()).toEqual({ ...known, amounts: ["5", null, null] });
    await readAt(start + day);
    expect(await amounts()).toEqual(known);
    const unread = (signature: string, at: number | null) =>
      sql`insert into history_unread values ('sandbox', ${holder.address}, ${signature}, 1,
        ${at === null ? null : BigInt(at / 1000)}, true, 'x', 0, 0)`.execute(test.needs.db);
    await unread("later", start + 2 * day);
    expect(await amounts()).toEqual({ ...known, amounts: ["5", null, null] });
    await unread("earlier", start + hour);
    expect(await amounts()).toEqual({ from: iso(start), to: iso(start + hour - 1000), amounts: [null, null, null] });
    await unread("of an unknown time", null);
    expect(await amounts()).toEqual({ from: null, to: null, amounts: [null, null, null] });
  });

  it("knows no amount of what may lie in a token account that is not followed", async () => {
    await test.airdrop(holder.address, "usdc", "5");
    await read(holder.address, {});
    const other = wrappedSol;
    const follow = (count: number) =>
      sql`insert into history_address (environment, account_address, address, role, total)
        select 'sandbox', ${holder.address}, 'token ' || n, 'token', 0 from generate_series(1, ${count}::int4) n
        on conflict do nothing`.execute(test.needs.db);
    const newest = async (mint?: string) => {
      const answer = await read(holder.address, mint === undefined ? {} : { token_address: mint });
      const amounts = answer.points.at(-1)?.balances.map(({ token_address, amount }) => [token_address, amount]);
      return { more: answer.has_more_tokens, amounts: Object.fromEntries(amounts ?? []) };
    };
    await follow(limits.historyTokenAccountsMax - 2);
    expect(await newest(other)).toEqual({ more: false, amounts: { [other]: "0" } });
    await follow(limits.historyTokenAccountsMax);
    expect(await newest(other)).toEqual({ more: true, amounts: { [other]: null } });
    expect(await newest(usdc)).toEqual({ more: true, amounts: { [usdc]: "5" } });
    expect(await newest()).toMatchObject({ more: true, amounts: { [usdc]: "5" } });
  });

  it("shows the first tokens of many, and each that is asked for", async () => {
    await sql`insert into history_transfer (environment, account_address, signature, position, slot, confirmed_at, instruction_index,
        direction, own_address, mint, is_token_2022, decimals, from_address, to_address, amount, is_first_of_mint)
      select 'sandbox', ${holder.address}, 'dust', n, 1, 1700000000, 0, 'inflow', 'x', 'M' || repeat('1', 36) || translate(n::text, '0', 'z'), false, 0, 'x', 'x',
        n::text, true from generate_series(1, 30) n`.execute(test.needs.db);
    await test.airdrop(holder.address, "usdc", "7");
    const answer = await read(holder.address, {});
    expect(answer.has_more_tokens).toBe(true);
    expect(answer.tokens).toHaveLength(limits.balanceTokensMax);
    expect(answer.tokens.slice(0, 2)).toMatchObject([
      { token_address: SYSTEM_PROGRAM_ADDRESS },
      { token_address: usdc },
    ]);
    await sql`delete from history_transfer where signature = 'dust'`.execute(test.needs.db);
    await expectSums();
    expect(await read(holder.address, {})).toMatchObject({ has_more_tokens: false, tokens: [{}, {}] });
  });
});

describe("400", () => {
  it("is the answer to more intervals than there may be, and to what is no address or no time", async () => {
    const now = test.needs.realClock.now();
    for (const [interval, ms] of [
      ["hour", hour],
      ["day", day],
    ] as const) {
      const last = limits.balancePointsMax - 1;
      expect((await read(holder.address, { from: iso(now - last * ms), interval })).points).toHaveLength(last + 1);
      const error = await errorOf(read(holder.address, { from: iso(now - (last + 1) * ms), interval }));
      expect(error).toMatchObject({ code: "invalid_request" });
    }
    expect(await errorOf(read(holder.address, { token_address: "usdc" }))).toMatchObject({ code: "invalid_address" });
    expect(await errorOf(read(holder.address, { from: "yesterday" }))).toMatchObject({ code: "invalid_request" });
    expect(await errorOf(read(holder.address, { to: "2026-11-31" }))).toMatchObject({ code: "invalid_request" });
  });
});

describe("404", () => {
  it("is the answer for an account that there is not, and to another tenant", async () => {
    const caller = await test.addTenant("other");
    const notFound = { status: 404, code: "account_not_found" };
    await expect(read(holder.address, {}, { caller })).rejects.toMatchObject(notFound);
    for (const missing of [payee, "nobody", "x\u0000"]) {
      await expect(read(missing, {})).rejects.toMatchObject(notFound);
    }
  });
});

interface History {
  readonly complete_from: string | null;
  readonly complete_to: string | null;
  readonly has_more_tokens: boolean;
  readonly tokens: readonly { readonly token_address: string }[];
  readonly points: readonly {
    readonly at: string;
    readonly balances: readonly {
      readonly token_address: string;
      readonly amount: string | null;
      readonly in: string;
      readonly out: string;
    }[];
  }[];
}

const read = (address: string, query: object, more: CallParts = {}) =>
  test.call<History>(getBalanceHistory, { params: { address }, query, ...more });

const iso = (ms: number) => new Date(ms).toISOString();

/** Moves the clock to the next beginning of a day, and a little behind it. */
function nextDay(): number {
  const now = test.needs.realClock.now();
  const start = Math.ceil(now / day) * day;
  test.needs.realClock.advance(start - now + 60_000);
  return start;
}

/** The newest point is what the chain says the account holds. */
async function expectAsHeld(address: string): Promise<void> {
  type Tokens = { readonly tokens: readonly { readonly token_address: string; readonly amount: number }[] };
  const { tokens } = await test.call<Tokens>(getBalances, { params: { address }, query: { limit: 100 } });
  const held = new Map(tokens.map(({ token_address, amount }) => [token_address, String(amount)]));
  const { points } = await read(address, { interval: "hour" });
  const newest = points.at(-1)?.balances ?? [];
  expect(newest.map(({ token_address, amount }) => [token_address, amount])).toEqual(
    newest.map(({ token_address }) => [token_address, held.get(token_address) ?? "0"]),
  );
  const shown = new Set(newest.map(({ token_address }) => token_address));
  for (const [mint, amount] of held) if (amount !== "0") expect(shown).toContain(mint);
  expect((await transfersOf(test, address)).length).toBeGreaterThan(0);
}

/** The sums are those of the transfers that are there, and of no others. */
async function expectSums(): Promise<void> {
  const kept =
    await sql`select environment, account_address, span, mint, starts_at::text, transfers::text, received::text, sent::text
    from history_sum order by 1, 2, 3, 4, 5`.execute(test.needs.db);
  const counted =
    await sql`select environment, account_address, span, mint, starts_at::text, count(*)::text as transfers,
      coalesce(sum(amount::numeric) filter (where direction = 'inflow'), 0)::text as received,
      coalesce(sum(amount::numeric) filter (where direction = 'outflow'), 0)::text as sent
    from history_transfer cross join lateral (values ('all', 0::int8), ('day', confirmed_at / 86400 * 86400),
      ('hour', confirmed_at / 3600 * 3600)) as part (span, starts_at)
    group by 1, 2, 3, 4, part.starts_at order by 1, 2, 3, 4, part.starts_at::text`.execute(test.needs.db);
  expect(kept.rows).toEqual(counted.rows);
  expect(kept.rows.length).toBeGreaterThan(0);
}
