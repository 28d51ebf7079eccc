import { existsSync, readFileSync } from "node:fs";
import { createTrellisClient } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { playDemo } from "../../src/cli/demo.js";
import { use } from "../support/scene.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { runTrellis, startSandboxProcess, startServiceProcess } from "./sandbox-process.js";

/** Each test starts processes or services, and the machine may be busy with other things. */
const timeoutMs = 240_000;

const chain = use(startSandboxProcess);
const trellis = use(() => startTestService({ TRELLIS_SANDBOX_RPC_URL: chain.url }));
const other = use(() => startTestService({ TRELLIS_SANDBOX_RPC_URL: chain.url }));

describe("a sandbox in a process of its own", { timeout: timeoutMs }, () => {
  it("plays the same story as one inside the service", async () => {
    const reported: string[] = [];
    await playDemo({ baseUrl: trellis.url, apiKey: trellis.apiKey, say: (line) => reported.push(line) });
    expect(reported.join("\n")).toContain("Grace: 0.1 SOL, 12.5 USDC");
  });

  it("has one clock, which every service follows, whichever of them moved it", async () => {
    const clockOf = ({ service }: TestService) => service.networks.get("sandbox")?.clock.now() ?? 0;
    const before = clockOf(other);
    const moved = await trellis.request("POST", "/api/service/v1/sandbox/clock/advance", { seconds: 86_400 });
    expect(moved.status).toBe(200);
    expect(clockOf(trellis)).toBeGreaterThanOrEqual(before + 86_400_000);
    await other.client.accounts.balances((await openKeyAccount(other)).address);
    expect(clockOf(other)).toBeGreaterThanOrEqual(before + 86_400_000);
    const { value } = await chain.rpc.getLatestBlockhash().send();
    expect(value.lastValidBlockHeight).toBeGreaterThan(0n);
  });

  it("has faults for every service, whichever of them asked for them", async () => {
    const set = { drop: 1, blockhash_not_found: 2, full_blocks: 3, price: 4, fork: 5, lag: 6 };
    expect(await trellis.client.sandbox.setFaults(set)).toEqual(set);
    expect(await other.client.sandbox.faults()).toEqual(set);
    const fees = await chain.rpc.getRecentPrioritizationFees().send();
    expect(fees.at(-1)?.prioritizationFee).toBe(4n);
    const none = { drop: 0, blockhash_not_found: 0, full_blocks: 0, price: 0, fork: 0, lag: 0 };
    expect(await other.client.sandbox.setFaults({})).toEqual(none);
    expect(await trellis.client.sandbox.faults()).toEqual(none);
  });

  it("shows the accounts of one service to the JSON-RPC of another", async () => {
    const { address } = await openKeyAccount(trellis);
    await trellis.client.sandbox.airdrop({ address, currency: "sol", amount: "1000000" });
    const asked = { jsonrpc: "2.0", id: 1, method: "getBalance", params: [address] };
    const answer = await other.request("POST", "/api/service/v1/sandbox/rpc", asked);
    expect(answer.body).toMatchObject({ id: 1, result: { value: 1_000_000 } });
  });

  it("opens to its key only, and its controls are no JSON-RPC methods", async () => {
    const { origin, searchParams } = new URL(chain.url);
    const ask = (path: string, headers: Record<string, string> = {}, body: object = { seconds: 1 }) =>
      fetch(`${origin}${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      });
    for (const path of ["/", "/?api-key=wrong", "/controls/clock", "/controls/mint", "/nowhere"]) {
      expect((await ask(path)).status, path).toBe(401);
    }
    const key = { authorization: `Bearer ${searchParams.get("api-key")}` };
    expect((await ask("/controls/clock", key, { seconds: -1 })).status).toBe(400);
    expect((await ask("/controls/airdrop", key, { to: "nobody", lamports: "1" })).status).toBe(400);
    expect((await ask("/controls/faults", key, { faults: { drop: 1 } })).status).toBe(400);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const method = { jsonrpc: "2.0", id: 1, method: "advanceClock", params: [1] };
    expect(await (await ask("/", key, method)).json()).toMatchObject({ error: { code: -32601 } });
  });

  it("is named in the readiness of a service, and reported missing when it has stopped", async () => {
    const removed = await startSandboxProcess();
    const service = await startTestService({ TRELLIS_SANDBOX_RPC_URL: removed.url });
    try {
      const ready = await fetch(`${service.url}/readyz`);
      expect(await ready.json()).toMatchObject({ checks: { sandbox: { ok: true } } });
      await removed.stop();
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
      await expect(openKeyAccount(service)).rejects.toMatchObject({ code: "chain_unavailable" });
    } finally {
      await service.close();
    }
  });

  it("is not started beside keys of another environment", async () => {
    const { code, stderr } = await runTrellis(["sandbox"], {
      TRELLIS_DEVNET_RPC_URLS: "http://127.0.0.1:1/",
      TRELLIS_DEVNET_FEE_PAYER: JSON.stringify([...new Uint8Array(64)]),
    });
    expect(code).toBe(1);
    expect(stderr).toContain("TRELLIS_DEVNET_FEE_PAYER");
  });
});

describe("the virtual machine's native code", { timeout: timeoutMs }, () => {
  it.runIf(existsSync("/proc/self/maps"))("is not in a service whose sandbox is another process", async () => {
    const isLoaded = (pid: number) => readFileSync(`/proc/${pid}/maps`, "utf8").includes("litesvm");
    const service = await startServiceProcess({ TRELLIS_SANDBOX_RPC_URL: chain.url });
    try {
      expect(isLoaded(service.pid)).toBe(false);
      // What it searches exists where a process runs the chain.
      expect(isLoaded(chain.pid)).toBe(true);
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });

  it.each([[["sandbox"]], [[]]])("is missed in words that help: trellis %s", async (args) => {
    const { code, stderr } = await runTrellis(args, { NAPI_RS_NATIVE_LIBRARY_PATH: "/nowhere/litesvm.node" });
    expect(code).toBe(1);
    expect(stderr).toContain("WSL 2");
    expect(stderr).not.toContain("package-lock.json");
  });
});

describe("the command line", { timeout: timeoutMs }, () => {
  it("explains itself, and refuses what it does not know", async () => {
    const help = await runTrellis(["start", "--help"]);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("TRELLIS_SANDBOX_RPC_URL") });
    expect(await runTrellis(["dance"])).toMatchObject({ code: 2, stderr: expect.stringContaining("'dance'") });
    expect(await runTrellis(["--loud"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--loud") });
  });

  it("starts the service by default, and lists what is wrong with its configuration", async () => {
    const { code, stderr } = await runTrellis([], { PORT: "x", TRELLIS_MAINNET_RPC_URLS: "nowhere" });
    expect(code).toBe(1);
    for (const variable of ["PORT", "TRELLIS_MAINNET_RPC_URLS", "TRELLIS_MAINNET_FEE_PAYER", "TRELLIS_MASTER_KEY"]) {
      expect(stderr).toContain(variable);
    }
  });
});

function openKeyAccount({ url, apiKey }: TestService) {
  const client = createTrellisClient({ baseUrl: url, apiKey, environment: "sandbox", maxRetries: 0 });
  const signers = ["7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"];
  return client.accounts.create({ type: "signers", signers, threshold: 1 });
}
