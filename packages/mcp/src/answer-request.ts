import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Agent } from "./agent.js";
import { createAgentServer } from "./create-agent-server.js";

/** The protocol has had none since 2025-06-18, and one would be counted as one request. */
const noBatches = { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "Send one message at a time." } };

/**
 * Answers one request of the streamable HTTP transport. There are no sessions: each request stands alone, with its own key, so that there is
 * nothing that another caller could take over, and any process can answer.
 */
export async function answerRequest(agent: Agent, request: Request): Promise<Response> {
  if (/^\s*\[/.test(await request.clone().text())) return Response.json(noBatches, { status: 400 });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createAgentServer(agent);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}
