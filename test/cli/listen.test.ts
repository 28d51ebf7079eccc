import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TrellisEvent, verifyWebhook } from "@trellis/sdk";
import { expect, it, vi } from "vitest";
import { listen } from "../../src/cli/listen.js";
import { trigger } from "../../src/cli/trigger.js";
import { useTestService } from "../support/scene.js";

const trellis = useTestService();

it("prints and forwards what happens, signed, and what is made up, marked", { timeout: 240_000 }, async () => {
  const said: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
  const got: TrellisEvent[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const secret = /whsec_\S+/.exec(said.join(""))?.[0] ?? "";
      got.push(verifyWebhook({ body: Buffer.concat(chunks).toString("utf8"), headers: request.headers, secret }));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const forwardTo = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const stop = new AbortController();
  const variables = { TRELLIS_API_KEY: trellis.apiKey };
  const at = { url: trellis.url, environment: "sandbox" };
  const listening = listen(variables, { ...at, forwardTo, types: [] }, stop.signal);
  try {
    await expect.poll(() => said.join(""), { timeout: 30_000 }).toContain("Waiting");
    await trigger(variables, "transaction.confirmed", at);
    await trigger(variables, "standing_order_run.missed", at);
    const arrived = (wanted: string) => got.find(({ type }) => type === wanted);
    const typesOf = () =>
      got.map(({ type }) => type).filter((type) => /^(account|payment_intent|transaction)/.test(type));
    // What is made up may overtake the last of what happened.
    await expect
      .poll(() => [arrived("standing_order_run.missed") !== undefined, typesOf().length], { timeout: 180_000 })
      .toEqual([true, 5]);
    expect(arrived("transaction.confirmed")?.example).toBeUndefined();
    expect(arrived("standing_order_run.missed")?.example).toBe(true);
    expect(typesOf()).toEqual([
      "account.created",
      "payment_intent.created",
      "payment_intent.updated",
      "transaction.confirmed",
      "payment_intent.updated",
    ]);
    const states = got.flatMap(({ type, data }) => (type.startsWith("payment_intent") ? [data.object.state] : []));
    expect(states).toEqual(["awaiting_funds", "payment_submitted", "payment_processed"]);
    expect(said.join("")).toContain("-> 204");
  } finally {
    stop.abort();
    await listening;
    write.mockRestore();
    receiver.closeAllConnections();
    receiver.close();
  }
});
