import type { Command } from "commander";
import { describeVariables } from "../describe-variables.js";

/** `trellis start`. */
export function addStart(program: Command): void {
  program
    .command("start")
    .summary("start the service; the default")
    .description("Starts the service. It is configured by the variables below, and listens on HOST and PORT.")
    .addHelpText("after", `\n${describeVariables()}`)
    .action(async () => {
      await import("../../main.js");
    });
}
