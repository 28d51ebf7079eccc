import { resolve } from "node:path";
import { limits } from "@trellis/kernel/limits.js";
import type { SandboxFaults, SponsorshipLimits } from "@trellis/kernel/ports/network.js";
import type { NoteVerifier } from "@trellis/kernel/tlog/note.js";
import type { Dialect } from "../http/dialects/dialect.js";
import { parseAuditOrigin, parseWitnessedLogs, parseWitnesses, type WitnessPlace } from "./audit.js";
import { type BridgeConfig, parseBridge, readBridge } from "./bridge.js";
import { type Pace, parseDialect, parseLogLevel, parsePace, parseSwitch, parseTrustedPrograms } from "./choices.js";
import { type ClusterConfig, parseCluster, parseFaults, parseSandbox, type SandboxConfig } from "./environments.js";
import { type KeyStores, parseKeyStores } from "./key-stores.js";
import { type ConfiguredApiKey, type ConfiguredMasterKey, parseApiKey, parseMasterKeys } from "./keys.js";
import {
  type MailServer,
  type MetricsPlace,
  parseMetrics,
  parseOrigins,
  parsePublicUrl,
  parseSmtp,
  parseWebhooks,
  type WebhookPlaces,
} from "./places.js";
import { createReader, findUnknown, type Reader } from "./reader.js";
import { parseLocalGuardian, parseRemoteCustodians, type RemoteCustodianConfig } from "./remote-custodians.js";
import { parseSponsorship } from "./sponsorship.js";
import { clusterNames, type LogLevel } from "./variables.js";

/** Everything the process is given from outside, checked. Nothing else reads environment variables. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** Null: the embedded database in the data directory. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  /** Newest first; the first one encrypts, all of them decrypt. Null: a generated file in the data directory. */
  readonly masterKeys: readonly ConfiguredMasterKey[] | null;
  /** Where keys lie that are no files. */
  readonly keyStores: KeyStores;
  readonly apiKey: ConfiguredApiKey | null;
  /** Null: mail stays in the sandbox's outbox. */
  readonly smtp: MailServer | null;
  readonly appName: string;
  readonly corsOrigins: readonly string[];
  /** Whether `/docs` is there. */
  readonly docs: boolean;
  /** Whether the pages at /console/ are served. */
  readonly console: boolean;
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
  /** Null: metrics are read nowhere. */
  readonly metrics: MetricsPlace | null;
  readonly otpLifetimeMs: number;
  /** The sandbox's money is play money: it is more generous where nothing is said. */
  readonly sponsorship: Readonly<Record<"sandbox" | "cluster", SponsorshipLimits>>;
  readonly webhooks: WebhookPlaces;
  readonly sandbox: SandboxConfig;
  readonly clusters: readonly ClusterConfig[];
  readonly sandboxRails: Pace;
  /** Partners of bank rails in environments with real money, or a cluster at least. */
  readonly bridges: readonly BridgeConfig[];
  /** Where browsers find this service, without a slash at the end; null: on this machine. */
  readonly publicUrl: string | null;
  /** The name of the audit log. */
  readonly auditOrigin: string;
  /** Who cosigns it. */
  readonly auditWitnesses: readonly WitnessPlace[];
  /** Logs of others that are cosigned here. */
  readonly auditWitnessedLogs: readonly NoteVerifier[];
  /** SHA-256 of builds of the on-chain program that the operator trusts on clusters, in hexadecimal. */
  readonly knownPrograms: readonly string[];
  /** Another build of the on-chain program for the sandbox. */
  readonly sandboxProgramPath: string | null;
  readonly sandboxSignatureProgramPath: string | null;
  /** Null: nothing goes wrong on purpose. */
  readonly sandboxFaults: SandboxFaults | null;
  /** Custodians that are processes of their own. */
  readonly remoteCustodians: readonly RemoteCustodianConfig[];
  /** Whether a guardian is a process beside the service, with a folder in the data directory. */
  readonly localGuardian: boolean;
}

/** Thrown with every problem at once, so that no operator mends a configuration one restart at a time. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n- ${problems.join("\n- ")}`,
    );
  }
}

/** What distinguishes mainnet from every other cluster. */
const mainnetGenesisHash = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

