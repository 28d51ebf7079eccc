import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type BridgeVariables, parseBridge } from "./bridge.js";

const directory = mkdtempSync(join(tmpdir(), "trellis-bridge-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const file = (name: string, text: string) => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};
const pemOf = (keys: { readonly publicKey: { export(options: object): string | Buffer } }) =>
  keys.publicKey.export({ type: "spki", format: "pem" }).toString();
const elliptic = pemOf(generateKeyPairSync("ec", { namedCurve: "prime256v1" }));

describe("the configuration of Bridge", () => {
  it("is nothing where it is off", () => {
    for (const rails of ["", "off"])
      expect(parse({ rails, apiKeyFile: "" })).toEqual({ config: undefined, problems: [] });
  });

  it("says what is offered, and on which terms", () => {
    const { config, problems } = parse({
      url: "https://api.sandbox.bridge.xyz/v0/",
      pairs: "usd=usdc, eur=usdc+eurc",
      feePercent: "0.5",
      travelRule: "self_custodied",
      anySender: "on",
      webhookKeyFile: file("keys", `${rsa}\n${rsa}`),
    });
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      environment: "devnet",
      baseUrl: "https://api.sandbox.bridge.xyz/v0",
      apiKey: "sk-test-0123456789",
      pairs: [
        { currency: "usd", coins: ["usdc"] },
        { currency: "eur", coins: ["usdc", "eurc"] },
      ],
      developerFeePercent: "0.5",
      travelRule: "self_custodied",
      allowsAnySender: true,
    });
    expect(config?.webhookKeys).toHaveLength(2);
  });

  it.each([
    [{ rails: "stripe" }, "TRELLIS_DEVNET_RAILS must be bridge or off"],
    [{ hasCluster: false }, "not configured"],
    [{ url: "http://api.bridge.xyz/v0" }, "must begin with https"],
    [{ url: "http://10.0.0.1/v0" }, "must begin with https"],
    [{ url: "https://user:pass@api.bridge.xyz/v0" }, "no user"],
    [{ url: "nonsense" }, "not a URL"],
    [{ apiKeyFile: "" }, "is required"],
    [{ apiKeyFile: join(directory, "nowhere") }, "can be read"],
    [{ apiKeyFile: file("two", "sk-test-0123456789 sk-test-abcdefghij") }, "one API key"],
    [{ apiKeyFile: file("live", "sk-live-0123456789") }, "live key"],
    [{ name: "mainnet" as const }, "test key"],
    [{ pairs: "usd=sol" }, "is not of the form"],
    [{ pairs: "usd" }, "is not of the form"],
    [{ pairs: "usd=usdc,usd=usdt" }, "names usd twice"],
    [{ feePercent: "0.0" }, "FEE_PERCENT"],
    [{ feePercent: "100" }, "FEE_PERCENT"],
    [{ travelRule: "maybe" }, "TRAVEL_RULE"],
    [{ anySender: "yes" }, "ANY_SENDER"],
    [{ webhookKeyFile: join(directory, "nowhere") }, "webhook create"],
    [{ webhookKeyFile: file("none", "hello") }, "no public key"],
    [{ webhookKeyFile: file("ec", elliptic) }, "not RSA"],
  ])("does not go with %j", (change, problem) => {
    const { problems } = parse(change);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
    expect(problems[0]).not.toMatch(/sk-(test|live)-/);
  });

  it("may be in clear on this very machine", () => {
    for (const url of ["http://127.0.0.1:9/v0", "http://[::1]:9/v0", "http://localhost:9"]) {
      expect(parse({ url }).problems).toEqual([]);
    }
  });
});

const rsa = pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }));
const testKey = file("test-key", "sk-test-0123456789\n");

const given: BridgeVariables = {
  name: "devnet",
  rails: "bridge",
  hasCluster: true,
  url: "https://api.sandbox.bridge.xyz/v0",
  apiKeyFile: testKey,
  pairs: "usd=usdc",
  feePercent: "",
  travelRule: "off",
  anySender: "off",
  webhookKeyFile: "",
};

const parse = (change: Partial<BridgeVariables>) => {
  const problems: string[] = [];
  return { config: parseBridge({ ...given, ...change }, problems), problems };
};
