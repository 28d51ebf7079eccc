import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Agent } from "@trellis/mcp/agent.js";
import { createAgentServer } from "@trellis/mcp/create-agent-server.js";
import { createDocsLibrary } from "@trellis/mcp/docs-library.js";
import { clientsOf } from "@trellis/mcp/open-client.js";
import { openReferences } from "@trellis/mcp/references.js";
import type { SignerKey } from "@trellis/sdk";
import type { TestService } from "../support/test-service.js";

const errorsPage = "# Errors\n\n## spending_limit_exceeded\n\n**400** More than is left.\n";

/** The page that tests read. */
export const docFiles = [["/docs/errors.md", () => errorsPage]] as const;

/** What a tool has answered: what it gave, or what it refused with. */
export interface ToolAnswer {
  readonly data?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly message: string; readonly facts?: Record<string, unknown> };
  readonly text: string;
}

/** The protocol's own client, connected. */
export async function connect(transport: Transport) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return {
    client,
    call: async (name: string, given: object = {}): Promise<ToolAnswer> => {
      const { content } = await client.callTool({ name, arguments: { ...given } });
      const [first] = content as readonly { readonly text: string }[];
      const text = first?.text ?? "";
      return { text, ...(text.startsWith("{") ? JSON.parse(text) : {}) };
    },
  };
}

export type Connected = Awaited<ReturnType<typeof connect>>;

export const connectByHttp = (trellis: Pick<TestService, "url">, apiKey: string): Promise<Connected> =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${trellis.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
    }) as Transport,
  );

/** An agent whose host holds a key, in this process; `fetch` stands between it and the service. */
export async function connectWithKey(
  trellis: Pick<TestService, "url">,
  given: {
    readonly apiKey: string;
    readonly key: SignerKey;
    readonly fetch?: typeof globalThis.fetch;
    readonly maxRetries?: number;
    /** Default: a folder of its own. */
    readonly folder?: string;
  },
): Promise<Connected> {
  const { apiKey, key, fetch = globalThis.fetch, maxRetries = 3 } = given;
  const access = { baseUrl: trellis.url, apiKey, environment: "sandbox", fetch, maxRetries } as const;
  const reportFault = (fault: unknown) => {
    throw fault;
  };
  const docs = createDocsLibrary(docFiles);
  const folder = given.folder ?? mkdtempSync(join(tmpdir(), "trellis-references-"));
  const references = openReferences({ folder, service: [trellis.url, "sandbox", apiKey] });
  const agent: Agent = { version: "1", docs, openClient: clientsOf(access), key, references, reportFault };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createAgentServer(agent).connect(ours);
  return connect(theirs);
}

/** Makes an agent's API key. */
export async function agentKey(trellis: TestService, name: string): Promise<string> {
  const { key } = await trellis.client.apiKeys.create({ name, type: "agent", environments: ["sandbox"] });
  return key;
}
