import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { runTrellis } from "../cluster/sandbox-process.js";
import { allowStamped, startTestCustodian } from "../support/custodian.js";
import { use } from "../support/use.js";

const key = () => randomBytes(32).toString("base64");
const first = key();
const custodian = use(() =>
  startTestCustodian({ policy: allowStamped, variables: { TRELLIS_CUSTODIAN_MASTER_KEY: `first:${first}` } }),
);
const now = Date.UTC(2026, 0, 15, 12);

it("checks, rotates, reseals and lists the keys of a custodian of its own process", { timeout: 240_000 }, async () => {
  const owner = { owner: "ada", environment: "devnet", kind: "session", now } as const;
  const { wallet } = await custodian.clientWith().ask("ensureWallet", {}, { ...owner, nonce: "ab".repeat(32) });
  await custodian.stop();
  const { databaseUrl, dataDirectory } = custodian.config;
  const run = (masterKey: string, ...args: string[]) =>
    runTrellis(["custodian", "keys", ...args], {
      TRELLIS_CUSTODIAN_NAME: "kms_b",
      TRELLIS_CUSTODIAN_MASTER_KEY: masterKey,
      TRELLIS_CUSTODIAN_DATA_DIR: dataDirectory,
      ...(databaseUrl === null ? {} : { TRELLIS_CUSTODIAN_DATABASE_URL: databaseUrl }),
    });
  const known = `first:${first}`;

  expect(await run(known, "rotate", "kms/passkey")).toMatchObject({ code: 0, stderr: "" });
  const unknown = await run(known, "rotate", "api-key");
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('There is no secret "api-key"');
  const second = `second:${key()}`;
  expect((await run(`${second},${known}`, "reseal")).stdout).toContain("wallet_root: 1 moved");
  expect((await run(known, "check")).code).not.toBe(0);

  const checked = await run(second, "check");
  expect(checked).toMatchObject({ code: 0, stderr: "" });
  expect(checked.stdout).toContain("kms_b: 1 wallets derive from generation 1\n");
  expect(checked.stdout).toContain("wallet_root.sealed: 1 under the master key second\n");
  expect((await run(second, "roots", "new", "kms_b")).stdout).toContain("derive from generation 2. Take a backup now");
  const kept = await run(second, "roots", "retire", "kms_b", "1");
  expect(kept.code).toBe(1);
  expect(kept.stdout).toContain(`devnet  ${wallet.address}\n`);
  expect(kept.stdout).toContain("generation 1 stays, as 1 wallets derive from it");
  expect((await run(second, "roots")).stdout).toMatch(
    /generation 1 of \S+ is former, 1 wallets\n.*generation 2 of \S+ is in use, 0 wallets/,
  );
  await custodian.inDatabase(async (db) => {
    expect(
      await db.selectFrom("derived_secret").select("id").where("purpose", "=", "kms/passkey").execute(),
    ).toHaveLength(2);
    expect(await db.selectFrom("kms_wallet").select("address").execute()).toEqual([{ address: wallet.address }]);
  });
});
