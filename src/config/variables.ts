import { dialects } from "../http/dialects/dialects.js";

/** What a variable is without a word of the operator, and what it means. */
type Variable = readonly [byDefault: string, meaning: string];

export const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export const clusterNames = ["devnet", "mainnet"] as const;
export type ClusterName = (typeof clusterNames)[number];

/** What is said of a cluster, as devnet's are described: `TRELLIS_<CLUSTER>_RPC_URLS` and so on. */
const ofCluster = {
  RPC_URLS: ["", "JSON-RPC URLs of devnet, separated by commas, the preferred one first"],
  WS_URL: [
    "",
    "WebSocket URL on which devnet reports changed accounts; empty: that of the first JSON-RPC URL; off: none",
  ],
  FEE_PAYER: [
    "",
    "key that pays fees and rent on devnet: path of a Solana key file, the secret key itself in base58 or as JSON array, or <address>=<place> of a key in a key store",
  ],
  EXECUTOR: [
    "",
    "key that pays standing orders on devnet, given like the fee payer and another one than it; empty: no standing orders there",
  ],
  FORMER_FEE_PAYER: [
    "",
    "the fee payer before this one on devnet, while they change: it signs what was prepared for it until that expires; empty: none",
  ],
  FORMER_EXECUTOR: [
    "",
    "the executor before this one on devnet, while they change: it pays the orders whose limits name it; empty: none",
  ],
  PASSKEY_PAYER: [
    "",
    "key that pays for passkeys that sign on chain and their sessions on devnet, given like the fee payer and another one than it, with little money; empty: the fee payer does",
  ],
  MINTS: [
    "",
    "mints by currency, usdc=…,eurc=…, instead of or besides the known ones; payments in one that takes a fee are refused",
  ],
} as const satisfies Record<string, Variable>;

/** What is said of a cluster's partner between banks and the chain. */
const ofPartner = {
  RAILS: ["off", "the partner of bank rails on devnet: bridge, or off"],
  BRIDGE_API_KEY_FILE: ["", "path of the file that holds Bridge's API key for devnet, a test key"],
  BRIDGE_URL: ["https://api.sandbox.bridge.xyz/v0", "where Bridge answers for devnet"],
  BRIDGE_PAIRS: [
    "usd=usdc",
    "currencies of banks that are offered, each with the coins it becomes and is made of, the first one by default: usd=usdc,eur=usdc+eurc",
  ],
  BRIDGE_FEE_PERCENT: ["", "percent of every deposit and transfer that Bridge takes for you; empty: none"],
  BRIDGE_TRAVEL_RULE: [
    "off",
    "what Bridge is given about wallets that virtual accounts pay: self_custodied, external or hosted, or off",
  ],
  BRIDGE_ANY_SENDER: [
    "off",
    "on: money of a pay-out may be sent from any address on chain; off: from the account alone",
  ],
  BRIDGE_WEBHOOK_KEY_FILE: [
    "",
    "path of the file with the public keys that Bridge signs its webhooks with; empty: webhooks are refused, and it is polled instead",
  ],
} as const satisfies Record<string, Variable>;

/** The name of a cluster's variable behind `TRELLIS_<CLUSTER>_`. */
export type ClusterVariable = keyof typeof ofCluster | keyof typeof ofPartner;

/** Reads a cluster's own variables. */
export type ReadCluster = (name: ClusterVariable) => string;

/** The table of a cluster under the names of its variables. */
function named<Cluster extends "DEVNET" | "MAINNET", Name extends string>(
  cluster: Cluster,
  table: Readonly<Record<Name, Variable>>,
): Readonly<Record<`TRELLIS_${Cluster}_${Name}`, Variable>> {
  const entries = Object.entries<Variable>(table).map(([name, variable]) => [`TRELLIS_${cluster}_${name}`, variable]);
  return Object.fromEntries(entries) as Record<`TRELLIS_${Cluster}_${Name}`, Variable>;
}

/** The same for mainnet, whose `own` defaults are others. */
function forMainnet<Name extends string>(
  table: Readonly<Record<Name, Variable>>,
  own?: Readonly<Partial<Record<Name, string>>>,
): Readonly<Record<`TRELLIS_MAINNET_${Name}`, Variable>> {
  const entries = Object.entries<Variable>(table).map(([name, [byDefault]]): [string, Variable] => [
    name,
    [own?.[name as Name] ?? byDefault, "the same for mainnet"],
  ]);
  return named("MAINNET", Object.fromEntries(entries) as Record<Name, Variable>);
}

/** The service itself, and what it pays. */
const ofService = {
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
    "32 bytes in base64, protects keys and secrets at rest; several as id:base64,id:base64, newest first; one that a key store opens at the start as `trellis keys seal` prints it; empty: a generated file, sandbox only",
  ],
  TRELLIS_API_KEY: ["", "an API key that is made sure to exist, at least 16 characters"],
  TRELLIS_API_KEY_ENVIRONMENTS: ["sandbox", "environments of that key, separated by commas"],
  TRELLIS_SMTP_URL: ["", "smtp://user:password@host:port or smtps://… ; empty: mail stays in the sandbox's outbox"],
  TRELLIS_MAIL_FROM: ["", "sender of mail, required with TRELLIS_SMTP_URL"],
  TRELLIS_APP_NAME: ["Trellis", "the name that mails carry"],
  TRELLIS_CORS_ORIGINS: ["", "origins allowed to call from a browser, separated by commas"],
  TRELLIS_CONSOLE: ["on", "the console at /console/: on or off"],
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
    "requests a minute with publishable keys from one remote address, a third of them to sign in; each session has five times as many for itself; 0: no limit",
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
  TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: [
    "100000000",
    "lamports a day for one account; one agent brings about half of it at most, all agents three quarters",
  ],
  TRELLIS_SPONSOR_PER_TENANT_PER_DAY: [
    "20000000000",
    "lamports a day for one tenant; pages bring about three quarters of it at most, their new accounts half, agents three quarters, one a quarter",
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
} as const satisfies Record<string, Variable>;

