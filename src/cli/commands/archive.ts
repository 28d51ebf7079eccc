import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

interface ExportOptions {
  readonly file: string;
  readonly to: readonly string[];
  readonly environment?: readonly string[];
  readonly freeze?: boolean;
  readonly apiKeys: boolean;
}

interface ImportOptions {
  readonly identity: string;
  readonly sha256: string;
  readonly as?: string;
}

/** `trellis export` and `trellis import`: a tenant leaves for another installation, or comes from one. */
export function addArchive(program: Command, { environment }: CommandNeeds): void {
  program
    .command("export")
    .argument("<tenant>", "its id")
    .summary("write everything of a tenant to an encrypted file")
    .description(
      "Writes everything of a frozen tenant, wallets' keys included, to a file that its recipients alone can open (age, version 1). " +
        "With the embedded database, stop the service first.",
    )
    .requiredOption("--file <path>", "where it is written; there must be no such file")
    .requiredOption("--to <recipient...>", "who can open it: age1…, as age-keygen prints it")
    .option("--environment <name...>", "devnet or mainnet alone (default: every cluster that is configured)")
    .option("--freeze", "freezes the tenant first, and waits for what began before")
    .option(
      "--no-api-keys",
      "leaves out its API keys, and with them the secrets that those of all tenants are hashed with: it gets new ones where it comes to",
    )
    .action(async (tenantId: string, { file, to, environment: environments, freeze, apiKeys }: ExportOptions) => {
      const { runExport } = await import("../archive.js");
      const order = { tenantId, file, recipients: to, environments, freezes: freeze === true, withApiKeys: apiKeys };
      await runExport(environment, order);
    });
  program
    .command("import")
    .argument("<file>", "an archive that trellis export has written")
    .summary("take a tenant from an encrypted file")
    .description(
      "Takes everything of a tenant in one database transaction. With the embedded database, stop the service first.",
    )
    .requiredOption("--identity <file>", "a file with the identity that opens it, as age-keygen writes it")
    .requiredOption("--sha256 <hex>", "of the file, as its export has printed it")
    .option("--as <id>", "the tenant's id here (default: the one it had)")
    .action(async (file: string, { identity, sha256, as }: ImportOptions) => {
      const { runImport } = await import("../archive.js");
      await runImport(environment, { file, identityFile: identity, sha256, as });
    });
}
