import { resolve } from "node:path";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { ConfigError } from "./config.js";
import { type MasterKey, parsePlainMasterKeys } from "./keys.js";
import { type LogLevel, logLevels } from "./variables.js";

/** Every variable of `trellis custodian` with its default and meaning. */
export const custodianVariables = {
  TRELLIS_CUSTODIAN_NAME: ["", "the name that the service knows it by, and that its holders sign for; required"],
  TRELLIS_CUSTODIAN_HOST: ["127.0.0.1", "address to listen on"],
  TRELLIS_CUSTODIAN_PORT: ["8443", "port to listen on; 0 takes a free one"],
  TRELLIS_CUSTODIAN_KEYS: [
    "./custodian/keys",
    "folder with identity.key, identity.crt and peer.crt, as `trellis custodian init` writes it",
  ],
  TRELLIS_CUSTODIAN_DATA_DIR: [
    "./custodian/data",
    "where its embedded database and a generated master key live: never the service's folder",
  ],
  TRELLIS_CUSTODIAN_DATABASE_URL: ["", "postgres://… of a database of its own; empty: the embedded database"],
  TRELLIS_CUSTODIAN_MASTER_KEY: [
    "",
    "32 bytes in base64, never the service's; several as id:base64,id:base64, newest first; empty: a generated file, sandbox only",
  ],
  TRELLIS_CUSTODIAN_ENVIRONMENTS: ["sandbox", "environments whose wallets it holds, separated by commas"],
  TRELLIS_CUSTODIAN_RELYING_PARTIES: [
    "",
    "domains of guarded wallets' passkeys, each with the origins that may ask: example.com=https://app.example.com+https://example.com,…; empty: any that a wallet is made with",
  ],
  TRELLIS_CUSTODIAN_PAGE_ORIGIN: [
    "",
    "origin of its page on which holders approve, as browsers write it: https://guardian.example.com; empty: it has no page",
  ],
  TRELLIS_CUSTODIAN_PAGE_PORT: [
    "8444",
    "port of that page, in plain HTTP behind a proxy that ends TLS; 0 takes a free one",
  ],
  TRELLIS_CUSTODIAN_PAGE_APPS: [
    "",
    "addresses of native applications to which that page may return, each with the domain of their passkeys: example.com=com.example.app:/approved+…,…; empty: none",
  ],
  TRELLIS_LOG_LEVEL: ["info", `one of ${logLevels.join(", ")}`],
} as const satisfies Record<string, readonly [byDefault: string, meaning: string]>;

type CustodianVariable = keyof typeof custodianVariables;

/** What `trellis custodian` is given from outside, checked. */
export interface CustodianConfig {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly keyFolder: string;
  readonly dataDirectory: string;
  /** Null: the embedded database in the data directory. */
  readonly databaseUrl: string | null;
  /** Null: a generated file in the data directory. */
  readonly masterKeys: readonly MasterKey[] | null;
  readonly environments: readonly EnvironmentName[];
  readonly relyingParties: readonly { readonly id: string; readonly origins: readonly string[] }[];
  /** Null: it has no page. */
  readonly page: {
    readonly origin: string;
    readonly port: number;
    readonly apps: readonly { readonly id: string; readonly addresses: readonly string[] }[];
  } | null;
  readonly logLevel: LogLevel;
}

