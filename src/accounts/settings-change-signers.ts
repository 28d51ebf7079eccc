import type { Address } from "@solana/kit";
import type { Wallet } from "@trellis/kernel/ports/custodian.js";
import {
  type AccountSignerTable,
  type AccountTable,
  DatabaseUnavailable,
  type Db,
  type DbOrTrx,
} from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { chooseInTurns } from "@trellis/kernel/tenant-turns.js";
import { CAN_VOTE_BIT, decodeSettings, ProgramDataError, type Settings } from "@trellis/program-client";
import { readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import { sql } from "kysely";
import { wakeProposals } from "../following/proposal-subscriptions.js";
import { findAccountSigners } from "./account-store.js";

/** Whether the service knows exactly the members that the chain names. */
function knowsMembers(settings: Pick<Settings, "signers">, known: readonly AccountSignerTable[]): boolean {
  const names = new Set<string>(settings.signers.map(({ address }) => address));
  return names.size === known.length && known.every(({ signer_address }) => names.has(signer_address));
}

/**
 * Brings what the service knows of an account's signers into line with the chain, in one statement: removed members are
 * forgotten, new ones join at the end as primaries. A new member's key is the caller's own (`external`), unless it is a
 * passkey on chain, or a wallet that a built-in custodian holds for a user of the same tenant. Beside a guardian's wallet such a key
 * that only votes is there to recover the account: it is a backup, which is not asked to sign while others can. Repeating it changes nothing but `updated_at`.
 * `slot` is that of the settings: no change that landed up to it has to be read any more. With `onlyDue` nothing
 * happens where another process has done so already.
 */
async function refreshMembers(
  db: Db,
  network: Pick<Network, "name" | "clock" | "rpc">,
  account: Pick<AccountTable, "address" | "tenant_id">,
  settings: Pick<Settings, "signers">,
  { slot, onlyDue = false }: { readonly slot: bigint; readonly onlyDue?: boolean },
): Promise<void> {
  const addresses = settings.signers.map(({ address }) => address);
  const passkeys = await readPasskeys(network, addresses, { leastSlot: slot });
  const members = settings.signers.map(
    ({ address, mask }, i) =>
      sql`(${address}::text, ${i}::int4, ${mask === CAN_VOTE_BIT}::boolean, ${passkeys.has(address)}::boolean)`,
  );
  await sql`
    with member as (select * from (values ${sql.join(members)}) as member (address, place, only_votes, is_passkey)),
    touched as (
      update account set updated_at = ${network.clock.now()}::int8,
        members_due = case when members_due > ${slot}::int8 then members_due end
      where environment = ${network.name} and address = ${account.address} and tenant_id = ${account.tenant_id}
        ${onlyDue ? sql`and members_due <= ${slot}::int8` : sql``}
      returning environment, address, tenant_id
    ), removed as (
      delete from account_signer using touched
      where account_signer.environment = touched.environment and account_signer.account_address = touched.address
        and account_signer.signer_address not in (select address from member)
    ), known_wallet as (
      select wallet.id, wallet.address, wallet.provider, wallet.is_guarded
      from wallet
      join app_user on app_user.id = wallet.owner_id
      join touched on touched.tenant_id = app_user.tenant_id and touched.environment = wallet.environment
      where wallet.address in (select address from member)
    )
    insert into account_signer (environment, account_address, signer_address, role, provider, wallet_id, position)
    select touched.environment, touched.address, member.address,
      case when known_wallet.id is null and member.only_votes and exists (select 1 from known_wallet where is_guarded)
        then 'backup' else 'primary' end,
      coalesce(known_wallet.provider, case when member.is_passkey then 'passkey' else 'external' end), known_wallet.id,
      member.place + 1 + (
        select coalesce(max(known.position), -1) from account_signer as known
        where known.environment = touched.environment and known.account_address = touched.address
      )
    from touched cross join member left join known_wallet on known_wallet.address = member.address
    on conflict (environment, account_address, signer_address) do nothing`.execute(db);
}

/**
 * What the service knows of an account's signers, brought into line with settings that were read at a slot, where these are
 * others than it thought: they were changed elsewhere, or a process died right after a change had landed. Throws `chain_unavailable`.
 */
export async function learnMembers(
  db: Db,
  network: Pick<Network, "name" | "clock" | "rpc">,
  account: Pick<AccountTable, "environment" | "address" | "tenant_id" | "settings_address">,
  known: readonly AccountSignerTable[],
  { settings, slot }: { readonly settings: Pick<Settings, "signers">; readonly slot: bigint },
): Promise<readonly AccountSignerTable[]> {
  if (knowsMembers(settings, known)) return known;
  await refreshMembers(db, network, account, settings, { slot });
  await wakeProposals(db, network.name, [account.settings_address as Address], network.clock.now());
  return findAccountSigners(db, account);
}

/**
 * Names who holds the keys of signers that were taken for their owners' own, though a custodian here has them for a user of the same tenant:
 * of one account, or of one wallet in all accounts that it signs for. Repeating it changes nothing.
 */
export async function nameHolders(
  db: DbOrTrx,
  { tenantId, environment }: { readonly tenantId: string; readonly environment: string },
  of: { readonly account: string } | { readonly walletId: string },
): Promise<void> {
  const meant = "account" in of ? sql`account.address = ${of.account}::text` : sql`wallet.id = ${of.walletId}::text`;
  await sql`update account_signer set provider = wallet.provider, wallet_id = wallet.id, role = 'primary'
    from account, wallet join app_user on app_user.id = wallet.owner_id
    where account.environment = account_signer.environment and account.address = account_signer.account_address
      and account.tenant_id = ${tenantId}::text and account.environment = ${environment}::text
      and app_user.tenant_id = ${tenantId}::text and wallet.environment = ${environment}::text
      and account_signer.signer_address = wallet.address
      and account_signer.provider = 'external' and account_signer.wallet_id is null and ${meant}`.execute(db);
}

/**
 * Names passkeys among an account's signers that were taken for keys of their owners, by what the chain says at the slot of the settings or
 * later. Returns the signers. Repeating it changes nothing. Throws `chain_unavailable`.
 */
export async function namePasskeys(
  db: Db,
  network: Pick<Network, "name" | "rpc">,
  { address }: Pick<AccountTable, "address">,
  known: readonly AccountSignerTable[],
  slot: bigint,
): Promise<readonly AccountSignerTable[]> {
  const unnamed = known.flatMap((signer) => (signer.provider === "external" ? [signer.signer_address as Address] : []));
  const passkeys = await readPasskeys(network, unnamed, { leastSlot: slot });
  if (passkeys.size === 0) return known;
  const { rows } = await sql<Pick<AccountSignerTable, "signer_address">>`
    update account_signer set provider = 'passkey' where environment = ${network.name} and account_address = ${address}
      and signer_address = any(${[...passkeys.keys()]}::text[]) and provider = 'external'
    returning signer_address`.execute(db);
  const named = new Set(rows.map(({ signer_address }) => signer_address));
  return known.map((signer) => (named.has(signer.signer_address) ? { ...signer, provider: "passkey" } : signer));
}

/** Notes whose wallet a signer is that was taken for a stranger's key, as the database had lost the wallet. */
export async function recogniseSigner(
  db: Db,
  network: Pick<Network, "name">,
  account: Pick<AccountTable, "address">,
  wallet: Pick<Wallet, "id" | "provider" | "address">,
): Promise<void> {
  await db
    .updateTable("account_signer")
    .set({ provider: wallet.provider, wallet_id: wallet.id, role: "primary" })
    .where("environment", "=", network.name)
    .where("account_address", "=", account.address)
    .where("signer_address", "=", wallet.address)
    .where("wallet_id", "is", null)
    .execute();
}

/** Accounts that are read in one question to a node. */
const readAtOnce = 50;

/**
 * Reads who the members of these accounts are after a change, no earlier than `leastSlot`, where no process has since that landed.
 * Throws `chain_unavailable`.
 */
export async function readDueMembers(
  db: Db,
  network: Network,
  accounts: readonly Pick<AccountTable, "address" | "tenant_id" | "settings_address">[],
  leastSlot: bigint,
): Promise<void> {
  const addresses = accounts.map(({ settings_address }) => settings_address as Address);
  const read = await readAccountsAtSlot(network, addresses, { leastSlot });
  for (const [i, account] of accounts.entries()) {
    const changed = read.accounts[i];
    if (!changed) continue;
    await refreshMembers(db, network, account, decodeSettings(changed.data), { slot: read.slot, onlyDue: true });
  }
}

/** How many such questions one pass asks at the most. */
const readsMax = 20;

type DueAccount = Pick<AccountTable, "address" | "tenant_id" | "settings_address"> & { readonly members_due: bigint };

/**
 * The pass over accounts whose settings were changed by a transaction that landed, and whose members no process has read since:
 * the process that submitted it died, or the chain did not answer it. Their event is written with it. Tenants take turns; one whose
 * settings cannot be read is logged, and goes behind all others. Throws `chain_unavailable`.
 */
export async function learnDueMembers(
  { db, log }: { readonly db: Db; readonly log: Log },
  network: Network,
): Promise<void> {
  const newest = await findNewestDue(db, network);
  for (let read = 0; read < readsMax && newest !== undefined; read += 1) {
    const due = await findDue(db, network, newest);
    if (due.length === 0) return;
    await refreshDue({ db, log }, network, due);
    if (due.length < readAtOnce) return;
  }
}

async function findNewestDue(db: Db, { name }: Pick<Network, "name">): Promise<bigint | undefined> {
  const { rows } = await sql<{ members_due: bigint }>`
    select members_due from account where environment = ${name} and members_due is not null
    order by members_due desc limit 1`.execute(db);
  return rows[0]?.members_due;
}

async function findDue(db: Db, { name }: Pick<Network, "name">, upTo: bigint): Promise<readonly DueAccount[]> {
  const { rows } = await sql<DueAccount>`
    with recursive ${chooseInTurns({
      table: "account",
      key: "address",
      turnsKey: `members.turn.${name}`,
      environment: name,
      open: sql`members_due is not null`,
      since: "members_due",
      due: sql`members_due <= ${upTo}::int8`,
      limit: readAtOnce,
    })}
    select address, tenant_id, settings_address, members_due from account
    where environment = ${name} and address in (select id from chosen)`.execute(db);
  return rows;
}

/** What could not be read goes behind all that is due now. */
async function refreshDue(
  { db, log }: { readonly db: Db; readonly log: Log },
  network: Network,
  due: readonly DueAccount[],
): Promise<void> {
  const leastSlot = due.reduce((most, { members_due }) => (members_due > most ? members_due : most), 0n);
  const addresses = due.map(({ settings_address }) => settings_address as Address);
  const read = await readAccountsAtSlot(network, addresses, { leastSlot });
  const left: DueAccount[] = [];
  for (const [i, account] of due.entries()) {
    const changed = read.accounts[i];
    try {
      if (changed === undefined) throw new ProgramDataError("the settings account is not there");
      await refreshMembers(db, network, account, decodeSettings(changed.data), { slot: read.slot, onlyDue: true });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error(
        { event: "account_members_unread", err: error, account: account.address },
        "members of an account could not be read",
      );
      left.push(account);
    }
  }
  if (left.length > 0) await putBehind(db, network, left, read.slot);
}

/** A later slot only asks for a newer reading. */
async function putBehind(
  db: Db,
  { name }: Pick<Network, "name">,
  accounts: readonly DueAccount[],
  slot: bigint,
): Promise<void> {
  await sql`update account set members_due = greatest(members_due, ${slot}::int8)
    where environment = ${name} and address = any(${accounts.map(({ address }) => address)}::text[])
      and members_due is not null`.execute(db);
}
