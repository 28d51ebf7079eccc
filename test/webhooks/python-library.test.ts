import { spawnSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWebhookEndpoint } from "../../src/events/create-webhook-endpoint.js";
import { createDeliverer } from "../../src/events/deliver-events.js";
import { recordEvent } from "../../src/events/record-event.js";
import { rotateWebhookSecret } from "../../src/events/rotate-webhook-secret.js";
import { useTestNetwork } from "../support/scene.js";

/** A Python that has the library standardwebhooks; `.ci/run` installs it. */
const python = process.env.TRELLIS_TEST_PYTHON;
if (python === undefined) {
  process.stderr.write("NOT TESTED: webhooks by a Python library. TRELLIS_TEST_PYTHON names no Python that has it.\n");
}
const verifier = fileURLToPath(new URL("./verify.py", import.meta.url));

describe.skipIf(python === undefined)("the Python library standardwebhooks", () => {
  let receiver: Server;
  let url: string;
  let received: Delivery[] = [];
  const test = useTestNetwork();
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks) });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://localhost:${(receiver.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    receiver?.closeAllConnections();
    receiver?.close();
  });
  beforeEach(async () => {
    received = [];
    await test.needs.db.deleteFrom("webhook_endpoint").execute();
  });

  const open = () => test.call<{ id: string; secret: string }>(createWebhookEndpoint, { body: { url, types: ["*"] } });
  const rotate = (id: string, overlap_seconds: number) =>
    test.call<{ secret: string }>(rotateWebhookSecret, {
      params: { endpoint_id: id },
      body: { overlap_seconds },
      // The library compares with this machine's time, and so do overlaps with the deliverer's.
      needs: { realClock: { ...test.needs.realClock, now: Date.now } },
    });

  /** Has an event delivered by a service whose clock goes wrong by `aheadMs`. */
  async function deliver(aheadMs = 0): Promise<Delivery> {
    const id = await recordEvent(test.needs.db, {
      tenantId: test.caller.tenantId,
      environment: "sandbox",
      type: "webhook.test",
      objectId: "thing",
      data: { text: "é 🚀 </script> \u2028 100 %", amount: "18446744073709551615" },
      now: test.network.clock.now(),
    });
    const realClock = { now: () => Date.now() + aheadMs };
    const deliverer = createDeliverer({ ...test.needs, realClock }, test.network);
    await deliverer.tick();
    await deliverer.settled();
    await deliverer.stop();
    const found = received.find(({ headers }) => headers["webhook-id"] === id);
    if (found === undefined) throw new Error("The event did not arrive.");
    return found;
  }

  /** What the library says of deliveries, each with the secret it is verified with. */
  function verify(...deliveries: readonly (readonly [secret: string, delivery: Delivery])[]) {
    const input = deliveries.map(([secret, { headers, body }]) =>
      JSON.stringify({ secret, headers, body: body.toString("base64") }),
    );
    const options = { input: `${input.join("\n")}\n`, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(python ?? "", [verifier], options);
    expect([status, stderr]).toEqual([0, ""]);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { event?: unknown; refused?: string });
  }

  it("takes what is delivered, and reads what was sent", async () => {
    const { secret } = await open();
    const delivery = await deliver();
    expect(verify([secret, delivery])).toEqual([{ event: JSON.parse(delivery.body.toString("utf8")) }]);
  });

  it("refuses another secret, another body, another id and no signature", async () => {
    const { secret } = await open();
    const { headers, body } = await deliver();
    const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const altered = Buffer.from(body.toString("utf8").replace("18446744073709551615", "18446744073709551616"));
    const { "webhook-signature": _, ...unsigned } = headers;
    expect(altered.equals(body)).toBe(false);
    expect(
      verify(
        [other, { headers, body }],
        [secret, { headers, body: altered }],
        [secret, { headers: { ...headers, "webhook-id": "evt_another" }, body }],
        [secret, { headers: unsigned, body }],
      ).map(({ refused }) => refused),
    ).toEqual([
      "No matching signature found",
      "No matching signature found",
      "No matching signature found",
      "Missing required headers",
    ]);
  });

  it("refuses what was signed long ago or long ahead, and the same with a new time under the old signature", async () => {
    const { secret } = await open();
    const [old, early] = [await deliver(-400_000), await deliver(400_000)];
    const renewed = { ...old.headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000)) };
    expect(
      verify([secret, old], [secret, early], [secret, { ...old, headers: renewed }]).map(({ refused }) => refused),
    ).toEqual(["Message timestamp too old", "Message timestamp too new", "No matching signature found"]);
  });

  it("takes both secrets while one replaces the other, and the new one alone when that is over", async () => {
    const { id, secret: former } = await open();
    const { secret: next } = await rotate(id, 3_600);
    const during = await deliver();
    expect(during.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    const { secret: last } = await rotate(id, 0);
    const after = await deliver();
    const answers = verify([former, during], [next, during], [former, after], [next, after], [last, after]);
    expect(answers.map(({ refused }) => refused ?? "taken")).toEqual([
      "taken",
      "taken",
      "No matching signature found",
      "No matching signature found",
      "taken",
    ]);
  });
});

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
