import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import type { Dialect } from "../http/dialects/dialect.js";
import { dialects } from "../http/dialects/dialects.js";
import { limits } from "../kernel/limits.js";
import { type EnvironmentName, environmentNames } from "../ports/environment.js";
import type { DailyBudgets, SandboxFaults, SponsorshipLimits } from "../ports/network.js";
import { parseKnownPrograms } from "../solana/known-builds.js";
import { type BridgeConfig, parseBridge } from "./bridge.js";
import { type ClusterConfig, parseCluster, parseFaults, parseSandbox, type SandboxConfig } from "./environments.js";

/** Everything the process is told from outside, checked. Nothing else reads environment variables. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** Null: the embedded database in the data directory. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  /** Newest first; the first one encrypts, all of them decrypt. Null: a generated file in the data directory. */
  readonly masterKeys: readonly MasterKey[] | null;
  readonly apiKey: { readonly value: string; readonly environments: readonly EnvironmentName[] } | null;
  /** Null: mail stays in the sandbox's outbox. */
  readonly smtp: { readonly url: string; readonly from: string } | null;
  readonly appName: string;
  readonly corsOrigins: readonly string[];
  /** Whether `/docs` is there. */
  readonly docs: boolean;
  /** Names that clients may use besides the neutral ones (gap 113). */
  readonly dialect: Dialect | undefined;
  readonly rateLimitPerMinute: number;
  /** Of all secret keys of a tenant, and of all its publishable ones. 0: none. */
  readonly tenantRateLimitPerMinute: number;
  /** Requests of a tenant that leave something behind, a day and kind. 0: no bound. */
  readonly tenantWritesPerDay: number;
  /** Of publishable keys: per key, and per remote address. */
  readonly publishableRateLimitPerMinute: number;
  readonly publishableAddressRateLimitPerMinute: number;
  readonly trustProxy: boolean;
  readonly logLevel: LogLevel;
  /** Where metrics are read, and with which token; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number; readonly token: string | null } | null;
  readonly otpLifetimeMs: number;
  /** The sandbox's money is play money: it is more generous where nothing is said. */
  readonly sponsorship: Readonly<Record<"sandbox" | "cluster", SponsorshipLimits>>;
  /** Where events may be sent beyond public addresses: networks in CIDR notation; and ports of https receivers. */
  readonly webhooks: { readonly networks: readonly string[]; readonly ports: readonly number[] };
  readonly sandbox: SandboxConfig;
  readonly clusters: readonly ClusterConfig[];
  /** How fast the sandbox's simulated partner of bank rails is; off: there is none. */
  readonly sandboxRails: "instant" | "realistic" | "off";
  /** Partners of bank rails in environments with real money, or a cluster at least. */
  readonly bridges: readonly BridgeConfig[];
  /** Where browsers find this service, without a slash at the end; null: on this machine. */
  readonly publicUrl: string | null;
  /** SHA-256 of builds of the on-chain program that the operator trusts on clusters, in hexadecimal. */
  readonly knownPrograms: readonly string[];
  /** Another build of the on-chain program for the sandbox. */
  readonly sandboxProgramPath: string | null;
  /** Null: nothing goes wrong on purpose. */
  readonly sandboxFaults: SandboxFaults | null;
}

