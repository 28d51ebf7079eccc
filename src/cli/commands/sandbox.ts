import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis sandbox` and `trellis sandbox fetch-program`. */
export function addSandbox(program: Command, { environment }: CommandNeeds): void {
  const sandbox = program
    .command("sandbox")
    .summary("run the sandbox chain alone, for services that have other environments")
    .description("Runs the sandbox chain in a process of its own. Services reach it by TRELLIS_SANDBOX_RPC_URL.")
    .option("--port <number>", "port to listen on (default: PORT, or 8899)")
    .addHelpText(
      "after",
      `
It reads HOST, PORT, TRELLIS_DATA_DIR, DATABASE_URL, TRELLIS_DATABASE_POOL, TRELLIS_MASTER_KEY, TRELLIS_LOG_LEVEL,
TRELLIS_SANDBOX_PROGRAM, TRELLIS_SANDBOX_SIGNATURE_PROGRAM, TRELLIS_SANDBOX_FAULTS, and TRELLIS_API_KEY as the key that opens it.
Two processes need two data directories.`,
    )
    .action(async ({ port }: { port?: string }) => {
      const { startSandbox } = await import("../sandbox.js");
      await startSandbox(environment, port);
    });
  sandbox
    .command("fetch-program")
    .description(
      "Writes a program that a cluster runs to a file, for TRELLIS_SANDBOX_PROGRAM or TRELLIS_SANDBOX_SIGNATURE_PROGRAM.",
    )
    .requiredOption("--rpc <url>", "JSON-RPC URL of the cluster")
    .option("--out <file>", "where to write it (default: the program's own name)")
    .option("--program <program>", "smart_account, signature (of passkeys), or a program's address", "smart_account")
    .action(async (options: { rpc: string; out?: string; program: string }) => {
      const [{ fetchProgram }, { whyOf }] = await Promise.all([import("../fetch-program.js"), import("../why.js")]);
      try {
        const { path, bytes, variable, sha256, slot, upgradeAuthority } = await fetchProgram({
          rpcUrl: options.rpc,
          program: options.program,
          out: options.out,
        });
        process.stdout.write(
          `${bytes} bytes written${variable === null ? ` to ${path}.` : `. Start the sandbox with ${variable}=${path}`}\n` +
            `SHA-256 ${sha256}, deployed at slot ${slot}, upgrade authority ${upgradeAuthority ?? "none"}.\n` +
            "Once you have tried it, name that hash in TRELLIS_KNOWN_PROGRAMS.\n",
        );
      } catch (error) {
        // What can go wrong here is the operator's to mend: the URL, its key, the address.
        process.stderr.write(`The program was not fetched. ${whyOf(error)}\n`);
        process.exitCode = 1;
      }
    });
}
