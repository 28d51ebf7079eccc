import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Agent } from "./agent.js";
import { createAgentServer } from "./create-agent-server.js";

/** Bytes of one message: an agent's arguments are short. */
const messageMax = 1_000_000;

/** Serves an agent over a pair of streams, until the input ends. */
export async function serveStdio(
  agent: Agent,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: messageMax });
  const server = createAgentServer(agent);
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    input.once("end", resolve);
    input.once("close", resolve);
  });
  await server.connect(transport);
  await ended;
  await server.close();
}