/** The names of custodians that may be the guardian: those whose wallets no plain account needs. */
export const guardianNames = ["kms_c"] as const;

/** The names of custodians, as variables have them. */
export const custodianVariableNames = ["KMS_A", "KMS_B", "KMS_C"] as const;
type CustodianVariableName = (typeof custodianVariableNames)[number];

/** What is said of custodians that are processes of their own. */
const ofCustodians = Object.fromEntries(
  custodianVariableNames.flatMap((name, i): [string, Variable][] => [
    [
      `TRELLIS_CUSTODIAN_${name}_URL`,
      [
        "",
        i === 0
          ? "https://host:port of a custodian that is a process of its own, for all wallets of this name; empty: the one inside the service, or none"
          : "the same for another name",
      ],
    ],
    [
      `TRELLIS_CUSTODIAN_${name}_KEYS`,
      [
        "",
        i === 0
          ? "the service's folder of keys for it: identity.key, identity.crt, and the custodian's certificate as peer.crt"
          : "the same for another name",
      ],
    ],
  ]),
) as Readonly<Record<`TRELLIS_CUSTODIAN_${CustodianVariableName}_${"URL" | "KEYS"}`, Variable>>;

const ofGuardian = {
  TRELLIS_LOCAL_GUARDIAN: [
    "auto",
    "auto: with the embedded database, and the sandbox alone, a guardian runs as a process beside the service from the first guarded account on, unless TRELLIS_GUARDIAN or a custodian kms_c is set; off: none does",
  ],
  TRELLIS_GUARDIAN: [
    "",
    "kms_c: that custodian guards accounts. Its wallets obey passkeys and no session. Empty: no account can be guarded",
  ],
} as const satisfies Record<string, Variable>;

/** How key stores are asked, where a key lies in one. */
const ofKeyStores = {
  TRELLIS_VAULT_TOKEN_FILE: [
    "",
    "path of the file that holds the token for OpenBao or Vault, read again for every call; required where a key is one of transit",
  ],
  TRELLIS_VAULT_CA_FILE: ["", "path of the authorities' certificates for it, in PEM; empty: those of the system"],
  TRELLIS_AWS_CREDENTIALS_FILE: [
    "",
    "path of an AWS credentials file for AWS KMS, its profile default, read again for every call; empty: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  ],
  TRELLIS_AWS_KMS_URL: [
    "",
    "where AWS KMS answers, for an endpoint of your own network; empty: that of the key's region",
  ],
  AWS_REGION: ["", "region of AWS KMS keys that are not named by an ARN"],
  AWS_ACCESS_KEY_ID: ["", "credentials for AWS KMS, where no file holds them"],
  AWS_SECRET_ACCESS_KEY: ["", "the secret half of them"],
  AWS_SESSION_TOKEN: ["", "the session they are of, if they are temporary"],
} as const satisfies Record<string, Variable>;

/** What a cluster may run, and the sandbox. */
const ofSandbox = {
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
  TRELLIS_AUDIT_ORIGIN: [
    "",
    "the name of the audit log, which its checkpoints begin with; empty: the host of TRELLIS_PUBLIC_URL and /audit. A log keeps its name",
  ],
  TRELLIS_AUDIT_WITNESSES: [
    "",
    "who cosigns the audit log: the key of a witness, a space, and its URL without add-checkpoint; several with commas between",
  ],
  TRELLIS_AUDIT_WITNESSED_LOGS: [
    "",
    "keys of logs of others that this service cosigns at /audit/v1/add-checkpoint, separated by commas; empty: none",
  ],
  TRELLIS_SANDBOX_PROGRAM: ["", "path of another build of the smart account program for the sandbox"],
  TRELLIS_SANDBOX_SIGNATURE_PROGRAM: [
    "",
    "path of another build of the signature program, which makes passkeys signers on chain, for the sandbox",
  ],
  TRELLIS_SANDBOX_FAULTS: [
    "",
    "what goes wrong in the sandbox on purpose, separated by commas: drop=N, blockhash_not_found=N, full_blocks=N, fork=N, N times for each or always, price=P, and lag=S in slots; empty: nothing",
  ],
} as const satisfies Record<string, Variable>;

/** Every variable with its default and meaning: docs/configuration.md and `trellis --help` say the same. */
export const variables = {
  ...ofService,
  ...ofKeyStores,
  ...named("DEVNET", ofCluster),
  TRELLIS_DEVNET_GENESIS_HASH: [
    "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkzBkH2",
    "genesis hash of the cluster that serves as devnet; another one for a validator of your own",
  ],
  ...forMainnet(ofCluster),
  ...named("DEVNET", ofPartner),
  ...forMainnet(ofPartner, { BRIDGE_URL: "https://api.bridge.xyz/v0" }),
  ...ofSandbox,
  ...ofCustodians,
  ...ofGuardian,
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
