import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis audit …`: the audit log, beside the service (gap 181). */
export function addAudit(program: Command, { environment }: CommandNeeds): void {
  const audit = program
    .command("audit")
    .summary("check the audit log")
    .description(
      "The log of what was done with keys, sessions and policies. With the embedded database, stop the service first.",
    );
  audit
    .command("key")
    .description("Prints the key that verifies its checkpoints, as tools of others take it.")
    .action(async () => {
      const { printLogKey } = await import("../audit.js");
      await printLogKey(environment);
    });
  audit
    .command("witness-key")
    .description("Prints the key that verifies what this service cosigns of logs of others.")
    .action(async () => {
      const { printWitnessKey } = await import("../audit.js");
      await printWitnessKey(environment);
    });
  audit
    .command("checkpoint")
    .description("Signs and prints a checkpoint over everything until now. Keep it somewhere else.")
    .action(async () => {
      const { printCheckpoint } = await import("../audit.js");
      await printCheckpoint(environment);
    });
  audit
    .command("verify")
    .description("Checks every entry against the tree, and the tree against every checkpoint.")
    .option("--checkpoint <file...>", "checkpoints that were kept elsewhere")
    .action(async ({ checkpoint = [] }: { checkpoint?: readonly string[] }) => {
      const { verify } = await import("../audit.js");
      await verify(environment, checkpoint);
    });
  audit
    .command("accept")
    .description(
      "Says which logs of custodians were refused, with both checkpoints. With --root believes one of the two from now on, after a " +
        "database was put back on purpose. The service may run. It exits with 1 where nothing was decided.",
    )
    .option("--root <hash>", "the root of the log to believe, as it is printed without this option")
    .action(async ({ root }: { root?: string }) => {
      const { accept } = await import("../audit.js");
      await accept(environment, root);
    });
}
