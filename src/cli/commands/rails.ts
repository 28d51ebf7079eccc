import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis rails …`: partners between banks and the chain. */
export function addRails(program: Command, { environment }: CommandNeeds): void {
  const rails = program
    .command("rails")
    .summary("check the partner of bank rails, and settle refunds that failed")
    .description("Partners between banks and the chain. With the embedded database, stop the service first.");
  const bridge = rails.command("bridge").description("The partner Bridge, on devnet and mainnet.");
  bridge
    .command("check")
    .description("Reports whether Bridge accepts the configured key, and which webhooks it has.")
    .option("--environment <name>", "devnet or mainnet, where both have Bridge")
    .action(async (options: { environment?: string }) => {
      const { runBridgeCheck } = await import("../rails-bridge.js");
      await runBridgeCheck(environment, options.environment);
    });
  bridge
    .command("webhook")
    .description("Bridge's webhooks to this service.")
    .command("create")
    .description("Has Bridge send its webhooks here, keeps their public key in the configured file, and enables them.")
    .requiredOption("--url <url>", "where the service is reached from outside, https://…")
    .option("--environment <name>", "devnet or mainnet, where both have Bridge")
    .action(async (options: { url: string; environment?: string }) => {
      const { runBridgeWebhookCreate } = await import("../rails-bridge.js");
      await runBridgeWebhookCreate(environment, options.environment, options.url);
    });
  const refunds = rails
    .command("refunds")
    .description("Lists payments that a bank returned and the partner could not give back, and that are not settled.")
    .action(async () => {
      const { listRefunds } = await import("../rails-refunds.js");
      await listRefunds(environment);
    });
  refunds
    .command("settle")
    .argument("<id>", "the payment or payout")
    .description("Notes that one is settled by hand, so that it is no longer listed and counted. It moves no money.")
    .requiredOption("--note <text>", "what was done, for operators alone")
    .option("--by <name>", "who did it (default: this system's user)")
    .action(async (id: string, { note, by }: { note: string; by?: string }, command: Command) => {
      if (note.trim() === "") command.error("error: --note says what was done: it must not be empty.");
      const { settleOne } = await import("../rails-refunds.js");
      await settleOne(environment, id, { note, by });
    });
}
