import { limits } from "@trellis/kernel/limits.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { openTestNetwork, type TestNetwork } from "../support/test-network.js";
import {
  astray,
  type Fate,
  fates,
  meet,
  pass,
  readAll,
  refresh,
  type Script,
  scripted,
  stateOf,
  type Word,
  words,
} from "./partner-words-support.js";
import { addBank, openApproved, payBank } from "./transfers-support.js";

/**
 * Every word of a partner, at every moment, times whatever became of our own transaction: each payment ends, or stands where
 * its partner says; all that is said of it agrees and is true; stuck coins are alarmed, and asked for as long
 * as they can be returned.
 */
const hour = 3_600_000;
const day = 24 * hour;
const broken: readonly Word[] = ["canceled", "error"];
const backAndStuck: readonly Word[] = ["refund_failed", "missing_return_policy"];

describe("payments to a bank", () => {
  let test: TestNetwork;
  const scripts = new Map<string, Script>();
  const cases: { id: string; address: string; word: Word; isFirst: boolean; wanted: Fate; fate: Fate }[] = [];
  beforeAll(async () => {
    test = await openTestNetwork();
    const needs = scripted(test, scripts);
    for (const isFirst of [true, false]) {
      const holder = await openApproved(test, `words-${isFirst}@example.org`);
      const { address } = holder.verified;
      const bank = (await addBank(test, address)).id;
      for (const wanted of fates) {
        for (const word of words) {
          const prepared = await payBank(test, address, bank, "1000000");
          const script = { word: "awaiting_funds" as Word };
          scripts.set(prepared.id, script);
          const said = async () => {
            script.word = word;
            await refresh(needs, test, prepared.id);
          };
          if (isFirst) await said();
          const fate = await meet(test, holder, prepared, wanted);
          if (!isFirst) await said();
          cases.push({ id: prepared.id, address, word, isFirst, wanted, fate });
        }
      }
    }
  }, 300_000);
  afterAll(() => test?.close());

  /** Where a payment has to stand once its partner has said this for long. */
  function expected({ word, isFirst, fate }: (typeof cases)[number]): string {
    const state = stateOf(word);
    const isOver = fate !== "open" && fate !== "landed";
    if (waits(word)) return isOver ? (fate === "failed" ? "error" : "canceled") : state;
    if (state === "canceled") return fate === "failed" && !isFirst ? "error" : state;
    // One that had ended by its transaction before stays ended by it.
    if (word === "error" && !isFirst) return fate === "expired" ? "canceled" : state;
    return state;
  }

  const check = async (at: (one: (typeof cases)[number], read: Awaited<ReturnType<typeof readAll>>) => string[]) => {
    const lies: string[] = [];
    for (const one of cases) {
      const read = await readAll(test, one.address, one.id);
      const name = `${one.word} ${one.isFirst ? "before" : "after"} ${one.wanted} (${one.fate})`;
      lies.push(...[...read.disagreements, ...truths(one, read), ...at(one, read)].map((lie) => `${name}: ${lie}`));
    }
    expect(lies).toEqual([]);
  };

  /** What holds at every moment. */
  function truths({ word, fate }: (typeof cases)[number], read: Awaited<ReturnType<typeof readAll>>): string[] {
    const { shown: view, row, submission, alarms } = read;
    const lies: string[] = [];
    const say = (isLie: boolean, lie: string) => isLie && lies.push(lie);
    const message = view.error?.message ?? "";
    const mayBeSent = submission === "landed" || submission === "sent" || submission === "signed";
    say(mayBeSent && /Nothing was paid|never landed|not submitted/.test(message), `says ${message}`);
    say(!mayBeSent && /were sent|may still land/.test(message), `says ${message}`);
    const isEnded = view.state === "canceled" || view.state === "error";
    say(isEnded !== (view.error !== undefined), `error ${JSON.stringify(view.error)} in ${view.state}`);
    const isAstray = broken.includes(word) && mayBeSent && isEnded;
    say(isAstray && row.astray_since === null, "its coins are nowhere, and nobody is to see to them");
    say(isAstray && !alarms.includes("rail_coins_astray"), "nobody is alarmed");
    say(row.astray_since !== null && /Nothing was paid/.test(message), `coins are there, and it says ${message}`);
    say(fate === "none" && alarms.includes("rail_coins_astray"), "alarmed for nothing");
    return lies;
  }

  it("say the truth when the partner has said it", async () => {
    await check(() => []);
  });

  it("stand where they belong once their transaction has run out", async () => {
    await pass(scripted(test, scripts), test, 2 * 60_000);
    await check((one, { shown: view, row, alarms }) => {
      const lies = view.state === expected(one) ? [] : [`is ${view.state}, and not ${expected(one)}`];
      // Where the partner had ended it before, its address is read once more, an hour later.
      if (one.fate === "elsewhere" && (waits(one.word) || (broken.includes(one.word) && !one.isFirst))) {
        if (row.astray_since === null || !alarms.includes("rail_coins_astray")) lies.push("coins are there, unseen");
        if (!/Coins are at/.test(view.error?.message ?? "")) lies.push(`says ${view.error?.message}`);
        if (waits(one.word) && scripts.get(one.id)?.word === "canceled") lies.push("cancelled over its coins");
      }
      return lies;
    });
  });

  it("that are confirmed and not seen are alarmed after an hour, and all is read again", async () => {
    await pass(scripted(test, scripts), test, 2 * hour);
    await check((one, { row, alarms, submission }) => {
      const lies: string[] = [];
      if (one.word === "awaiting_funds" && submission === "landed" && !alarms.includes("rail_coins_astray")) {
        lies.push("nobody is alarmed");
      }
      const isOpen =
        submission === "landed" || submission === "signed" || submission === "sent" || one.fate === "elsewhere";
      const isFollowed = isOpen && one.word !== "refunded";
      if (isFollowed && row.look_at === null) lies.push("is asked for no more");
      if (one.fate === "elsewhere" && broken.includes(one.word) && row.astray_since === null) {
        lies.push("coins are there, unseen");
      }
      return lies;
    });
    const counted = await test.needs.db
      .selectFrom("rail_transfer")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("astray_since", "is not", null)
      .executeTakeFirstOrThrow();
    expect(await astray(test)).toBe(Number(counted.count));
    expect(Number(counted.count)).toBeGreaterThan(0);
  });

  it("have their end, or are read as long as coins can be returned", async () => {
    const needs = scripted(test, scripts);
    await pass(needs, test, 8 * day);
    await pass(needs, test, 15 * day);
    await check((one, { row, submission }) => {
      const isHeld = submission === "landed" || submission === "signed" || one.fate === "elsewhere";
      const mayReturn = isHeld && (broken.includes(one.word) || waits(one.word) || backAndStuck.includes(one.word));
      return mayReturn && row.look_at === null ? ["is asked for no more"] : [];
    });
    for (const ms of [9 * day, 8 * day, day]) await pass(needs, test, ms);
    await check((one, { shown: view, row, submission, alarms }) => {
      const lies = view.state === expected(one) ? [] : [`is ${view.state}, and not ${expected(one)}`];
      if (stateOf(one.word) === "undeliverable" && submission === "landed" && !alarms.includes("rail_coins_astray")) {
        lies.push("was not taken, nor given back, and nobody is alarmed");
      }
      // Where the partner waits for coins that are on their way or at its address, or has the money, it keeps saying so.
      const goesOn =
        ["funds_received", "payment_submitted", "returned"].includes(stateOf(one.word)) ||
        (waits(one.word) && ["open", "landed", "elsewhere"].includes(one.fate));
      if (goesOn !== (row.look_at !== null)) lies.push(goesOn ? "is asked for no more" : "is asked for for ever");
      return lies;
    });
  });
});

