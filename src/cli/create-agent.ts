import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import {
  type AccountHolder,
  addressOfKey,
  type CreateApiKeyRequest,
  type CreatedApiKey,
  type Environment,
  isAddress,
  limitOfAllowance,
  type NewAllowance,
  OutcomeUnknownError,
  TrellisApiError,
  type TrellisClient,
  TrellisNetworkError,
} from "@trellis/sdk";
import { ConfigError } from "../config/config.js";
import { makeKeyFile, readKeyFile } from "./agent-key.js";
import { openClient, urlOf } from "./listen.js";
import { whyOf } from "./why.js";

/** What `trellis agent create` was called with. */
export interface AgentOptions {
  readonly name: string;
  readonly account: string;
  /** As people write it. */
  readonly amount: string;
  readonly currency: string;
  readonly period: string;
  readonly payee: readonly string[];
  readonly end?: string | undefined;
  readonly ownerKey?: string | undefined;
  readonly email?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The key file is that of a run whose outcome is not known. */
  readonly resume?: boolean | undefined;
  readonly url?: string | undefined;
  readonly environment?: string | undefined;
  /** Of the agent's API key, separated by commas. Default: what the service gives an agent's. */
  readonly scopes?: string | undefined;
  /** When the agent's API key ends, and from where it may be used, separated by commas. */
  readonly expires?: string | undefined;
  readonly allowedAddresses?: string | undefined;
}

/** Where a person is asked and informed. */
export interface AgentTerminal {
  readonly write: (text: string) => void;
  readonly readCode: (email: string) => Promise<string>;
}

type Terms = Pick<NewAllowance, "currency" | "period" | "payees" | "end"> & { readonly uiAmount: string };

const periods = ["one_time", "day", "week", "month"] as const;

/**
 * `trellis agent create`: makes the agent's key and its API key, has the owner sign the allowance, or proposes it where the owners vote, and
 * prints the configuration of the agent's host. Where it is refused, both keys are gone again. Where its outcome is not known, the agent's key
 * is kept, and the same command with `resume` goes on: everything is made under the name of that key, and so once. Throws ConfigError before
 * anything has begun, and what the service and the client library refuse.
 */
export async function createAgent(
  variables: Readonly<Record<string, string | undefined>>,
  options: AgentOptions,
  terminal: AgentTerminal = openTerminal(),
): Promise<void> {
  const { name, account, environment = "sandbox" } = options;
  const client = openClient(variables, { url: options.url, environment });
  if (!isAddress(account)) throw new ConfigError(["--account is no address."]);
  const terms = termsOf(options);
  const owner = await ownerOf(client, options, terminal);
  const keyFile = resolve(options.keyFile ?? "agent-key.json");
  const key = options.resume ? await readKeyFile(keyFile, "--key-file") : await makeKeyFile(keyFile);
  const agent = addressOfKey(key);
  let apiKey: CreatedApiKey | undefined;
  let given: string;
  try {
    apiKey = await client.apiKeys.create(requestOf(options, environment), { idempotencyKey: `agent-create-${agent}` });
    const held = options.resume ? await client.allowances.list({ account, agent }) : [];
    given =
      held.length > 0
        ? `${held.map(({ allowance }) => allowance).join(", ")}, given before`
        : await giveAllowance(client, { account, owner, allowance: { ...terms, agent } });
  } catch (error) {
    // What an interrupted run has made may be in use: it is left.
    if (isUnknown(error) || options.resume) {
      terminal.write(
        `The agent's key is in ${keyFile}. It may have an API key, ${apiKey?.id ?? `of the name ${name}`}, and an allowance. Run the same command ` +
          "with --resume, within a day, to go on: there will be no second of either. Or revoke both.\n",
      );
    } else {
      if (apiKey !== undefined) await revoke(client, apiKey.id, terminal);
      await rm(keyFile).catch((fault: NodeJS.ErrnoException) => {
        terminal.write(`The agent's key is left in ${keyFile} (${fault.code}): remove it.\n`);
      });
    }
    throw error;
  }
  const url = urlOf(variables, options.url);
  const args = [resolve(process.argv[1] ?? "trellis"), "mcp", "--url", url, "--environment", environment];
  const server = {
    command: process.execPath,
    args: [...args, "--account", account, "--key-file", keyFile],
    env: { TRELLIS_API_KEY: apiKey.key },
  };
  terminal.write(
    [
      `Agent      ${name}, ${agent}`,
      `API key    ${apiKey.id}${apiKey.status === "active" ? "" : ` (${apiKey.status})`}`,
      `Its key    ${keyFile} (keep it where the agent's host alone reads it)`,
      `Allowance  ${given}`,
      "",
      "Put this into the configuration of the agent's host, such as Claude Desktop's claude_desktop_config.json. The API key is printed this once:",
      "",
      JSON.stringify({ mcpServers: { trellis: server } }, null, 2),
      "",
    ].join("\n"),
  );
}

/** Whether what was asked for may have been done all the same. */
const isUnknown = (error: unknown): boolean =>
  error instanceof OutcomeUnknownError ||
  error instanceof TrellisNetworkError ||
  (error instanceof TrellisApiError &&
    (error.status >= 500 || ["idempotency_in_progress", "unexpected_response"].includes(error.code)));

