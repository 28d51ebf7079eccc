import { once } from "node:events";
import { Agent, get, request } from "node:http";
import type { AddressInfo } from "node:net";
import { endpoint } from "@trellis/kernel/endpoint.js";
import Type from "typebox";
import { expect, it } from "vitest";
import { type FloorNeeds, openFloor } from "./http-fixture.js";

it("close refuses new connections, and awaits running requests", { timeout: 240_000 }, async () => {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let started: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const slow = endpoint(
    {
      operation: "slow",
      summary: "Take a while",
      tag: "Test",
      method: "POST",
      path: "/slow",
      scope: "accounts:write",
      environment: "optional",
      response: { status: 200, envelope: true, schema: Type.Object({ ok: Type.Boolean() }) },
      errors: [],
    },
    async (_needs: FloorNeeds) => {
      started();
      await finished;
      return { data: { ok: true } };
    },
  );
  const floor = await openFloor({ endpoints: [slow] });
  await floor.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = floor.app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const target = { port, host: "127.0.0.1" };

  const call = request({
    ...target,
    agent,
    method: "POST",
    path: "/slow",
    headers: { authorization: `Bearer ${floor.key}` },
  });
  const answered = once(call, "response");
  call.end();
  await running;

  let closed = false;
  const closing = floor.app.close().then(() => {
    closed = true;
  });
  while (floor.app.server.listening) await new Promise((resolve) => setImmediate(resolve));
  const late = get({ ...target, path: "/healthz" });
  const [refusal] = (await once(late, "error")) as [NodeJS.ErrnoException];
  expect(refusal.code).toBe("ECONNREFUSED");
  expect(closed).toBe(false);

  finish();
  const [response] = await answered;
  expect(response.statusCode).toBe(200);
  expect(response.headers.connection).toBe("close");
  let body = "";
  for await (const chunk of response) body += chunk;
  expect(JSON.parse(body).data).toEqual({ ok: true });
  await closing;
  expect(closed).toBe(true);
  agent.destroy();
  await floor.close();
});
