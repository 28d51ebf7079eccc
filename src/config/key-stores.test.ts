import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "./config.js";

const transit = "transit:https://vault.example:8200/v1/transit/keys/trellis#vault:v1:c2VhbGVk";
const vault = { TRELLIS_VAULT_TOKEN_FILE: "/run/secrets/token" };
const aws = { AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "the secret of AWS", AWS_REGION: "eu-central-1" };

describe("a master key in a key store", () => {
  it("is named by its place and its ciphertext, beside others that are not", () => {
    const plain = Buffer.alloc(32, 1).toString("base64");
    const { masterKeys } = parseConfig({
      ...vault,
      ...aws,
      TRELLIS_MASTER_KEY: `2027=aws-kms:alias/trellis#AQID,2026b=${transit},1:${plain}`,
    });
    expect(masterKeys).toEqual([
      { id: "2027", place: { kind: "aws-kms", keyId: "alias/trellis", region: "eu-central-1" }, ciphertext: "AQID" },
      {
        id: "2026b",
        place: { kind: "transit", engineUrl: "https://vault.example:8200/v1/transit", keyName: "trellis" },
        ciphertext: "vault:v1:c2VhbGVk",
      },
      { id: "1", key: new Uint8Array(Buffer.from(plain, "base64")) },
    ]);
  });

  it("has the region that its ARN names", () => {
    const arn = "arn:aws:kms:us-west-2:111122223333:alias/trellis";
    const { masterKeys } = parseConfig({ ...aws, TRELLIS_MASTER_KEY: `a=aws-kms:${arn}#AQID` });
    expect(masterKeys?.[0]).toMatchObject({ place: { keyId: arn, region: "us-west-2" } });
  });

  it("may stand in an engine of another name, below a namespace, and in clear on this machine", () => {
    for (const [url, engineUrl] of [
      ["https://vault.example/v1/team/kms/keys/k-1", "https://vault.example/v1/team/kms"],
      ["http://127.0.0.1:8200/v1/transit/keys/k", "http://127.0.0.1:8200/v1/transit"],
      ["http://[::1]:8200/v1/transit/keys/k", "http://[::1]:8200/v1/transit"],
    ]) {
      const { masterKeys } = parseConfig({ ...vault, TRELLIS_MASTER_KEY: `a=transit:${url}#vault:v1:AQID` });
      expect(masterKeys?.[0]).toMatchObject({ place: { engineUrl } });
    }
  });

  it.each([
    ["in clear to another machine", "a=transit:http://vault.example/v1/transit/keys/k#vault:v1:AQID", "https://"],
    [
      "a machine that is named like this one",
      "a=transit:http://127.0.0.1.example/v1/transit/keys/k#vault:v1:A",
      "https",
    ],
    ["a password", "a=transit:https://u:p@vault.example/v1/transit/keys/k#vault:v1:AQID", "without user"],
    ["a query", "a=transit:https://vault.example/v1/transit/keys/k?a=b#vault:v1:AQID", "without user"],
    ["no key", "a=transit:https://vault.example/v1/transit#vault:v1:AQID", "keys/<name>"],
    ["a path that leaves the engine", "a=transit:https://vault.example/v1/transit/keys/../../x#vault:v1:AQID", "form"],
    ["no ciphertext", "a=transit:https://vault.example/v1/transit/keys/k", "behind a #"],
    ["another ciphertext", "a=transit:https://vault.example/v1/transit/keys/k#AQID", "behind a #"],
    ["a key of AWS by another name", "a=aws-kms:the key#AQID", "ARN"],
    ["two of one id", `a=${transit},a=${transit}`, "twice"],
    ["a place without an id", transit, "must be 32 bytes in base64"],
  ])("is refused: %s", (_, text, words) => {
    expect(problemsOf({ ...vault, ...aws, TRELLIS_MASTER_KEY: text }).join()).toContain(words);
  });

  it("needs a token, credentials and a region", () => {
    expect(problemsOf({ TRELLIS_MASTER_KEY: `a=${transit}` }).join()).toContain("needs TRELLIS_VAULT_TOKEN_FILE");
    const key = { TRELLIS_MASTER_KEY: "a=aws-kms:alias/trellis#AQID" };
    expect(problemsOf({ ...key, AWS_REGION: "eu-central-1" }).join()).toContain("needs TRELLIS_AWS_CREDENTIALS_FILE");
    expect(problemsOf({ ...key, ...aws, AWS_REGION: "" }).join()).toContain("set AWS_REGION");
    expect(problemsOf({ ...aws, TRELLIS_AWS_KMS_URL: "http://kms.example" }).join()).toContain(
      "TRELLIS_AWS_KMS_URL must",
    );
  });
});

