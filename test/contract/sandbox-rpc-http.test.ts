import type { AddressInfo } from "node:net";
import { createSolanaRpc, isSolanaError, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { sandboxRpcPlugin } from "@trellis/sandbox/node/rpc-route.js";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildTransaction, freshAddress, fundedSigner, useTestNode } from "./sandbox-rpc-fixture.js";

const node = useTestNode();
let server: FastifyInstance;
let url: `http://${string}`;

describe("the sandbox node over HTTP", () => {
  beforeAll(listen);
  afterAll(() => server.close());

  it("serves an unmodified kit client: send, confirm, read back, errors", async () => {
    const rpc = createSolanaRpc(url);
    const payer = await fundedSigner(node, 10_000_000_000n);
    const to = await freshAddress();
    const transfer = (amount: bigint) => getTransferSolInstruction({ source: payer, destination: to, amount });
    const { wire, signature } = await buildTransaction(rpc, payer, [transfer(1_000_000_000n)]);
    expect(await rpc.sendTransaction(wire, { encoding: "base64" }).send()).toBe(signature);
    expect((await rpc.getSignatureStatuses([signature]).send()).value[0]).toMatchObject({ err: null });
    expect((await rpc.getBalance(to).send()).value).toBe(1_000_000_000n);
    const found = await rpc.getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 }).send();
    expect(found).toMatchObject({ version: 0, meta: { err: null, fee: 5_000n } });
    expect((await rpc.getAccountInfo(to, { encoding: "base64" }).send()).value).toMatchObject({
      rentEpoch: 2n ** 64n - 1n,
    });
    expect(await rpc.getBlockTime(found?.slot ?? 0n).send()).toBe(found?.blockTime);

    const failing = await buildTransaction(rpc, payer, [transfer(1_000_000_000_000n)]);
    const error: unknown = await rpc
      .sendTransaction(failing.wire, { encoding: "base64" })
      .send()
      .catch((reason: unknown) => reason);
    expect(isSolanaError((error as Error).cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true);
  });

  it("answers any origin", async () => {
    const answer = await post('{"jsonrpc":"2.0","id":1,"method":"getHealth"}');
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.json()).toEqual({ id: 1, jsonrpc: "2.0", result: "ok" });
    const preflight = await fetch(url, {
      method: "OPTIONS",
      headers: {
        origin: "https://explorer.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, solana-client",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("*");
  });

  it("answers batches, keeps ids beyond 2^53, and says nothing to notifications", async () => {
    const batch = await post(
      '[{"jsonrpc":"2.0","id":9007199254740993,"method":"getHealth"},{"jsonrpc":"2.0","id":2,"method":"no"}]',
    );
    expect(await batch.text()).toContain('"id":9007199254740993');
    const notification = await post('{"jsonrpc":"2.0","method":"getHealth"}');
    expect(notification.status).toBe(204);
  });

  it("calls what is not JSON a parse error, whatever its content type", async () => {
    for (const [body, type] of [
      ["{", "application/json"],
      ["", "text/plain"],
      ["{1}", "application/octet-stream"],
    ] as const) {
      const answer = await post(body, type);
      expect(await answer.json()).toMatchObject({ error: { code: -32700 }, id: null });
    }
  });

  it("leaves the JSON of the rest of the server alone", async () => {
    const answer = await server.inject({ method: "POST", url: "/plain", payload: { amount: 5 } });
    expect(answer.json()).toEqual({ got: { amount: 5 } });
  });
});

const post = (body: string, contentType = "application/json") =>
  fetch(url, { method: "POST", body, headers: { "content-type": contentType, origin: "https://explorer.example" } });

async function listen(): Promise<void> {
  server = Fastify();
  server.post("/plain", async (request) => ({ got: request.body }));
  await server.register(sandboxRpcPlugin(node), { prefix: "/sandbox/rpc" });
  await server.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/sandbox/rpc`;
}
