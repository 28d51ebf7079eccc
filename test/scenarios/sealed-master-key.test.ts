import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import { createLogger } from "../../src/adapters/log/pino-log.js";
import { seal } from "../../src/cli/seal-master-key.js";
import { parseConfig } from "../../src/config/config.js";
import { type RunningService, startService } from "../../src/service.js";
import { fakeCredentials, fakeKeyArn, useFakeKms } from "../support/key-stores/fake-kms.js";
import { useTestLocation } from "../support/use-database.js";
import { useDirectory } from "../support/use-directory.js";

const directory = useDirectory();
const place = useTestLocation();
const kms = useFakeKms();
const plainKey = randomBytes(32).toString("base64");
const apiKey = "a-key-of-the-tests-of-sealed-keys";

it("moves a running installation's master key into a key store, which is asked once at the start and never after", {
  timeout: 120_000,
}, async () => {
  kms.serve();
  const before = await start(`2026:${plainKey}`);
  const feePayer = before.networks.get("sandbox")?.feePayer.address;
  await before.close();

  const entry = await sealed("2026", { TRELLIS_MASTER_KEY: `2026:${plainKey}` });
  expect(entry).toMatch(/^2026=aws-kms:arn:aws:kms:[^#]+#[A-Za-z0-9+/=]+$/);
  expect(entry).not.toContain(plainKey);

  kms.serve();
  const after = await start(entry);
  try {
    expect(kms.seen()).toHaveLength(1);
    kms.answersJson({ __type: "KMSInternalException" }, 500);
    expect(after.networks.get("sandbox")?.feePayer.address).toBe(feePayer);
    const response = await fetch(`${after.url}/api/grid/v1/accounts`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(response.status).not.toBe(401);
    expect(kms.seen()).toEqual([]);
  } finally {
    await after.close();
  }

  await expect(start(entry)).rejects.toMatchObject({
    name: "KeyStoreError",
    kind: "unavailable",
    message: `AWS KMS key ${fakeKeyArn} in eu-central-1 answers Decrypt with status 500 (KMSInternalException).`,
  });
});

it("makes a new key under an id of its own, and seals none that is not there", async () => {
  kms.serve();
  const { TRELLIS_MASTER_KEY, DATABASE_URL: _, ...rest } = environmentOf(`2026:${plainKey}`);
  const options = { id: "2027", place: `aws-kms:${fakeKeyArn}`, isNew: false };
  await expect(seal({ ...rest, TRELLIS_MASTER_KEY }, options)).rejects.toThrow("TRELLIS_MASTER_KEY has no key 2027");
  await expect(seal({ ...rest, TRELLIS_MASTER_KEY }, { ...options, id: "2026", isNew: true })).rejects.toThrow(
    "A key 2026 is in use",
  );
  await expect(seal(rest, { ...options, place: "somewhere" })).rejects.toThrow("The place names no key store");
  const one = await sealed("2027", { TRELLIS_MASTER_KEY: `2026:${plainKey}` }, true);
  expect(one).toMatch(/^2027=/);
  expect(await sealed("2027", { TRELLIS_MASTER_KEY: `2026:${plainKey}` }, true)).not.toBe(one);
});

/** What `trellis keys seal` prints. */
async function sealed(id: string, environment: Record<string, string>, isNew = false): Promise<string> {
  const said: string[] = [];
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
  const err = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  try {
    await seal({ ...environmentOf(""), ...environment }, { id, place: `aws-kms:${fakeKeyArn}`, isNew });
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return said.join("").trim();
}

function environmentOf(masterKey: string): Record<string, string> {
  return {
    ...(place.url === undefined ? {} : { DATABASE_URL: place.url }),
    TRELLIS_DATA_DIR: directory,
    TRELLIS_MASTER_KEY: masterKey,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_LOG_LEVEL: "silent",
    TRELLIS_AWS_KMS_URL: kms.url(),
    AWS_ACCESS_KEY_ID: fakeCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fakeCredentials.secretAccessKey,
    PORT: "0",
  };
}

function start(masterKey: string): Promise<RunningService> {
  return startService(parseConfig(environmentOf(masterKey)), createLogger("silent"));
}
