import { randomBytes } from "node:crypto";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { openSandboxNetwork } from "@trellis/sandbox/sandbox-network.js";
import { openDatabase } from "../src/adapters/db/open-database.js";
import { systemPause, systemRandom } from "../src/adapters/system.js";
import { payStandingOrders } from "../src/standing-orders/pay-orders.js";
import { advanceTime } from "../src/standing-orders/play-time.js";
import { createLookout } from "../src/submissions/lookout.js";
import { evenLimits } from "../test/support/sponsorship.js";
import { type ControlledAccount, openControlledAccount, openOrder } from "../test/support/standing-orders.js";
import { publicKeyOf } from "../test/support/test-network.js";
import { measureDues } from "./dues.js";
import { sized } from "./size.js";

const accounts = Number(process.env.BENCH_ORDER_ACCOUNTS ?? sized(1_000, 50));
const amount = 1_000_000n;
const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Where the measuring happens. */
export interface StandingOrdersBench {
  readonly place: { readonly directory: string } | { readonly databaseUrl: string };
  /** Submitted payments a second, in this run; undefined where they were not measured. */
  readonly submitted: number | undefined;
  readonly say: (line: string) => void;
  readonly row: (what: string, figure: string, ratio: number, floor: string) => void;
}

/**
 * Measures what standing orders cost, on a sandbox and a database of its own: a year of monthly orders of many accounts
 * while the clock is moved, payments a second when all are due at once, against payments that clients submit, and, on a
 * server, how fast due orders are claimed among a million.
 */
export async function measureStandingOrders({ place, submitted, say, row }: StandingOrdersBench): Promise<void> {
  const database = await openDatabase(
    "databaseUrl" in place
      ? { kind: "postgres", url: place.databaseUrl, poolSize: 10 }
      : { kind: "embedded", directory: place.directory },
  );
  const { db } = database;
  // The chain's time stands still between the moves.
  const realClock = { now: () => start };
  const sandbox = await openSandboxNetwork({
    database,
    keyring: createKeyring({ masterKeys: [{ id: "bench", key: randomBytes(32) }], activeId: "bench" }),
    realClock,
    random: systemRandom,
    pause: systemPause,
    log,
    sponsorship: evenLimits(1_000_000_000_000_000n),
    programPath: null,
  });
  const { network } = sandbox;
  const needs = { db, log, pause: systemPause, lookout: createLookout(systemPause), realClock, random: systemRandom };
  try {
    await db
      .insertInto("tenant")
      .values({ id: "tenant-1", name: "tenant-1", created_at: 0n })
      .onConflict((c) => c.doNothing())
      .execute();
    const opened = await openAccounts(network);
    // Due at midnight, on the days of a month in turn.
    await openOrders(db, network, opened, (i) => ({ id: `year-${i}`, startAt: start + (2 + (i % 28)) * dayMs }));
    let began = performance.now();
    const processor = process.cpuUsage();
    let paid = 0;
    for (let month = 0; month < 12; month += 1) {
      paid += (await advanceTime(needs, network, 30.5 * 86_400)).paid;
    }
    const year = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(processor);
    say(
      `standing orders, a year of ${accounts} accounts: ${paid} payments in ${year.toFixed(1)} s, ` +
        `${((user + system) / 1000 / paid).toFixed(2)} ms of processor time each`,
    );
    await db.updateTable("standing_order").set({ status: "cancelled", attempt_at: null }).execute();

    await openOrders(db, network, opened, (i) => ({ id: `now-${i}`, startAt: network.clock.now() }));
    began = performance.now();
    let landed = 0;
    for (;;) {
      const reported = await payStandingOrders(needs, network);
      landed += reported.paid;
      if (reported.paid === 0) break;
    }
    const rate = landed / ((performance.now() - began) / 1000);
    if (landed !== accounts) throw new Error(`only ${landed} of ${accounts} standing orders were paid`);
    if (submitted === undefined) say(`standing payments: ${rate.toFixed(0)} /s`);
    else
      row(
        "standing payments",
        `${rate.toFixed(0)} /s`,
        rate / submitted,
        `submitted payments (${submitted.toFixed(0)} /s)`,
      );

    if ("databaseUrl" in place) {
      say(`due orders claimed of a million: ${(await measureDues(db, place.databaseUrl)).toFixed(0)} /s`);
    }
  } finally {
    await sandbox.close();
    await database.close();
  }
}

async function openAccounts(network: Network): Promise<readonly ControlledAccount[]> {
  const opened: ControlledAccount[] = [];
  for (let i = 0; i < accounts; i += 1) opened.push(await openControlledAccount(network, `bench ${i}`));
  for (let at = 0; at < accounts; at += 100) {
    await Promise.all(
      opened.slice(at, at + 100).map(({ address }) => network.sandbox?.airdrop(address, 1_000_000_000n)),
    );
  }
  await Promise.all(
    opened.slice(0, payees).map((_, i) => network.sandbox?.airdrop(publicKeyOf(`bench payee ${i}`), 1_000_000n)),
  );
  return opened;
}

const payees = 50;

async function openOrders(
  db: Db,
  network: Network,
  opened: readonly ControlledAccount[],
  termsOf: (i: number) => { readonly id: string; readonly startAt: number },
): Promise<void> {
  for (let at = 0; at < opened.length; at += 100) {
    await Promise.all(
      opened.slice(at, at + 100).map((account, i) =>
        openOrder(db, network, account, {
          ...termsOf(at + i),
          amount,
          frequency: "monthly",
          payee: publicKeyOf(`bench payee ${(at + i) % payees}`),
        }),
      ),
    );
  }
}
