import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { parseVkey } from "@trellis/kernel/tlog/note.js";
import { sql } from "kysely";
import { afterAll, expect, it, vi } from "vitest";
import { createCommandNeeds } from "../../src/cli/commands/needs.js";
import { runProgram } from "../../src/cli/commands/program.js";
import { parseConfig } from "../../src/config/config.js";
import { withDatabase } from "../../src/operator/with-database.js";
import { startTestCustodian } from "../support/custodian.js";

const directory = mkdtempSync(join(tmpdir(), "trellis-audit-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const environment = {
  TRELLIS_DATA_DIR: join(directory, "data"),
  TRELLIS_MASTER_KEY: randomBytes(32).toString("base64"),
  TRELLIS_PUBLIC_URL: "https://trellis.example",
};

it("prints the key of the log and a checkpoint, verifies it, and fails where what was kept says otherwise", async () => {
  const log = parseVkey((await run(["audit", "key"])).stdout.trim());
  if (log === undefined) throw new Error("no key");
  expect(log.name).toBe("trellis.example/audit");
  await run(["tenant", "create", "shop"]);
  const taken = await run(["audit", "checkpoint"]);
  expect(openCheckpoint(taken.stdout, log)).toMatchObject({ size: 1 });
  const file = join(directory, "kept.txt");
  writeFileSync(file, taken.stdout);
  expect(await run(["audit", "verify", "--checkpoint", file])).toEqual({
    code: 0,
    stdout: "PASS: 1 entries\n",
    stderr: "",
  });
  writeFileSync(file, taken.stdout.replace("\n1\n", "\n2\n"));
  expect(await run(["audit", "verify", "--checkpoint", file])).toEqual({
    code: 1,
    stdout: "FAIL: 1 entries\n",
    stderr: "the given checkpoint 1 is not signed by the key of this log\n",
  });
});

it("says that a custodian's log is not what was seen of it, and ends with 1", async () => {
  const beside = await startTestCustodian();
  try {
    const variables = {
      ...environment,
      TRELLIS_CUSTODIAN_KMS_B_URL: beside.url,
      TRELLIS_CUSTODIAN_KMS_B_KEYS: beside.folders.service,
    };
    const fits = await run(["custodian", "check"], variables);
    expect(fits).toMatchObject({ code: 0, stdout: expect.stringContaining("answers as") });
    const origin = `trellis-custodian/${beside.identity}`;
    await withDatabase(parseConfig(environment), ({ db }) =>
      sql`insert into tlog_witnessed (origin, size, root) values (${origin}, 999, ${Buffer.alloc(32)})`.execute(db),
    );
    const checked = await run(["custodian", "check"], variables);
    expect(checked).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/and 999 were seen\..*trellis audit accept/),
    });
    const none = { code: 0, stdout: "No log was refused: there is nothing to accept.\n" };
    expect(await run(["audit", "accept"])).toMatchObject(none);
    expect(await run(["audit", "accept", "--root", "x"])).toMatchObject({ ...none, code: 1 });
  } finally {
    await beside.close();
  }
});

/** What a command line prints, and the code that it ends with. */
async function run(words: readonly string[], variables: Readonly<Record<string, string>> = environment) {
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  try {
    await runProgram(createCommandNeeds(variables), [...words]);
    return { code: Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.exitCode = 0;
    for (const spy of spies) spy.mockRestore();
  }
}
