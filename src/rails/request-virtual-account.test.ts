import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import type { Static } from "typebox";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf, type HeldAccount } from "../../test/support/test-network.js";
import { createHistoryFollower } from "../history/follow-histories.js";
import { getBalances } from "../history/get-balances.js";
import { listTransfers } from "../history/list-transfers.js";
import { wakeChanged } from "../proposals/follow-proposals.js";
import { advanceClock } from "../sandbox-controls/advance-clock.js";
import { setVirtualAccountStatus } from "../sandbox-controls/set-virtual-account-status.js";
import { simulateDeposit } from "../sandbox-controls/simulate-deposit.js";
import type { WireDeposit } from "./deposit.js";
import { settleRails } from "./follow-rails.js";
import { listDeposits } from "./list-deposits.js";
import { listVirtualAccounts } from "./list-virtual-accounts.js";
import { requestVirtualAccount } from "./request-virtual-account.js";
import { recordVerification } from "./verification-store.js";
import { refreshVerification } from "./verifications.js";
import type { VirtualAccount } from "./virtual-account.js";

const test = useTestNetwork();

describe("asking for a virtual account", () => {
  it("gives unreal bank details of one account, and the same ones to every reader", async () => {
    const holder = await openAccount();
    const made = await request(holder, "USD", { grid_user_id: holder.verified.grid_user_id });
    expect(made).toMatchObject({
      status: "activated",
      developer_fee_percent: "0.5",
      destination: { address: holder.address, currency: "usdc", payment_rail: "solana" },
      source_deposit_instructions: {
        currency: "usd",
        payment_rails: ["ach_push", "wire"],
        bank_name: "SANDBOX - DO NOT PAY",
      },
    });
    const { bank_routing_number: routing = "" } = made.source_deposit_instructions;
    const sum = [...routing].reduce((total, digit, i) => total + Number(digit) * ([3, 7, 1][i % 3] ?? 0), 0);
    expect([routing.length, sum % 10 === 0]).toEqual([9, false]);
    expect(await listOf(holder)).toEqual([made]);
    const { account, grid_user_id, currency, payment_rails, last_4 } = made as View & Record<string, unknown>;
    expect([account, grid_user_id]).toEqual([holder.address, holder.verified.grid_user_id]);
    expect([currency, payment_rails, last_4]).toEqual(["usd", ["ach_push", "wire"], expect.stringMatching(/^\d{4}$/)]);

    const euros = await request(holder, "eur");
    expect(euros.destination.currency).toBe("eurc");
    const { iban = "" } = euros.source_deposit_instructions;
    const number = BigInt(`${iban.slice(4)}1314${iban.slice(2, 4)}`);
    expect([iban.slice(0, 4), number % 97n === 1n]).toEqual(["DE00", false]);
    expect(await listOf(holder, { source_currency: "EUR" })).toEqual([euros]);
    expect(await listOf(holder, { destination_currency: "usdc" })).toEqual([made]);
    expect(await listOf(holder, { status: "deactivated" })).toEqual([]);
  });

  it("keeps bank details and senders from readers of the database", async () => {
    const holder = await openAccount();
    const made = await request(holder);
    await payIn(made, "5.00");
    const rows = await test.needs.db.selectFrom("rail_virtual_account").selectAll().execute();
    const events = await test.needs.db.selectFrom("event").select("data").execute();
    const deposits = await test.needs.db.selectFrom("rail_deposit").selectAll().execute();
    const all = JSON.stringify([rows, events, deposits, test.logLines], (_key, value) =>
      typeof value === "bigint"
        ? value.toString()
        : value instanceof Uint8Array
          ? Buffer.from(value).toString("latin1")
          : value,
    );
    const { bank_account_number: number = "" } = made.source_deposit_instructions;
    expect(all).not.toContain(number);
    expect(all).not.toContain("SANDBOX SENDER");
    expect(all).toContain(`"last4":"${number.slice(-4)}"`);
  });

  it("says what of the holder's verification is missing", async () => {
    const holder = await openAccount(null);
    const missing = async (currency: string) => {
      const error = await errorOf(request(holder, currency));
      return [error.status, error.code, error.details.map((detail) => detail.missing)];
    };
    expect(await missing("usd")).toEqual([403, "kyc_required", ["kyc", "tos"]]);
    await verify(holder, ["base"]);
    expect(await missing("eur")).toEqual([403, "kyc_required", ["endorsement:sepa"]]);
    expect((await request(holder)).status).toBe("activated");
  });

  it("makes one for each currency, of those there are", async () => {
    const holder = await openAccount();
    const settled = await Promise.allSettled([request(holder), request(holder), request(holder)]);
    const made = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(made).toHaveLength(1);
    const error = await errorOf(request(holder));
    expect([error.status, error.code]).toEqual([409, "virtual_account_exists"]);
    expect(error.details[0]).toMatchObject({ virtual_account_id: made[0]?.id, status: "activated" });
    await test.call(setVirtualAccountStatus, {
      params: { virtual_account_id: made[0]?.id },
      body: { status: "deactivated" },
    });
    expect((await errorOf(request(holder))).details[0]).toMatchObject({ status: "deactivated" });
    expect(await listOf(holder, { status: "deactivated" })).toHaveLength(1);
    expect(await codeOf(request(holder, "chf"))).toBe("unsupported_currency");
    expect(await codeOf(request(holder, "eur", { grid_user_id: "somebody else" }))).toBe("invalid_request");
    const none = { needs: { rails: new Map() }, params: { address: holder.address } };
    expect(await codeOf(test.call(requestVirtualAccount, { ...none, body: { currency: "usd" } }))).toBe(
      "rail_not_available",
    );
  });

  it("is another tenant's own affair", async () => {
    const holder = await openAccount();
    const made = await request(holder);
    const stranger = await test.addTenant("stranger");
    const params = { address: holder.address, virtual_account_id: made.id };
    const as = { params, caller: stranger };
    expect(await codeOf(test.call(listDeposits, as))).toBe("account_not_found");
    expect(await codeOf(test.call(requestVirtualAccount, { ...as, body: { currency: "usd" } }))).toBe(
      "account_not_found",
    );
    const other = await openAccount();
    const elsewhere = { address: other.address, virtual_account_id: made.id };
    expect(await codeOf(test.call(listDeposits, { params: elsewhere }))).toBe("virtual_account_not_found");
  });
});

