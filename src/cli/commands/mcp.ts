import type { Command } from "commander";
import type { McpOptions } from "../mcp.js";
import type { CommandNeeds } from "./needs.js";

/** `trellis mcp`. */
export function addMcp(program: Command, { environment }: CommandNeeds): void {
  program
    .command("mcp")
    .summary("serve an agent over the Model Context Protocol")
    .description(
      "Serves an agent over standard input and output. It needs TRELLIS_API_KEY, a key of the type agent. It pays only with the agent's own " +
        "key, by --key-file or TRELLIS_AGENT_KEY, and only what an allowance on chain lets that key pay. `trellis agent create` makes all of it.",
    )
    .option("--url <url>", "the service (default: http://127.0.0.1 and PORT, or 8080)")
    .option("--environment <name>", "sandbox, devnet or mainnet (default: sandbox)")
    .option("--account <address>", "the account that is meant where the agent names none")
    .option("--key-file <file>", "the agent's key, which nobody else may read")
    .option(
      "--references <folder>",
      "where it is kept what was paid under which reference (default: beside the key, <key-file>.references)",
    )
    .action(async (options: McpOptions) => {
      const { serveMcp } = await import("../mcp.js");
      await serveMcp(environment, options);
    });
}
