import { mkdirSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { createCommandNeeds } from "../../src/cli/commands/needs.js";
import { runProgram } from "../../src/cli/commands/program.js";
import { parseConfig } from "../../src/config/config.js";
import { withDatabase } from "../../src/operator/with-database.js";
import { unpackSnapshot } from "../support/test-database.js";
import { useDirectory } from "../support/use-directory.js";
import { newKey, own } from "./support.js";

const directory = useDirectory();
const feePayer = generateEd25519KeyPair();
/** Of ten thousand characters each. */
const events = 6_000;

it("move a tenant with many rows in bounded memory, from one data directory to another", async () => {
  const [from, to] = [await install("from"), await install("to")];
  await withDatabase(parseConfig(from), async ({ db }) => {
    await sql`insert into tenant (id, name, created_at) values ('shop', 'Shop', 0)`.execute(db);
    await sql`insert into event (id, tenant_id, environment, type, object_id, data, created_at, place, placed_at)
      select 'evt_' || n, 'shop', 'devnet', 'transaction.confirmed', 'object-' || n, ${JSON.stringify({ text: "x".repeat(10_000) })}::text,
        0, n, 0 from generate_series(1, ${events}::int4) as n`.execute(db);
    await sql`update event_feed set next_place = ${events + 1}::int8`.execute(db);
  });
  const file = join(directory, "shop.age");
  const identity = join(directory, "identity.txt");
  await writeFile(identity, `# created: today\n${own.identity}\n`, { mode: 0o600 });

  expect(await run(from, "export", "shop", "--file", file, "--to", own.recipient)).toMatchObject({ code: 1 });
  const before = process.memoryUsage().arrayBuffers;
  const peak = watchMemory();
  const exported = await run(from, "export", "shop", "--file", file, "--to", own.recipient, "--freeze");
  expect(exported, exported.stderr).toMatchObject({ code: 0 });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const sha256 = /--sha256 ([0-9a-f]{64})/.exec(exported.stdout)?.[1] ?? "";
  const again = await run(from, "export", "shop", "--file", file, "--to", own.recipient);
  expect(again).toMatchObject({ code: 1, stderr: `There is a file ${file} already.\n` });

  const wrong = await run(to, "import", file, "--identity", identity, "--sha256", "0".repeat(64));
  expect(wrong).toMatchObject({ code: 1 });
  const imported = await run(to, "import", file, "--identity", identity, "--sha256", sha256);
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  expect(imported.stdout).toContain(`event: ${events}\n`);
  const held = peak.stop() - before;
  // Of rows of some 60 MB that went by twice.
  expect(held).toBeLessThan(16 * 1024 * 1024);
  for (const { stdout, stderr } of [exported, again, wrong, imported]) {
    expect(stdout + stderr).not.toContain(own.identity.slice(20, 40));
  }
  expect((await readFile(file)).includes("transaction.confirmed")).toBe(false);
  expect(await run(to, "import", file, "--identity", identity, "--sha256", sha256)).toMatchObject({ code: 1 });
  await withDatabase(parseConfig(to), async ({ db }) => {
    const feed = await db.selectFrom("event_feed").select("next_place").executeTakeFirstOrThrow();
    expect(feed.next_place).toBe(BigInt(events) + 1n);
  });
}, 240_000);

/** Buffers that are held at once, at most, as far as they are seen: what is garbage is collected first. */
function watchMemory() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let most = 0;
  const timer = setInterval(() => {
    // What the first one found is given back beside the program; the second one waits for that.
    collect();
    collect();
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }, 1_000);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

async function install(name: string): Promise<Record<string, string>> {
  const place = join(directory, name);
  mkdirSync(place);
  await unpackSnapshot(join(place, "postgres"));
  return {
    TRELLIS_DATA_DIR: place,
    TRELLIS_MASTER_KEY: Buffer.from(newKey()).toString("base64"),
    TRELLIS_DEVNET_RPC_URLS: "http://127.0.0.1:9",
    TRELLIS_DEVNET_FEE_PAYER: `[${[...feePayer.seed, ...feePayer.publicKey].join(",")}]`,
    TRELLIS_DEVNET_GENESIS_HASH: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  };
}

async function run(environment: Record<string, string>, ...words: string[]) {
  const written = { stdout: "", stderr: "" };
  const streams = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    const code = await runProgram(createCommandNeeds(environment), words);
    return { ...written, code: code ?? Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = 0;
    for (const stream of streams) stream.mockRestore();
  }
}
