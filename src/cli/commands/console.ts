import type { Command } from "commander";
import { reportOf } from "../manage-keys.js";
import {
  allowCodes,
  endMembership,
  type InvitationOptions,
  inviteToConsole,
  linkToConsole,
} from "../manage-members.js";
import type { CommandNeeds } from "./needs.js";

/** `trellis console …` (gap 215). */
export function addConsole(program: Command, { inKeyOffice }: CommandNeeds): void {
  const console = program
    .command("console")
    .summary("let people sign in to the console")
    .description("Members of the console. With the embedded database, stop the service first.");
  console
    .command("invite")
    .description("Invites a member, and prints the link, this once. Who has not accepted is invited again.")
    .requiredOption("--email <address>", "who is invited")
    .requiredOption("--role <name>", "owner, developer or viewer")
    .option("--tenant <id>", "of which tenant", "default")
    .option("--environments <names>", "what the member reaches, separated by commas (default: all)")
    .option("--operator", "administers tenants, too")
    .action((options: InvitationOptions) => reportOf(inKeyOffice((office) => inviteToConsole(office, options))));
  console
    .command("link")
    .description("Prints a link that signs a member in, once: for who cannot be mailed a code.")
    .requiredOption("--email <address>", "the member")
    .option("--tenant <id>", "of which tenant", "default")
    .action((options: { email: string; tenant: string }) =>
      reportOf(inKeyOffice((office) => linkToConsole(office, options))),
    );
  console
    .command("allow-codes")
    .description("Has codes by mail sign a member in again who requires a passkey: for who has lost it.")
    .requiredOption("--email <address>", "the member")
    .option("--tenant <id>", "of which tenant", "default")
    .action((options: { email: string; tenant: string }) =>
      reportOf(inKeyOffice((office) => allowCodes(office, options))),
    );
  for (const [how, what] of [
    ["disable", "Ends a member's sessions, links and passkeys, and lets the member in no more until enabled."],
    ["remove", "Removes any member."],
  ] as const) {
    console
      .command(how)
      .description(what)
      .requiredOption("--email <address>", "the member")
      .option("--tenant <id>", "of which tenant", "default")
      .action((options: { email: string; tenant: string }) =>
        reportOf(inKeyOffice((office) => endMembership(office, options, how))),
      );
  }
}
