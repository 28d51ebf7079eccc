import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { addressOfKey } from "@trellis/sdk";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bankPaymentSteps } from "../../src/payments/bank-payment-steps.js";
import { type SandboxProcess, startSandboxProcess } from "../cluster/sandbox-process.js";
import { usAccount } from "../rails/transfers-support.js";
import { postgresUrl } from "../support/test-database.js";
import { type CrashSite, openCrashSite, type ServiceProcess } from "./crashing-service.js";
import { newKey, outcomeOf } from "./honest-client.js";

/**
 * Payments to a bank and orders to one, while the process that is at them is killed: on a server's database another one is
 * there all the time and continues, on the embedded one it starts after the first has died.
 */
const timeoutMs = 300_000;

let chain: SandboxProcess | undefined;
let site: CrashSite;
let first: ServiceProcess;
let other: ServiceProcess | undefined;
let account: string;
let bank: string;

beforeAll(async () => {
  if (postgresUrl !== undefined) chain = await startSandboxProcess();
  site = await openCrashSite();
  first = await start();
  if (postgresUrl !== undefined) other = await start();
  const { client } = first;
  ({ address: account } = await client.accounts.create({
    type: "signers",
    signers: [addressOfKey(seed)],
    threshold: 1,
  }));
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: "100000000" });
  const person = { type: "individual", email: "ada@example.org", full_name: "Ada Lovelace" } as const;
  const kyc = await client.kyc.start(account, person);
  await client.sandbox.setKyc(kyc.id, { status: "approved" });
  bank = (await client.externalAccounts.add(account, usAccount as never)).id;
}, timeoutMs);
afterAll(async () => {
  await site?.close();
  await chain?.stop();
});
let paidRuns = 0;
let payOuts = 0;

describe("a process that is killed", { timeout: timeoutMs }, () => {
  it("while it pays orders to a bank: each due date is paid once, and reported once, by the process that resumes", async () => {
    // Before there is an order: its first due date may be paid as soon as it stands.
    const before = await held();
    const payee = { externalAccountId: bank, rail: "ach_push" } as const;
    const order = { currency: "usdc", amount: 1_000_000n, payee, frequency: "daily" } as const;
    // The first order opens the address, and the process that asks for it dies when only the partner knows of it.
    const opening = await killAt("after 1 insert into simulated_payout_address", ({ client }) =>
      client.standingOrders.create({ account, keys: [seed], order }),
    );
    // Where another process was quicker with the address, the order may stand already.
    const [standing] = await first.client.standingOrders.list(account, { status: "active" });
    const { id } = standing ?? (await first.client.standingOrders.create({ account, keys: [seed], order }));
    const died: (string | undefined)[] = [opening];
    for (const point of [
      // The signed payment is stored and not sent; the partner has the coins and has not reported them.
      "after 1 with payment as",
      'after 1 update "simulated_transfer" set "state"',
    ]) {
      died.push(await killAt(point, ({ client }) => client.sandbox.advanceClock(daySeconds)));
      await first.client.sandbox.advanceClock(3_600);
    }
    await first.client.sandbox.advanceClock(3_600);
    const runs = await first.client.standingOrders.runs(account, id);
    expect(runs.length).toBeGreaterThanOrEqual(1);
    expect(runs.map(({ state, payout }) => [state, payout?.state])).toEqual(
      runs.map(() => ["paid", "payment_processed"]),
    );
    for (const of of ["due_at", "signature"] as const)
      expect(new Set(runs.map((run) => run[of])).size).toBe(runs.length);
    expect(before - (await held())).toBe(1_000_000n * BigInt(runs.length));
    paidRuns = runs.length;
    // A survivor that was quicker is no failure; alone, the process dies at the given statement.
    if (other === undefined) expect(died).toEqual(died.map(() => expect.any(String)));
  });

  it("while it prepares, sends and follows payments to a bank: each is one transfer, paid once", async () => {
    const before = await held();
    const died: (string | undefined)[] = [];
    const points = [
      // Only the partner knows of the transfer.
      "after 1 insert into simulated_transfer",
      ...Object.values(endsStep).map((statement) => `after 1 ${statement}`),
    ];
    expect(Object.keys(endsStep)).toEqual(bankPaymentSteps.map(({ name }) => name));
    let total = 0n;
    const ids: string[] = [];
    for (const [n, point] of points.entries()) {
      const amount = 2_000_000n + BigInt(n) * 100_000n;
      total += amount;
      const idempotencyKey = newKey();
      const payment = {
        account,
        keys: [seed],
        currency: "usdc",
        amount,
        to: { externalAccountId: bank, rail: "ach_push", currency: "usd" },
      } as const;
      const pay = async ({ client }: ServiceProcess) => {
        const { id } = await client.transfers.sendToBank(payment, { idempotencyKey });
        ids.push(id);
        await client.sandbox.advanceClock(60);
      };
      died.push(await killAt(point, pay));
      if (ids.length === n) await pay(first);
      await first.client.sandbox.advanceClock(60);
    }
    for (const id of ids) {
      expect(await first.client.paymentIntents.get(account, id)).toMatchObject({ state: "payment_processed" });
    }
    payOuts = new Set(ids).size;
    expect(payOuts).toBe(points.length);
    // The daily order continues meanwhile only if a day passes, and none does.
    expect(before - (await held())).toBe(total);
    if (other === undefined) expect(died).toEqual(died.map(() => expect.any(String)));
  });

  it("leaves books that agree: no address, payment or event twice", async () => {
    for (const process of [first, other]) expect(await process?.stop()).toEqual(process && { code: 0, signal: null });
    const { rows } = await site.inspect((db) =>
      sql`select
        (select count(*)::int4 from simulated_payout_address) as addresses,
        (select count(*)::int4 from rail_payout) as payouts,
        (select count(*)::int4 from simulated_transfer where payout_address_ref is not null) as theirs,
        (select count(*)::int4 from event where type = 'standing_order_run.paid') as runs,
        (select count(*)::int4 from payment_intent) as intents,
        (select count(*)::int4 from simulated_transfer where payout_address_ref is null and held is not null) as transfers`.execute(
        db,
      ),
    );
    expect(rows).toEqual([
      { addresses: 1, payouts: paidRuns, theirs: paidRuns, runs: paidRuns, intents: payOuts, transfers: payOuts },
    ]);
    const objects = [...(await reported("standing_order_payout.%")), ...(await reported("payment_intent.%"))];
    expect(objects).toHaveLength(paidRuns + payOuts);
    for (const [id, states] of objects) {
      expect([id, states.at(-1), new Set(states).size]).toEqual([id, "payment_processed", states.length]);
    }
  });
});