describe("a deposit", () => {
  it("arrives on chain, net of the fee, and counts once the chain shows it", async () => {
    const holder = await openAccount();
    const account = await request(holder);
    const paid = await payIn(account, "250.00");
    expect(paid).toMatchObject({
      state: "processed",
      amount: "250.00",
      currency: "usd",
      payment_rail: "ach_push",
      sender_name: "SANDBOX SENDER",
      fees: { developer_fee: "1.25", exchange_fee: "0.00", gas_fee: "0.00" },
    });
    expect(paid).toMatchObject({ credited: true, received: { amount: "248750000", ui_amount: "248.75" } });
    expect(await usdcOf(holder)).toBe("248.75");
    expect(await depositsOf(holder, account)).toEqual([paid]);
  });

  it("has the outcome that its cents say", async () => {
    const holder = await openAccount();
    const account = await request(holder);
    const pay = async (amount: string) => (await payIn(account, amount)).state;
    expect(await pay("10.02")).toBe("in_review");
    expect(await pay("10.03")).toBe("refunded");
    expect(await pay("0.05")).toBe("not_credited");
    expect(await pay("10.06")).toBe("processed");
    expect(await pay("10.07")).toBe("processed");
    expect(await pay("10.08")).toBe("processed");
    expect(await usdcOf(holder)).toBe("30.03");
    await later(60);
    await follow();
    const states = (await depositsOf(holder, account)).map(({ amount, state, credited }) => [amount, state, credited]);
    expect(states.sort()).toEqual([
      ["0.05", "not_credited", false],
      ["10.02", "processed", true],
      ["10.03", "refunded", false],
      ["10.06", "processed", true],
      ["10.07", "processed", true],
      // It was paid out before it went back: both are said.
      ["10.08", "refunded", true],
    ]);
    expect(await usdcOf(holder)).toBe("39.99");
  });

  it("is refused by a deactivated account, and is sent back when it was on its way", async () => {
    const holder = await openAccount();
    const account = await request(holder);
    expect((await payIn(account, "10.02")).state).toBe("in_review");
    const set = (status: string) =>
      test.call(setVirtualAccountStatus, { params: { virtual_account_id: account.id }, body: { status } });
    await set("deactivated");
    expect(await codeOf(payIn(account, "10.00"))).toBe("virtual_account_deactivated");
    await later(60);
    const [view] = await depositsOf(holder, account);
    expect([view?.state, view?.credited, await usdcOf(holder)]).toEqual(["refunded", false, "0"]);
    await set("activated");
    expect((await payIn(account, "10.00")).state).toBe("processed");
  });

  it("is sent back when its owner's approval is revoked meanwhile", async () => {
    const holder = await openAccount(null);
    const verification = await verify(holder, ["base"]);
    const account = await request(holder);
    expect((await payIn(account, "10.02")).state).toBe("in_review");
    await rails().simulator.setVerification(verification, { status: "rejected" });
    await later(60);
    const [view] = await depositsOf(holder, account);
    expect([view?.state, await usdcOf(holder)]).toEqual(["refunded", "0"]);
  });
});

