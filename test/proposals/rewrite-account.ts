import type { Address } from "@solana/kit";
import { addressBytes } from "@trellis/program-client";
import type { TestService } from "../support/test-service.js";

type Rewrite = (data: Uint8Array) => readonly number[];

/** Rewrites an account of the sandbox's chain where it is kept; the next start finds it so. */
export async function rewriteAccount({ service }: TestService, address: Address, rewrite: Rewrite): Promise<void> {
  const name = Buffer.from(addressBytes(address));
  const { db } = service;
  const row = await db.selectFrom("chain_account").select("data").where("address", "=", name).executeTakeFirstOrThrow();
  const data = Buffer.from(rewrite(Uint8Array.from(row.data)));
  await db.updateTable("chain_account").set({ data }).where("address", "=", name).execute();
}

/** Puts a copy of an account to another address, rewritten. */
export async function copyAccount(
  { service }: TestService,
  from: Address,
  to: Address,
  rewrite: Rewrite,
): Promise<void> {
  const { db } = service;
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
export async function dropAccount({ service }: TestService, address: Address): Promise<void> {
  await service.db
    .deleteFrom("chain_account")
    .where("address", "=", Buffer.from(addressBytes(address)))
    .execute();
}
