import { execFileSync } from "node:child_process";
import { createHmac, createPublicKey, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { addressOfKey, formatUnits } from "@trellis/sdk";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { newKey } from "../proposals/support.js";
import { useTestService } from "../support/scene.js";
import type { Played, Prepared } from "./story.js";

const amount = 12_500_000n;
/** Where `npm run react-native` has put the engine of React Native, and what compiles for it. */
const hermes = process.env.TRELLIS_HERMES;

let bundle: string;
const trellis = useTestService();
beforeAll(async () => {
  bundle = await bundled();
});

describe("the client library and the hooks where there is neither a browser nor Node", () => {
  it("sign in from a keychain, refuse what was not asked for, and pay", async () => {
    const scene = await prepare();
    // A new global: the language, and what is put there.
    const world = createContext({ setTimeout, clearTimeout, console });
    // Nor has every engine of React Native these.
    const missing = ["WebAssembly", "SharedArrayBuffer", "Atomics", "WeakRef", "Array.prototype.at"];
    for (const name of missing) runInContext(`delete globalThis.${name}`, world);
    const code = `${surroundings()};${bundle};play(${JSON.stringify(scene.prepared)}).then(JSON.stringify)`;
    await judge(JSON.parse(await runInContext(code, world)) as Played, scene);
  });

  it.skipIf(hermes === undefined)("do so in the engine of React Native", { timeout: 600_000 }, async () => {
    const scene = await prepare();
    const place = mkdtempSync(join(tmpdir(), "trellis-hermes-"));
    try {
      const said = `play(${JSON.stringify(scene.prepared)}).then(
        function (played) { print(JSON.stringify(played)); },
        function (error) { print("FAILED " + error + "\\n" + (error && error.stack)); });`;
      const file = join(place, "story.js");
      writeFileSync(file, `${surroundings()};${compile(bundle, hermes ?? "")};${said}`);
      const engine = join(hermes ?? "", "node_modules/hermes-engine-cli/linux64-bin/hermes");
      const lines = execFileSync(engine, ["-O", "-w", "-Xmicrotask-queue", file], {
        encoding: "utf8",
        maxBuffer: 2 ** 26,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const last = lines.trim().split("\n").at(-1) ?? "";
      if (!last.startsWith("{")) throw new Error(lines.slice(0, 4_000));
      await judge(JSON.parse(last) as Played, scene);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});

/** By what React Native compiles applications with. */
function compile(code: string, from: string): string {
  const require = createRequire(join(from, "package.json"));
  const babel = require("@babel/core") as {
    readonly transformSync: (code: string, options: object) => { readonly code: string };
  };
  const presets = [[require.resolve("@react-native/babel-preset"), { enableBabelRuntime: false }]];
  return babel.transformSync(code, {
    ...{ presets, babelrc: false, configFile: false, compact: true, comments: false, sourceType: "script" },
    ...{ filename: "story.js", cwd: from },
  }).code;
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The story, the client library and the hooks as one script, as an application's bundler resolves them for a phone. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: 'import { play } from "./story.js"; globalThis.play = play;',
      resolveDir: pathOf("."),
    },
    alias: {
      "@trellis/sdk": pathOf("../../packages/sdk/src/index.ts"),
      "@trellis/react": pathOf("../../packages/react/src/index.ts"),
    },
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    mainFields: ["react-native", "module", "main"],
    conditions: ["react-native", "import"],
    define: { "process.env.NODE_ENV": '"production"' },
    jsx: "automatic",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/** Has a user signed in, with a SOL, and a payment of theirs prepared. */
async function prepare(): Promise<{ readonly prepared: Prepared; readonly destination: string }> {
  const { client } = trellis;
  const email = `phone-${randomBytes(4).toString("hex")}@example.org`;
  const { verify } = await client.auth.signIn(email);
  const [mail] = await client.sandbox.outbox(email);
  const { account, userId, session, keyPair } = await verify(mail?.otp_code ?? "");
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const destination = addressOfKey(newKey());
  const transfer = await client.transfers.prepare(account, {
    amount: amount.toString(),
    source: { account, currency: "sol" },
    destination: { address: destination, currency: "sol" },
    provider: session.provider,
  });
  const body = JSON.stringify({ id: "e", type: "payment_intent.confirmed", data: { note: "grüße 🌿" } });
  const secret = randomBytes(32);
  const timestamp = Math.floor(Date.now() / 1_000).toString();
  const signature = createHmac("sha256", secret).update(`e.${timestamp}.${body}`).digest("base64");
  const prepared: Prepared = {
    ...{ email, account, userId, destination, transfer },
    authentication: session.authentication,
    publicKeySpkiBase64: keyPair.publicKeySpkiBase64,
    privateKeyPkcs8: [...keyPair.privateKeyPkcs8],
    uiAmount: formatUnits(amount, 9),
    webhook: {
      body,
      headers: { "webhook-id": "e", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` },
      secret: `whsec_${secret.toString("base64")}`,
    },
  };
  return { prepared, destination };
}

/** What it says has to be so, and what it signed is accepted by the real service. */
async function judge(played: Played, { prepared, destination }: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  expect(played).toMatchObject({
    event: "payment_intent.confirmed",
    refusal: "amount",
    units: "0.012500001",
    restored: prepared.account,
  });
  expect([played.states[0], played.states.at(-1)]).toEqual(["idle", "confirmed"]);
  const made = createPublicKey({ key: Buffer.from(played.publicKey, "base64"), format: "der", type: "spki" });
  expect(made.asymmetricKeyDetails).toMatchObject({ namedCurve: "prime256v1" });
  await trellis.client.transactions.submit(prepared.account, JSON.parse(played.submitted));
  expect(await trellis.lamportsOf(destination)).toBe(amount);
}

/** What has to run before the bundle. */
const surroundings = () =>
  `globalThis.randomBytes = [${[...randomBytes(4_096)].join()}];${readFileSync(pathOf("surroundings.js"), "utf8")}`;
