import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeCredentials, fakeKeyArn, useFakeKms } from "../../../test/support/key-stores/fake-kms.js";
import { useLyingStore } from "../../../test/support/key-stores/lying-store.js";
import { bao, useOpenBao } from "../../../test/support/key-stores/openbao.js";
import { useDirectory } from "../../../test/support/use-directory.js";
import { parseConfig } from "../../config/config.js";
import type { KeyStores, SealingPlace } from "../../config/key-stores.js";
import { openMasterKeys, sealMasterKey } from "./sealed-master-key.js";

const directory = useDirectory();
const key = new Uint8Array(32).fill(5);

/** Key stores as an environment names them. */
const storesOf = (environment: Record<string, string>): KeyStores => parseConfig(environment).keyStores;

function transitStores(token: string): KeyStores {
  const file = join(directory, "token");
  writeFileSync(file, `${token}\n`);
  return storesOf({ TRELLIS_VAULT_TOKEN_FILE: file });
}

describe.skipIf(bao === undefined)("a master key that OpenBao seals", () => {
  const store = useOpenBao();
  const place = (): SealingPlace => ({
    kind: "transit",
    engineUrl: store.keysUrl().replace(/\/keys$/, ""),
    keyName: "trellis",
  });
  const opener = 'path "transit/decrypt/trellis" { capabilities = ["update"] }';

  it("is opened at the start by a token that may do nothing else, also after the key there was rotated", async () => {
    await store.call("POST", "transit/keys/trellis", { type: "aes256-gcm96" });
    const sealed = await sealMasterKey({ id: "2026b", key }, place(), transitStores(store.rootToken));
    expect(sealed).toMatch(/^vault:v1:/);
    const stores = transitStores(await store.tokenFor(opener));
    const text = `2026b=transit:${store.keysUrl()}/trellis#${sealed},1:${Buffer.alloc(32, 1).toString("base64")}`;
    const { masterKeys } = parseConfig({
      TRELLIS_MASTER_KEY: text,
      TRELLIS_VAULT_TOKEN_FILE: stores.vault.tokenFile ?? "",
    });
    const both = [
      { id: "2026b", key },
      { id: "1", key: new Uint8Array(32).fill(1) },
    ];
    expect(await openMasterKeys(masterKeys ?? [], stores)).toEqual(both);
    await store.call("POST", "transit/keys/trellis/rotate");
    expect(await openMasterKeys(masterKeys ?? [], stores)).toEqual(both);
    expect(await sealMasterKey({ id: "2026b", key }, place(), transitStores(store.rootToken))).toMatch(/^vault:v2:/);
    // Under another id it is another key, and it does not open.
    await expect(openMasterKeys([{ id: "x", place: place(), ciphertext: sealed }], stores)).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("status 400 (message authentication failed)"),
    });
    // Too old by the policy of the key: the operator has to seal it again before.
    await store.call("POST", "transit/keys/trellis/config", { min_decryption_version: 2 });
    await expect(openMasterKeys(masterKeys ?? [], stores)).rejects.toMatchObject({ kind: "refused" });
  });

  it("stays closed to another token, and the message names what is missing and no secret", async () => {
    const token = await store.tokenFor('path "transit/encrypt/trellis" { capabilities = ["update"] }');
    const opening = openMasterKeys(
      [{ id: "a", place: place(), ciphertext: "vault:v1:c2VjcmV0" }],
      transitStores(token),
    );
    const error = await opening.catch((reason) => reason);
    expect(error.message).toMatch(
      /^Transit key trellis at 127\.0\.0\.1:\d+ answers decrypt with status 403 \(permission denied\): the token needs `update` on `decrypt` of this key\.$/,
    );
  });
});

describe("a key store of transit that lies", () => {
  const store = useLyingStore();
  const open = (token = "hvs.token-of-the-tests") =>
    openMasterKeys(
      [
        {
          id: "a",
          place: { kind: "transit", engineUrl: `${store.url()}/v1/transit`, keyName: "trellis" },
          ciphertext: "vault:v1:c2VhbGVk",
        },
      ],
      transitStores(token),
    ).catch((error) => error);

  it.each([
    ["too few bytes", { data: { plaintext: Buffer.alloc(31).toString("base64") } }],
    ["too many bytes", { data: { plaintext: Buffer.alloc(33).toString("base64") } }],
    ["base64 of another form", { data: { plaintext: `${Buffer.alloc(32).toString("base64")}\n` } }],
    ["base64 that is none", { data: { plaintext: "?".repeat(44) } }],
    ["a number", { data: { plaintext: 7 } }],
    ["nothing", {}],
    ["null", null],
    ["a list", [1]],
  ])("gives no key: %s", async (_, body) => {
    store.answersJson(body);
    const error = await open();
    expect(error).toMatchObject({
      kind: "wrong",
      message: expect.stringContaining("opens what is no key of 32 bytes"),
    });
  });

  it.each([
    [400, "refused"],
    [403, "refused"],
    [404, "refused"],
    [429, "unavailable"],
    [500, "unavailable"],
    [503, "unavailable"],
  ])("with status %i is reported as %s, and what it writes is not repeated", async (status, kind) => {
    store.answersJson({ errors: ["hvs.token-of-the-tests", "a plaintext", { of: 1 }] }, status);
    const error = await open();
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(`status ${status}`);
    expect(error.message).not.toMatch(/hvs\.|plaintext/);
  });

  it("is given no token that is none", async () => {
    store.answersJson({});
    expect((await open("two\nlines")).message).toBe("TRELLIS_VAULT_TOKEN_FILE names no file that holds a token.");
    expect(store.seen()).toEqual([]);
  });
});

