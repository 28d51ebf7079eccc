import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

const embedded = "With the embedded database, stop the service first.";

/** `trellis keys …`: the master key, and the secrets that keyed hashes are made with. */
export function addKeys(program: Command, { environment }: CommandNeeds): void {
  const keys = program
    .command("keys")
    .summary("check and replace the service's secrets")
    .description(`The master key, and the secrets that hashes of tokens, codes and keys are made with. ${embedded}`);
  keys
    .command("check")
    .description("Opens everything sealed, holds every binding, and lists which secrets are in use. Changes nothing.")
    .action(async () => {
      const { checkAllKeys } = await import("../manage-secrets.js");
      await checkAllKeys(environment);
    });
  keys
    .command("rotate")
    .argument("[purposes...]", "of which secrets; none: of all. `trellis keys check` lists them")
    .description(`Gives new secrets, while services run on PostgreSQL. What was made with the former ones stays good.`)
    .action(async (purposes: readonly string[]) => {
      const { rotateSecrets } = await import("../manage-secrets.js");
      await rotateSecrets(environment, purposes);
    });
  keys
    .command("retire")
    .description("Brings bindings under the newest secrets, and forgets former secrets that nothing needs any more.")
    .action(async () => {
      const { retireFormerSecrets } = await import("../manage-secrets.js");
      await retireFormerSecrets(environment);
    });
  addRotation(keys.command("reseal"), environment, "rewrap");
  addRotation(keys.command("rekey"), environment, "rekey");
  addSealing(keys.command("seal"), environment);
}

/** `trellis master-key …`: the former names of `trellis keys reseal` and `trellis keys seal`. */
export function addMasterKey(program: Command, { environment }: CommandNeeds): void {
  const masterKey = program
    .command("master-key")
    .summary("rotate the master key, or seal it by a key store")
    .description("The key under which every secret is sealed.");
  addRotation(masterKey.command("rotate"), environment, "rewrap");
  addSealing(masterKey.command("seal"), environment);
}

const rotations = {
  rewrap: "Seals every secret at rest again, under the first key of TRELLIS_MASTER_KEY.",
  rekey:
    "The same with a new data key for each: after an older master key may have been leaked together with a copy of the database.",
};

function addRotation(command: Command, environment: CommandNeeds["environment"], how: keyof typeof rotations): void {
  command.description(`${rotations[how]} ${embedded}`).action(async () => {
    const { rotate } = await import("../rotate-master-key.js");
    await rotate(environment, how);
  });
}

function addSealing(command: Command, environment: CommandNeeds["environment"]): void {
  command
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
