// What events cost: how many are recorded and get their place, how many are delivered, and what one receiver that hangs
// does to the others. In memory, with a receiver in this process: npm run bench:events
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhookEndpoint } from "../src/events/create-webhook-endpoint.js";
import { createDeliverer } from "../src/events/deliver-events.js";
import { publishEvents } from "../src/events/publish-events.js";
import { recordEvent } from "../src/events/record-event.js";
import { openTestNetwork } from "../test/support/test-network.js";

const events = Number(process.argv[2] ?? 2_000);

const arrivals: number[] = [];
const receiver = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    if (request.url === "/hangs") return;
    arrivals.push(performance.now());
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const test = await openTestNetwork();
const { db } = test.needs;
const record = (n: number) =>
  recordEvent(db, {
    tenantId: test.caller.tenantId,
    environment: "sandbox",
    type: "webhook.test",
    objectId: `thing-${n}`,
    data: { n, text: "x".repeat(500) },
    now: test.network.clock.now(),
  });

const rate = (count: number, since: number) => Math.round((count * 1000) / (performance.now() - since));
const say = (what: string, value: number | string) => process.stdout.write(`${what.padEnd(44)} ${value}\n`);

let began = performance.now();
for (let n = 0; n < events; n += 1) await record(n);
say("events recorded a second", rate(events, began));
began = performance.now();
while ((await publishEvents(db, test.network)) > 0);
say("events given a place a second", rate(events, began));

/** Deliveries a second, and the 99th percentile of the time from the first tick to an arrival, in milliseconds. */
async function deliver(paths: readonly string[]): Promise<{ readonly perSecond: number; readonly p99: number }> {
  await db.deleteFrom("webhook_endpoint").execute();
  await db.deleteFrom("event").execute();
  for (const path of paths) {
    await test.call(createWebhookEndpoint, { body: { url: base + path, types: ["*"] } });
  }
  const working = paths.filter((path) => path !== "/hangs").length;
  const each = Math.max(50, Math.floor(events / 8));
  for (let n = 0; n < each; n += 1) await record(n);
  arrivals.length = 0;
  const deliverer = createDeliverer(test.needs, test.network);
  const start = performance.now();
  while (arrivals.length < each * working) {
    await deliverer.tick();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const perSecond = rate(each * working, start);
  const times = arrivals.map((at) => at - start).sort((a, b) => a - b);
  await deliverer.stop();
  return { perSecond, p99: Math.round(times[Math.floor(times.length * 0.99)] ?? 0) };
}

await deliver(["/a", "/b", "/c", "/d"]);
const alone = await deliver(["/a", "/b", "/c", "/d"]);
const beside = await deliver(["/a", "/b", "/c", "/d", "/hangs"]);
say("deliveries a second", alone.perSecond);
say("p99 of arrival, in ms", alone.p99);
say("the same beside one that hangs, in ms", beside.p99);
say("isolation ratio", (beside.p99 / alone.p99).toFixed(2));
await test.close();
receiver.closeAllConnections();
receiver.close();
