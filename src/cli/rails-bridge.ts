import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseRsaPublicKeys } from "@trellis/kernel/crypto/rsa-public-keys.js";
import { PartnerUnavailable } from "@trellis/kernel/ports/rails.js";
import { createLogger, createPinoLog } from "../adapters/log/pino-log.js";
import { type AskBridge, createBridgeHttp, describeRefusal } from "../adapters/rails/bridge/bridge-http.js";
import { dataOf } from "../adapters/rails/bridge/bridge-needs.js";
import { checkBridge } from "../adapters/rails/bridge/check-bridge.js";
import { text } from "../adapters/rails/bridge/read-json.js";
import type { BridgeConfig } from "../config/bridge.js";
import { ConfigError, parseConfig } from "../config/config.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the service wants to hear of. */
const categories = [
  "customer",
  "kyc_link",
  "transfer",
  "virtual_account.activity",
  "external_account",
  "liquidation_address.drain",
];

/** `trellis rails bridge check`. Throws ConfigError where something has to be configured first. */
export function runBridgeCheck(environment: Environment, only: string | undefined): Promise<void> {
  return withBridge(environment, only, check);
}

/** `trellis rails bridge webhook create`: `url` is where the service is reached from outside. Throws ConfigError. */
export function runBridgeWebhookCreate(environment: Environment, only: string | undefined, url: string): Promise<void> {
  return withBridge(environment, only, (ask, bridge) =>
    createWebhook(ask, bridge, keyFileOf(environment, bridge), url),
  );
}

async function withBridge(
  environment: Environment,
  only: string | undefined,
  act: (ask: AskBridge, bridge: BridgeConfig) => Promise<void>,
): Promise<void> {
  const bridge = choose(environment, only);
  const log = createPinoLog(createLogger("fatal"));
  try {
    await act(createBridgeHttp({ baseUrl: bridge.baseUrl, apiKey: bridge.apiKey, log }), bridge);
  } catch (error) {
    if (!(error instanceof PartnerUnavailable)) throw error;
    fail(`Bridge did not answer as it should: ${error.message}. Repeat the command; nothing is made twice.`);
  }
}

/** The one that is meant; the file of public keys may not be there yet. */
function choose(environment: Environment, wanted: string | undefined): BridgeConfig {
  const known = Object.fromEntries(
    Object.entries(environment).filter(
      ([name, path]) => !name.endsWith("_BRIDGE_WEBHOOK_KEY_FILE") || path === undefined || existsSync(path.trim()),
    ),
  );
  const { bridges } = parseConfig(known);
  const [first, second] = bridges.filter((bridge) => wanted === undefined || bridge.environment === wanted);
  if (first === undefined) {
    throw new ConfigError([
      "No environment has Bridge: set TRELLIS_DEVNET_RAILS or TRELLIS_MAINNET_RAILS to bridge, as docs/rails-bridge.md says.",
    ]);
  }
  if (second !== undefined)
    throw new ConfigError(["Both devnet and mainnet have Bridge: name one with --environment."]);
  return first;
}

function keyFileOf(environment: Environment, bridge: BridgeConfig): string | undefined {
  const path = environment[`TRELLIS_${bridge.environment.toUpperCase()}_BRIDGE_WEBHOOK_KEY_FILE`]?.trim();
  return path === "" ? undefined : path;
}

async function check(ask: AskBridge, bridge: BridgeConfig): Promise<void> {
  const checked = await checkBridge(ask, bridge.environment);
  if (!checked.works) return fail(checked.why);
  say(`${bridge.environment}: Bridge takes the API key (${bridge.baseUrl}).`);
  for (const { currency, coins } of bridge.pairs) say(`${bridge.environment}: ${currency} with ${coins.join(", ")}`);
  const webhooks = await listWebhooks(ask);
  for (const webhook of webhooks) {
    say(
      `${bridge.environment}: webhook ${text(webhook, "id") ?? "?"} ${text(webhook, "status") ?? "?"} ${text(webhook, "url") ?? "?"}` +
        (isKnownKey(bridge, text(webhook, "public_key")) ? ", its key is configured" : ""),
    );
  }
  if (webhooks.length === 0) {
    say(
      `${bridge.environment}: no webhooks; the service asks for news. Make one with: trellis rails bridge webhook create`,
    );
  } else if (bridge.webhookKeys.length === 0) {
    say(`${bridge.environment}: no public key is configured, so that the service takes none of them.`);
  }
}

/** Finds or makes the webhook, keeps its key, and only then switches it on. */
async function createWebhook(
  ask: AskBridge,
  bridge: BridgeConfig,
  keyFile: string | undefined,
  given: string,
): Promise<void> {
  const url = targetOf(given, bridge);
  const same = (await listWebhooks(ask)).find(
    (webhook) => text(webhook, "url") === url && text(webhook, "status") !== "deleted",
  );
  let webhook: unknown = same;
  if (same === undefined) {
    const made = await ask({
      method: "POST",
      path: ["webhooks"],
      // One that was made although the answer was lost is found in the list the next time.
      idempotencyKey: randomUUID(),
      body: { url, event_epoch: "webhook_creation", event_categories: categories },
    });
    if (!made.ok) return fail(`Bridge makes no webhook: ${describeRefusal(made)}.`);
    webhook = made.body;
  }
  const id = text(webhook, "id");
  const publicKey = text(webhook, "public_key");
  if (id === undefined || publicKey === undefined) return fail("Bridge names no id or no public key of the webhook.");
  parseRsaPublicKeys(publicKey);
  if (keyFile === undefined) {
    return fail(
      `Webhook ${id} is ${same === undefined ? "made" : "there"}, and not switched on. Set ` +
        `TRELLIS_${bridge.environment.toUpperCase()}_BRIDGE_WEBHOOK_KEY_FILE to a path, and repeat the command: it keeps the public key there.`,
    );
  }
  keepKey(keyFile, publicKey);
  const switched = await ask({ method: "PUT", path: ["webhooks", id], body: { status: "active" } });
  if (!switched.ok) return fail(`Bridge does not switch webhook ${id} on: ${describeRefusal(switched)}.`);
  say(`Webhook ${id} sends to ${url}; its public key is in ${keyFile}.`);
  say("Restart the service now: until then it refuses these messages, and Bridge sends them again.");
}

/** Where the service listens to the partner, behind what is said of where it is. */
function targetOf(given: string, { environment }: BridgeConfig): string {
  const path = `/hooks/bridge/${environment}`;
  if (!URL.canParse(given) || new URL(given).protocol !== "https:") {
    throw new ConfigError([
      `--url must say where the service is found from outside: https://trellis.example (${path} is added).`,
    ]);
  }
  const base = given.replace(/\/+$/, "");
  return base.endsWith(path) ? base : base + path;
}

async function listWebhooks(ask: AskBridge): Promise<readonly unknown[]> {
  const answer = await ask({ method: "GET", path: ["webhooks"] });
  if (!answer.ok) throw new PartnerUnavailable(`its webhooks cannot be read: ${describeRefusal(answer)}`);
  return dataOf(answer.body);
}

function keepKey(path: string, publicKey: string): void {
  const kept = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (kept.includes(publicKey.trim())) return;
  const gap = kept === "" || kept.endsWith("\n") ? "" : "\n";
  appendFileSync(path, `${gap}${publicKey.trim()}\n`, { mode: 0o600 });
}

function isKnownKey(bridge: BridgeConfig, pem: string | undefined): boolean {
  if (pem === undefined) return false;
  const [key] = parseRsaPublicKeys(pem);
  return key !== undefined && bridge.webhookKeys.some((known) => known.equals(key));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