export interface MasterKey {
  readonly id: string;
  readonly key: Uint8Array;
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
type LogLevel = (typeof logLevels)[number];

/** Thrown with every problem at once, so that nobody mends a configuration one restart at a time. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n- ${problems.join("\n- ")}`,
    );
  }
}

/** Every variable with its default and meaning: docs/configuration.md and `trellis --help` say the same. */
export const variables = {
  HOST: ["127.0.0.1", "address to listen on; 0.0.0.0 in a container"],
  PORT: ["8080", "port to listen on; 0 takes a free one"],
  TRELLIS_DATA_DIR: ["./data", "where the embedded database and the sandbox's generated master key live"],
  DATABASE_URL: ["", "postgres://… ; empty: the embedded database"],
  TRELLIS_DATABASE_POOL: [
    "16",
    "connections to PostgreSQL, 3 to 200, a quarter of them (1 to 4) for background work; an embedded sandbox takes one more",
  ],
  TRELLIS_MASTER_KEY: [
    "",
    "32 bytes in base64, protects keys and secrets at rest; several as id:base64,id:base64, newest first; empty: a generated file, sandbox only",
  ],
  TRELLIS_API_KEY: ["", "an API key that is made sure to exist, at least 16 characters"],
  TRELLIS_API_KEY_ENVIRONMENTS: ["sandbox", "environments of that key, separated by commas"],
  TRELLIS_SMTP_URL: ["", "smtp://user:password@host:port or smtps://… ; empty: mail stays in the sandbox's outbox"],
  TRELLIS_MAIL_FROM: ["", "sender of mail, required with TRELLIS_SMTP_URL"],
  TRELLIS_APP_NAME: ["Trellis", "the name that mails carry"],
  TRELLIS_CORS_ORIGINS: ["", "origins allowed to call from a browser, separated by commas"],
  TRELLIS_DOCS: ["on", "the documentation at /docs/: on or off"],
  TRELLIS_DIALECT: [
    "",
    `names that clients in the field use, understood besides the neutral ones: ${[...dialects.keys()].join(", ")}; empty: none`,
  ],
  TRELLIS_RATE_LIMIT: ["6000", "requests a minute per API key; 0: no limit"],
  TRELLIS_TENANT_RATE_LIMIT: [
    "12000",
    "requests a minute of all secret keys of a tenant together, and of all its publishable ones; 0: no limit",
  ],
  TRELLIS_TENANT_DAILY_WRITES: [
    "250000",
    "requests of a tenant a day that prepare transactions, and as many others that change something; 0: no bound",
  ],
  TRELLIS_PUBLISHABLE_RATE_LIMIT: ["6000", "the same per publishable key, which an application's browsers share"],
  TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: [
    "60",
    "requests a minute with publishable keys from one remote address, a third of them to sign in; 0: no limit",
  ],
  TRELLIS_TRUST_PROXY: ["false", "true behind a proxy that sets x-forwarded-for"],
  TRELLIS_LOG_LEVEL: ["info", `one of ${logLevels.join(", ")}`],
  TRELLIS_METRICS_PORT: [
    "",
    "port of /metrics, a port apart from the service's; 0 takes a free one; empty: no metrics",
  ],
  TRELLIS_METRICS_HOST: ["127.0.0.1", "address that /metrics listens on"],
  TRELLIS_METRICS_TOKEN: [
    "",
    "bearer token that /metrics asks for, at least 16 characters; required where TRELLIS_METRICS_HOST is not this machine alone",
  ],
  TRELLIS_OTP_LIFETIME_SECONDS: ["900", "life of a one-time code, 30 to 900"],
  TRELLIS_SPONSOR_PER_TRANSACTION: ["20000000", "lamports the service pays for one transaction at most"],
  TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: ["100000000", "lamports a day for one account"],
  TRELLIS_SPONSOR_PER_TENANT_PER_DAY: [
    "20000000000",
    "lamports a day for one tenant; pages bring about three quarters of it at most, their new accounts half",
  ],
  TRELLIS_SPONSOR_PER_DAY: ["100000000000", "lamports a day in all"],
  TRELLIS_SPONSOR_TENANT_PERCENT: ["20", "percent of each budget of a day that one tenant may use at most"],
  TRELLIS_SPONSOR_TENANT_RESERVED_PERCENT: [
    "1",
    "percent of each budget of a day that every tenant can use although the others have used it up",
  ],
  TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: [
    "",
    "token accounts and spending limits whose rent the service pays for one account in its whole life, where the account cannot. Others can cash that rent in. Empty: none on devnet and mainnet, 1000 in the sandbox",
  ],
  TRELLIS_SPONSOR_OPENINGS_PER_DAY: [
    "",
    "lamports a day in all for these, a budget apart from all others; empty: 1000000000 on devnet and mainnet, 100000000000 in the sandbox",
  ],
  TRELLIS_WEBHOOK_NETWORKS: [
    "",
    "private networks that webhook receivers may stand in, in CIDR notation, separated by commas; empty: public addresses only",
  ],
  TRELLIS_WEBHOOK_PORTS: ["443", "ports that webhook receivers may listen on, separated by commas"],
  TRELLIS_DEVNET_RPC_URLS: ["", "JSON-RPC URLs of devnet, separated by commas, the preferred one first"],
  TRELLIS_DEVNET_WS_URL: [
    "",
    "WebSocket URL on which devnet tells of changed accounts; empty: that of the first JSON-RPC URL; off: none",
  ],
  TRELLIS_DEVNET_FEE_PAYER: [
    "",
    "key that pays fees and rent on devnet: path of a Solana key file, or the secret key itself in base58 or as JSON array",
  ],
  TRELLIS_DEVNET_EXECUTOR: [
    "",
    "key that pays standing orders on devnet, given like the fee payer and another one than it; empty: no standing orders there",
  ],
  TRELLIS_DEVNET_MINTS: [
    "",
    "mints by currency, usdc=…,eurc=…, instead of or besides the known ones; payments in one that takes a fee are refused",
  ],
  TRELLIS_DEVNET_GENESIS_HASH: [
    "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkzBkH2",
    "genesis hash of the cluster that serves as devnet; another one for a validator of your own",
  ],
  TRELLIS_MAINNET_RPC_URLS: ["", "the same for mainnet"],
  TRELLIS_MAINNET_WS_URL: ["", "the same for mainnet"],
  TRELLIS_MAINNET_FEE_PAYER: ["", "the same for mainnet"],
  TRELLIS_MAINNET_EXECUTOR: ["", "the same for mainnet"],
  TRELLIS_MAINNET_MINTS: ["", "the same for mainnet"],
  TRELLIS_DEVNET_RAILS: ["off", "the partner of bank rails on devnet: bridge, or off"],
  TRELLIS_DEVNET_BRIDGE_API_KEY_FILE: ["", "path of the file that holds Bridge's API key for devnet, a test key"],
  TRELLIS_DEVNET_BRIDGE_URL: ["https://api.sandbox.bridge.xyz/v0", "where Bridge answers for devnet"],
  TRELLIS_DEVNET_BRIDGE_PAIRS: [
    "usd=usdc",
    "currencies of banks that are offered, each with the coins it becomes and is made of, the first one where nobody chooses: usd=usdc,eur=usdc+eurc",
  ],
  TRELLIS_DEVNET_BRIDGE_FEE_PERCENT: [
    "",
    "percent of every deposit and transfer that Bridge takes for you; empty: none",
  ],
  TRELLIS_DEVNET_BRIDGE_TRAVEL_RULE: [
    "off",
    "what Bridge is given about wallets that virtual accounts pay: self_custodied, external or hosted, or off",
  ],
  TRELLIS_DEVNET_BRIDGE_ANY_SENDER: [
    "off",
    "on: money of a pay-out may come from any address on chain; off: from the account alone",
  ],
  TRELLIS_DEVNET_BRIDGE_WEBHOOK_KEY_FILE: [
    "",
    "path of the file with the public keys that Bridge signs its webhooks with; empty: it is asked for news, and none are taken",
  ],
  TRELLIS_MAINNET_RAILS: ["off", "the same for mainnet"],
  TRELLIS_MAINNET_BRIDGE_API_KEY_FILE: ["", "the same for mainnet"],
  TRELLIS_MAINNET_BRIDGE_URL: ["https://api.bridge.xyz/v0", "the same for mainnet"],
  TRELLIS_MAINNET_BRIDGE_PAIRS: ["usd=usdc", "the same for mainnet"],
  TRELLIS_MAINNET_BRIDGE_FEE_PERCENT: ["", "the same for mainnet"],
  TRELLIS_MAINNET_BRIDGE_TRAVEL_RULE: ["off", "the same for mainnet"],
  TRELLIS_MAINNET_BRIDGE_ANY_SENDER: ["off", "the same for mainnet"],
  TRELLIS_MAINNET_BRIDGE_WEBHOOK_KEY_FILE: ["", "the same for mainnet"],
  TRELLIS_KNOWN_PROGRAMS: [
    "",
    "SHA-256 of builds of the smart account program that you have tried, separated by commas, as `trellis sandbox fetch-program` prints it; a cluster that runs another one is warned of",
  ],
  TRELLIS_SANDBOX: [
    "auto",
    "on, off, or auto: on where no other environment is configured, or TRELLIS_SANDBOX_RPC_URL names one",
  ],
  TRELLIS_SANDBOX_RPC_URL: [
    "",
    "a sandbox in a process of its own, as `trellis sandbox` prints it, key included; required beside devnet or mainnet",
  ],
  TRELLIS_SANDBOX_RAILS: [
    "instant",
    "the sandbox's simulated partner of bank rails: instant, realistic (it takes what banks take, by the sandbox's clock), or off",
  ],
  TRELLIS_PUBLIC_URL: [
    "",
    "where clients find this service: the issuer of identity tokens, and for the pages of the sandbox's partner; set it beside devnet or mainnet; empty: http://localhost and the port",
  ],
  TRELLIS_SANDBOX_PROGRAM: ["", "path of another build of the on-chain program for the sandbox"],
  TRELLIS_SANDBOX_FAULTS: [
    "",
    "what goes wrong in the sandbox on purpose, separated by commas: drop=N, blockhash_not_found=N, full_blocks=N, fork=N, N times for each or always, price=P, and lag=S in slots; empty: nothing",
  ],
} as const satisfies Record<string, readonly [byDefault: string, meaning: string]>;

type VariableName = keyof typeof variables;

/** What tells mainnet from every other cluster. */
const mainnetGenesisHash = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

/** Reads the process environment. Throws ConfigError listing every problem. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const read = (name: VariableName): string => {
    const value = environment[name]?.trim();
    return value === undefined || value === "" ? variables[name][0] : value;
  };
  const integer = (name: VariableName, least: number, most: number): number => {
    const text = read(name);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      problems.push(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
    }
    return value;
  };
  const lamports = (name: VariableName): bigint => {
    const text = read(name);
    if (!/^\d{1,18}$/.test(text)) {
      problems.push(`${name} must be a whole number of lamports, not "${text}".`);
      return 0n;
    }
    return BigInt(text);
  };

  for (const name of Object.keys(environment)) {
    if (name.startsWith("TRELLIS_") && !name.startsWith("TRELLIS_TEST_") && !(name in variables)) {
      problems.push(`${name} is not a variable Trellis knows.`);
    }
  }

  const databaseUrl = read("DATABASE_URL") || null;
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push("DATABASE_URL must begin with postgres:// or postgresql://.");
  }
  const logLevel = read("TRELLIS_LOG_LEVEL");
  if (!isLogLevel(logLevel))
    problems.push(`TRELLIS_LOG_LEVEL must be one of ${logLevels.join(", ")}, not "${logLevel}".`);
  const docs = read("TRELLIS_DOCS");
  if (docs !== "on" && docs !== "off") problems.push("TRELLIS_DOCS must be on or off.");
  const trustProxy = read("TRELLIS_TRUST_PROXY");
  if (trustProxy !== "true" && trustProxy !== "false") problems.push("TRELLIS_TRUST_PROXY must be true or false.");

  const knownPrograms = parseKnownPrograms(read("TRELLIS_KNOWN_PROGRAMS"));
  if (knownPrograms === undefined) {
    problems.push(
      "TRELLIS_KNOWN_PROGRAMS must be SHA-256 hashes of 64 hexadecimal digits, separated by commas, as `trellis sandbox fetch-program` prints them.",
    );
  }

  const clusters = [
    parseCluster(
      {
        name: "devnet",
        urls: read("TRELLIS_DEVNET_RPC_URLS"),
        wsUrl: read("TRELLIS_DEVNET_WS_URL"),
        feePayer: read("TRELLIS_DEVNET_FEE_PAYER"),
        executor: read("TRELLIS_DEVNET_EXECUTOR"),
        mints: read("TRELLIS_DEVNET_MINTS"),
        genesisHash: read("TRELLIS_DEVNET_GENESIS_HASH"),
      },
      problems,
    ),
    parseCluster(
      {
        name: "mainnet",
        urls: read("TRELLIS_MAINNET_RPC_URLS"),
        wsUrl: read("TRELLIS_MAINNET_WS_URL"),
        feePayer: read("TRELLIS_MAINNET_FEE_PAYER"),
        executor: read("TRELLIS_MAINNET_EXECUTOR"),
        mints: read("TRELLIS_MAINNET_MINTS"),
        genesisHash: mainnetGenesisHash,
      },
      problems,
    ),
  ].filter((cluster) => cluster !== undefined);
  const sandbox = parseSandbox(
    { mode: read("TRELLIS_SANDBOX"), url: read("TRELLIS_SANDBOX_RPC_URL"), besideClusters: clusters.length > 0 },
    problems,
  );

  const bridges = (["devnet", "mainnet"] as const).flatMap((name) => {
    const own = name === "devnet" ? "DEVNET" : "MAINNET";
    const bridge = parseBridge(
      {
        name,
        hasCluster: clusters.some((cluster) => cluster.name === name),
        rails: read(`TRELLIS_${own}_RAILS`),
        url: read(`TRELLIS_${own}_BRIDGE_URL`),
        apiKeyFile: read(`TRELLIS_${own}_BRIDGE_API_KEY_FILE`),
        pairs: read(`TRELLIS_${own}_BRIDGE_PAIRS`),
        feePercent: read(`TRELLIS_${own}_BRIDGE_FEE_PERCENT`),
        travelRule: read(`TRELLIS_${own}_BRIDGE_TRAVEL_RULE`),
        anySender: read(`TRELLIS_${own}_BRIDGE_ANY_SENDER`),
        webhookKeyFile: read(`TRELLIS_${own}_BRIDGE_WEBHOOK_KEY_FILE`),
      },
      problems,
    );
    return bridge ?? [];
  });

  const config: Config = {
    host: read("HOST"),
    port: integer("PORT", 0, 65_535),
    dataDirectory: resolve(read("TRELLIS_DATA_DIR")),
    databaseUrl,
    databasePoolSize: integer("TRELLIS_DATABASE_POOL", 3, 200),
    masterKeys: parseMasterKeys(read("TRELLIS_MASTER_KEY"), problems),
    apiKey: parseApiKey(read("TRELLIS_API_KEY"), read("TRELLIS_API_KEY_ENVIRONMENTS"), problems),
    smtp: parseSmtp(read("TRELLIS_SMTP_URL"), read("TRELLIS_MAIL_FROM"), problems),
    appName: read("TRELLIS_APP_NAME"),
    corsOrigins: parseOrigins(read("TRELLIS_CORS_ORIGINS"), problems),
    docs: docs === "on",
    dialect: parseDialect(read("TRELLIS_DIALECT"), problems),
    rateLimitPerMinute: integer("TRELLIS_RATE_LIMIT", 0, 10_000_000),
    tenantRateLimitPerMinute: integer("TRELLIS_TENANT_RATE_LIMIT", 0, 10_000_000),
    tenantWritesPerDay: integer("TRELLIS_TENANT_DAILY_WRITES", 0, 1_000_000_000),
    publishableRateLimitPerMinute: integer("TRELLIS_PUBLISHABLE_RATE_LIMIT", 0, 10_000_000),
    publishableAddressRateLimitPerMinute: integer("TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT", 0, 10_000_000),
    trustProxy: trustProxy === "true",
    logLevel: isLogLevel(logLevel) ? logLevel : "info",
    metrics: parseMetrics(read, integer, problems),
    otpLifetimeMs: integer("TRELLIS_OTP_LIFETIME_SECONDS", 30, limits.otpLifetimeMs / 1000) * 1000,
    sponsorship: parseSponsorship({ read, lamports, integer }),
    webhooks: parseWebhooks(read("TRELLIS_WEBHOOK_NETWORKS"), read("TRELLIS_WEBHOOK_PORTS"), problems),
    sandbox,
    clusters,
    bridges,
    sandboxRails: parsePace(read("TRELLIS_SANDBOX_RAILS"), problems),
    publicUrl: parsePublicUrl(read("TRELLIS_PUBLIC_URL"), problems),
    knownPrograms: knownPrograms ?? [],
    sandboxProgramPath: read("TRELLIS_SANDBOX_PROGRAM") || null,
    sandboxFaults: parseFaults(read("TRELLIS_SANDBOX_FAULTS"), sandbox, problems),
  };
  if (clusters.some(({ name }) => name === "mainnet")) problems.push(...whyNotMainnet(config));
  const reason = config.masterKeys === null ? whyAMasterKey(config) : undefined;
  if (reason !== undefined) {
    problems.push(`TRELLIS_MASTER_KEY is required ${reason}. Make one with: openssl rand -base64 32`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** What mainnet does not go without: a sentence for each thing that is missing. */
function whyNotMainnet({ databaseUrl, smtp }: Config): string[] {
  const missing: string[] = [];
  if (databaseUrl === null) {
    missing.push(
      "DATABASE_URL is required with mainnet: the embedded database can lose what it has acknowledged, and with it the only copy of a wallet's key.",
    );
  }
  if (smtp === null) {
    missing.push(
      "TRELLIS_SMTP_URL is required with mainnet: without mail nobody who signs in by code reaches their money.",
    );
  }
  return missing;
}

/** Where a generated master key is not good enough (gap 1). */
function whyAMasterKey({ clusters, databaseUrl }: Config): string | undefined {
  if (clusters.some(({ name }) => name === "mainnet")) return "with mainnet: a generated one is for play money only";
  if (databaseUrl === null) return undefined;
  return "with DATABASE_URL: keys in a database must not depend on a file of one machine";
}

/** What is given away where nothing is said. */
const openingsByDefault = {
  sandbox: { perAccountForLife: 1_000, perDay: 100_000_000_000n },
  cluster: { perAccountForLife: 0, perDay: 1_000_000_000n },
} as const;

/** Gap 31. */
function parseSponsorship(parts: {
  readonly read: (name: VariableName) => string;
  readonly lamports: (name: VariableName) => bigint;
  readonly integer: (name: VariableName, least: number, most: number) => number;
}): Config["sponsorship"] {
  const { read, lamports, integer } = parts;
  const percent = (name: VariableName, least: number) => {
    const value = integer(name, least, 100);
    return BigInt(Number.isSafeInteger(value) ? value : least);
  };
  const unlessEmpty = <T>(name: VariableName, parse: (name: VariableName) => T) =>
    read(name) === "" ? undefined : parse(name);
  const most = percent("TRELLIS_SPONSOR_TENANT_PERCENT", 1);
  const reserved = percent("TRELLIS_SPONSOR_TENANT_RESERVED_PERCENT", 0);
  const perTransaction = lamports("TRELLIS_SPONSOR_PER_TRANSACTION");
  const perAccountPerDay = lamports("TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY");
  const perTenantPerDay = lamports("TRELLIS_SPONSOR_PER_TENANT_PER_DAY");
  const budgetsOf = (perDay: bigint): DailyBudgets => {
    const share = (perDay * most) / 100n;
    return {
      perAccountPerDay,
      perTenantPerDay: share < perTenantPerDay ? share : perTenantPerDay,
      reservedPerTenantPerDay: (perDay * reserved) / 100n,
      perDay,
    };
  };
  const fees = budgetsOf(lamports("TRELLIS_SPONSOR_PER_DAY"));
  const openings = unlessEmpty("TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT", (name) => integer(name, 0, 1_000_000));
  const openingsPerDay = unlessEmpty("TRELLIS_SPONSOR_OPENINGS_PER_DAY", lamports);
  const limitsOf = (byDefault: { readonly perAccountForLife: number; readonly perDay: bigint }): SponsorshipLimits => ({
    perTransaction,
    ...fees,
    openings: {
      perAccountForLife: openings ?? byDefault.perAccountForLife,
      ...budgetsOf(openingsPerDay ?? byDefault.perDay),
    },
  });
  return { sandbox: limitsOf(openingsByDefault.sandbox), cluster: limitsOf(openingsByDefault.cluster) };
}

/** Gap 93. */
function parseWebhooks(networksText: string, portsText: string, problems: string[]): Config["webhooks"] {
  const parts = (text: string) => text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  const networks = parts(networksText);
  for (const network of networks) {
    if (!ipaddr.isValidCIDR(network)) problems.push(`TRELLIS_WEBHOOK_NETWORKS: "${network}" is not in CIDR notation.`);
  }
  const ports = parts(portsText).map(Number);
  if (ports.length === 0 || ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535)) {
    problems.push("TRELLIS_WEBHOOK_PORTS must be ports, separated by commas.");
  }
  return { networks, ports };
}

