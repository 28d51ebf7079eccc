import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis master-key rotate`. */
export function addMasterKey(program: Command, { environment }: CommandNeeds): void {
  program
    .command("master-key")
    .summary("rotate the master key")
    .description("The key under which every secret is sealed.")
    .command("rotate")
    .description(
      "Seals every secret at rest again, under the first key of TRELLIS_MASTER_KEY. With the embedded database, stop the " +
        "service first.",
    )
    .action(async () => {
      const { rotate } = await import("../rotate-master-key.js");
      await rotate(environment);
    });
}
