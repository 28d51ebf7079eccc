import { Command, CommanderError } from "commander";
import { addAccount } from "./account.js";
import { addAgent } from "./agent.js";
import { addApiKey } from "./api-key.js";
import { addArchive } from "./archive.js";
import { addAudit } from "./audit.js";
import { addConsole } from "./console.js";
import { addCustodian } from "./custodian.js";
import { addDoctor } from "./doctor.js";
import { addIndex } from "./index-rebuild.js";
import { addKeys, addMasterKey } from "./keys.js";
import { addListen } from "./listen.js";
import { addMcp } from "./mcp.js";
import { addMove } from "./move.js";
import type { CommandNeeds } from "./needs.js";
import { addOrders } from "./orders.js";
import { addRails } from "./rails.js";
import { addSandbox } from "./sandbox.js";
import { addServiceKeys } from "./service-keys.js";
import { addSession } from "./session.js";
import { addStart } from "./start.js";
import { addTenant } from "./tenant.js";
import { addTrigger } from "./trigger.js";

/** Exit code of a command line that is wrong. */
export const usageExitCode = 2;

/**
 * The command line: a command takes its own options and no others, and `trellis <command> --help` explains them. Parsing
 * throws `CommanderError` for a wrong command line and for help that was asked for.
 */
export function createProgram(needs: CommandNeeds): Command {
  const program = new Command("trellis")
    .description("Runs Trellis, and what its operator needs beside it. Without a command it starts the service.")
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride();
  for (const add of [
    addStart,
    addSandbox,
    addCustodian,
    addDoctor,
    addMove,
    addIndex,
    addKeys,
    addMasterKey,
    addAudit,
    addRails,
    addOrders,
    addServiceKeys,
    addSession,
    addAccount,
    addTenant,
    addApiKey,
    addConsole,
    addArchive,
    addListen,
    addAgent,
    addMcp,
    addTrigger,
  ]) {
    add(program, needs);
  }
  return program;
}

/**
 * Runs a command line without the first two words. Gives what it ends with where the line is wrong or help was asked for;
 * undefined: a command ran.
 */
export async function runProgram(needs: CommandNeeds, words: readonly string[]): Promise<number | undefined> {
  try {
    await createProgram(needs).parseAsync(words.length === 0 ? ["start"] : [...words], { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : usageExitCode;
  }
}
