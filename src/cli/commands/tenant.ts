import type { Command } from "commander";
import {
  type DefaultsOptions,
  decideDomain,
  freeze,
  makeTenant,
  protectTenant,
  reportOf,
  setTenant,
  showTenants,
  unfreeze,
} from "../manage-keys.js";
import type { CommandNeeds } from "./needs.js";

const recoveryMeaning = "the recovery signer of its guarded accounts where a request names none, or none";

/** `trellis tenant …` (gap 122). */
export function addTenant(program: Command, { inKeyOffice }: CommandNeeds): void {
  const tenant = program
    .command("tenant")
    .summary("make, disable and list tenants")
    .description("Tenants: who owns API keys, users and accounts. With the embedded database, stop the service first.");
  tenant
    .command("create")
    .argument("<id>", "1 to 63 small letters, digits, hyphens and underscores")
    .description("Makes a tenant.")
    .option("--name <text>", "its name for people (default: the id)")
    .option(
      "--protection <kind>",
      "plain or guarded: its e-mail accounts where a request says nothing (default: guarded beside devnet or mainnet where a guardian is configured, else plain)",
    )
    .option("--recovery <address>", recoveryMeaning)
    .action((id: string, options: DefaultsOptions & { name?: string }) =>
      reportOf(inKeyOffice((office) => makeTenant(office, id, options))),
    );
  tenant
    .command("protect")
    .argument("<id>", "the tenant")
    .description(
      "Says what a tenant's e-mail accounts are where a request says nothing. Accounts that are there stay as they are.",
    )
    .option("--protection <kind>", "plain or guarded (default: as it was)")
    .option("--recovery <address>", `${recoveryMeaning} (default: as it was)`)
    .action((id: string, options: DefaultsOptions) =>
      reportOf(inKeyOffice((office) => protectTenant(office, id, options))),
    );
  for (const [verb, isEnabled, text] of [
    ["disable", false, "Ends all that a tenant's API keys can do, from the next request on."],
    ["enable", true, "Lets the API keys of a disabled tenant work again."],
  ] as const) {
    tenant
      .command(verb)
      .argument("<id>", "the tenant")
      .description(text)
      .action((id: string) => reportOf(inKeyOffice((office) => setTenant(office, id, isEnabled))));
  }
  tenant
    .command("freeze")
    .argument("<id>", "the tenant")
    .description("Lets a tenant be read and nothing else, in every process: the first step of moving it.")
    .action((id: string) => reportOf(inKeyOffice((office) => freeze(office, id))));
  tenant
    .command("unfreeze")
    .argument("<id>", "the tenant")
    .description(
      "Lets a frozen tenant go on here. Not where it was imported elsewhere: both would pay its standing orders.",
    )
    .option("--nowhere-else", "it goes on at no other installation")
    .action((id: string, { nowhereElse }: { nowhereElse?: boolean }) =>
      reportOf(inKeyOffice((office) => unfreeze(office, id, nowhereElse === true))),
    );
  tenant
    .command("relying-party")
    .argument("<domain>", "where passkeys belong, as app.example")
    .description("Says which tenants claim a domain for passkeys that sign on chain, and which of them has it.")
    .option(
      "--owner <tenant>",
      "it has the domain, whichever tenant set it first; none: the eldest that has set it does",
    )
    .action((domain: string, { owner }: { owner?: string }) =>
      reportOf(inKeyOffice((office) => decideDomain(office, domain, owner))),
    );
  tenant
    .command("list")
    .description("Lists the tenants.")
    .action(() => reportOf(inKeyOffice(showTenants)));
}
