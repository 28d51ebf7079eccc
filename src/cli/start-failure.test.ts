import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { parseConfig } from "../config/config.js";
import { startService } from "../service.js";
import { describeStartFailure } from "./start-failure.js";

const directory = mkdtempSync(join(tmpdir(), "trellis-start-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const masterKey = Buffer.alloc(32, 7).toString("base64");

it("names a port that is in use and an address that does not exist here", async () => {
  const claimed = createServer();
  await new Promise<void>((resolve) => claimed.listen(0, "127.0.0.1", resolve));
  const { port } = claimed.address() as { port: number };
  try {
    expect(await failureOf({ PORT: String(port) })).toBe(
      `Port ${port} of 127.0.0.1 is in use by another program: stop it, or set PORT to a free one (TRELLIS_METRICS_PORT for metrics).`,
    );
  } finally {
    claimed.close();
  }
  expect(await failureOf({ HOST: "192.0.2.1" })).toContain("This machine has no address 192.0.2.1");
});

it("names a database that does not answer, without the password of its URL", async () => {
  const failure = await failureOf({ DATABASE_URL: "postgres://trellis:secret@127.0.0.1:1/trellis" });
  expect(failure).toBe(
    "PostgreSQL does not answer at 127.0.0.1, port 1 (ECONNREFUSED): start it, or correct DATABASE_URL.",
  );
});

const server = process.env.TRELLIS_TEST_DATABASE_URL;
it.skipIf(server === undefined)("names a database that is not there, and a role that may not enter", async () => {
  const url = new URL(server ?? "");
  url.pathname = "/no_such_database";
  expect(await failureOf({ DATABASE_URL: url.href })).toContain(
    "Create that database, or correct its name in DATABASE_URL.",
  );
  url.pathname = "/postgres";
  url.username = "no_such_role";
  expect(await failureOf({ DATABASE_URL: url.href })).toContain("in DATABASE_URL, or create that role.");
});

it("does not blame the data directory for a file of its own", () => {
  const path = fileURLToPath(new URL("../adapters/db/functions.sql", import.meta.url));
  const error = Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open", path });
  expect(describeStartFailure(error)).toBe(
    `A file of Trellis itself cannot be read: ${path} (ENOENT). Build or install it again.`,
  );
});

it("names a data directory that is none", async () => {
  const file = join(directory, "file");
  writeFileSync(file, "");
  expect(await failureOf({ TRELLIS_DATA_DIR: file })).toMatch(/^The data directory cannot be used: .*TRELLIS_DATA_DIR/);
});

it("leaves what it does not know to the stack", () => {
  expect(describeStartFailure(new TypeError("x is not a function"))).toBeUndefined();
});

/** What somebody reads whose service does not start with these variables; fails if it starts. */
async function failureOf(variables: Record<string, string>): Promise<string | undefined> {
  const config = parseConfig({
    TRELLIS_DATA_DIR: join(directory, "data"),
    TRELLIS_MASTER_KEY: masterKey,
    ...variables,
  });
  const error = await startService(config, pino({ level: "silent" })).then(
    async (service) => {
      await service.close();
      throw new Error("it started");
    },
    (thrown: unknown) => thrown,
  );
  return describeStartFailure(error);
}