/** Reads a custodian's variables. Those of a service beside it are not read. Throws ConfigError listing every problem. */
export function parseCustodianConfig(environment: Readonly<Record<string, string | undefined>>): CustodianConfig {
  const read = (name: CustodianVariable): string => environment[name]?.trim() || custodianVariables[name][0];
  const problems = Object.keys(environment)
    .filter((name) => /^TRELLIS_CUSTODIAN_(?!KMS_)/.test(name) && !(name in custodianVariables))
    .map((name) => `${name} is not a variable that a custodian knows.`);
  const databaseUrl = read("TRELLIS_CUSTODIAN_DATABASE_URL") || null;
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push("TRELLIS_CUSTODIAN_DATABASE_URL must begin with postgres:// or postgresql://.");
  }
  const name = read("TRELLIS_CUSTODIAN_NAME");
  if (!/^kms_[a-z]$/.test(name))
    problems.push("TRELLIS_CUSTODIAN_NAME must be the name of a custodian, as the service calls it.");
  const portIn = (name: "TRELLIS_CUSTODIAN_PORT" | "TRELLIS_CUSTODIAN_PAGE_PORT"): number => {
    const port = Number(read(name));
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      problems.push(`${name} must be a whole number from 0 to 65535.`);
    }
    return port;
  };
  const port = portIn("TRELLIS_CUSTODIAN_PORT");
  const origin = read("TRELLIS_CUSTODIAN_PAGE_ORIGIN");
  const apps = parseApps(read("TRELLIS_CUSTODIAN_PAGE_APPS"), problems);
  const page = origin === "" ? null : { origin, port: portIn("TRELLIS_CUSTODIAN_PAGE_PORT"), apps };
  const level = read("TRELLIS_LOG_LEVEL");
  const logLevel = logLevels.find((known) => known === level);
  if (logLevel === undefined) problems.push(`TRELLIS_LOG_LEVEL must be one of ${logLevels.join(", ")}.`);
  const masterKeys = parsePlainMasterKeys(
    "TRELLIS_CUSTODIAN_MASTER_KEY",
    read("TRELLIS_CUSTODIAN_MASTER_KEY"),
    problems,
  );
  const environments = parseEnvironments(read("TRELLIS_CUSTODIAN_ENVIRONMENTS"), problems);
  const config: CustodianConfig = {
    name,
    host: read("TRELLIS_CUSTODIAN_HOST"),
    port,
    keyFolder: resolve(read("TRELLIS_CUSTODIAN_KEYS")),
    dataDirectory: resolve(read("TRELLIS_CUSTODIAN_DATA_DIR")),
    databaseUrl,
    masterKeys,
    environments,
    relyingParties: parseParties(read("TRELLIS_CUSTODIAN_RELYING_PARTIES"), problems),
    page,
    logLevel: logLevel ?? "info",
  };
  problems.push(...whyNotYet(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** What real money does not go without. */
function whyNotYet({ environments, databaseUrl, masterKeys, page }: CustodianConfig): string[] {
  const missing: string[] = [];
  if (page !== null && !isPageOrigin(page.origin, environments)) {
    missing.push(
      "TRELLIS_CUSTODIAN_PAGE_ORIGIN must be an origin such as https://guardian.example.com, without a path. Only localhost may use http, and not with mainnet.",
    );
  }
  if (environments.includes("mainnet") && databaseUrl === null) {
    missing.push(
      "TRELLIS_CUSTODIAN_DATABASE_URL is required with mainnet: the embedded database can lose what it has acknowledged, and with it the only copy of a wallet's key.",
    );
  }
  if (masterKeys === null && (databaseUrl !== null || environments.some((name) => name !== "sandbox"))) {
    missing.push(
      "TRELLIS_CUSTODIAN_MASTER_KEY is required beside a database server and for all but the sandbox. Make one with: openssl rand -base64 32",
    );
  }
  return missing;
}

function isPageOrigin(text: string, environments: readonly EnvironmentName[]): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const isLocal = protocol === "http:" && hostname === "localhost" && !environments.includes("mainnet");
  return origin === text && (protocol === "https:" || isLocal);
}

function parseEnvironments(text: string, problems: string[]): readonly EnvironmentName[] {
  return text.split(",").flatMap((part) => {
    const known = environmentNames.find((name) => name === part.trim());
    if (known === undefined) problems.push(`TRELLIS_CUSTODIAN_ENVIRONMENTS names an unknown environment: "${part}".`);
    return known ?? [];
  });
}

function parseParties(text: string, problems: string[]): CustodianConfig["relyingParties"] {
  if (text === "") return [];
  return text.split(",").map((part) => {
    const [id = "", origins = ""] = part.trim().split("=");
    const all = origins.split("+");
    if (id === "" || all.some((origin) => !/^https?:\/\/[^/\s]+$/.test(origin))) {
      problems.push(
        `TRELLIS_CUSTODIAN_RELYING_PARTIES: "${part}" is not like example.com=https://app.example.com+https://example.com.`,
      );
    }
    return { id, origins: all };
  });
}

function parseApps(text: string, problems: string[]): NonNullable<CustodianConfig["page"]>["apps"] {
  if (text === "") return [];
  return text.split(",").map((part) => {
    const [id = "", addresses = ""] = part.trim().split("=");
    const all = addresses.split("+");
    if (id === "" || !all.every(isAppAddress)) {
      problems.push(
        `TRELLIS_CUSTODIAN_PAGE_APPS: "${part}" is not like example.com=com.example.app:/approved. The scheme is a domain in reverse.`,
      );
    }
    return { id, addresses: all };
  });
}

/**
 * Whether an address of a native application may be returned to: its scheme is a domain name in reverse, and none that browsers or systems
 * give a meaning to, as `javascript` and `file`.
 */
const isAppAddress = (text: string): boolean => /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:\/{0,2}[A-Za-z0-9._~/-]*$/.test(text);
