import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkCustodians } from "../../src/cli/check-custodians.js";
import { initCustodian } from "../../src/cli/custodian.js";
import { startCommand, urlOf } from "../support/custodian-process.js";
import { use } from "../support/use.js";

/** `trellis custodian` as a process, from keys to an answer. */
const place = use(async () => {
  const directory = await mkdtemp(join(tmpdir(), "trellis-custodian-"));
  return { directory, close: () => rm(directory, { recursive: true, force: true }) };
});

it("is given keys, started, asked who it is, and stopped", async () => {
  const { directory } = place;
  expect(await initCustodian(directory, "both")).toContain("The custodian's identity is ");
  expect((await stat(join(directory, "keys", "identity.key"))).mode & 0o777).toBe(0o600);
  await expect(initCustodian(directory, "both")).rejects.toThrow("cannot be written (EEXIST)");
  const child = await startCommand(["custodian"], {
    TRELLIS_CUSTODIAN_NAME: "kms_c",
    TRELLIS_CUSTODIAN_PORT: "0",
    TRELLIS_CUSTODIAN_KEYS: join(directory, "keys"),
    TRELLIS_CUSTODIAN_DATA_DIR: join(directory, "data"),
    TRELLIS_LOG_LEVEL: "fatal",
  });
  const url = await urlOf(child);
  const variables = { TRELLIS_CUSTODIAN_KMS_C_URL: url, TRELLIS_CUSTODIAN_KMS_C_KEYS: join(directory, "service-keys") };
  const [checked] = await checkCustodians(variables);
  expect(checked).toMatchObject({ answers: true, text: expect.stringContaining("for sandbox") });
  const [other] = await checkCustodians({
    TRELLIS_CUSTODIAN_KMS_B_URL: url,
    TRELLIS_CUSTODIAN_KMS_B_KEYS: join(directory, "service-keys"),
  });
  expect(other).toMatchObject({ answers: false, text: expect.stringContaining("calls itself kms_c") });
  child.kill("SIGTERM");
  expect((await once(child, "exit"))[0]).toBe(0);
  expect(await checkCustodians(variables)).toMatchObject([{ answers: false }]);
});

it("refuses a name that nobody signs for, and mainnet without a database server and a master key", async () => {
  const child = await startCommand(["custodian"], {
    TRELLIS_CUSTODIAN_ENVIRONMENTS: "mainnet",
    TRELLIS_CUSTODIAN_PROT: "1",
  });
  let text = "";
  child.stderr?.on("data", (part) => {
    text += part;
  });
  expect((await once(child, "exit"))[0]).toBe(1);
  for (const name of [
    "NAME must be",
    "DATABASE_URL is required",
    "MASTER_KEY is required",
    "TRELLIS_CUSTODIAN_PROT is not",
  ]) {
    expect(text).toContain(name);
  }
});
