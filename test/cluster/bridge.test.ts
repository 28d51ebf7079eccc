import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { base58 } from "@scure/base";
import { address } from "@solana/kit";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usdcMint } from "../adversarial/support.js";
import { type FakeBridge, fakeBridgeKey, startFakeBridge } from "../support/fake-bridge.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.js";

/** A devnet of one sandbox process, with the partner Bridge on a socket of this machine. */
const timeoutMs = 240_000;
const directory = mkdtempSync(join(tmpdir(), "trellis-bridge-"));
const keyFile = join(directory, "api-key");
const webhookKeyFile = join(directory, "webhook-keys.pem");
let chain: SandboxProcess;
let bridge: FakeBridge;
let variables: Record<string, string>;

beforeAll(async () => {
  [chain, bridge] = await Promise.all([startSandboxProcess(), startFakeBridge()]);
  const { seed, publicKey } = generateEd25519KeyPair();
  await chain.airdrop(address(base58.encode(publicKey)), 10_000_000_000n);
  writeFileSync(keyFile, `${fakeBridgeKey}\n`);
  variables = {
    TRELLIS_DEVNET_RPC_URLS: chain.url,
    TRELLIS_DEVNET_WS_URL: "off",
    TRELLIS_DEVNET_FEE_PAYER: base58.encode(Buffer.concat([seed, publicKey])),
    TRELLIS_DEVNET_MINTS: `usdc=${usdcMint}`,
    TRELLIS_DEVNET_GENESIS_HASH: await chain.rpc.getGenesisHash().send(),
    TRELLIS_API_KEY_ENVIRONMENTS: "devnet",
    TRELLIS_DEVNET_RAILS: "bridge",
    TRELLIS_DEVNET_BRIDGE_URL: bridge.baseUrl,
    TRELLIS_DEVNET_BRIDGE_API_KEY_FILE: keyFile,
  };
}, timeoutMs);
afterAll(async () => {
  await chain?.stop();
  await bridge?.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("a service with Bridge", { timeout: timeoutMs }, () => {
  const start = (change: Record<string, string> = {}) => startTestService({ ...variables, ...change });

  it("does not start with a key that is refused, with a coin the environment lacks, or with two tenants", async () => {
    const wrong = join(directory, "wrong");
    writeFileSync(wrong, "sk-test-somebody-else");
    await expect(start({ TRELLIS_DEVNET_BRIDGE_API_KEY_FILE: wrong })).rejects.toThrow("does not take the API key");
    await expect(start({ TRELLIS_DEVNET_BRIDGE_PAIRS: "eur=eurc" })).rejects.toThrow("to pay in eurc");
  });

  describe("that runs", () => {
    let trellis: TestService;
    beforeAll(async () => {
      writeFileSync(webhookKeyFile, bridge.publicKey);
      // One that is away for the moment is no reason not to start.
      bridge.fail("GET /v0/customers", "500");
      trellis = await start({ TRELLIS_DEVNET_BRIDGE_WEBHOOK_KEY_FILE: webhookKeyFile });
    }, timeoutMs);
    afterAll(() => trellis?.close());

    it("accepts the webhooks that its partner signs", async () => {
      const { body, headers } = bridge.signed({
        event_id: "e1",
        event_category: "transfer",
        event_object_id: "t1",
        event_object: {},
      });
      const answer = await fetch(`${trellis.url}/hooks/bridge/devnet`, { method: "POST", headers, body });
      expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
      const notices = await trellis.service.db.selectFrom("rail_notice").select(["environment", "ref"]).execute();
      expect(notices).toEqual([{ environment: "devnet", ref: "t1" }]);
    });

    it("is for one tenant: with another one that has a key it does not start again", async () => {
      const { db } = trellis.service;
      const now = BigInt(Date.now());
      await db.insertInto("tenant").values({ id: "other", name: "Other", created_at: now }).execute();
      const [row] = await db.selectFrom("api_key").selectAll().limit(1).execute();
      if (row === undefined) throw new Error("no key");
      const { countTenantsWithKeys } = await import("../../src/tenants/api-key-store.js");
      expect(await countTenantsWithKeys(db, "devnet")).toBe(1);
      const key_hash = randomBytes(32);
      await db
        .insertInto("api_key")
        .values({ ...row, id: "other", tenant_id: "other", key_hash })
        .execute();
      expect(await countTenantsWithKeys(db, "devnet")).toBe(2);
      expect(await countTenantsWithKeys(db, "mainnet")).toBe(0);
    });
  });
});
