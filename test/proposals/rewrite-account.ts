import type { Address } from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressBytes } from "@trellis/program-client";
import { parseConfig } from "../../src/config/config.js";
import { withDatabase } from "../../src/operator/with-database.js";
import type { TestService } from "../support/test-service.js";

/** Ends the service and works on its rows: while it runs, its passes read and write them too. */
export async function changeStored(
  { service }: TestService,
  variables: Readonly<Record<string, string>>,
  change: (db: Db) => Promise<void>,
): Promise<void> {
  await service.close();
  await withDatabase(parseConfig(variables), ({ db }) => change(db));
}

/** Has the next start know nothing of an account's proposals but what the chain has. */
export async function forgetProposals(db: Db, settings: Address): Promise<void> {
  await db.deleteFrom("proposal").where("settings_address", "=", settings).execute();
  await db.deleteFrom("proposal_watch").where("settings_address", "=", settings).execute();
}

type Rewrite = (data: Uint8Array) => readonly number[];

/** Rewrites an account of the sandbox's chain where it is kept; the next start finds it so. */
export async function rewriteAccount(db: Db, address: Address, rewrite: Rewrite): Promise<void> {
  const name = Buffer.from(addressBytes(address));
  const row = await db.selectFrom("chain_account").select("data").where("address", "=", name).executeTakeFirstOrThrow();
  const data = Buffer.from(rewrite(Uint8Array.from(row.data)));
  await db.updateTable("chain_account").set({ data }).where("address", "=", name).execute();
}

/** Puts a copy of an account to another address, rewritten. */
export async function copyAccount(db: Db, from: Address, to: Address, rewrite: Rewrite): Promise<void> {
  const row = await db
    .selectFrom("chain_account")
    .selectAll()
    .where("address", "=", Buffer.from(addressBytes(from)))
    .executeTakeFirstOrThrow();
  const data = Buffer.from(rewrite(Uint8Array.from(row.data)));
  await db
    .insertInto("chain_account")
    .values({ ...row, address: Buffer.from(addressBytes(to)), data })
    .execute();
}

/** Takes an account off the chain. */
export async function dropAccount(db: Db, address: Address): Promise<void> {
  await db
    .deleteFrom("chain_account")
    .where("address", "=", Buffer.from(addressBytes(address)))
    .execute();
}