describe("deposits among the transfers of an account", () => {
  it("are listed where they began, page by page as in one list", async () => {
    const holder = await openAccount();
    const account = await request(holder);
    const address = holder.address;
    for (const amount of ["1.00", "2.00", "0.05", "3.03", "4.00"]) {
      await payIn(account, amount);
      test.needs.realClock.advance(700);
    }
    await follow();
    type Item = { Spl?: { signature: string; amount: string }; Bridge?: { amount: string; state: string } };
    const transfers = (query: object = {}) =>
      test.call<Item[]>(listTransfers, { params: { address }, query: { limit: 50, ...query } });
    const whole = await transfers();
    expect(whole.flatMap(({ Bridge }) => (Bridge ? [[Bridge.amount, Bridge.state]] : []))).toEqual([
      ["4.00", "payment_processed"],
      ["3.03", "refunded"],
      ["2.00", "payment_processed"],
      ["1.00", "payment_processed"],
    ]);
    expect(whole.filter(({ Spl }) => Spl !== undefined).map(({ Spl }) => Spl?.amount)).toEqual([
      "3980000",
      "1990000",
      "990000",
    ]);
    expect(await transfers({ type: "bridge" })).toEqual(whole.filter(({ Bridge }) => Bridge !== undefined));
    expect(await transfers({ type: "spl" })).toEqual(whole.filter(({ Spl }) => Spl !== undefined));
    expect(await transfers({ type: "outflow" })).toEqual([]);
    expect(await transfers({ status: "finalized", type: "bridge" })).toHaveLength(3);
    expect(await transfers({ currency: "eurc" })).toEqual([]);
    const signature = whole.find(({ Spl }) => Spl !== undefined)?.Spl?.signature ?? "";
    const both = await transfers({ tx_hash: signature });
    expect(both.flatMap((item) => Object.keys(item)).sort()).toEqual(["Bridge", "Spl"]);
    for (const query of [{}, { type: "bridge" }, { type: "inflow", currency: "usdc" }, { status: "finalized" }]) {
      for (const limit of [1, 2, 3]) {
        const seen: Item[] = [];
        for (let cursor: string | undefined, more = true; more; ) {
          const page = await pageOf(address, { ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
          seen.push(...(page.data as Item[]));
          cursor = page.cursor;
          more = cursor !== undefined;
        }
        expect(seen).toEqual(await transfers(query));
      }
    }
  });
});

type View = Static<typeof VirtualAccount>;

type Money = Static<typeof WireDeposit>;

/** An answer with where the next page begins. */
async function pageOf(address: string, query: object): Promise<{ data: unknown[]; cursor: string | undefined }> {
  const answer = await listTransfers.handle(test.needs, {
    params: { address },
    query,
    body: undefined,
    caller: test.caller,
    network: test.network,
    requestId: "request",
    operationId: undefined,
  } as never);
  return { data: answer.data as unknown[], cursor: answer.headers?.["x-next-cursor"] };
}

let accounts = 0;
/** An account whose holder a partner has checked as far as is wanted. */
async function openAccount(wanted: readonly string[] | null = ["base", "sepa"]): Promise<HeldAccount> {
  accounts += 1;
  const holder = await test.openHolder(`holder-${accounts}@example.org`);
  if (wanted !== null) await verify(holder, wanted);
  return holder;
}

const owner = (holder: HeldAccount) => ({
  tenantId: test.caller.tenantId,
  environment: "sandbox",
  address: holder.address,
});

const rails = () => {
  const found = test.needs.rails.get("sandbox");
  if (found?.simulator === undefined) throw new Error("the sandbox has no partner");
  return { ...found, simulator: found.simulator };
};

async function verify(holder: HeldAccount, wanted: readonly string[]) {
  const row = await recordVerification(test.needs, test.network, {
    account: owner(holder),
    partner: "sandbox",
    type: "individual",
    person: { email: holder.email, fullName: "Ada Lovelace" },
    wanted,
  });
  const begun = await refreshVerification(test.needs, test.network, rails(), row.id);
  await rails().simulator.setVerification(begun?.partner_ref as PartnerRef, { status: "approved", terms: "approved" });
  await settleRails(test.needs, test.network);
  return begun?.partner_ref as PartnerRef;
}

const request = (holder: HeldAccount, currency = "usd", more: object = {}) =>
  test.call<View>(requestVirtualAccount, {
    params: { address: holder.address },
    body: { currency, ...more },
  });

const listOf = (holder: HeldAccount, query: object = {}) =>
  test.call<View[]>(listVirtualAccounts, { params: { address: holder.address }, query });

const payIn = (account: View, amount: string, more: object = {}) =>
  test.call<Money>(simulateDeposit, {
    params: { virtual_account_id: account.id },
    body: { amount, ...more },
  });

const depositsOf = (holder: HeldAccount, account: View) =>
  test.call<Money[]>(listDeposits, {
    params: { address: holder.address, virtual_account_id: account.id },
  });

const usdcOf = async (holder: HeldAccount) => {
  const { tokens } = await test.call<{ tokens: { symbol?: string; amount_decimal: string }[] }>(getBalances, {
    params: { address: holder.address },
  });
  return tokens.find(({ symbol }) => symbol === "USDC")?.amount_decimal ?? "0";
};

/** What the service's timers would do. */
const follow = async () => {
  await settleRails(test.needs, test.network);
  const histories = createHistoryFollower(test.needs);
  // One tick leaves something to others.
  for (let ticks = 0; ticks < 6; ticks += 1) {
    test.needs.realClock.advance(2_000);
    await wakeChanged(test.needs.db, test.network);
    await histories.tick(test.network);
  }
};

const later = (seconds: number) => test.call(advanceClock, { body: { seconds } });

const codeOf = async (call: Promise<unknown>) => (await errorOf(call)).code;