/** Reads the process environment. Throws ConfigError listing every problem. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems = findUnknown(environment).map((name) => `${name} is not a variable Trellis knows.`);
  const reader = createReader(environment, problems);
  const { read } = reader;
  const keyStores = parseKeyStores(reader);
  const [service, environments] = [parseService(reader), parseEnvironments(reader, keyStores)];
  const remoteCustodians = parseRemoteCustodians(reader);
  const config: Config = {
    ...service,
    ...environments,
    keyStores,
    masterKeys: parseMasterKeys(read("TRELLIS_MASTER_KEY"), keyStores, problems),
    apiKey: parseApiKey(read("TRELLIS_API_KEY"), read("TRELLIS_API_KEY_ENVIRONMENTS"), problems),
    smtp: parseSmtp(reader),
    ...parseBounds(reader),
    metrics: parseMetrics(reader),
    webhooks: parseWebhooks(reader),
    remoteCustodians,
    localGuardian: parseLocalGuardian(reader, { ...service, ...environments, remoteCustodians }),
  };
  if (config.clusters.some(({ name }) => name === "mainnet")) problems.push(...whyNotMainnet(config));
  const reason = config.masterKeys === null ? whyAMasterKey(config) : undefined;
  if (reason !== undefined) {
    problems.push(`TRELLIS_MASTER_KEY is required ${reason}. Make one with: openssl rand -base64 32`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** What the service is and where it stands. */
function parseService(reader: Reader) {
  const { read, integer, problems } = reader;
  const databaseUrl = read("DATABASE_URL") || null;
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push("DATABASE_URL must begin with postgres:// or postgresql://.");
  }
  const publicUrl = parsePublicUrl(reader);
  return {
    databaseUrl,
    logLevel: parseLogLevel(reader),
    docs: parseSwitch(reader, "TRELLIS_DOCS", ["on", "off"]),
    console: parseSwitch(reader, "TRELLIS_CONSOLE", ["on", "off"]),
    trustProxy: parseSwitch(reader, "TRELLIS_TRUST_PROXY", ["true", "false"]),
    host: read("HOST"),
    port: integer("PORT", 0, 65_535),
    dataDirectory: resolve(read("TRELLIS_DATA_DIR")),
    databasePoolSize: integer("TRELLIS_DATABASE_POOL", 3, 200),
    appName: read("TRELLIS_APP_NAME"),
    corsOrigins: parseOrigins(reader),
    dialect: parseDialect(reader),
    publicUrl,
    auditOrigin: parseAuditOrigin(reader, publicUrl),
    auditWitnesses: parseWitnesses(reader),
    auditWitnessedLogs: parseWitnessedLogs(reader),
  };
}

/** How much of everything. */
function parseBounds(reader: Reader) {
  const { integer } = reader;
  return {
    rateLimitPerMinute: integer("TRELLIS_RATE_LIMIT", 0, 10_000_000),
    tenantRateLimitPerMinute: integer("TRELLIS_TENANT_RATE_LIMIT", 0, 10_000_000),
    tenantWritesPerDay: integer("TRELLIS_TENANT_DAILY_WRITES", 0, 1_000_000_000),
    publishableRateLimitPerMinute: integer("TRELLIS_PUBLISHABLE_RATE_LIMIT", 0, 10_000_000),
    publishableAddressRateLimitPerMinute: integer("TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT", 0, 10_000_000),
    otpLifetimeMs: integer("TRELLIS_OTP_LIFETIME_SECONDS", 30, limits.otpLifetimeMs / 1000) * 1000,
    sponsorship: parseSponsorship(reader),
  };
}

/** The chains there are, and their partners between banks and the chain. */
function parseEnvironments(reader: Reader, keyStores: KeyStores) {
  const { read, ofCluster, problems } = reader;
  const genesisHashes = { devnet: read("TRELLIS_DEVNET_GENESIS_HASH"), mainnet: mainnetGenesisHash };
  const clusters = clusterNames.flatMap(
    (name) =>
      parseCluster({ name, read: ofCluster(name), genesisHash: genesisHashes[name], keyStores }, problems) ?? [],
  );
  const sandbox = parseSandbox(
    { mode: read("TRELLIS_SANDBOX"), url: read("TRELLIS_SANDBOX_RPC_URL"), besideClusters: clusters.length > 0 },
    problems,
  );
  const bridges = clusterNames.flatMap((name) => {
    const hasCluster = clusters.some((cluster) => cluster.name === name);
    return parseBridge(readBridge({ name, hasCluster, read: ofCluster(name) }), problems) ?? [];
  });
  return {
    clusters,
    sandbox,
    bridges,
    knownPrograms: parseTrustedPrograms(reader),
    sandboxRails: parsePace(reader),
    sandboxProgramPath: read("TRELLIS_SANDBOX_PROGRAM") || null,
    sandboxSignatureProgramPath: read("TRELLIS_SANDBOX_SIGNATURE_PROGRAM") || null,
    sandboxFaults: parseFaults(read("TRELLIS_SANDBOX_FAULTS"), sandbox, problems),
  };
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
      "TRELLIS_SMTP_URL is required with mainnet: without mail, users who sign in by code cannot reach their money.",
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
