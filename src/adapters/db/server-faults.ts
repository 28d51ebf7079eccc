import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";

/** Something about the server that an operator should mend. */
export interface ServerFault {
  readonly setting: string;
  readonly value: string;
  /** What follows from it and what to do, in plain words. */
  readonly message: string;
  /** Whether what was acknowledged can be lost with all that preceded it: not to be had where real money is. */
  readonly losesEverything: boolean;
}

/** A database that must not be used as it is set up. The message is for the operator and holds no secret. */
export class UnusableDatabaseError extends Error {
  override readonly name = "UnusableDatabaseError";
  constructor(fault: ServerFault) {
    super(`The database cannot be used with mainnet. ${fault.message}`);
  }
}

interface Setting {
  readonly name: string;
  readonly setting: string;
}

const known: Readonly<
  Record<string, { readonly bad: string; readonly message: string; readonly losesEverything?: true }>
> = {
  fsync: {
    bad: "off",
    losesEverything: true,
    message:
      "PostgreSQL does not force writes to the disk (fsync = off): a power cut can destroy the database, wallet keys " +
      "included. Set fsync = on.",
  },
  full_page_writes: {
    bad: "off",
    message:
      "PostgreSQL writes no full pages (full_page_writes = off): a power cut can leave torn pages behind. Set it to on, " +
      "unless the file system never tears a page.",
  },
  synchronous_commit: {
    bad: "off",
    message:
      "PostgreSQL acknowledges commits before they are on the disk (synchronous_commit = off): a power cut loses the last " +
      "of them, with keys and submissions that callers had the answer for. Set synchronous_commit = on.",
  },
  statement_timeout: {
    bad: "0",
    message:
      "No statement is ever given up by the database (statement_timeout = 0), because a pooler keeps the service's own " +
      "setting from it. Set one for its role: alter role … set statement_timeout = '60s'.",
  },
  idle_in_transaction_session_timeout: {
    bad: "0",
    message:
      "A transaction whose client fell silent keeps its locks (idle_in_transaction_session_timeout = 0), because a pooler " +
      "keeps the service's own setting from it. Set one for its role: " +
      "alter role … set idle_in_transaction_session_timeout = '15s'.",
  },
};

/** Checks the settings of the server that this connection ends at, as they are in force for it. */
export async function findServerFaults(db: Db): Promise<readonly ServerFault[]> {
  const { rows } = await sql<Setting>`
    select name, setting from pg_settings where name = any(${Object.keys(known)}::text[]) order by name`.execute(db);
  return rows.flatMap(({ name, setting }) => {
    const fault = known[name];
    if (fault?.bad !== setting) return [];
    const { message, losesEverything = false } = fault;
    return [{ setting: name, value: setting, message, losesEverything }];
  });
}
