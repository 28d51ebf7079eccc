import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis service-keys`. */
export function addServiceKeys(program: Command, { environment }: CommandNeeds): void {
  program
    .command("service-keys")
    .summary("list fee payers and executors, and when former ones can go")
    .description(
      "Lists the fee payers and executors of devnet and mainnet: what they hold, what former ones are still needed for, and when " +
        "they can be taken out. It signs nothing.",
    )
    .action(async () => {
      const { showServiceKeys } = await import("../list-service-keys.js");
      await showServiceKeys(environment);
    });
}
