import { addressOfKey } from "@trellis/sdk";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { dataOf, may, newKey, refusalOf } from "../../test/proposals/support.js";
import { between, dayMs, iso, ordersOf, type WireOrder } from "../../test/standing-orders/support.js";
import { use, useTestService } from "../../test/support/scene.js";

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
const api = ordersOf(trellis);
const account = use(() => api.open({ signers: [may(a)], threshold: 1 }));
const [a, b] = [newKey(), newKey()];
const payee = addressOfKey(newKey());

describe("a standing order that is created", () => {
  it("has a one-time limit over all its payments, where there is an end, for the executor and the payee alone", async () => {
    const start = api.now() + 10 * dayMs;
    const end = start + 70 * dayMs;
    const answer = await api.createOrder(account, body({ start_date: iso(start), end_date: iso(end) }));
    expect(answer.status).toBe(201);
    const made = dataOf<WireOrder & { summary: { actions: unknown[] }[] }>(answer);
    expect(made).toMatchObject({
      status: "pending",
      mandate: "awaited",
      amount: "5000000",
      ui_amount: "0.005",
      currency: "sol",
      period: "monthly",
      occurrences: 3,
      remaining_amount: "15000000",
      start_date: iso(start),
      end_date: iso(end),
      next_execution_date: iso(start),
      destinations: [payee],
      source: {
        account: account.address,
        currency: "sol",
        payment_rail: "solana",
        details: { account: account.address },
      },
      destination: { address: payee, currency: "sol", payment_rail: "solana", details: { address: payee } },
    });
    expect(made.next_execution_dates).toHaveLength(3);
    const last = Date.parse(made.next_execution_dates[2] ?? "");
    const executor = trellis.network.executor?.address;
    expect(made.summary.flatMap(({ actions }) => actions)).toEqual([
      {
        type: "add_spending_limit",
        spending_limit: made.spending_limit_address,
        mint: null,
        amount: "15000000",
        period: "one_time",
        signers: [executor],
        destinations: [payee],
        expires_at: Math.ceil((last + 7 * dayMs) / 1000),
      },
    ]);
    await api.submitNow(account, made as { transaction: string }, [a]);
    expect(await api.order(account, made.id)).toMatchObject({ status: "active", mandate: "active" });
  });

  it("has a limit of twice the amount each period, where there is no end", async () => {
    for (const [frequency, period] of Object.entries({ daily: "day", week: "week", monthly: "month" })) {
      const order = await api.begin(account, body({ frequency, start_date: iso(api.now() + dayMs) }), [a]);
      expect(order).not.toHaveProperty("occurrences");
      expect(order).not.toHaveProperty("remaining_amount");
      expect(await api.limit(account, order.spending_limit_address)).toMatchObject({
        amount: "10000000",
        period,
        signers: [order.executor_address],
        destinations: [payee],
        expiration: null,
      });
    }
  });

  it("is one of two for the same payee and currency, each with a limit of its own", async () => {
    const [one, two] = [await api.begin(account, body(), [a]), await api.begin(account, body(), [a])];
    expect(one.spending_limit_address).not.toBe(two.spending_limit_address);
  });

  it("understands nested endpoint objects, and a token", async () => {
    const made = dataOf<WireOrder>(
      await api.createOrder(account, {
        amount: "1500000",
        frequency: "weekly",
        source: { currency: "usdc", payment_rail: "solana", details: { smart_account_address: account.address } },
        destination: { payment_rail: "solana", details: { address: payee, currency: "usdc" } },
      }),
    );
    expect(made).toMatchObject({ ui_amount: "1.5", currency: "usdc", destinations: [payee] });
  });

  it("begins now when its start lies up to five minutes back, and owes that due date although the limit is confirmed after it", async () => {
    const before = api.now();
    const order = await api.begin(account, body({ start_date: iso(before - 299_000) }), [a]);
    expect(Date.parse(order.start_date)).toBeGreaterThanOrEqual(before);
    expect(order.next_execution_date).toBe(order.start_date);
    expect(refusalOf(await api.createOrder(account, body({ start_date: iso(api.now() - 301_000) })))).toEqual([
      400,
      "start_date_in_past",
    ]);
  });

  it("is the same order when it is asked for again under one idempotency key", async () => {
    const headers = { "x-idempotency-key": "the-rent" };
    const first = dataOf<WireOrder>(await api.createOrder(account, body(), "", headers));
    const again = dataOf<WireOrder>(await api.createOrder(account, body(), "", headers));
    expect(again).toEqual(first);
    const { items } = await api.orders(account);
    expect(items.filter(({ id }) => id === first.id)).toHaveLength(1);
  });
});

