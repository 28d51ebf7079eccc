import type { Command } from "commander";
import type { KeyPlace } from "../../adapters/key-place.js";
import type { CommandNeeds } from "./needs.js";

const embedded = "With the embedded database, stop the service first.";
const embeddedCustodian = "With the embedded database, stop the custodian first.";

/** `trellis keys …`: the master key, the roots of wallets, and the secrets that keyed hashes are made with. */
export function addKeys(program: Command, { environment }: CommandNeeds): void {
  const keys = program
    .command("keys")
    .summary("check and replace the service's secrets")
    .description(
      `The master key, the roots of wallets, and the secrets that hashes of tokens, codes and keys are made with. ${embedded}`,
    );
  addSecrets(keys, async () => {
    const [{ servicePlace }, { parseConfig }] = await Promise.all([
      import("../../operator/replace-secrets.js"),
      import("../../config/config.js"),
    ]);
    return { place: servicePlace(parseConfig(environment)), withAccounts: true };
  });
  addRotation(keys.command("reseal"), environment, "rewrap");
  addRotation(keys.command("rekey"), environment, "rekey");
  addSealing(keys.command("seal"), environment);
}

/** `trellis custodian keys …`: the same of a custodian's own database. */
export function addCustodianKeys(custodian: Command, { environment }: CommandNeeds): void {
  const keys = custodian
    .command("keys")
    .description(`The same as trellis keys, for the custodian that its variables name. ${embeddedCustodian}`);
  const open = async () => {
    const [{ custodianPlace }, { parseCustodianConfig }] = await Promise.all([
      import("../../custodian/key-place.js"),
      import("../../config/custodian.js"),
    ]);
    return { place: custodianPlace(parseCustodianConfig(environment)), withAccounts: false };
  };
  addSecrets(keys, open);
  for (const [name, how] of [
    ["reseal", "rewrap"],
    ["rekey", "rekey"],
  ] as const) {
    keys
      .command(name)
      .description(`${rotations[how].replace("TRELLIS_", "TRELLIS_CUSTODIAN_")} ${embeddedCustodian}`)
      .action(async () => {
        const { resealPlace } = await import("../rotate-master-key.js");
        await resealPlace((await open()).place, how);
      });
  }
}

/** Where keys are, opened when a command runs. `withAccounts`: the database knows accounts. */
type OpenPlace = () => Promise<{ readonly place: KeyPlace; readonly withAccounts: boolean }>;

function addSecrets(keys: Command, open: OpenPlace): void {
  keys
    .command("check")
    .description("Opens everything sealed, holds every binding, and lists which secrets are in use. Changes nothing.")
    .action(async () => {
      const { checkAllKeys } = await import("../manage-secrets.js");
      await checkAllKeys((await open()).place);
    });
  keys
    .command("rotate")
    .argument("[purposes...]", "of which secrets; none: of all. `keys check` lists them")
    .description(`Gives new secrets, while services run on PostgreSQL. What was made with the former ones stays good.`)
    .action(async (purposes: readonly string[]) => {
      const { rotateSecrets } = await import("../manage-secrets.js");
      await rotateSecrets((await open()).place, purposes);
    });
  keys
    .command("retire")
    .description("Brings bindings under the newest secrets, and forgets former secrets that nothing needs any more.")
    .action(async () => {
      const { retireFormerSecrets } = await import("../manage-secrets.js");
      await retireFormerSecrets((await open()).place);
    });
  addRoots(keys, open);
}

function addRoots(keys: Command, open: OpenPlace): void {
  const roots = keys
    .command("roots")
    .description("Lists the roots that wallets' keys derive from, by custodian and generation.")
    .action(async () => {
      const { showRoots } = await import("../manage-roots.js");
      await showRoots((await open()).place);
    });
  roots
    .command("new")
    .argument("<custodian>", "whose: `keys roots` lists them")
    .description("Makes another generation, from which new wallets derive. Those of before keep their keys.")
    .action(async (custodian: string) => {
      const { makeRoot } = await import("../manage-roots.js");
      await makeRoot((await open()).place, custodian);
    });
  roots
    .command("retire")
    .argument("<custodian>", "whose: `keys roots` lists them")
    .argument("<generation>", "which: see `keys roots`")
    .description(
      "Forgets a generation that no wallet derives from. While one does, it lists those wallets with their accounts, and what is to be done.",
    )
    .action(async (custodian: string, generation: string) => {
      const { retireRoot } = await import("../manage-roots.js");
      const { place, withAccounts } = await open();
      await retireRoot(place, custodian, generation, withAccounts);
    });
}

/** `trellis master-key …`: the former names of `trellis keys reseal` and `trellis keys seal`. */
export function addMasterKey(program: Command, { environment }: CommandNeeds): void {
  const masterKey = program
    .command("master-key")
    .summary("former names of keys reseal and keys seal")
    .description("The key under which every secret is sealed.");
  addRotation(masterKey.command("rotate"), environment, "rewrap");
  addSealing(masterKey.command("seal"), environment);
}

const rotations = {
  rewrap: "Seals every secret at rest again, under the first key of TRELLIS_MASTER_KEY.",
  rekey:
    "Seals every secret at rest again under the first key of TRELLIS_MASTER_KEY, each with a new data key: after an older master key may have been leaked together with a copy of the database.",
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
