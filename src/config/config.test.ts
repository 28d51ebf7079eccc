import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { base58 } from "@scure/base";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "./config.js";
import { newTenantProtection } from "./remote-custodians.js";

describe("configuration", () => {
  it("needs nothing for a sandbox", () => {
    const config = parseConfig({});
    expect(config.port).toBe(8080);
    expect(config.databaseUrl).toBeNull();
    expect(config.masterKeys).toBeNull();
  });

  it("lists all problems together and never repeats a secret", () => {
    const wrong = {
      PORT: "99999",
      TRELLIS_MASTER_KEY: "c2hvcnQ=",
      TRELLIS_API_KEY: "short",
      TRELLIS_LOG_LEVEL: "loud",
      TRELLIS_TYPO: "1",
      TRELLIS_SMTP_URL: "http://mail.example",
    };
    const problems = problemsOf(wrong);
    expect(problems).toHaveLength(7);
    const text = problems.join("\n");
    for (const word of ["PORT", "MASTER_KEY", "API_KEY", "LOG_LEVEL", "TYPO", "SMTP_URL", "MAIL_FROM"])
      expect(text).toContain(word);
    expect(text).not.toContain("c2hvcnQ=");
    expect(text).not.toContain("short");
  });

  it("takes hashes of programs that the operator trusts, and describes their form", () => {
    const hash = "ab".repeat(32);
    expect(parseConfig({}).knownPrograms).toEqual([]);
    expect(parseConfig({ TRELLIS_KNOWN_PROGRAMS: `${hash.toUpperCase()}, ${hash}` }).knownPrograms).toEqual([
      hash,
      hash,
    ]);
    expect(problemsOf({ TRELLIS_KNOWN_PROGRAMS: "smart_account_program.so" })).toEqual([
      expect.stringContaining("64 hexadecimal digits"),
    ]);
  });

  it("wants a master key from outside as soon as the database is outside", () => {
    expect(problemsOf({ DATABASE_URL: "postgres://localhost/trellis" }).join()).toContain(
      "TRELLIS_MASTER_KEY is required",
    );
  });

  it("says how to name a key where two have none", () => {
    const key = Buffer.alloc(32, 7).toString("base64");
    expect(problemsOf({ TRELLIS_MASTER_KEY: `${key},${key}` }).join()).toMatch(/id 1 twice.*2026b:<key>/);
  });

  it("takes several master keys, newest first", () => {
    const key = Buffer.alloc(32, 1).toString("base64");
    const config = parseConfig({ TRELLIS_MASTER_KEY: `2026:${key},old:${key}` });
    expect(config.masterKeys?.map(({ id }) => id)).toEqual(["2026", "old"]);
  });

  it("gives rent away in the sandbox only by default, and no tenant more than its share of a day", () => {
    const { sandbox, cluster } = parseConfig({}).sponsorship;
    expect([sandbox.openings.perAccountForLife, cluster.openings.perAccountForLife]).toEqual([1_000, 0]);
    expect([sandbox.openings.perDay, cluster.openings.perDay]).toEqual([100_000_000_000n, 1_000_000_000n]);
    expect(cluster.openings).toMatchObject({ perTenantPerDay: 200_000_000n, reservedPerTenantPerDay: 10_000_000n });
    const reported = parseConfig({
      TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "3",
      TRELLIS_SPONSOR_OPENINGS_PER_DAY: "500",
      TRELLIS_SPONSOR_TENANT_PERCENT: "50",
      TRELLIS_SPONSOR_TENANT_RESERVED_PERCENT: "10",
    }).sponsorship;
    for (const { openings } of [reported.sandbox, reported.cluster]) {
      const budgets = { perDay: 500n, perTenantPerDay: 250n, reservedPerTenantPerDay: 50n };
      expect(openings).toMatchObject({ perAccountForLife: 3, ...budgets });
    }
    // The smaller of the share and the number counts for fees.
    expect([reported.cluster.perTenantPerDay, cluster.perTenantPerDay]).toEqual([20_000_000_000n, 20_000_000_000n]);
    const wrong = {
      TRELLIS_SPONSOR_TENANT_PERCENT: "half",
      TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "-1",
      TRELLIS_SPONSOR_OPENINGS_PER_DAY: "much",
    };
    expect(problemsOf(wrong)).toHaveLength(3);
  });

  it("reads production as mainnet, and a key for it must be long and for nothing else", () => {
    const apiKey = { TRELLIS_API_KEY: "x".repeat(31) };
    expect(problemsOf({ ...apiKey, TRELLIS_API_KEY_ENVIRONMENTS: "production" })).toHaveLength(1);
    expect(
      problemsOf({ TRELLIS_API_KEY: "x".repeat(32), TRELLIS_API_KEY_ENVIRONMENTS: "mainnet,sandbox" }),
    ).toHaveLength(1);
    expect(
      parseConfig({ TRELLIS_API_KEY: "x".repeat(32), TRELLIS_API_KEY_ENVIRONMENTS: "production" }).apiKey?.environments,
    ).toEqual(["mainnet"]);
  });
});

