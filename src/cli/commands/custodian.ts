import type { Command } from "commander";
import { describeCustodianVariables } from "../describe-variables.js";
import type { CommandNeeds } from "./needs.js";

/** `trellis custodian` and `trellis custodian init`. */
export function addCustodian(program: Command, { environment }: CommandNeeds): void {
  const custodian = program
    .command("custodian")
    .summary("run one custodian as a process of its own, with keys that the service does not have")
    .description(
      "Runs one custodian, with a database, a master key and a clock of its own. The service reaches it by " +
        "TRELLIS_CUSTODIAN_<NAME>_URL, with the keys that `trellis custodian init` made.",
    )
    .addHelpText("after", `\n${describeCustodianVariables()}`)
    .option("--after-restore", "once, after its database was put back: ends the keys that were granted, and starts")
    .action(async ({ afterRestore = false }: { afterRestore?: boolean }) => {
      const { runCustodian } = await import("../custodian.js");
      await runCustodian(environment, afterRestore);
    });
  custodian
    .command("check")
    .description(
      "Asks the custodians that the service's variables name who they are. It exits with 1 when one does not answer as it has to.",
    )
    .action(async () => {
      const { checkCustodians } = await import("../check-custodians.js");
      const checked = await checkCustodians(environment);
      const none = "The service's variables name no custodian of its own process.";
      process.stdout.write(`${checked.length === 0 ? none : checked.map(({ text }) => text).join("\n")}\n`);
      if (checked.some(({ answers }) => !answers)) process.exitCode = 1;
    });
  custodian
    .command("init")
    .description("Makes the keys and certificates by which a custodian and its service know each other.")
    .argument("[directory]", "where the folders keys and service-keys are made", "./custodian")
    .option("--only <side>", "custodian or service: makes the keys of one side, on the machine where it will stand")
    .action(async (directory: string, { only }: { only?: string }) => {
      const [{ initCustodian }, { KeyFolderError }] = await Promise.all([
        import("../custodian.js"),
        import("../../adapters/kms/key-folder.js"),
      ]);
      const side = only ?? "both";
      if (side !== "both" && side !== "custodian" && side !== "service") {
        process.stderr.write("--only is custodian or service.\n");
        process.exitCode = 2;
        return;
      }
      try {
        process.stdout.write(await initCustodian(directory, side));
      } catch (error) {
        if (!(error instanceof KeyFolderError)) throw error;
        process.stderr.write(`${error.message}\n`);
        process.exitCode = 1;
      }
    });
}