describe("a standing order that cannot be", () => {
  const cases: [string, () => object, string][] = [
    [
      "ends before its first payment",
      () => ({ start_date: iso(api.now() + dayMs), end_date: iso(api.now()) }),
      "invalid_request",
    ],
    [
      "is due more than ten years of days",
      () => ({ frequency: "daily", end_date: iso(api.now() + 3_655 * dayMs) }),
      "invalid_request",
    ],
    ["begins in more than ten years", () => ({ start_date: iso(api.now() + 4_000 * dayMs) }), "invalid_request"],
    ["begins on a day that does not exist", () => ({ start_date: "2027-02-30T00:00:00Z" }), "invalid_request"],
    ["begins at a time of no zone", () => ({ start_date: "2027-02-01T00:00:00" }), "invalid_request"],
    ["pays the account itself", () => between(account, account.address), "invalid_address"],
    ["pays the account's settings", () => between(account, account.settings), "invalid_address"],
    ["pays a key of the service", () => between(account, trellis.feePayer), "forbidden_account"],
    [
      "pays a mint",
      () => between(account, trellis.network.currencies.find(({ mint }) => mint)?.mint ?? "", "usdc"),
      "invalid_address",
    ],
    ["pays a program", () => between(account, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"), "invalid_address"],
    ["pays more than 64 bits in all", () => ({ amount: "9223372036854775808" }), "invalid_amount"],
    ["pays nothing", () => ({ amount: "0" }), "invalid_amount"],
    ["opens an account with less than its rent", () => ({ amount: "1" }), "invalid_amount"],
    [
      "pays a bank",
      () => ({ destination: { payment_rail: "ach", currency: "usd", external_account_id: "x" } }),
      "rail_not_available",
    ],
    [
      "pays a bank on chain",
      () => ({ destination: { currency: "sol", external_account_id: "x" } }),
      "rail_not_available",
    ],
    ["pays out of another account", () => ({ source: { account: payee, currency: "sol" } }), "invalid_request"],
    ["converts", () => ({ destination: { address: payee, currency: "usdc" } }), "unsupported_currency"],
    [
      "says two things",
      () => ({ destination: { address: payee, details: { address: account.address } } }),
      "invalid_request",
    ],
    ["is paid every so often", () => ({ frequency: "yearly" }), "invalid_request"],
  ];
  it.each(cases)("because it %s", async (_, more, code) => {
    expect(refusalOf(await api.createOrder(account, body(more())))).toEqual([400, code]);
  });

  it("because the account has twenty open ones, also when two are created at once; a cancelled one makes room", async () => {
    const crowded = await api.open({ signers: [may(a)], threshold: 1 });
    const create = () => api.createOrder(crowded, { ...body(), ...between(crowded, payee) });
    const made: WireOrder[] = [];
    for (let i = 0; i < 19; i += 1) made.push(dataOf<WireOrder>(await create()));
    const both = await Promise.all([create(), create()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(refusalOf(await create())).toEqual([409, "standing_order_limit_exceeded"]);
    dataOf(await api.cancel(crowded, made[0]?.id ?? ""));
    expect((await create()).status).toBe(201);
  });

  it("but not because another order used the same place at the same moment", async () => {
    const { db } = trellis.service;
    // The first row of these is refused as that of the second of two would be.
    await sql`create sequence crowd`.execute(db);
    await sql`create function crowd_out() returns trigger language plpgsql as $$ begin
      if nextval('crowd') = 1 then raise unique_violation using constraint = 'standing_order_place',
        message = 'duplicate key value violates unique constraint "standing_order_place"'; end if;
      return new; end $$`.execute(db);
    await sql`create trigger crowded before insert or update of status on standing_order for each row
      execute function crowd_out()`.execute(db);
    try {
      const made = dataOf<WireOrder>(await api.createOrder(account, body()));
      expect((await api.order(account, made.id)).status).toBe("pending");
    } finally {
      await sql`drop trigger crowded on standing_order`.execute(db);
    }
  });

  it("because it is another holder's account", async () => {
    const other = { ...account, address: payee };
    expect(refusalOf(await api.createOrder(other, body({ source: { currency: "sol" } })))).toEqual([
      404,
      "account_not_found",
    ]);
  });
});

describe("a standing order of an account that cannot act at once", () => {
  it("waits for the vote on its limit, and owes nothing that was due before that was executed", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const start = api.now() + dayMs;
    const made = dataOf<WireOrder>(
      await api.createOrder(shared, {
        ...body({ frequency: "daily", start_date: iso(start), transaction_signers: [addressOfKey(a)] }),
        ...between(shared, payee),
      }),
    );
    const proposal = made.proposal_address ?? "";
    expect(made).toMatchObject({ status: "pending", valid_until: iso(Date.parse(made.valid_until)) });
    await api.submitNow(shared, made as { transaction: string }, [a]);
    expect(await api.order(shared, made.id)).toMatchObject({ status: "pending", mandate: "awaited" });

    await trellis.network.sandbox?.advanceClock((3 * dayMs) / 1000 + 3600);
    await api.cast(shared, proposal, "approve", [b]);
    await api.run(shared, proposal, b);
    const order = await api.order(shared, made.id);
    expect(order).toMatchObject({ status: "active", mandate: "active", next_execution_date: iso(start + 3 * dayMs) });
  });

  it("is given its limit by the admin alone", async () => {
    const controlled = await api.open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(b) });
    const asked = { ...body(), ...between(controlled, payee) };
    expect(refusalOf(await api.createOrder(controlled, asked))).toEqual([400, "admin_required"]);
    const order = await api.begin(controlled, asked, [b], "?admin=true");
    expect(order.status).toBe("active");
    const removal = dataOf<WireOrder>(await api.cancel(controlled, order.id, {}, "?admin=true"));
    expect(removal.transaction_signers).toEqual([addressOfKey(b)]);
    await api.submitNow(controlled, removal as { transaction: string }, [b]);
    expect(await api.order(controlled, order.id)).toMatchObject({ status: "cancelled", mandate: "revoked" });
  });
});

const body = (more: object = {}) => ({ amount: "5000000", frequency: "monthly", ...between(account, payee), ...more });