function parseMetrics(
  read: (name: VariableName) => string,
  integer: (name: VariableName, least: number, most: number) => number,
  problems: string[],
): Config["metrics"] {
  const [host, token] = [read("TRELLIS_METRICS_HOST"), read("TRELLIS_METRICS_TOKEN")];
  if (read("TRELLIS_METRICS_PORT") === "") return null;
  const port = integer("TRELLIS_METRICS_PORT", 0, 65_535);
  if (token !== "" && !/^[\x21-\x7e]{16,}$/.test(token)) {
    problems.push("TRELLIS_METRICS_TOKEN must have at least 16 printable characters and no spaces.");
  }
  const isLocal = host === "localhost" || (ipaddr.isValid(host) && ipaddr.parse(host).range() === "loopback");
  if (token === "" && !isLocal) {
    problems.push(
      `TRELLIS_METRICS_TOKEN is required where others can reach ${host}. Make one with: openssl rand -base64 24`,
    );
  }
  return { host, port, token: token === "" ? null : token };
}

function parsePace(text: string, problems: string[]): Config["sandboxRails"] {
  if (text === "instant" || text === "realistic" || text === "off") return text;
  problems.push(`TRELLIS_SANDBOX_RAILS must be instant, realistic or off, not "${text}".`);
  return "off";
}

