import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { type ReplaceNeeds, takeTurn } from "../replace-secrets.js";
import { rootContext } from "./wallet-keys.js";

/** A generation of a custodian's root. Instants in Unix milliseconds. */
export interface WalletRoot {
  readonly provider: string;
  readonly generation: number;
  readonly state: "waiting" | "in use" | "former" | "retired";
  readonly createdAt: number;
  /** From when on new wallets derive from it. */
  readonly usedFrom: number;
  /** How many derive from it. */
  readonly wallets: number;
}

/** Every generation, by custodian, the oldest first. */
export async function listRoots({ db, now }: Pick<ReplaceNeeds, "db" | "now">): Promise<readonly WalletRoot[]> {
  const { rows } = await sql<{
    provider: string;
    generation: number;
    created_at: string;
    used_from: string;
    is_retired: boolean;
    wallets: number;
  }>`select provider, generation, created_at::text, used_from::text, sealed is null as is_retired,
      (select count(*)::int4 from kms_wallet
        where kms_wallet.provider = wallet_root.provider and kms_wallet.generation = wallet_root.generation) as wallets
    from wallet_root order by provider, generation`.execute(db);
  const at = now();
  return rows.map(({ provider, generation, created_at, used_from, is_retired, wallets }) => {
    const isReplaced = rows.some(
      (row) => row.provider === provider && row.generation > generation && Number(row.used_from) <= at,
    );
    const isUsed = isReplaced ? "former" : Number(used_from) <= at ? "in use" : "waiting";
    const state = is_retired ? "retired" : isUsed;
    return { provider, generation, state, createdAt: Number(created_at), usedFrom: Number(used_from), wallets };
  });
}

/**
 * Makes another generation, from which new wallets derive at once: where the first one waits for the former release to be gone, so does
 * this. Undefined for a custodian that has no root here.
 */
export function addRoot(
  { db, keyring, random, now }: Pick<ReplaceNeeds, "db" | "keyring" | "random" | "now">,
  provider: string,
): Promise<number | undefined> {
  return db.transaction().execute(async (trx) => {
    await takeTurn(trx);
    const newest = await findNewest(trx, provider);
    if (newest === undefined) return undefined;
    const at = Math.floor(now());
    const generation = newest.generation + 1;
    const root = random.bytes(32);
    const sealed = keyring.wrap(root, rootContext(provider, generation));
    root.fill(0);
    const usedFrom = BigInt(Math.max(at, Number(newest.used_from)));
    await trx
      .insertInto("wallet_root")
      .values({ provider, generation, sealed, created_at: BigInt(at), used_from: usedFrom })
      .execute();
    return generation;
  });
}

const findNewest = (trx: DbOrTrx, provider: string) =>
  trx
    .selectFrom("wallet_root")
    .select(["generation", "used_from"])
    .where("provider", "=", provider)
    .orderBy("generation", "desc")
    .limit(1)
    .executeTakeFirst();

/** How long another generation has been in use before a former one can go: a wallet that was begun before is there by then. */
const retireAfterMs = 3_600_000;

/**
 * Forgets a former generation from which no wallet derives. False where one does, where no other generation has been in use for an hour, and
 * where it is not there. What derived from it is lost for good.
 */
export async function forgetRoot(
  { db, now }: Pick<ReplaceNeeds, "db" | "now">,
  provider: string,
  generation: number,
): Promise<boolean> {
  const at = Math.floor(now());
  const { numAffectedRows } = await sql`update wallet_root set sealed = null, retired_at = ${at}::int8
    where provider = ${provider} and generation = ${generation}::int4 and sealed is not null
      and exists (select from wallet_root as newer where newer.provider = ${provider}
        and newer.generation > ${generation}::int4 and newer.used_from <= ${at - retireAfterMs}::int8)
      and not exists (select from kms_wallet where provider = ${provider} and generation = ${generation}::int4)`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** A wallet of a generation, and an account on chain in which it is a signer, as far as this database knows. */
export interface RootedWallet {
  readonly address: string;
  readonly environment: string;
  readonly account: string | null;
}

/** Up to so many wallets of a generation, those behind `after` by their address. `withAccounts`: the database knows accounts. */
export async function listRootedWallets(
  db: Db,
  of: {
    readonly provider: string;
    readonly generation: number;
    readonly withAccounts: boolean;
    readonly after: string;
  },
  limit: number,
): Promise<readonly RootedWallet[]> {
  const account = of.withAccounts
    ? sql`(select string_agg(account_address, ', ' order by account_address) from account_signer
        where account_signer.wallet_id = wallet.id)`
    : sql`null::text`;
  const { rows } = await sql<RootedWallet>`select wallet.address, wallet.environment, ${account} as account
    from kms_wallet as wallet where wallet.provider = ${of.provider} and wallet.generation = ${of.generation}::int4
      and wallet.address > ${of.after} order by wallet.address limit ${limit}::int4`.execute(db);
  return rows;
}
