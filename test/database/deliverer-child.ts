import { openDatabase } from "../../src/adapters/db/open-database.js";
import { createHttpDelivery } from "../../src/adapters/http-delivery/http-delivery.js";
import { systemRandom } from "../../src/adapters/system.js";
import { createDeliverer, type DeliveryNeeds } from "../../src/events/deliver-events.js";
import { createTestKeyring } from "./test-keyring.js";

/**
 * Delivers the sandbox's events of the database in the first argument until it is killed, by this machine's clock and as many
 * milliseconds more as its parent last said: first in the second argument, then by messages. Says `ready` once it listens.
 */
const [url = "", first = "0"] = process.argv.slice(2);
let aheadMs = Number(first);
process.on("message", (message) => {
  aheadMs = Number(message);
});
// No parent is left to report to: the test has ended.
process.on("disconnect", () => process.exit());

const clock = { now: () => Date.now() + aheadMs };
const quiet = () => undefined;
const needs: DeliveryNeeds = {
  db: (await openDatabase({ kind: "postgres", url, poolSize: 6 })).db,
  keyring: createTestKeyring(),
  random: systemRandom,
  realClock: clock,
  log: {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (fields, message) => process.stderr.write(`${message} ${String(fields.err)}\n`),
  },
  webhookSender: createHttpDelivery({ allowed: { networks: [], ports: [443], loopback: true } }),
};
const deliverer = createDeliverer(needs, { name: "sandbox", clock });
process.send?.("ready");
for (;;) {
  // A pass that fails is repeated, as in the service.
  await deliverer.tick().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  await new Promise((resolve) => setTimeout(resolve, 50));
}
