import { sql } from "kysely";
import type { Settings } from "../../core/program-client/index.js";
import type { AccountSignerTable, AccountTable, Db } from "../../ports/database.js";
import type { Network } from "../../ports/network.js";

/** Whether the service knows exactly the members that the chain names. */
export function knowsMembers(settings: Pick<Settings, "signers">, known: readonly AccountSignerTable[]): boolean {
  const names = new Set<string>(settings.signers.map(({ address }) => address));
  return names.size === known.length && known.every(({ signer_address }) => names.has(signer_address));
}

/**
 * Brings what the service knows of an account's signers into line with the chain, in one statement: removed members are
 * forgotten, new ones join at the end as primaries. A new member's key is the caller's own (`external`), unless it is a
 * wallet that a built-in custodian holds for a user of the same tenant. Repeating it changes nothing but `updated_at`.
 */
export async function refreshMembers(
  db: Db,
  network: Pick<Network, "name" | "clock">,
  account: Pick<AccountTable, "address" | "tenant_id">,
  settings: Pick<Settings, "signers">,
): Promise<void> {
  const members = settings.signers.map(({ address }, i) => sql`(${address}::text, ${i}::int4)`);
  await sql`
    with member as (select * from (values ${sql.join(members)}) as member (address, place)),
    touched as (
      update account set updated_at = ${network.clock.now()}::int8
      where environment = ${network.name} and address = ${account.address} and tenant_id = ${account.tenant_id}
      returning environment, address, tenant_id
    ), gone as (
      delete from account_signer using touched
      where account_signer.environment = touched.environment and account_signer.account_address = touched.address
        and account_signer.signer_address not in (select address from member)
    ), wallet as (
      select kms_wallet.id, kms_wallet.address, kms_wallet.provider
      from kms_wallet
      join app_user on app_user.id = kms_wallet.owner_id
      join touched on touched.tenant_id = app_user.tenant_id and touched.environment = kms_wallet.environment
      where kms_wallet.address in (select address from member)
    )
    insert into account_signer (environment, account_address, signer_address, role, provider, wallet_id, position)
    select touched.environment, touched.address, member.address, 'primary', coalesce(wallet.provider, 'external'),
      wallet.id,
      member.place + 1 + (
        select coalesce(max(known.position), -1) from account_signer as known
        where known.environment = touched.environment and known.account_address = touched.address
      )
    from touched cross join member left join wallet on wallet.address = member.address
    on conflict (environment, account_address, signer_address) do nothing`.execute(db);
}
