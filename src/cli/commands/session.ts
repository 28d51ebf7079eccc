import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

interface Options {
  readonly tenant?: string;
  readonly email?: string;
  readonly wallet?: string;
}

/** `trellis session …`: who is signed in (gap 158). */
export function addSession(program: Command, { environment }: CommandNeeds): void {
  const session = program
    .command("session")
    .summary("list and end sessions")
    .description("Who is signed in. With the embedded database, stop the service first.");
  session
    .command("list")
    .description("Lists open sessions, the newest first.")
    .option("--tenant <id>", "of this tenant's users")
    .option("--email <address>", "of this user")
    .option("--wallet <address>", "of this wallet, whose holder signed in with it")
    .action(async (options: Options) => {
      const { runSessionCommand } = await import("../end-sessions.js");
      await runSessionCommand(environment, { ...options, ends: false });
    });
  session
    .command("end")
    .argument("[id]", "the session; or name its users by an option")
    .description("Ends a session, or all that match: nothing is signed or refreshed with them any more.")
    .option("--tenant <id>", "all of this tenant's users")
    .option("--email <address>", "all of this user")
    .option("--wallet <address>", "all of this wallet, whose holder signed in with it")
    .action(async (id: string | undefined, options: Options, command: Command) => {
      if (
        id === undefined &&
        options.tenant === undefined &&
        options.email === undefined &&
        options.wallet === undefined
      ) {
        command.error("error: name the session, or give --email, --wallet or --tenant.");
      }
      const { runSessionCommand } = await import("../end-sessions.js");
      await runSessionCommand(environment, { ...options, id, ends: true });
    });
}
