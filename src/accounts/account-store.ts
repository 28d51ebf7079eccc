import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountSignerTable, AccountTable, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { readTogether } from "@trellis/kernel/read-together.js";
import { CompiledQuery, type RawBuilder, sql } from "kysely";

/** The form that an address can have; anything else need not reach the database, which refuses some characters. */
const addressForm = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Finds an account by its address among the tenant's own. */
async function findAccountRow(
  db: DbOrTrx,
  key: { readonly tenantId: string; readonly environment: EnvironmentName; readonly address: string },
): Promise<AccountTable | undefined> {
  if (!addressForm.test(key.address)) return undefined;
  return db
    .selectFrom("account")
    .selectAll()
    .where("environment", "=", key.environment)
    .where("address", "=", key.address)
    .where("tenant_id", "=", key.tenantId)
    .executeTakeFirst();
}

/** The same, and `account_not_found` when there is none; another tenant's account does not exist (gap 2). */
export async function getAccountRow(
  db: DbOrTrx,
  key: { readonly tenantId: string; readonly environment: EnvironmentName; readonly address: string },
): Promise<AccountTable> {
  const row = await findAccountRow(db, key);
  if (row === undefined) throw await notFound(db, key);
  return row;
}

/** Whether an address is that of an account of an environment, of any tenant: an import answers as much (`account_served_elsewhere`). */
export async function isServed(db: DbOrTrx, environment: EnvironmentName, address: string): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(servedQuery, [environment, address]));
  return rows.length > 0;
}

/**
 * SQL: the address of an account, for a row that stands for its money or keys. The statement fails where it was released meanwhile
 * (`account_not_found`), and a release waits for the statement's transaction.
 */
export const heldAccountAddress = (account: {
  readonly tenantId: string;
  readonly environment: string;
  readonly address: string;
}): RawBuilder<string> =>
  sql`held_account(${account.environment}::text, ${account.address}::text, ${account.tenantId}::text)`;

const servedQuery = "select from account where environment = $1 and address = $2";

/** Says what an address is that is not an account's: its settings are most often mistaken for it. */
async function notFound(
  db: DbOrTrx,
  key: { readonly tenantId: string; readonly environment: EnvironmentName; readonly address: string },
): Promise<TrellisError> {
  if (!addressForm.test(key.address)) {
    return new TrellisError("account_not_found", { suggestion: "An address has 32 to 44 characters of base58." });
  }
  const account = await db
    .selectFrom("account")
    .select("address")
    .where("environment", "=", key.environment)
    .where("settings_address", "=", key.address)
    .where("tenant_id", "=", key.tenantId)
    .executeTakeFirst();
  return new TrellisError("account_not_found", {
    suggestion:
      account === undefined
        ? `Name an account of ${key.environment} by its own address, not by that of a signer or of a token account.`
        : `This is the settings account of ${account.address}: use that address.`,
  });
}

/** What the service knows of an account. The chain alone says who its signers are now. */
export interface KnownAccount {
  readonly row: AccountTable;
  /** In list order. */
  readonly signers: readonly AccountSignerTable[];
  /** Of its user, where the account was made for an address. */
  readonly email: string | null;
  /** Whether its user signs in with a passkey beside the code. */
  readonly requiresPasskey: boolean;
  /** Those of its signers whose keys others may have: they have left their custodians (gap 182) or were imported (gap 194). In list order. */
  readonly exported: readonly string[];
  /** Whether the address that was asked about as well is that of an account here, as `isServed` says. */
  readonly isOtherServed: boolean;
}

export type KnownAccountRow = AccountTable &
  Pick<KnownAccount, "email" | "exported"> & {
    readonly signers: AccountSignerTable[];
    readonly requires_passkey: boolean | null;
    readonly is_other_served?: boolean;
  };

const keyColumns = { environment: "text", address: "text", tenant_id: "text", other: "text" } as const;

/** SQL: what is known of an `account` whose user is `app_user`. Plain text, as almost every request asks it. */
export const knownAccountColumns = `account.*,
    (select coalesce(json_agg(signer), '[]') from (
      select account_signer.* from account_signer
      where account_signer.environment = account.environment and account_signer.account_address = account.address
      order by account_signer.position
    ) as signer) as signers,
    (select coalesce(json_agg(account_signer.signer_address order by account_signer.position), '[]') from account_signer
      where account_signer.environment = account.environment and account_signer.account_address = account.address
        and (exists (select from wallet_export
            where wallet_export.wallet_id = account_signer.wallet_id and wallet_export.state = 'exported')
          or exists (select from wallet where wallet.id = account_signer.wallet_id and wallet.imported_at is not null))
      ) as exported,
    app_user.email, app_user.passkey_sign_in = 'required' as requires_passkey`;

