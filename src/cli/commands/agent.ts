import type { Command } from "commander";
import type { AgentOptions } from "../create-agent.js";
import type { CommandNeeds } from "./needs.js";

/** `trellis agent …`. */
export function addAgent(program: Command, { environment }: CommandNeeds): void {
  program
    .command("agent")
    .summary("give an agent a key, an allowance and its configuration")
    .description("Agents that pay by an allowance on chain.")
    .command("create")
    .description(
      "Makes a key for an agent, has an owner of the account sign its allowance, and prints the configuration of the agent's host. It needs " +
        "TRELLIS_API_KEY with admin:keys, accounts:write, transactions:write, proposals:write and every scope that the agent's API key gets " +
        "(accounts:read, proposals:read, proposals:write, payments:read, payments:write, webhooks:read and transactions:write, unless --scopes names " +
        "others); with --email also auth:write. Where the owners have to vote, it proposes the allowance.",
    )
    .requiredOption("--name <text>", "the agent's name, which stands in the audit log")
    .requiredOption("--account <address>", "the account that it pays from")
    .requiredOption("--amount <amount>", 'how much it may pay a period, as people write it: "20"')
    .option("--currency <symbol>", "of the amount, a symbol or a mint's address", "usdc")
    .option("--period <period>", "one_time, day, week or month", "day")
    .option(
      "--payee <address>",
      "who may be paid; can be repeated (default: anybody)",
      (payee, payees: string[]) => [...payees, payee],
      [],
    )
    .option("--end <date-time>", "when the allowance ends (default: when it is revoked)")
    .option("--owner-key <file>", "the key of an owner who signs, as solana-keygen writes it")
    .option("--email <address>", "or an owner who signs with a code by e-mail")
    .option("--scopes <list>", "of the agent's API key, separated by commas (default: those above)")
    .option("--expires <date-time>", "when the agent's API key ends; needed where yours ends (default: never)")
    .option(
      "--allowed-addresses <ranges>",
      "from where the agent's API key may be used, separated by commas; needed where yours is bound to addresses (default: anywhere)",
    )
    .option("--key-file <file>", "where the agent's key is put (default: agent-key.json)")
    .option("--resume", "go on with the key file of a run that was interrupted, within a day")
    .option("--url <url>", "the service (default: http://127.0.0.1 and PORT, or 8080)")
    .option("--environment <name>", "sandbox, devnet or mainnet (default: sandbox)")
    .action(async (options: AgentOptions) => {
      const { createAgent } = await import("../create-agent.js");
      await createAgent(environment, options);
    });
}
