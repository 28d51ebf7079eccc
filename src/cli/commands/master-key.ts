import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis master-key …`. */
export function addMasterKey(program: Command, { environment }: CommandNeeds): void {
  const masterKey = program
    .command("master-key")
    .summary("rotate the master key, or seal it by a key store")
    .description("The key under which every secret is sealed.");
  masterKey
    .command("rotate")
    .description(
      "Seals every secret at rest again, under the first key of TRELLIS_MASTER_KEY. With the embedded database, stop the " +
        "service first.",
    )
    .action(async () => {
      const { rotate } = await import("../rotate-master-key.js");
      await rotate(environment);
    });
  masterKey
    .command("seal")
    .argument("<id>", "the key's id")
    .argument("<place>", "transit:https://host:port/v1/transit/keys/<name>, or aws-kms:<ARN or alias>")
    .description(
      "Has a key store seal the key of this id in TRELLIS_MASTER_KEY, and prints the entry that takes its place there: the " +
        "key store opens it at every start. Nothing at rest changes.",
    )
    .option("--new", "make a new key under this id")
    .action(async (id: string, place: string, options: { readonly new?: boolean }) => {
      const { seal } = await import("../seal-master-key.js");
      await seal(environment, { id, place, isNew: options.new === true });
    });
}