const readKnownAccount = readTogether<typeof keyColumns, KnownAccountRow>(
  keyColumns,
  (asked) => `select asked.at as asked_at, ${knownAccountColumns},
    asked.other is not null
      and exists (select from account as other where other.environment = asked.environment and other.address = asked.other)
      as is_other_served
  from ${asked}
    join account on account.environment = asked.environment and account.address = asked.address
      and account.tenant_id = asked.tenant_id
    left join app_user on app_user.id = account.user_id`,
);

/**
 * An account of the tenant's own with all that is known of it, and whether `other` is an account as well, in one query.
 * Throws `account_not_found`.
 */
export async function getKnownAccount(
  db: DbOrTrx,
  key: { readonly tenantId: string; readonly environment: EnvironmentName; readonly address: string },
  other?: string,
): Promise<KnownAccount> {
  if (!addressForm.test(key.address)) throw await notFound(db, key);
  const [found] = await readKnownAccount(db, {
    environment: key.environment,
    address: key.address,
    tenant_id: key.tenantId,
    other: other ?? null,
  });
  if (found === undefined) throw await notFound(db, key);
  return toKnownAccount(found);
}

export function toKnownAccount(found: KnownAccountRow): KnownAccount {
  const { signers, exported, email, requires_passkey, is_other_served: isOtherServed = false, ...row } = found;
  const requiresPasskey = requires_passkey === true;
  return { row, signers, exported, email: row.type === "email" ? email : null, requiresPasskey, isOtherServed };
}

/** What the service knows of an account's signers, in list order. The chain alone says who is one now. */
export async function findAccountSigners(
  db: DbOrTrx,
  account: Pick<AccountTable, "environment" | "address">,
): Promise<readonly AccountSignerTable[]> {
  return db
    .selectFrom("account_signer")
    .selectAll()
    .where("environment", "=", account.environment)
    .where("account_address", "=", account.address)
    .orderBy("position")
    .execute();
}

/**
 * The accounts in which any wallet of a user is a signer; and `unheld`, those that were imported for the user and for which no wallet signs
 * at all: their user brings the key of a signer (gap 194). Both the oldest first.
 */
export async function findAccountsOfUser(
  db: DbOrTrx,
  environment: EnvironmentName,
  userId: string,
): Promise<{ readonly held: readonly AccountTable[]; readonly unheld: readonly AccountTable[] }> {
  const wallets = await db.selectFrom("wallet").select("id").where("owner_id", "=", userId).execute();
  const ids = wallets.map(({ id }) => id);
  const held = await findAccountsOfWallets(db, environment, ids);
  const { rows } =
    await sql<AccountTable>`select account.* from account where account.environment = ${environment}::text
    and account.user_id = ${userId}::text and ${isUnheld} order by created_at, address`.execute(db);
  return { held, unheld: rows };
}

/** SQL: whether an `account` was imported for its user, and no wallet signs for it. */
export const isUnheld = sql<boolean>`(account.type = 'custom' and not exists (select from account_signer as known
  where known.environment = account.environment and known.account_address = account.address and known.wallet_id is not null))`;

/** A wallet of a user's, and those that obey what commands it. */
export async function findCommandedBy(db: DbOrTrx, userId: string, walletId: string): Promise<readonly string[]> {
  const others = await db
    .selectFrom("wallet")
    .select("id")
    .where("owner_id", "=", userId)
    .where("commanded_by", "=", walletId)
    .execute();
  return [walletId, ...others.map(({ id }) => id)];
}

/** The accounts in which any of these wallets is a signer, oldest first. */
export async function findAccountsOfWallets(
  db: DbOrTrx,
  environment: EnvironmentName,
  walletIds: readonly string[],
): Promise<readonly AccountTable[]> {
  if (walletIds.length === 0) return [];
  return db
    .selectFrom("account")
    .selectAll()
    .where("environment", "=", environment)
    .where("address", "in", (eb) =>
      eb
        .selectFrom("account_signer")
        .select("account_address")
        .where("account_signer.environment", "=", environment)
        .where("wallet_id", "in", [...walletIds]),
    )
    .orderBy("created_at")
    .orderBy("address")
    .execute();
}
