import { parseConfig } from "../../config/config.js";
import { inKeyOffice } from "../../operator/key-office.js";
import type { KeyCommand, KeyReport } from "../manage-keys.js";

/** What commands need of the world. */
export interface CommandNeeds {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs a command about tenants and keys in the configured database. */
  readonly inKeyOffice: (command: KeyCommand) => Promise<KeyReport>;
}

/** The needs of a command line with these variables. */
export function createCommandNeeds(environment: CommandNeeds["environment"]): CommandNeeds {
  return { environment, inKeyOffice: (command) => inKeyOffice(parseConfig(environment), command) };
}
