import { parseConfig } from "../config/config.js";
import { commandSessions, type SessionCommand } from "../operator/end-sessions.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `trellis session list` and `end` (gap 158): prints the sessions meant, and what became of them. Ends with 1 where there
 * are none. Throws `DataDirectoryInUseError` while the service runs on the embedded database.
 */
export async function runSessionCommand(environment: Environment, command: SessionCommand): Promise<void> {
  const sessions = await commandSessions(parseConfig(environment), command);
  for (const { id, environment: name, tenant, holder, provider, activeAt } of sessions) {
    const active = new Date(activeAt).toISOString();
    process.stdout.write(`${id}  ${name}  ${tenant}  ${holder}  ${provider}  last active ${active}\n`);
  }
  if (sessions.length === 0) {
    process.stderr.write("No session matches that is still open.\n");
    process.exitCode = 1;
  } else if (command.ends) process.stdout.write(`${sessions.length} ended.\n`);
}
