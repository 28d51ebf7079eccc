import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createCommandNeeds } from "../../src/cli/commands/needs.js";
import { runProgram } from "../../src/cli/commands/program.js";
import { type FakeBridge, fakeBridgeKey, startFakeBridge } from "../support/fake-bridge.js";

let bridge: FakeBridge;
let variables: Record<string, string>;

beforeAll(open);
afterAll(async () => {
  await bridge?.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("trellis rails bridge", () => {
  it("checks the key, and says in words what is wrong with it", async () => {
    const good = await run(["check"]);
    expect(good).toMatchObject({ code: 0, stderr: "" });
    expect(good.stdout).toContain("Bridge takes the API key");
    expect(good.stdout).toContain("no webhooks");
    const wrong = join(directory, "wrong");
    writeFileSync(wrong, "sk-test-somebody-else");
    const bad = await run(["check"], { TRELLIS_DEVNET_BRIDGE_API_KEY_FILE: wrong });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain("does not take the API key of devnet");
    expect(bad.stderr + bad.stdout).not.toContain("somebody-else");
    const away = await run(["check"], { TRELLIS_DEVNET_BRIDGE_URL: "http://127.0.0.1:1/v0" });
    expect(away.stderr).toContain("cannot be reached");
    expect((await run(["check"], { TRELLIS_DEVNET_RAILS: "off" })).stderr).toContain("No environment has Bridge");
  });

  it("makes the webhook once, keeps its key before it is switched on, and can be repeated", async () => {
    const url = "https://trellis.example";
    expect((await run(["webhook", "create"])).stderr).toContain("--url <url>");
    expect((await run(["webhook", "create", "--url", "http://trellis.example"])).stderr).toContain("--url must say");
    expect((await run(["webhook", "create", "--url", url])).stderr).toContain("WEBHOOK_KEY_FILE");
    expect([...bridge.webhooks.values()]).toMatchObject([{ status: "disabled", url: `${url}/hooks/bridge/devnet` }]);
    for (let time = 0; time < 2; time += 1) {
      const made = await run(["webhook", "create", "--url", url], {
        TRELLIS_DEVNET_BRIDGE_WEBHOOK_KEY_FILE: webhookKeyFile,
      });
      expect(made, made.stderr).toMatchObject({ code: 0 });
    }
    expect([...bridge.webhooks.values()]).toMatchObject([{ status: "active" }]);
    expect(readFileSync(webhookKeyFile, "utf8").trim()).toBe(bridge.publicKey.trim());
    const checked = await run(["check"], { TRELLIS_DEVNET_BRIDGE_WEBHOOK_KEY_FILE: webhookKeyFile });
    expect(checked.stdout).toContain("its key is configured");
  });
});

const directory = mkdtempSync(join(tmpdir(), "trellis-bridge-"));
const keyFile = join(directory, "api-key");
const webhookKeyFile = join(directory, "webhook-keys.pem");

/** The command as `trellis` runs it: what it writes, and what it ends with. */
async function run(args: readonly string[], change: Record<string, string> = {}) {
  const written = { stdout: "", stderr: "" };
  const streams = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    const code = await runProgram(createCommandNeeds({ ...variables, ...change }), ["rails", "bridge", ...args]);
    return { ...written, code: code ?? Number(process.exitCode ?? 0) };
  } catch (error) {
    return { ...written, stderr: String(error), code: 1 };
  } finally {
    process.exitCode = 0;
    for (const stream of streams) stream.mockRestore();
  }
}

async function open(): Promise<void> {
  bridge = await startFakeBridge();
  const { seed, publicKey } = generateEd25519KeyPair();
  writeFileSync(keyFile, `${fakeBridgeKey}\n`);
  variables = {
    TRELLIS_MASTER_KEY: randomBytes(32).toString("base64"),
    TRELLIS_DEVNET_RPC_URLS: "http://127.0.0.1:1/",
    TRELLIS_DEVNET_FEE_PAYER: `[${[...seed, ...publicKey].join(",")}]`,
    TRELLIS_DEVNET_RAILS: "bridge",
    TRELLIS_DEVNET_BRIDGE_URL: bridge.baseUrl,
    TRELLIS_DEVNET_BRIDGE_API_KEY_FILE: keyFile,
  };
}
