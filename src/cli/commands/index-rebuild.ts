import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis index rebuild`. */
export function addIndex(program: Command, { environment }: CommandNeeds): void {
  program
    .command("index")
    .summary("rebuild the index of proposals and histories")
    .description("The index of proposals and histories.")
    .command("rebuild")
    .description(
      "Reads every account's proposals and history from the chain again. With the embedded database, stop the service first.",
    )
    .option("--environment <name>", "sandbox, devnet or mainnet alone")
    .action(async ({ environment: only }: { environment?: string }) => {
      const { rebuild } = await import("../rebuild-index.js");
      await rebuild(environment, only);
    });
}