describe("a key of the service in a key store", () => {
  const address = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
  const other = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
  const devnet = { ...vault, ...aws, TRELLIS_DEVNET_RPC_URLS: "https://rpc.example" };
  const url = "https://vault.example/v1/transit/keys/fee-payer";

  it("is named by its address, its place, and the version of a transit key", () => {
    const [cluster] = parseConfig({
      ...devnet,
      TRELLIS_DEVNET_FEE_PAYER: `${address}=transit:${url}#2`,
      TRELLIS_DEVNET_EXECUTOR: `${other}=aws-kms:alias/executor`,
    }).clusters;
    expect(cluster).toMatchObject({
      feePayer: {
        kind: "transit",
        address,
        engineUrl: "https://vault.example/v1/transit",
        keyName: "fee-payer",
        version: 2,
      },
      executor: { kind: "aws-kms", address: other, keyId: "alias/executor", region: "eu-central-1" },
    });
  });

  it.each([
    ["without its address", `transit:${url}#1`, "must begin with the address"],
    ["with what is no address", `abc=transit:${url}#1`, "must begin with the address"],
    ["without its version", `${address}=transit:${url}`, "must name the version"],
    ["with a version that is none", `${address}=transit:${url}#latest`, "must name the version"],
    ["in clear to another machine", `${address}=transit:http://vault.example/v1/transit/keys/k#1`, "https://"],
    ["by a wrong name in AWS", `${address}=aws-kms:a b`, "ARN"],
  ])("is refused %s", (_, text, words) => {
    expect(problemsOf({ ...devnet, TRELLIS_DEVNET_FEE_PAYER: text }).join()).toContain(words);
  });

  it("stands in a PKCS#11 token by a URI of RFC 7512", () => {
    const uri = "token=trellis%20one;id=%01%aF;type=private?module-path=/usr/lib/p11.so&pin-source=file:///run/pin";
    const read = (text: string) =>
      parseConfig({ ...devnet, TRELLIS_DEVNET_FEE_PAYER: `${address}=pkcs11:${text}` }).clusters[0]?.feePayer;
    const common = { kind: "pkcs11", address, modulePath: "/usr/lib/p11.so", pinFile: "/run/pin" };
    expect(read(uri)).toEqual({ ...common, token: "trellis one", object: null, id: "01af" });
    expect(read("token=t;object=fee-payer?pin-source=/run/pin&module-path=/usr/lib/p11.so")).toEqual({
      ...common,
      token: "t",
      object: "fee-payer",
      id: null,
    });
  });

  it.each([
    "token=t?module-path=/m.so&pin-source=/pin",
    "object=o?module-path=/m.so&pin-source=/pin",
    "token=t;object=o?module-path=m.so&pin-source=/pin",
    "token=t;object=o?module-path=/m.so",
    "token=t;object=o?module-path=/m.so&pin-value=1234",
    "token=t;object=o;object=p?module-path=/m.so&pin-source=/pin",
    "token=t;object=o;serial=7?module-path=/m.so&pin-source=/pin",
    "token=t;object=o;type=public?module-path=/m.so&pin-source=/pin",
    "token=t;object=o%0?module-path=/m.so&pin-source=/pin",
  ])("stands in no PKCS#11 token by %s", (text) => {
    const problems = problemsOf({ ...devnet, TRELLIS_DEVNET_FEE_PAYER: `${address}=pkcs11:${text}` });
    expect(problems.join()).toContain("TRELLIS_DEVNET_FEE_PAYER names a PKCS#11 key that must be of the form");
    expect(problems.join()).not.toContain("1234");
  });

  it("stands beside the one before it while they change, and is another one", () => {
    const [third, fourth, fifth] = [
      "So11111111111111111111111111111111111111112",
      "SysvarC1ock11111111111111111111111111111111",
      "SysvarRent111111111111111111111111111111111",
    ];
    const given = {
      ...devnet,
      TRELLIS_DEVNET_FEE_PAYER: `${address}=transit:${url}#2`,
      TRELLIS_DEVNET_FORMER_FEE_PAYER: `${other}=transit:${url}#1`,
      TRELLIS_DEVNET_EXECUTOR: `${third}=aws-kms:alias/new`,
      TRELLIS_DEVNET_FORMER_EXECUTOR: `${fourth}=aws-kms:alias/old`,
      TRELLIS_DEVNET_PASSKEY_PAYER: `${fifth}=aws-kms:alias/passkeys`,
    };
    expect(parseConfig(given).clusters[0]).toMatchObject({
      feePayer: { address, version: 2 },
      formerFeePayer: { address: other, version: 1 },
      executor: { address: third },
      formerExecutor: { address: fourth },
      passkeyPayer: { address: fifth },
    });
    const same = (more: object) => problemsOf({ ...given, ...more }).join();
    expect(same({ TRELLIS_DEVNET_FORMER_FEE_PAYER: `${address}=transit:${url}#1` })).toContain("must be another key");
    expect(same({ TRELLIS_DEVNET_FORMER_EXECUTOR: `${third}=transit:${url}#1` })).toContain("must be another key");
    expect(same({ TRELLIS_DEVNET_FORMER_EXECUTOR: `${other}=transit:${url}#1` })).toContain("must be another key");
    for (const other of [address, third, fourth]) {
      const place = `${other}=transit:${url}#1`;
      expect(same({ TRELLIS_DEVNET_PASSKEY_PAYER: place })).toContain("must be another key");
    }
    expect(same({ TRELLIS_DEVNET_EXECUTOR: "" })).toContain("name that one, too");
  });

  it("is no executor while it is the fee payer", () => {
    const one = { TRELLIS_DEVNET_FEE_PAYER: `${address}=transit:${url}#1` };
    expect(problemsOf({ ...devnet, ...one, TRELLIS_DEVNET_EXECUTOR: `${address}=aws-kms:alias/a` })).toEqual([
      "TRELLIS_DEVNET_EXECUTOR must be another key than the fee payer.",
    ]);
  });
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) {
      expect(error.message).not.toContain("the secret of AWS");
      return error.problems;
    }
    throw error;
  }
  return [];
}