describe("payments from a bank", () => {
  let test: TestNetwork;
  const scripts = new Map<string, Script>();
  const cases: { id: string; word: Word; isPaid: boolean }[] = [];
  let address: string;
  beforeAll(async () => {
    test = await openTestNetwork();
    const needs = scripted(test, scripts);
    address = (await openApproved(test, "words-in@example.org")).verified.address;
    const mint = test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint;
    for (const isPaid of [true, false]) {
      for (const word of words) {
        const { id } = await test.call<PaymentIntent>(preparePayment, {
          params: { address },
          body: {
            amount: "25.00",
            source: { payment_rail: "wire", currency: "usd" },
            destination: { currency: "usdc" },
          },
        });
        const script: Script = { word };
        if (isPaid) {
          const hash = await test.network.sandbox?.mintTo(address as never, mint as never, 25_000_000n, id);
          script.receipt = { destination_tx_hash: hash as string, final_amount: "25.00" };
        }
        scripts.set(id, script);
        await refresh(needs, test, id);
        cases.push({ id, word, isPaid });
      }
    }
  }, 120_000);
  afterAll(() => test?.close());

  const check = async (at: (one: (typeof cases)[number], read: Awaited<ReturnType<typeof readAll>>) => string[]) => {
    const lies: string[] = [];
    for (const one of cases) {
      const read = await readAll(test, address, one.id);
      const name = `${one.word} ${one.isPaid ? "and paid" : "and not paid"}`;
      if (one.isPaid !== (read.shown.transaction_signature !== undefined)) lies.push(`${name}: what the chain shows`);
      if (one.isPaid && /Nothing was paid/.test(read.shown.error?.message ?? "")) lies.push(`${name}: says nothing`);
      lies.push(...[...read.disagreements, ...at(one, read)].map((lie) => `${name}: ${lie}`));
    }
    expect(lies).toEqual([]);
  };

  it("are processed by the chain, and what is not seen there is alarmed", async () => {
    await check(({ word, isPaid }, { shown: view }) => {
      const hasCome = isPaid && ["awaiting_funds", "undeliverable"].includes(stateOf(word));
      const said = hasCome ? "payment_processed" : stateOf(word);
      const state = word === "payment_processed" && !isPaid ? "payment_submitted" : said;
      return view.state === state ? [] : [`is ${view.state}, and not ${state}`];
    });
    await pass(scripted(test, scripts), test, 2 * hour);
    await check(({ word, isPaid }, { alarms, row }) => {
      const isGivenBack = ["refunded", "returned"].includes(stateOf(word));
      const isAlarming = isPaid ? isGivenBack : word === "payment_processed";
      return isAlarming === alarms.includes("rail_coins_astray") && isAlarming === (row.astray_since !== null)
        ? []
        : [`alarms ${alarms.join()}`];
    });
  });

  it("have their end where no money arrives, and are read as long as it can be returned", async () => {
    const needs = scripted(test, scripts);
    await pass(needs, test, limits.payInOpenForMs);
    await check(({ word, isPaid }, { shown: view, row }) => {
      const lies: string[] = [];
      const end = isPaid ? "payment_processed" : "canceled";
      if (word === "awaiting_funds" && view.state !== end) lies.push(`is ${view.state}`);
      const isGivenBack = stateOf(word) === "refunded" && !isPaid;
      if ((broken.includes(word) || isGivenBack) && row.look_at === null) lies.push("is asked for no more");
      return lies;
    });
    for (const ms of [20 * day, 11 * day, day, day]) await pass(needs, test, ms);
    await check(({ word, isPaid }, { row, alarms }) => {
      if (stateOf(word) === "undeliverable" && !isPaid && !alarms.includes("rail_coins_astray")) return ["no alarm"];
      const goesOn =
        ["in_review", "funds_received", "payment_submitted", "returned"].includes(stateOf(word)) ||
        (word === "payment_processed" && !isPaid);
      return goesOn === (row.look_at !== null) ? [] : [goesOn ? "is asked for no more" : "is asked for for ever"];
    });
  });
});

const waits = (word: Word) => ["awaiting_funds", "in_review"].includes(stateOf(word));