describe("the configuration of environments", () => {
  const { seed, publicKey } = generateEd25519KeyPair();
  const keyBytes = Buffer.concat([seed, publicKey]);
  const secret = base58.encode(keyBytes);
  const url = "https://rpc.example/?api-key=hidden-in-the-url";
  const masterKey = Buffer.alloc(32, 1).toString("base64");
  const devnet = { TRELLIS_DEVNET_RPC_URLS: url, TRELLIS_DEVNET_FEE_PAYER: secret };
  const mainnet = {
    TRELLIS_MAINNET_RPC_URLS: url,
    TRELLIS_MAINNET_FEE_PAYER: secret,
    TRELLIS_MASTER_KEY: masterKey,
    DATABASE_URL: "postgres://trellis@db.example/trellis",
    TRELLIS_SMTP_URL: "smtp://mail.example",
    TRELLIS_MAIL_FROM: "trellis@example.org",
  };

  it("has a guardian beside the service on a laptop alone, and where none is configured", () => {
    const sandbox = "http://127.0.0.1:8899/?api-key=sk_test_of_a_sandbox";
    const guardian = { TRELLIS_CUSTODIAN_KMS_C_URL: "https://127.0.0.1:8443", TRELLIS_CUSTODIAN_KMS_C_KEYS: "keys" };
    const isLocal = (variables: Record<string, string>) => parseConfig(variables).localGuardian;
    expect(isLocal({})).toBe(true);
    expect(isLocal({ TRELLIS_SANDBOX_RPC_URL: sandbox })).toBe(true);
    expect(isLocal({ TRELLIS_LOCAL_GUARDIAN: "off" })).toBe(false);
    expect(isLocal({ DATABASE_URL: "postgres://localhost/trellis", TRELLIS_MASTER_KEY: masterKey })).toBe(false);
    expect(isLocal(guardian)).toBe(false);
    expect(isLocal({ ...guardian, TRELLIS_GUARDIAN: "kms_c" })).toBe(false);
    expect(isLocal(devnet)).toBe(false);
    expect(problemsOf({ TRELLIS_LOCAL_GUARDIAN: "yes" })).toEqual(["TRELLIS_LOCAL_GUARDIAN must be auto or off."]);
  });

  it("makes the accounts of new tenants guarded outside the sandbox, where there is a guardian", () => {
    const guardian = {
      TRELLIS_GUARDIAN: "kms_c",
      TRELLIS_CUSTODIAN_KMS_C_URL: "https://127.0.0.1:8443",
      TRELLIS_CUSTODIAN_KMS_C_KEYS: "keys",
    };
    const ofNew = (variables: Record<string, string>) => newTenantProtection(parseConfig(variables));
    expect(ofNew({ ...devnet, ...guardian })).toBe("guarded");
    expect(ofNew({ ...devnet, ...guardian, TRELLIS_GUARDIAN: "" })).toBe("plain");
    expect([ofNew(guardian), ofNew(devnet), ofNew({})]).toEqual(["plain", "plain", "plain"]);
  });

  const remote = { TRELLIS_SANDBOX_RPC_URL: "http://127.0.0.1:8899/?api-key=x" };

  it("runs the sandbox inside where nothing else is configured, and there only", () => {
    expect(parseConfig({})).toMatchObject({ sandbox: { kind: "embedded" }, clusters: [] });
    expect(parseConfig({ TRELLIS_SANDBOX: "on" }).sandbox).toEqual({ kind: "embedded" });
    for (const cluster of [devnet, mainnet]) {
      expect(parseConfig(cluster).sandbox).toEqual({ kind: "off" });
      expect(problemsOf({ ...cluster, TRELLIS_SANDBOX: "on" }).join()).toContain("TRELLIS_SANDBOX_RPC_URL");
      const beside = { kind: "remote", url: remote.TRELLIS_SANDBOX_RPC_URL };
      expect(parseConfig({ ...cluster, ...remote }).sandbox).toEqual(beside);
      expect(parseConfig({ ...cluster, ...remote, TRELLIS_SANDBOX: "on" }).sandbox).toEqual(beside);
    }
  });

  it("wants at least one environment, and no sandbox that is named and switched off", () => {
    expect(problemsOf({ TRELLIS_SANDBOX: "off" })).toHaveLength(1);
    expect(problemsOf({ ...devnet, ...remote, TRELLIS_SANDBOX: "off" })).toHaveLength(1);
    expect(problemsOf({ TRELLIS_SANDBOX_RPC_URL: "http://127.0.0.1:8899" }).join()).toContain("key");
  });

  it("has the sandbox fail on purpose where it runs, and nowhere else", () => {
    expect(parseConfig({}).sandboxFaults).toBeNull();
    expect(parseConfig({ TRELLIS_SANDBOX_FAULTS: "drop=2, blockhash_not_found=always" }).sandboxFaults).toEqual({
      drop: 2,
      blockhashNotFound: 1_000_000,
      fullBlocks: 0,
      price: 0,
      fork: 0,
      lag: 0,
    });
    expect(parseConfig({ TRELLIS_SANDBOX_FAULTS: "full_blocks=3,price=250000" }).sandboxFaults).toEqual({
      drop: 0,
      blockhashNotFound: 0,
      fullBlocks: 3,
      price: 250_000,
      fork: 0,
      lag: 0,
    });
    expect(parseConfig({ TRELLIS_SANDBOX_FAULTS: "lag=20,fork=1" }).sandboxFaults).toEqual({
      drop: 0,
      blockhashNotFound: 0,
      fullBlocks: 0,
      price: 0,
      fork: 1,
      lag: 20,
    });
    expect(parseConfig({ TRELLIS_SANDBOX_FAULTS: "lag=150" }).sandboxFaults?.lag).toBe(150);
    for (const wrong of [
      "drop",
      "drop=0",
      "drop=-1",
      "drop=1000",
      "lag=0",
      "lag=151",
      "lag=always",
      "fork=0",
      "drop=1,,",
      "DROP=1",
      "price=always",
      "price=0",
    ]) {
      expect(problemsOf({ TRELLIS_SANDBOX_FAULTS: wrong }), wrong).toHaveLength(1);
    }
    for (const elsewhere of [devnet, remote]) {
      expect(problemsOf({ ...elsewhere, TRELLIS_SANDBOX_FAULTS: "drop=1" })).toHaveLength(1);
    }
  });

  it("refuses a generated master key as soon as mainnet is configured", () => {
    const { TRELLIS_MASTER_KEY: _, ...without } = mainnet;
    expect(problemsOf(without).join()).toContain("TRELLIS_MASTER_KEY is required with mainnet");
    expect(parseConfig(devnet).masterKeys).toBeNull();
  });

  it("refuses mainnet on a database that forgets, and without mail, each with a sentence", () => {
    const { DATABASE_URL: _, ...withoutDatabase } = mainnet;
    expect(problemsOf(withoutDatabase)).toEqual([expect.stringMatching(/^DATABASE_URL is required with mainnet: /)]);
    const { TRELLIS_SMTP_URL: __, TRELLIS_MAIL_FROM: ___, ...withoutMail } = mainnet;
    expect(problemsOf(withoutMail)).toEqual([expect.stringMatching(/^TRELLIS_SMTP_URL is required with mainnet: /)]);
    expect(problemsOf({ TRELLIS_MAINNET_RPC_URLS: url, TRELLIS_MAINNET_FEE_PAYER: secret })).toHaveLength(3);
    expect(parseConfig(devnet)).toMatchObject({ databaseUrl: null, smtp: null });
  });

  it("takes a fee payer as base58, as JSON, or from a file of either", () => {
    const directory = mkdtempSync(join(tmpdir(), "trellis-config-"));
    try {
      const json = JSON.stringify([...keyBytes]);
      const files = [json, `${secret}\n`].map((text, i) => {
        const path = join(directory, `key-${i}.json`);
        writeFileSync(path, text);
        return path;
      });
      for (const value of [secret, json, ...files]) {
        const { clusters } = parseConfig({ ...devnet, TRELLIS_DEVNET_FEE_PAYER: value });
        expect(clusters.map(({ feePayer }) => feePayer)).toEqual([
          { kind: "seed", address: base58.encode(publicKey), seed: new Uint8Array(seed) },
        ]);
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("takes an executor like a fee payer, does without one, and refuses the fee payer itself", () => {
    const other = generateEd25519KeyPair();
    const executor = base58.encode(Buffer.concat([other.seed, other.publicKey]));
    const executorOf = (given: object) => parseConfig({ ...devnet, ...given }).clusters[0]?.executor;
    expect(executorOf({})).toBeNull();
    expect(executorOf({ TRELLIS_DEVNET_EXECUTOR: executor })).toMatchObject({ kind: "seed", seed: other.seed });
    expect(problemsOf({ ...devnet, TRELLIS_DEVNET_EXECUTOR: secret })).toEqual([
      "TRELLIS_DEVNET_EXECUTOR must be another key than the fee payer.",
    ]);
    expect(problemsOf({ ...devnet, TRELLIS_DEVNET_EXECUTOR: "nonsense" }).join()).toMatch(/^TRELLIS_DEVNET_EXECUTOR /);
  });

  it.each([
    ["a key that lacks its public half", base58.encode(seed)],
    ["a public half that belongs to another seed", base58.encode(Buffer.concat([seed, Buffer.alloc(32, 1)]))],
    ["numbers that are no bytes", JSON.stringify([...keyBytes.subarray(0, 63), 256])],
    ["a file that is not there", "/nowhere/key-of-the-fee-payer.json"],
  ])("refuses %s as fee payer, without repeating it", (_what, value) => {
    const problems = problemsOf({ ...devnet, TRELLIS_DEVNET_FEE_PAYER: value });
    expect(problems).toHaveLength(1);
    expect(problems.join()).toMatch(/^TRELLIS_DEVNET_FEE_PAYER /);
    expect(problems.join()).not.toContain(value);
  });

  it("reads several URLs and mints, and lists what is wrong with each", () => {
    const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    const urls = `${url}, http://127.0.0.1:8899`;
    const [cluster] = parseConfig({
      ...devnet,
      TRELLIS_DEVNET_RPC_URLS: urls,
      TRELLIS_DEVNET_MINTS: `usdc=${usdc}`,
    }).clusters;
    expect(cluster?.urls).toEqual([url, "http://127.0.0.1:8899"]);
    expect([...(cluster?.mints ?? [])]).toEqual([["usdc", usdc]]);
    const wsUrlOf = (given: Record<string, string>) => parseConfig({ ...devnet, ...given }).clusters[0]?.wsUrl;
    expect(wsUrlOf({})).toBe(url.replace("https", "wss"));
    expect(wsUrlOf({ TRELLIS_DEVNET_RPC_URLS: "http://127.0.0.1:8899" })).toBe("ws://127.0.0.1:8900/");
    expect(wsUrlOf({ TRELLIS_DEVNET_WS_URL: "wss://told.example/key" })).toBe("wss://told.example/key");
    expect(wsUrlOf({ TRELLIS_DEVNET_WS_URL: "off" })).toBeNull();
    expect(problemsOf({ ...devnet, TRELLIS_DEVNET_WS_URL: "https://told.example" })).toHaveLength(1);
    const wrong = problemsOf({
      TRELLIS_DEVNET_RPC_URLS: "nowhere,wss://rpc.example,https://user:pass@rpc.example",
      TRELLIS_DEVNET_MINTS: `usdc=short,sol=${usdc}`,
      TRELLIS_DEVNET_GENESIS_HASH: "0",
    });
    expect(wrong).toHaveLength(7);
    expect(wrong.join()).not.toContain("pass@");
  });
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
