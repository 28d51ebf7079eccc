import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseRsaPublicKeys } from "@trellis/kernel/crypto/rsa-public-keys.js";
import { type Coin, coins, type Fiat, fiatCurrencies, findCoin } from "@trellis/kernel/ports/coins.js";
import type { ClusterName, ReadCluster } from "./variables.js";

/** The partner Bridge of one environment, as configured (gap 105). */
export interface BridgeConfig {
  readonly environment: ClusterName;
  readonly baseUrl: string;
  /** Secret. */
  readonly apiKey: string;
  readonly pairs: readonly { readonly currency: Fiat; readonly coins: readonly Coin[] }[];
  readonly developerFeePercent: string | null;
  readonly travelRule: (typeof walletTypes)[number] | null;
  readonly allowsAnySender: boolean;
  /** By which its news are signed. */
  readonly webhookKeys: readonly KeyObject[];
}

/** The values of an environment's variables; empty where nothing is said. */
export interface BridgeVariables {
  readonly name: BridgeConfig["environment"];
  readonly rails: string;
  readonly hasCluster: boolean;
  readonly url: string;
  readonly apiKeyFile: string;
  readonly pairs: string;
  readonly feePercent: string;
  readonly travelRule: string;
  readonly anySender: string;
  readonly webhookKeyFile: string;
}

/** Reads what an environment's variables say. */
export function readBridge({
  name,
  hasCluster,
  read,
}: Pick<BridgeVariables, "name" | "hasCluster"> & { readonly read: ReadCluster }): BridgeVariables {
  return {
    name,
    hasCluster,
    rails: read("RAILS"),
    url: read("BRIDGE_URL"),
    apiKeyFile: read("BRIDGE_API_KEY_FILE"),
    pairs: read("BRIDGE_PAIRS"),
    feePercent: read("BRIDGE_FEE_PERCENT"),
    travelRule: read("BRIDGE_TRAVEL_RULE"),
    anySender: read("BRIDGE_ANY_SENDER"),
    webhookKeyFile: read("BRIDGE_WEBHOOK_KEY_FILE"),
  };
}

const walletTypes = ["self_custodied", "external", "hosted"] as const;

/** Undefined where the environment has no partner. Of use only when no problem was added; problems repeat no secret. */
export function parseBridge(given: BridgeVariables, problems: string[]): BridgeConfig | undefined {
  const { name } = given;
  const prefix = `TRELLIS_${name.toUpperCase()}`;
  if (given.rails === "" || given.rails === "off") return undefined;
  if (given.rails !== "bridge") {
    problems.push(`${prefix}_RAILS must be bridge or off, not "${given.rails}".`);
    return undefined;
  }
  if (!given.hasCluster) problems.push(`${prefix}_RAILS names a partner of an environment that is not configured.`);
  const urlProblem = findUrlProblem(given.url);
  if (urlProblem !== undefined) problems.push(`${prefix}_BRIDGE_URL ${urlProblem}.`);
  const apiKey = parseApiKeyFile(name, given.apiKeyFile);
  if ("problem" in apiKey) problems.push(`${prefix}_BRIDGE_API_KEY_FILE ${apiKey.problem}.`);
  const fee = given.feePercent;
  if (fee !== "" && !(/^\d{1,2}(\.\d{1,5})?$/.test(fee) && /[1-9]/.test(fee))) {
    problems.push(`${prefix}_BRIDGE_FEE_PERCENT must be percent above 0 and below 100, such as 0.5.`);
  }
  const travelRule = walletTypes.find((type) => type === given.travelRule);
  if (given.travelRule !== "" && given.travelRule !== "off" && travelRule === undefined) {
    problems.push(`${prefix}_BRIDGE_TRAVEL_RULE must be off or one of ${walletTypes.join(", ")}.`);
  }
  if (given.anySender !== "on" && given.anySender !== "off") {
    problems.push(`${prefix}_BRIDGE_ANY_SENDER must be on or off.`);
  }
  return {
    environment: name,
    baseUrl: given.url.replace(/\/+$/, ""),
    apiKey: "key" in apiKey ? apiKey.key : "",
    pairs: parsePairs(`${prefix}_BRIDGE_PAIRS`, given.pairs, problems),
    developerFeePercent: fee === "" ? null : fee,
    travelRule: travelRule ?? null,
    allowsAnySender: given.anySender === "on",
    webhookKeys: parseKeyFile(`${prefix}_BRIDGE_WEBHOOK_KEY_FILE`, given.webhookKeyFile, problems),
  };
}

/** A key of theirs for money of ours: what is real at the one end must be real at the other. */
function parseApiKeyFile(
  name: BridgeConfig["environment"],
  path: string,
): { readonly key: string } | { readonly problem: string } {
  if (path === "") return { problem: "is required: the file that holds the partner's API key" };
  const key = readText(path)?.trim();
  if (key === undefined) return { problem: "names no file that can be read" };
  if (!/^[\x21-\x7e]{8,200}$/.test(key)) return { problem: "names a file that must hold one API key and nothing else" };
  if (name === "mainnet" && key.startsWith("sk-test")) return { problem: "names a test key; mainnet needs a live one" };
  if (name === "devnet" && key.startsWith("sk-live")) {
    return { problem: "names a live key; devnet's coins are worth nothing, so that it must be a test key" };
  }
  return { key };
}

/** The key goes there with every request: in clear to this very machine only. */
function findUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "is not a URL";
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== "" || password !== "" || search !== "" || hash !== "") {
    return "must hold no user, password, query or fragment";
  }
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback) ? undefined : "must begin with https://";
}

/** `usd=usdc,eur=usdc+eurc` */
function parsePairs(variable: string, text: string, problems: string[]): BridgeConfig["pairs"] {
  const pairs: { currency: Fiat; coins: readonly Coin[] }[] = [];
  for (const part of text.split(",")) {
    const [left = "", right = "", ...more] = part.trim().split("=");
    const currency = fiatCurrencies.find((one) => one === left);
    const chosen = right.split("+").map(findCoin);
    if (currency === undefined || more.length > 0 || chosen.includes(undefined)) {
      problems.push(
        `${variable}: "${part.trim()}" is not of the form eur=usdc+eurc with ${fiatCurrencies.join(", ")} and ${coins.join(", ")}.`,
      );
    } else if (pairs.some((pair) => pair.currency === currency)) problems.push(`${variable} names ${currency} twice.`);
    else pairs.push({ currency, coins: chosen.filter((coin) => coin !== undefined) });
  }
  return pairs;
}

function parseKeyFile(variable: string, path: string, problems: string[]): readonly KeyObject[] {
  if (path === "") return [];
  const pem = readText(path);
  if (pem === undefined) {
    problems.push(
      `${variable} names no file that can be read. \`trellis rails bridge webhook create\` writes it; until then leave it out.`,
    );
    return [];
  }
  try {
    return parseRsaPublicKeys(pem);
  } catch (error) {
    problems.push(`${variable} cannot be used: ${error instanceof Error ? error.message : "unreadable"}.`);
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
