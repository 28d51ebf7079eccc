import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis account …`: accounts that were imported. */
export function addAccount(program: Command, { environment }: CommandNeeds): void {
  const account = program
    .command("account")
    .summary("release an imported account")
    .description("Accounts that were imported. With the embedded database, stop the service first.");
  account
    .command("release")
    .argument("<address>", "the account")
    .description(
      "Releases an imported account without a signer's proof, so that another tenant can import it. Names what has to end first, if anything.",
    )
    .option("--environment <name>", "where it is, if it is in more than one")
    .action(async (address: string, options: { readonly environment?: string }) => {
      const { runAccountRelease } = await import("../release-account.js");
      await runAccountRelease(environment, { address, ...options });
    });
}
