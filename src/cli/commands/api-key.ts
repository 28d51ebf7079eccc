import type { Command } from "commander";
import { endKey, type KeyOptions, makeKey, reportOf, showKeys } from "../manage-keys.js";
import type { CommandNeeds } from "./needs.js";

type CreateOptions = KeyOptions & { readonly tenant: string; readonly name: string; readonly environments: string };

/** `trellis api-key …` (gap 122). */
export function addApiKey(program: Command, { inKeyOffice }: CommandNeeds): void {
  const apiKey = program
    .command("api-key")
    .summary("make, revoke and list API keys")
    .description("API keys of a tenant. With the embedded database, stop the service first.");
  apiKey
    .command("create")
    .description("Makes an API key and prints it, this once.")
    .option("--tenant <id>", "whose key", "default")
    .requiredOption("--name <text>", "its name for people")
    .requiredOption("--environments <names>", "mainnet, or sandbox, devnet or both, separated by commas")
    .option("--scopes <names>", "separated by commas, or all: all but admin:tenants, which is given by name alone")
    .option("--publishable", "for browsers; needs --origins, and --scopes may be left out")
    .option("--agent", "for an agent: it reads, proposes and pays by an allowance; --scopes may be left out")
    .option("--origins <urls>", "pages that may use it, separated by commas: https://app.example")
    .option("--addresses <ranges>", "addresses or CIDR ranges that may use it, separated by commas (default: all)")
    .option("--expires <date-time>", "when it ends (default: never)")
    .action((options: CreateOptions, command: Command) => {
      if (options.publishable === true && options.agent === true) {
        command.error("error: --publishable and --agent are two kinds of keys: name one of them.");
      }
      if (!options.scopes?.trim() && options.publishable !== true && options.agent !== true) {
        command.error("error: a secret key needs --scopes, separated by commas, or --scopes all.");
      }
      return reportOf(inKeyOffice((office) => makeKey(office, options)));
    });
  apiKey
    .command("revoke")
    .argument("<id>", "the key's id, as the list has it")
    .description("Ends an API key for good, from the next request on.")
    .action((id: string) => reportOf(inKeyOffice((office) => endKey(office, id))));
  apiKey
    .command("list")
    .description("Lists a tenant's API keys, without their secrets.")
    .option("--tenant <id>", "whose keys", "default")
    .action(({ tenant }: { tenant: string }) => reportOf(inKeyOffice((office) => showKeys(office, tenant))));
}