function parseDialect(name: string, problems: string[]): Dialect | undefined {
  const dialect = dialects.get(name);
  if (name !== "" && !dialect) {
    problems.push(`TRELLIS_DIALECT must be one of ${[...dialects.keys()].join(", ")}, or empty, not "${name}".`);
  }
  return dialect;
}

function parsePublicUrl(text: string, problems: string[]): string | null {
  if (text === "") return null;
  if (!/^https?:\/\/[^/\s?#]+(\/[^\s?#]*)?$/.test(text) || !URL.canParse(text)) {
    problems.push("TRELLIS_PUBLIC_URL must be a URL such as https://trellis.example, without query and fragment.");
  }
  return text.replace(/\/+$/, "");
}

function isLogLevel(text: string): text is LogLevel {
  return (logLevels as readonly string[]).includes(text);
}

function parseMasterKeys(text: string, problems: string[]): readonly MasterKey[] | null {
  if (text === "") return null;
  const keys: MasterKey[] = [];
  for (const part of text.split(",")) {
    const [, id = "1", encoded = ""] = /^(?:([a-zA-Z0-9_-]{1,32}):)?(.+)$/.exec(part.trim()) ?? [];
    const key = Buffer.from(encoded, "base64");
    // The value itself never goes into a message: messages end up in logs.
    if (key.length !== 32)
      problems.push("TRELLIS_MASTER_KEY must be 32 bytes in base64 (openssl rand -base64 32), or id:base64 pairs.");
    if (keys.some((other) => other.id === id)) {
      const unnamed =
        id === "1" ? " A key without a name is called 1: give another one a name, as in 2026b:<key>." : "";
      problems.push(`TRELLIS_MASTER_KEY names the key id ${id} twice.${unnamed}`);
    }
    keys.push({ id, key: new Uint8Array(key) });
  }
  return keys;
}

function parseApiKey(value: string, environmentsText: string, problems: string[]): Config["apiKey"] {
  if (value === "") return null;
  const environments: EnvironmentName[] = [];
  for (const part of environmentsText.split(",").map((name) => name.trim())) {
    const name = part === "production" ? "mainnet" : part;
    const known = environmentNames.find((candidate) => candidate === name);
    if (known) environments.push(known);
    else problems.push(`TRELLIS_API_KEY_ENVIRONMENTS names an unknown environment: "${part}".`);
  }
  const live = environments.includes("mainnet");
  if (live && environments.length > 1)
    problems.push("TRELLIS_API_KEY_ENVIRONMENTS must not mix mainnet with other environments.");
  const least = live ? 32 : 16;
  if (value.length < least || !/^[\x21-\x7e]+$/.test(value)) {
    problems.push(`TRELLIS_API_KEY must have at least ${least} printable characters and no spaces.`);
  }
  return { value, environments };
}

function parseSmtp(url: string, from: string, problems: string[]): Config["smtp"] {
  if (url === "") return null;
  if (!/^smtps?:\/\//.test(url)) problems.push("TRELLIS_SMTP_URL must begin with smtp:// or smtps://.");
  if (from === "") problems.push("TRELLIS_MAIL_FROM is required with TRELLIS_SMTP_URL.");
  return { url, from };
}

function parseOrigins(text: string, problems: string[]): readonly string[] {
  if (text === "") return [];
  const origins = text.split(",").map((origin) => origin.trim());
  for (const origin of origins) {
    if (!/^https?:\/\/[^/\s]+$/.test(origin))
      problems.push(`TRELLIS_CORS_ORIGINS: "${origin}" is not an origin such as https://app.example.`);
  }
  return origins;
}