/** What went wrong before is what is reported: a key that is left is only said. */
async function revoke(client: TrellisClient, id: string, terminal: AgentTerminal): Promise<void> {
  await client.apiKeys.revoke(id).catch((fault: unknown) => {
    terminal.write(`The API key ${id} of the agent is left (${whyOf(fault)}): revoke it.\n`);
  });
}

function requestOf(
  { name, scopes, expires, allowedAddresses }: AgentOptions,
  environment: string,
): CreateApiKeyRequest {
  const listed = (text: string): string[] => text.split(",").flatMap((part) => part.trim() || []);
  return {
    name,
    type: "agent",
    environments: [environment as Environment],
    // What is none of them the service refuses, and names those there are.
    ...(scopes === undefined ? {} : { scopes: listed(scopes) as NonNullable<CreateApiKeyRequest["scopes"]> }),
    ...(expires === undefined ? {} : { expires_at: expires }),
    ...(allowedAddresses === undefined ? {} : { allowed_addresses: listed(allowedAddresses) }),
  };
}

function termsOf({ amount, currency, period, payee, end }: AgentOptions): Terms {
  const meant = periods.find((one) => one === period);
  const faults = [
    ...(/^[0-9]{1,15}(\.[0-9]{1,12})?$/.test(amount) ? [] : ['--amount must be an amount such as "20" or "0.5".']),
    ...(meant === undefined ? [`--period must be one of ${periods.join(", ")}.`] : []),
    ...(payee.every((address) => isAddress(address)) ? [] : ["--payee must be an address."]),
    ...(end === undefined || !Number.isNaN(Date.parse(end)) ? [] : ["--end must be a date-time."]),
  ];
  if (meant === undefined || faults.length > 0) throw new ConfigError(faults);
  return {
    currency,
    uiAmount: amount,
    period: meant,
    payees: payee,
    end: end === undefined ? null : new Date(end),
  };
}

/** Who signs the allowance. */
async function ownerOf(
  client: TrellisClient,
  { ownerKey, email, environment = "sandbox" }: AgentOptions,
  terminal: AgentTerminal,
): Promise<AccountHolder> {
  if ((ownerKey === undefined) === (email === undefined)) {
    throw new ConfigError(["Name who signs the allowance: --owner-key or --email."]);
  }
  if (ownerKey !== undefined) return { keys: [await readKeyFile(ownerKey, "--owner-key")] };
  const address = email ?? "";
  const { verify, isNew } = await client.auth.signIn(address);
  if (isNew) throw new ConfigError([`--email: there is no account of ${address}.`]);
  const [mail] = environment === "sandbox" ? await readOutbox(client, address) : [];
  const { session } = await verify(mail?.otp_code ?? (await terminal.readCode(address)));
  return { session };
}

/** The mails of the sandbox; none where the API key may not read them. */
async function readOutbox(client: TrellisClient, address: string) {
  try {
    return await client.sandbox.outbox(address);
  } catch (error) {
    if (!(error instanceof TrellisApiError && error.code === "insufficient_scope")) throw error;
    return [];
  }
}

/** Gives it at once, or proposes it where that takes votes; says what was done. However often it is called, it is done once. */
async function giveAllowance(
  client: TrellisClient,
  given: { readonly account: string; readonly owner: AccountHolder; readonly allowance: NewAllowance },
): Promise<string> {
  const { account, owner, allowance } = given;
  const name = `agent-create-${allowance.agent}`;
  try {
    const made = await onceAs(`${name}-allowance`, (options) =>
      client.allowances.create({ account, ...owner, allowance }, options),
    );
    return `${made.allowance}, given by ${made.signature}`;
  } catch (error) {
    if (!(error instanceof TrellisApiError && error.code === "proposal_required")) throw error;
    const content = { type: "spending_limit", limit: limitOfAllowance(allowance) } as const;
    const { proposalAddress, transactionIndex } = await onceAs(`${name}-proposal`, (options) =>
      client.proposals.create({ account, ...owner, content }, options),
    );
    return `not yet: the owners vote on proposal ${transactionIndex}, ${proposalAddress}, in the treasury at /app/`;
  }
}

/** How often a transaction may expire, each time proven not to have landed, before this is given up. */
const attemptsMax = 5;

/** Does what is done under idempotency keys of this name: each of them stands for one transaction, and the next is used when that has expired. */
async function onceAs<T>(name: string, run: (options: { readonly idempotencyKey: string }) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run({ idempotencyKey: `${name}-${attempt}` });
    } catch (error) {
      const hasExpired = error instanceof TrellisApiError && error.code === "blockhash_expired";
      if (!hasExpired || attempt === attemptsMax) throw error;
    }
  }
}

function openTerminal(): AgentTerminal {
  return {
    write: (text) => process.stdout.write(text),
    readCode: async (email) => {
      const lines = createInterface({ input: process.stdin, output: process.stdout });
      try {
        return (await lines.question(`Code that was sent to ${email}: `)).trim();
      } finally {
        lines.close();
      }
    },
  };
}
