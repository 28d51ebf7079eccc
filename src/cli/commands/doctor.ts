import type { Command } from "commander";
import type { DoctorOptions } from "../doctor.js";
import type { CommandNeeds } from "./needs.js";

interface Options {
  readonly rpc: string;
  readonly settings?: string;
  readonly expectSigners?: string;
  readonly expectAdmin?: string;
  readonly serviceKeys?: string;
  readonly executors?: string;
  readonly service?: string;
  readonly environment?: string;
  readonly json?: boolean;
}

/** `trellis doctor`. */
export function addDoctor(program: Command, { environment }: CommandNeeds): void {
  program
    .command("doctor")
    .argument("<address>", "the smart account, or its settings")
    .summary("report from the chain alone who may act for a smart account")
    .description(
      "Reports from the chain alone who may act for a smart account. It needs no database and no API key. It exits with 0 " +
        "when everything is as expected, with 1 when it is not, and with 2 when there is no answer. Beside the service it also says what is wrong with the logs of custodians.",
    )
    .requiredOption("--rpc <url>", "JSON-RPC URL of the cluster")
    .option("--settings <address>", "the account's settings, where the node cannot find them")
    .option(
      "--expect-signers <addresses>",
      "who are all the signers and the only ones with authority, separated by commas",
    )
    .option("--expect-admin <address>", "who is meant to be the admin, and has authority as such")
    .option("--service-keys <addresses>", "who holds no authority, separated by commas")
    .option("--executors <addresses>", "who pays standing orders, separated by commas")
    .option("--service <url>", "a service to ask, with TRELLIS_API_KEY, which standing order each limit belongs to")
    .option("--environment <name>", "which environment that service is asked about")
    .option("--json", "print the report as JSON")
    .action(async (address: string, given: Options) => {
      const { runDoctor } = await import("../doctor.js");
      const { DoctorError } = await import("../doctor/doctor-error.js");
      const options: DoctorOptions = {
        address,
        rpc: given.rpc,
        settings: given.settings,
        "expect-signers": given.expectSigners,
        "expect-admin": given.expectAdmin,
        "service-keys": given.serviceKeys,
        executors: given.executors,
        service: given.service,
        environment: given.environment,
        json: given.json,
        apiKey: environment.TRELLIS_API_KEY,
        knownPrograms: environment.TRELLIS_KNOWN_PROGRAMS,
      };
      try {
        const { text, exitCode } = await runDoctor(options);
        process.stdout.write(text);
        process.exitCode = exitCode;
        const { checkCustodians } = await import("../check-custodians.js");
        // What the chain says stands, whether they answer or not. A log that is not what it was is no matter of reaching them.
        const custodians = await checkCustodians(environment);
        const faulty = custodians.filter(({ hasLogFault }) => hasLogFault);
        if (faulty.length > 0) process.exitCode = 1;
        const texts = (found: typeof custodians) => found.map((one) => `  ${one.text}\n`).join("");
        // The report on standard output is a program's to read.
        if (options.json) process.stderr.write(texts(faulty));
        else if (custodians.length > 0) process.stdout.write(`\nCustodians\n${texts(custodians)}`);
      } catch (error) {
        if (!(error instanceof DoctorError)) throw error;
        process.stderr.write(`${error.message}\n`);
        process.exitCode = 2;
      }
    });
}
