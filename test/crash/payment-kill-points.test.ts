import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CrashSite, openCrashSite, type ServiceProcess } from "./crashing-service.js";
import {
  answerOf,
  callAndDie,
  comeBack,
  type Holder,
  lamportsOf,
  openAccount,
  preparePayment,
  signTransfer,
  transferRequest,
} from "./honest-client.js";
import { expectSoundAfterRecovery } from "./invariants.js";
import { killEverywhere, killEverywhereMs } from "./kill-everywhere.js";

let site: CrashSite;
let service: ServiceProcess;
let payer: Holder;
let payee: Holder;
let nextAmount = 1_000_000n;

beforeAll(async () => {
  site = await openCrashSite();
  service = await site.start();
  payer = await openAccount(service.client, "payer@example.org", 1_000_000_000n);
  payee = await openAccount(service.client, "payee@example.org", 1_000_000_000n);
});

afterAll(() => site?.close());

describe.each(["before", "after"] as const)("a process killed %s any statement of a request", (side) => {
  // Both ways to retry are tried at every state, as the state before a statement is the state after the former one.
  const keyOf = (key: string) => (side === "before" ? key : undefined);

  it(
    "prepares again, and moves nothing, when it was preparing a payment",
    async () => {
      const points = await killEverywhere(side, async (at, key) => {
        const before = await balances();
        const amount = newAmount();
        const request = transferRequest(payer, payee.address, amount);
        const { died, outcome, process } = await callAndDie(service, site.start, at, (client) =>
          client.transfers.prepare(payer.address, request, { idempotencyKey: key }),
        );
        service = process;
        const prepared = answerOf(
          died === undefined
            ? outcome
            : await comeBack(keyOf(key), (options) =>
                service.client.transfers.prepare(payer.address, request, options),
              ),
        );
        expect(await balances()).toEqual(before);
        const payment = signTransfer(payer, payee.address, amount, prepared);
        await service.client.transactions.submit(payer.address, payment.submit);
        expect(await balances()).toEqual(moved(before, amount));
        return died;
      });
      expect(points.length).toBeGreaterThanOrEqual(3);
    },
    killEverywhereMs,
  );

  it(
    "has the payment confirmed exactly once and says so, when it was submitting it",
    async () => {
      let landedByItself = 0;
      const points = await killEverywhere(side, async (at, key) => {
        const before = await balances();
        const amount = newAmount();
        const payment = await preparePayment(service.client, payer, payee.address, amount);
        const submit = (options: { idempotencyKey?: string }) =>
          service.client.transactions.submit(payer.address, payment.submit, options);
        const { died, outcome, process } = await callAndDie(service, site.start, at, (client) =>
          client.transactions.submit(payer.address, payment.submit, { idempotencyKey: key }),
        );
        service = process;

        // Once the signed bytes were stored, the recovery pass of the start has confirmed them; before that, nothing did.
        const meanwhile = await balances();
        const landed = meanwhile.payee !== before.payee;
        expect(meanwhile).toEqual(landed ? moved(before, amount) : before);
        if (landed && died !== undefined) landedByItself += 1;

        const first = answerOf(died === undefined ? outcome : await comeBack(keyOf(key), submit));
        expect(await balances()).toEqual(moved(before, amount));
        const repeated = await submit({});
        expect(repeated).toEqual(first);
        expect(await balances()).toEqual(moved(before, amount));
        return died;
      });
      expect(points.length, points.join("\n")).toBeGreaterThanOrEqual(7);
      expect(points.some((point) => point.includes("with writer as"))).toBe(true);
      expect(landedByItself).toBeGreaterThanOrEqual(2);
      expect(landedByItself).toBeLessThan(points.length);
    },
    killEverywhereMs,
  );

  it(
    "pays each of a burst exactly once, when it was submitting all of them together",
    async () => {
      const points = await killEverywhere(side, async (at) => {
        const before = await balances();
        const payments: Awaited<ReturnType<typeof preparePayment>>[] = [];
        let sum = 0n;
        for (let n = 0; n < 8; n += 1) {
          const amount = newAmount();
          sum += amount;
          payments.push(await preparePayment(service.client, payer, payee.address, amount));
        }
        const { died, process } = await callAndDie(service, site.start, at, async (client) => {
          const answers = await Promise.allSettled(
            payments.map(({ submit }) => client.transactions.submit(payer.address, submit)),
          );
          for (const each of answers) if (each.status === "rejected") throw each.reason;
        });
        service = process;
        await Promise.all(payments.map(({ submit }) => service.client.transactions.submit(payer.address, submit)));
        expect(await balances()).toEqual(moved(before, sum));
        return died;
      });
      expect(points.length, points.join("\n")).toBeGreaterThanOrEqual(5);
    },
    killEverywhereMs,
  );
});

it(
  "leaves a store and a chain that agree",
  async () => {
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await expectSoundAfterRecovery(site);
  },
  killEverywhereMs,
);

/** No two payments move the same amount, so that one cannot pass for another. */
const newAmount = () => {
  nextAmount += 1n;
  return nextAmount;
};

const balances = async () => ({
  payer: await lamportsOf(service.client, payer.address),
  payee: await lamportsOf(service.client, payee.address),
});

const moved = (before: Awaited<ReturnType<typeof balances>>, amount: bigint) => ({
  payer: before.payer - amount,
  payee: before.payee + amount,
});
