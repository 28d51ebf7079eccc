import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createTrellisClient, generateEncryptionKeyPair, openSession } from "@trellis/sdk";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { parseConfig } from "../../src/config/config.js";
import { withDatabase } from "../../src/operator/with-database.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { compileProgram, processEnvironment } from "../support/compiled-program.js";
import { unpackSnapshot } from "../support/test-database.js";
import { publicKeyOf } from "../support/test-network.js";
import { use } from "../support/use.js";

/** The service of a laptop as a process, with the guardian that it starts beside itself. */
const place = use(async () => {
  const directory = await mkdtemp(join(tmpdir(), "trellis-laptop-"));
  await unpackSnapshot(join(directory, "data/postgres"));
  return { directory, close: () => rm(directory, { recursive: true, force: true }) };
});
const root = fileURLToPath(new URL("../..", import.meta.url));
const apiKey = "sk_test_of_a_laptop_with_a_guardian";
const payee = publicKeyOf("a shop that a laptop pays");

it("starts with the first guarded account, again when it is killed, and ends with the service, however that ends", async () => {
  const first = await start();
  expect(first.guardian).toMatch(/^[\w-]{43}$/);
  const account = await openGuarded(first);
  const { pid } = await first.logged("guardian_started");
  await pay(first, account);

  process.kill(Number(pid), "SIGKILL");
  expect(await first.logged("guardian_ended")).toMatchObject({ signal: "SIGKILL", level: "warn" });
  expect(await first.client.accounts.create({ type: "email", email: "plain@example.org" })).toMatchObject({
    protection: "plain",
  });
  const again = await first.logged("guardian_started");
  expect(again.pid).not.toBe(pid);
  await pay(first, account);

  // The guardian writes where the service writes: that has its end only when both have ended.
  first.child.kill("SIGKILL");
  await once(first.child, "close");

  const second = await start();
  expect(second.guardian).toBe(first.guardian);
  await pay(second, account);
  // A terminal interrupts both, and the service may need it until its own end.
  process.kill(Number((await second.logged("guardian_started")).pid), "SIGINT");
  await pay(second, account);
  second.child.kill("SIGTERM");
  expect((await once(second.child, "close"))[0]).toBe(0);
  expect(await configurationsLogged()).toMatchObject([
    { custodians: [{ name: "kms_c", identity: first.guardian, guardian: true }] },
  ]);
}, 120_000);

/** What the audit log says of the configuration: once, as the second start had the same. */
async function configurationsLogged(): Promise<readonly unknown[]> {
  const config = parseConfig({ TRELLIS_DATA_DIR: join(place.directory, "data") });
  return withDatabase(config, async ({ db }) => {
    const { rows } = await sql<{
      body: string;
    }>`select body from audit_entry where kind = 'configuration.changed'`.execute(db);
    return rows.map(({ body }) => JSON.parse(body).details);
  });
}

type Running = Awaited<ReturnType<typeof start>>;

async function start() {
  const { service } = await compileProgram();
  const child: ChildProcess = spawn(process.execPath, [service], {
    cwd: root,
    env: {
      ...processEnvironment(),
      PORT: "0",
      TRELLIS_DATA_DIR: join(place.directory, "data"),
      TRELLIS_API_KEY: apiKey,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("it has no output");
  const lines = createInterface(child.stdout);
  const logged = watch(lines);
  const [url = "", guardian = ""] = await Promise.all([
    textIn(lines, /Trellis answers at +(\S+)/),
    textIn(lines, /Guardian beside it +(\S+)/),
  ]);
  return {
    child,
    guardian,
    logged,
    client: createTrellisClient({ baseUrl: url, apiKey, environment: "sandbox" }),
  };
}

async function textIn(lines: Interface, form: RegExp): Promise<string | undefined> {
  return new Promise((resolve) => {
    lines.on("line", (line) => {
      const found = form.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    lines.on("close", () => resolve(undefined));
  });
}

/** Gives the lines of an event one after another, each once. */
function watch(lines: Interface) {
  const seen: Record<string, unknown>[] = [];
  let notice: () => void = () => undefined;
  lines.on("line", (line) => {
    if (!line.startsWith("{")) return;
    seen.push(JSON.parse(line));
    notice();
  });
  return async (event: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const at = seen.findIndex((line) => line.event === event);
      const [found] = at === -1 ? [] : seen.splice(at, 1);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        notice = resolve;
      });
    }
  };
}

async function openGuarded({ client, guardian }: Running) {
  const email = "ada@example.org";
  const recovery = { address: publicKeyOf("kept in a drawer") };
  await client.accounts.create({ type: "email", email, protection: "guarded", recovery });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const {
    address: account,
    authentication,
    policies,
  } = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const session = await openSession(authentication[0], keyPair);
  const credentials = browserWith(createSoftPasskey());
  const signer = policies.signers[1]?.address ?? "";
  const pinned = { guardian: { identity: guardian } };
  const passkey = await client.passkeys.add({ account, session, signer, name: "Phone", credentials, ...pinned });
  return { account, session, passkeys: { passkeys: [passkey], credentials } };
}

const pay = ({ client }: Running, by: Awaited<ReturnType<typeof openGuarded>>) =>
  client.transfers.send({ ...by, currency: "sol", destination: payee, amount: 5_000_000n });