describe("a master key that AWS KMS seals", () => {
  const kms = useFakeKms();
  const place: SealingPlace = { kind: "aws-kms", keyId: fakeKeyArn, region: "eu-central-1" };
  const environment = {
    AWS_ACCESS_KEY_ID: fakeCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fakeCredentials.secretAccessKey,
  };
  const stores = (more: Record<string, string> = {}) =>
    storesOf({ ...environment, TRELLIS_AWS_KMS_URL: kms.url(), ...more });

  it("is opened at the start, under its own id alone", async () => {
    kms.serve();
    const ciphertext = await sealMasterKey({ id: "2026b", key }, place, stores());
    const { masterKeys } = parseConfig({
      ...environment,
      TRELLIS_MASTER_KEY: `2026b=aws-kms:${fakeKeyArn}#${ciphertext}`,
    });
    kms.serve();
    expect(await openMasterKeys(masterKeys ?? [], stores())).toEqual([{ id: "2026b", key }]);
    expect(kms.seen()).toHaveLength(1);
    expect(JSON.parse(kms.seen()[0]?.body ?? "")).toEqual({
      CiphertextBlob: ciphertext,
      EncryptionContext: { "trellis:master-key": "2026b" },
      KeyId: fakeKeyArn,
    });
    await expect(openMasterKeys([{ id: "x", place, ciphertext }], stores())).rejects.toMatchObject({
      kind: "refused",
      message: `AWS KMS key ${fakeKeyArn} in eu-central-1 answers Decrypt with status 400 (InvalidCiphertextException).`,
    });
  });

  it("takes credentials from a file, with the session they are of", async () => {
    kms.serve();
    const file = join(directory, "credentials");
    const { accessKeyId, secretAccessKey } = fakeCredentials;
    const other = "[other]\naws_access_key_id = X\naws_secret_access_key = Y\n";
    const lines = `aws_access_key_id = ${accessKeyId}\naws_secret_access_key=${secretAccessKey}\naws_session_token = abc\n`;
    const named = storesOf({ TRELLIS_AWS_CREDENTIALS_FILE: file, TRELLIS_AWS_KMS_URL: kms.url() });
    writeFileSync(file, `${other}[default]\n${lines}`);
    await sealMasterKey({ id: "a", key }, place, named);
    // It is read again for every call: what is replaced counts from the next one on.
    writeFileSync(file, `${other}[default]\n${lines.replace(secretAccessKey, "wrong")}`);
    await expect(sealMasterKey({ id: "a", key }, place, named)).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("(SignatureDoesNotMatch)"),
    });
    writeFileSync(file, "[default]\n");
    await expect(sealMasterKey({ id: "a", key }, place, named)).rejects.toMatchObject({
      message: expect.stringContaining("TRELLIS_AWS_CREDENTIALS_FILE names no file that holds"),
    });
    expect(kms.seen().at(-1)?.headers["x-amz-security-token"]).toBe("abc");
  });

  it.each([
    ["ThrottlingException", 400, "unavailable"],
    ["com.amazonaws.kms#DependencyTimeoutException", 500, "unavailable"],
    ["AccessDeniedException", 400, "refused"],
    ["a plaintext, or anything else", 400, "refused"],
  ])("stays closed after %s with status %i: %s", async (type, status, kind) => {
    kms.answersJson({ __type: type, message: "a plaintext" }, status);
    const error = await openMasterKeys([{ id: "a", place, ciphertext: "AAAA" }], stores()).catch((reason) => reason);
    expect(error).toMatchObject({ name: "KeyStoreError", kind });
    expect(error.message).not.toContain("plaintext");
  });

  it("is not handed out where the key store seals another one", async () => {
    kms.answers((response, { headers }) =>
      response.end(
        JSON.stringify(
          headers["x-amz-target"] === "TrentService.Encrypt"
            ? { CiphertextBlob: "AAAA" }
            : { Plaintext: Buffer.alloc(32, 6).toString("base64") },
        ),
      ),
    );
    await expect(sealMasterKey({ id: "a", key }, place, stores())).rejects.toMatchObject({ kind: "wrong" });
  });
});
