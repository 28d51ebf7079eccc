import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { payStandingOrders } from "../../src/standing-orders/pay-orders.js";
import { recoverSubmissions } from "../../src/submissions/recover-submissions.js";
import { createDraw } from "../histories/draw.js";
import { type FaultyChain, honestNode, noFaults } from "../histories/faulty-nodes.js";
import { openWorld, type ServiceProcess, type World } from "../histories/world.js";
import {
  type ControlledAccount,
  openControlledAccount,
  openOrder,
  orderOf,
  runsOf,
} from "../support/standing-orders.js";
import { publicKeyOf } from "../support/test-network.js";

let world: World;
let account: ControlledAccount;
beforeAll(async () => {
  world = await openWorld();
  account = await openControlledAccount(world.chain, "the holder");
  await world.chain.sandbox?.airdrop(account.address, 100_000_000_000n);
});
afterAll(() => world?.close());

/** Whatever statement or call was a process's last, the next process pays each due date that is left, and no other. */
it("pays a due date once, at whatever point its first payer dies", async () => {
  const { timeline } = world;
  let points = 0;
  const left = new Set<string>();
  for (let dieAt = 1; ; dieAt += 1) {
    const id = `killed-${dieAt}`;
    const payee = publicKeyOf(id);
    timeline.skip(1_000);
    await world.chain.sandbox?.airdrop(payee, 1_000_000n);
    await openOrder(world.db, world.chain, account, {
      id,
      amount: 1_000_000n,
      frequency: "daily",
      startAt: world.chain.clock.now(),
      endAt: world.chain.clock.now(),
      payee,
    });
    const first = await start(`first ${dieAt}`, dieAt);
    let isThrough = false;
    if (first) {
      const paying = payStandingOrders(first.needs, first.network).then(() => {
        isThrough = true;
      });
      await timeline.run(Promise.race([paying, first.life.ended]));
      first.life.end();
    }
    for (const run of await runsOf(world.db, id)) left.add(run.slice(17));
    const second = await start(`second ${dieAt}`, undefined);
    if (!second) throw new Error("nothing kills the second process");
    for (let round = 0; round < 10 && (await orderOf(world.db, id)).status !== "completed"; round += 1) {
      await timeline.run(
        (async () => {
          await wait(20_000);
          await recoverSubmissions(second.needs, second.network, 0);
          await payStandingOrders(second.needs, second.network);
        })(),
      );
    }
    second.life.end();
    expect(
      (await runsOf(world.db, id)).map((run) => run.slice(17)),
      `died at ${dieAt}`,
    ).toEqual(["paid"]);
    expect((await world.chain.rpc.getBalance(payee).send()).value, `died at ${dieAt}`).toBe(2_000_000n);
    points += 1;
    if (isThrough) break;
  }
  // The claim, the readings, the trial, the bytes, the sending, the check and the outcome, each before and after.
  expect(points).toBeGreaterThan(14);
  // It died in every state that the page lists, and in no other.
  expect(left).toEqual(statesOnPage());
});

const wait = (ms: number) => new Promise<void>((resolve) => world.timeline.at(world.timeline.now() + ms, resolve));

async function start(name: string, dieAt: number | undefined): Promise<ServiceProcess | undefined> {
  const chain: FaultyChain = {
    handle: world.handle,
    faults: () => noFaults,
    onSend: async () => undefined,
    blockhashes: [],
  };
  return world.timeline.run(
    world.start({
      name,
      environment: "sandbox",
      draw: createDraw(1),
      chain,
      nodes: () => [honestNode],
      dieAt,
      slowness: 1,
      note: () => undefined,
      onError: (message) => {
        throw new Error(message);
      },
    }),
  );
}

/** What the page says a run is in after its payer has died. */
function statesOnPage(): ReadonlySet<string> {
  const lines = readFileSync(new URL("../../src/standing-orders/README.md", import.meta.url), "utf8").split("\n");
  const rows = lines.slice(lines.findIndex((line) => line.includes("| Its run is ")) + 2);
  return new Set(rows.slice(0, rows.indexOf("")).map((row) => row.split("|")[2]?.replaceAll("`", "").trim() ?? ""));
}