const { seed } = generateEd25519KeyPair();
const daySeconds = 86_400;

/** The statement that ends each step of a payment to a bank. */
const endsStep: Readonly<Record<string, string>> = {
  "record the transfer": "insert into rail_transfer",
  "open it at the partner": "-- The transaction is held",
  "prepare the payment": "with remembered as",
};

const start = () => site.start(chain === undefined ? {} : { TRELLIS_SANDBOX_RPC_URL: chain.url });

/** Lets the leases of a dead process run out: they count in real time, which no test waits for. */
const outliveLeases = () =>
  site.inspect(async (db) => {
    await sql`update standing_order set leased_until = null`.execute(db);
    await sql`delete from meta where key = 'standing_orders.player'`.execute(db);
    await sql`update rail_notice set look_at = 0 where look_at is not null`.execute(db);
    await sql`update rail_payout_address set look_at = 0`.execute(db);
    await sql`update rail_transfer set look_at = 0 where look_at is not null`.execute(db);
    await sql`update idempotency_record set leased_until = 0 where state <> 'answered'`.execute(db);
  });

/** Does something at a process that dies at a statement of it, or after it, and leaves things to the next. */
async function killAt(point: string, work: (process: ServiceProcess) => Promise<unknown>): Promise<string | undefined> {
  await first.doom(point);
  await outcomeOf(work(first));
  await first.kill();
  const died = first.killedAt();
  const survivor = other;
  if (survivor === undefined) {
    await outliveLeases();
    first = await start();
  } else {
    first = survivor;
    await outliveLeases();
    other = await start();
  }
  return died;
}

const held = async (): Promise<bigint> => {
  const { tokens } = await first.client.accounts.balances(account);
  return BigInt(tokens.find(({ symbol }) => symbol?.toLowerCase() === "usdc")?.amount ?? "0");
};

/** The reported states of an object, in their order. */
const reported = (type: string) =>
  site.inspect(async (db) => {
    const { rows } = await sql<{ object_id: string; state: string }>`
      select object_id, coalesce(data::json ->> 'state', type) as state from event where type like ${type} order by sequence`.execute(
      db,
    );
    const states = new Map<string, string[]>();
    for (const { object_id, state } of rows) states.set(object_id, [...(states.get(object_id) ?? []), state]);
    return states;
  });
