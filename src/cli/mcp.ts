import type { Readable, Writable } from "node:stream";
import { createDocsLibrary } from "@trellis/mcp/docs-library.js";
import { clientsOf } from "@trellis/mcp/open-client.js";
import { openReferences } from "@trellis/mcp/references.js";
import { serveStdio } from "@trellis/mcp/serve-stdio.js";
import { isAddress, type SignerKey, TrellisApiError, type TrellisClient, type WireEnvironment } from "@trellis/sdk";
import { ConfigError } from "../config/config.js";
import { readBundledDocs } from "../operator/bundled-docs.js";
import { parseKey, readKeyFile } from "./agent-key.js";
import { urlOf } from "./listen.js";
import { whyOf } from "./why.js";

/** What `trellis mcp` was called with. */
export interface McpOptions {
  readonly url?: string | undefined;
  readonly environment?: string | undefined;
  readonly account?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The folder in which it is kept what references have paid. */
  readonly references?: string | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * `trellis mcp`: serves one agent over standard input and output, until the input ends. The agent's key, where there is one, stays in this
 * process. Throws ConfigError before anything is served, and what the service refuses or does not answer.
 */
export async function serveMcp(
  variables: Variables,
  { url, environment = "sandbox", account, keyFile, references }: McpOptions,
  streams: { readonly input: Readable; readonly output: Writable } = { input: process.stdin, output: process.stdout },
): Promise<void> {
  const apiKey = variables.TRELLIS_API_KEY ?? "";
  if (apiKey === "") throw new ConfigError(["TRELLIS_API_KEY must be the API key of an agent."]);
  if (account !== undefined && !isAddress(account)) throw new ConfigError(["--account is no address."]);
  const key = await keyOf(variables, keyFile);
  const baseUrl = urlOf(variables, url);
  const folder = references ?? (keyFile === undefined ? undefined : `${keyFile}.references`);
  if (key !== undefined && folder === undefined) {
    throw new ConfigError([
      "With TRELLIS_AGENT_KEY, name by --references a folder that is kept: nothing is paid twice by it.",
    ]);
  }
  const openClient = clientsOf({ baseUrl, apiKey, environment: environment as WireEnvironment });
  await requireAgentKey(openClient("start"));
  const { version, docs } = readBundledDocs();
  await serveStdio(
    {
      version,
      docs: createDocsLibrary(docs),
      reportFault: (fault) => void process.stderr.write(`A call failed: ${whyOf(fault)}\n`),
      openClient,
      ...(key === undefined ? {} : { key }),
      ...(folder === undefined
        ? {}
        : { references: openReferences({ folder, service: [baseUrl, environment, apiKey] }) }),
      ...(account === undefined ? {} : { account }),
    },
    streams,
  );
}

/** A call that the service answers to the key of an agent alone, as it answers every call of a tool. */
async function requireAgentKey(client: TrellisClient): Promise<void> {
  try {
    await client.accounts.page({ limit: 1 });
  } catch (error) {
    if (!(error instanceof TrellisApiError && error.code === "agent_key_required")) throw error;
    throw new ConfigError([
      "TRELLIS_API_KEY is not the key of an agent, so it may do more than an agent should. `trellis agent create` makes one, and so does " +
        "`trellis api-key create --agent`.",
    ]);
  }
}

async function keyOf(variables: Variables, keyFile: string | undefined): Promise<SignerKey | undefined> {
  const text = variables.TRELLIS_AGENT_KEY ?? "";
  if (keyFile !== undefined && text !== "") {
    throw new ConfigError(["Name the agent's key once: by --key-file or by TRELLIS_AGENT_KEY."]);
  }
  if (keyFile !== undefined) return readKeyFile(keyFile, "--key-file");
  return text === "" ? undefined : parseKey(text, "TRELLIS_AGENT_KEY");
}
