import type { Readable, Writable } from "node:stream";
import { createDocsLibrary } from "@trellis/mcp/docs-library.js";
import { clientsOf } from "@trellis/mcp/open-client.js";
import { serveStdio } from "@trellis/mcp/serve-stdio.js";
import { isAddress, type SignerKey, type WireEnvironment } from "@trellis/sdk";
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
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * `trellis mcp`: serves one agent over standard input and output, until the input ends. The agent's key, where there is one, stays in this
 * process. Throws ConfigError before anything is served.
 */
export async function serveMcp(
  variables: Variables,
  { url, environment = "sandbox", account, keyFile }: McpOptions,
  streams: { readonly input: Readable; readonly output: Writable } = { input: process.stdin, output: process.stdout },
): Promise<void> {
  const apiKey = variables.TRELLIS_API_KEY ?? "";
  if (apiKey === "") throw new ConfigError(["TRELLIS_API_KEY must be the API key of an agent."]);
  if (account !== undefined && !isAddress(account)) throw new ConfigError(["--account is no address."]);
  const key = await keyOf(variables, keyFile);
  const { version, docs } = readBundledDocs();
  await serveStdio(
    {
      version,
      docs: createDocsLibrary(docs),
      reportFault: (fault) => void process.stderr.write(`A call failed: ${whyOf(fault)}\n`),
      openClient: clientsOf({ baseUrl: urlOf(variables, url), apiKey, environment: environment as WireEnvironment }),
      ...(key === undefined ? {} : { key }),
      ...(account === undefined ? {} : { account }),
    },
    streams,
  );
}

async function keyOf(variables: Variables, keyFile: string | undefined): Promise<SignerKey | undefined> {
  const text = variables.TRELLIS_AGENT_KEY ?? "";
  if (keyFile !== undefined && text !== "") {
    throw new ConfigError(["Name the agent's key once: by --key-file or by TRELLIS_AGENT_KEY."]);
  }
  if (keyFile !== undefined) return readKeyFile(keyFile, "--key-file");
  return text === "" ? undefined : parseKey(text, "TRELLIS_AGENT_KEY");
}
