import type { Command } from "commander";
import { describeCustodianVariables } from "../describe-variables.js";
import { addCustodianKeys } from "./keys.js";
import type { CommandNeeds } from "./needs.js";

/** `trellis custodian` and `trellis custodian init`. */
export function addCustodian(program: Command, needs: CommandNeeds): void {
  const { environment } = needs;
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
  addCustodianKeys(custodian, needs);
  addLog(custodian, environment);
  custodian
    .command("check")
    .description(
      "Asks the custodians that the service's variables name who they are, and holds each other's logs against what was seen of them. It " +
        "exits with 1 when one does not answer as it has to, or a log is not what it was.",
    )
    .action(async () => {
      const { checkCustodians } = await import("../check-custodians.js");
      const checked = await checkCustodians(environment);
      const none = "The service's variables name no custodian of its own process.";
      process.stdout.write(`${checked.length === 0 ? none : checked.map(({ text }) => text).join("\n")}\n`);
      if (checked.some(({ answers, hasLogFault }) => !answers || hasLogFault)) process.exitCode = 1;
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

/** `trellis custodian audit …`, beside the custodian. */
function addLog(custodian: Command, environment: CommandNeeds["environment"]): void {
  const audit = custodian
    .command("audit")
    .description(
      "The custodian's own log of signatures, keys, passkeys and policies. With the embedded database, stop the custodian first.",
    );
  audit
    .command("key")
    .description("Prints the key that verifies its checkpoints, as tools of others take it.")
    .action(async () => {
      const { printCustodianLogKey } = await import("../audit.js");
      await printCustodianLogKey(environment);
    });
  audit
    .command("witness-key")
    .description("Prints the key that verifies what it cosigns of the service's log: what clients pin as witness.")
    .action(async () => {
      const { printCustodianWitnessKey } = await import("../audit.js");
      await printCustodianWitnessKey(environment);
    });
  audit
    .command("checkpoint")
    .description("Signs and prints a checkpoint over everything until now. Keep it somewhere else.")
    .action(async () => {
      const { printCustodianCheckpoint } = await import("../audit.js");
      await printCustodianCheckpoint(environment);
    });
  audit
    .command("verify")
    .description("Checks every entry against the tree, and the tree against every checkpoint.")
    .option("--checkpoint <file...>", "checkpoints that were kept elsewhere")
    .action(async ({ checkpoint = [] }: { checkpoint?: readonly string[] }) => {
      const { verifyOfCustodian } = await import("../audit.js");
      await verifyOfCustodian(environment, checkpoint);
    });
  audit
    .command("accept")
    .description(
      "Says whether the service's log was refused, with both checkpoints. With --root believes one of the two from now on, after the " +
        "service's database was put back on purpose, or its log got another name. It exits with 1 where nothing was decided.",
    )
    .option("--root <hash>", "the root of the log to believe, as it is printed without this option")
    .action(async ({ root }: { root?: string }) => {
      const { acceptAtCustodian } = await import("../audit.js");
      await acceptAtCustodian(environment, root);
    });
}
