import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "@solana/kit";
import { generateEd25519KeyPair, signEd25519, verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { addressBytes, addressOfBytes } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { fakeCredentials, fakeKeyArn, useFakeKms } from "../../../test/support/key-stores/fake-kms.js";
import { useLyingStore } from "../../../test/support/key-stores/lying-store.js";
import { bao, useOpenBao } from "../../../test/support/key-stores/openbao.js";
import { useDirectory } from "../../../test/support/use-directory.js";
import { type Config, parseConfig } from "../../config/config.js";
import { createRealClock } from "../system.js";
import { openServiceKey } from "./open-service-key.js";
import { createPkcs11Door } from "./pkcs11.js";

const directory = useDirectory();
const pair = generateEd25519KeyPair();
const address = addressOfBytes(pair.publicKey);

/** Opens the fee payer that a configuration names. */
async function openFeePayer(text: string, environment: Record<string, string>, events: unknown[] = []) {
  const config: Config = parseConfig({
    TRELLIS_DEVNET_RPC_URLS: "https://rpc.example",
    TRELLIS_DEVNET_FEE_PAYER: text,
    ...environment,
  });
  const [cluster] = config.clusters;
  if (cluster === undefined) throw new Error("there is no cluster");
  const needs = {
    stores: config.keyStores,
    signByPkcs11: createPkcs11Door(),
    realClock: createRealClock(),
    log: recordIn(events),
  };
  return openServiceKey(needs, "devnet", "fee_payer", cluster.feePayer);
}

function tokenFile(token: string): Record<string, string> {
  const file = join(directory, "token");
  writeFileSync(file, token);
  return { TRELLIS_VAULT_TOKEN_FILE: file };
}

describe.skipIf(bao === undefined)("a fee payer in OpenBao", () => {
  const store = useOpenBao();
  const signer = 'path "transit/sign/fee-payer" { capabilities = ["update"] }';
  const addressOf = async (version: string): Promise<Address> => {
    const read = await store.call<{ data: { keys: Record<string, { public_key: string }> } }>(
      "GET",
      "transit/keys/fee-payer",
    );
    return addressOfBytes(Buffer.from(read.data.keys[version]?.public_key ?? "", "base64"));
  };

  it("signs by a token that may do nothing else, and goes on by its version after a rotation", async () => {
    await store.call("POST", "transit/keys/fee-payer", { type: "ed25519" });
    const first = await addressOf("1");
    const token = tokenFile(await store.tokenFor(signer));
    const text = `${first}=transit:${store.keysUrl()}/fee-payer#1`;
    const key = await openFeePayer(text, token);
    expect(key.address).toBe(first);
    const message = randomBytes(1232);
    expect(verifyEd25519(addressBytes(first), message, await key.sign(message))).toBe(true);
    await store.call("POST", "transit/keys/fee-payer/rotate");
    const second = await addressOf("2");
    expect(second).not.toBe(first);
    expect(verifyEd25519(addressBytes(first), message, await key.sign(message))).toBe(true);
    const next = await openFeePayer(`${second}=transit:${store.keysUrl()}/fee-payer#2`, token);
    expect(verifyEd25519(addressBytes(second), message, await next.sign(message))).toBe(true);
    const mixed = `${first}=transit:${store.keysUrl()}/fee-payer#2`;
    await expect(openFeePayer(mixed, token)).rejects.toThrow("signs, and not as");
    await expect(openFeePayer(`${first}=transit:${store.keysUrl()}/fee-payer#3`, token)).rejects.toThrow("status 500");
    await expect(openFeePayer(`${first}=transit:${store.keysUrl()}/other#1`, token)).rejects.toThrow(
      "(permission denied)",
    );
    // Many at once wait for their turn, and each gets its own.
    const messages = Array.from({ length: 200 }, () => randomBytes(300));
    const signatures = await Promise.all(messages.map((one) => key.sign(one)));
    expect(messages.every((one, i) => verifyEd25519(addressBytes(first), one, signatures[i] ?? new Uint8Array()))).toBe(
      true,
    );
  });

  it("is refused while its store is down, and works with the next token once that is renewed", async () => {
    const events: unknown[] = [];
    const first = await addressOf("1");
    const key = await openFeePayer(
      `${first}=transit:${store.keysUrl()}/fee-payer#1`,
      tokenFile(await store.tokenFor(signer)),
      events,
    );
    tokenFile("hvs.an-old-token");
    await expect(key.sign(randomBytes(100))).rejects.toMatchObject({ code: "service_unavailable" });
    await expect(key.sign(randomBytes(100))).rejects.toMatchObject({ code: "service_unavailable" });
    tokenFile(await store.tokenFor(signer));
    await key.sign(randomBytes(100));
    await store.stop();
    await expect(key.sign(randomBytes(100))).rejects.toMatchObject({ code: "service_unavailable" });
    expect(eventsOf(events)).toEqual(["service_key_fails", "service_key_works", "service_key_fails"]);
    expect(JSON.stringify(events)).not.toContain("hvs.");
  });
});

describe("a fee payer in AWS KMS", () => {
  const kms = useFakeKms();
  const environment = () => ({
    TRELLIS_AWS_KMS_URL: kms.url(),
    AWS_ACCESS_KEY_ID: fakeCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fakeCredentials.secretAccessKey,
  });
  const own = addressOfBytes(kms.signingKey.publicKey);

  it("signs the message itself", async () => {
    kms.serve();
    const key = await openFeePayer(`${own}=aws-kms:${fakeKeyArn}`, environment());
    const message = randomBytes(1232);
    expect(verifyEd25519(kms.signingKey.publicKey, message, await key.sign(message))).toBe(true);
    expect(JSON.parse(kms.seen().at(-1)?.body ?? "")).toEqual({
      KeyId: fakeKeyArn,
      Message: message.toString("base64"),
      MessageType: "RAW",
      SigningAlgorithm: "ED25519_SHA_512",
    });
  });

  it("is not opened as another key, nor where the store refuses", async () => {
    kms.serve();
    await expect(openFeePayer(`${address}=aws-kms:${fakeKeyArn}`, environment())).rejects.toThrow(
      `The environment devnet cannot be used: the fee payer ${address} does not sign. AWS KMS key ${fakeKeyArn} in eu-central-1 signs, and not as ${address}`,
    );
    await expect(
      openFeePayer(`${own}=aws-kms:alias/other`, { ...environment(), AWS_REGION: "eu-central-1" }),
    ).rejects.toThrow("(NotFoundException)");
  });
});

describe("a store that lies about signatures", () => {
  const store = useLyingStore();
  const messageOf = (body: string) => Buffer.from((JSON.parse(body) as { input: string }).input, "base64");
  const answer = (sign: (message: Buffer) => string) =>
    store.answers((response, { body }) => response.end(JSON.stringify({ data: { signature: sign(messageOf(body)) } })));
  const honest = (message: Uint8Array) => `vault:v1:${Buffer.from(signEd25519(pair.seed, message)).toString("base64")}`;
  const open = (events: unknown[] = []) =>
    openFeePayer(`${address}=transit:${store.url()}/v1/transit/keys/fee-payer#1`, tokenFile("hvs.token"), events);

  it.each([
    ["over another message", (message: Buffer) => honest(Buffer.concat([message, Buffer.from("x")]))],
    ["by another key", (message: Buffer) => `vault:v1:${signature(message, generateEd25519KeyPair().seed)}`],
    ["of another version", (message: Buffer) => honest(message).replace("v1", "v2")],
    ["that is too short", (message: Buffer) => honest(message).slice(0, -4)],
    ["that is too long", (message: Buffer) => `vault:v1:${signature(message, pair.seed, Buffer.alloc(1))}`],
    ["that is all zeros", () => `vault:v1:${Buffer.alloc(64).toString("base64")}`],
    ["that is empty", () => ""],
    ["a hundred thousand characters long", () => `vault:v1:${"A".repeat(60_000)}`],
  ])("has none of them used: one %s", async (_, lie) => {
    answer(honest);
    const events: unknown[] = [];
    const key = await open(events);
    answer(lie);
    await expect(key.sign(randomBytes(200))).rejects.toMatchObject({ code: "service_unavailable" });
    expect(eventsOf(events)).toEqual(["service_key_fails"]);
    // It was never a question of the key that is asked for: at the start it is found out as well.
    await expect(open()).rejects.toThrow("cannot be used: the fee payer");
  });

  it("is asked for nothing that a node would take for a transaction when it is tried", async () => {
    answer(honest);
    await open();
    expect(store.seen()).toHaveLength(1);
    expect(messageOf(store.seen()[0]?.body ?? "")[0]).toBe(0xff);
  });

  it("signs what was asked for although the caller's bytes change meanwhile", async () => {
    answer(honest);
    const key = await open();
    const message = randomBytes(100);
    const before = Uint8Array.from(message);
    const signing = key.sign(message);
    message.fill(0);
    expect(verifyEd25519(pair.publicKey, before, await signing)).toBe(true);
  });
});

function signature(message: Uint8Array, seed: Uint8Array, more = Buffer.alloc(0)): string {
  return Buffer.concat([signEd25519(seed, message), more]).toString("base64");
}

/** A log that keeps the fields of its lines. */
function recordIn(lines: unknown[]): Log {
  const record = (fields: unknown) => void lines.push(fields);
  return { debug: record, info: record, warn: record, error: record };
}

const eventsOf = (lines: readonly unknown[]) => lines.map((line) => (line as { readonly event: string }).event);
