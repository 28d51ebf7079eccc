import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, RailPayoutAddressTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { BankRail, Coin, Fiat, PartnerRef, PayoutAddress } from "@trellis/kernel/ports/rails.js";
import { type Selectable, sql } from "kysely";
import type { Written } from "./partner-object.js";
import { partnerRows } from "./partner-rows.js";
import type { RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { whileVerified } from "./verification-store.js";

/** How long an address that never took coins is waited for before it makes room for another one. */
const neverActiveForMs = 86_400_000;

export type PayoutAddressRow = Selectable<RailPayoutAddressTable>;

export const payoutAddressRows = partnerRows<PayoutAddressRow>("rail_payout_address");

/** One that the partner has reported. */
export type OpenedPayoutAddress = PayoutAddressRow & {
  readonly partner_ref: string;
  readonly address: string;
  readonly status: "activated" | "deactivated";
};

export const isOpened = (row: PayoutAddressRow): row is OpenedPayoutAddress =>
  row.partner_ref !== null && row.address !== null && row.status !== null;

/** An address as it is asked for. */
export interface WantedPayoutAddress {
  readonly account: RailAccount;
  readonly partner: string;
  readonly customer: PartnerRef;
  readonly verificationId: string;
  readonly externalAccount: { readonly id: string; readonly ref: PartnerRef };
  readonly coin: Coin;
  readonly mint: string;
  readonly fiat: Fiat;
  readonly rail: BankRail;
  readonly endorsement: string;
}

/**
 * Records that an address is wanted, with its key, before the partner hears of it; or finds the one there is: an account has
 * one for each bank account, coin and rail, beside those that were retired. Throws 403 `kyc_required` where the account's rail
 * data was forgotten.
 */
export async function recordPayoutAddress(
  needs: RailNeeds,
  network: Network,
  wanted: WantedPayoutAddress,
): Promise<PayoutAddressRow> {
  const { account, externalAccount } = wanted;
  const now = Math.floor(network.clock.now());
  const realNow = Math.floor(needs.realClock.now());
  return whileVerified(needs.db, wanted.verificationId, async (trx) => {
    const { rows } = await sql<PayoutAddressRow>`
    insert into rail_payout_address as mine (id, tenant_id, environment, account_address, partner, customer_ref,
      operation_key, operation_begun_at, external_account_id, external_account_ref, coin, mint, fiat, rail, endorsement,
      active_since, look_at, created_at, updated_at)
    values (${needs.random.uuid()}, ${account.tenantId}, ${account.environment}, ${account.address}, ${wanted.partner},
      ${wanted.customer}, ${needs.random.uuid()}, ${realNow}, ${externalAccount.id}, ${externalAccount.ref}, ${wanted.coin},
      ${wanted.mint}, ${wanted.fiat}, ${wanted.rail}, ${wanted.endorsement}, ${realNow},
      ${realNow + limits.railLeaseMs}, ${now}, ${now})
    on conflict (environment, account_address, external_account_id, coin, rail) where retired_at is null
      do update set look_at = coalesce(mine.look_at, excluded.look_at)
    returning mine.*`.execute(trx);
    return rows[0] as PayoutAddressRow;
  });
}

/** The row of an id, of any tenant. */
export const readPayoutAddressRow = payoutAddressRows.read;

/**
 * Makes room for another address where coins are accepted no more. What was paid there is followed on, and its orders stay with
 * it. False: it takes coins, or never took any and is less than a day old, so that no caller has one opened after
 * the other.
 */
export async function retirePayoutAddress(
  { db, realClock }: Pick<RailNeeds, "db" | "realClock">,
  network: Network,
  { id }: PayoutAddressRow,
): Promise<boolean> {
  const { rows } =
    await sql`update rail_payout_address set retired_at = coalesce(retired_at, ${Math.floor(network.clock.now())}::int8)
    where id = ${id} and status = 'deactivated'
      and (retired_at is not null or was_active or operation_begun_at <= ${Math.floor(realClock.now()) - neverActiveForMs}::int8)
    returning id`.execute(db);
  return rows.length > 0;
}

/** The one with this address that was retired for what `row` is to be. */
export const findRetired = (db: Db, row: PayoutAddressRow, address: string): Promise<PayoutAddressRow | undefined> =>
  db
    .selectFrom("rail_payout_address")
    .selectAll()
    .where("external_account_id", "=", row.external_account_id)
    .where("environment", "=", row.environment)
    .where("account_address", "=", row.account_address)
    .where("partner", "=", row.partner)
    .where("coin", "=", row.coin)
    .where("rail", "=", row.rail)
    .where("address", "=", address)
    .where("retired_at", "is not", null)
    .executeTakeFirst();

/**
 * Writes down the address that a partner opened. `foreign`: it stands for another bank account already, or was retired, and
 * nothing was written.
 */
export async function writeOpened(
  { db, realClock }: Pick<RailNeeds, "db" | "realClock">,
  network: Network,
  row: PayoutAddressRow,
  reported: PayoutAddress,
): Promise<Written> {
  const { rows } =
    await sql`update rail_payout_address as mine set partner_ref = ${reported.ref}, address = ${reported.address},
      status = ${reported.status}, was_active = ${reported.status === "activated"}, updated_at = ${Math.floor(network.clock.now())}::int8, look_at = ${
        Math.floor(realClock.now()) + limits.partnerWordGoodForMs
      }::int8
    where id = ${row.id} and partner_ref is null and not exists (
      select from rail_payout_address as other where other.environment = ${row.environment} and other.address = ${reported.address}
        and (other.partner, other.external_account_ref, other.coin, other.rail)
          is distinct from (mine.partner, mine.external_account_ref, mine.coin, mine.rail))
      -- Nor is it the one that this is to stand in for: a partner that closed it would have to say that it is open again.
      and not exists (select from rail_payout_address as retired where retired.external_account_id = mine.external_account_id
        and retired.address = ${reported.address} and retired.retired_at is not null)
    returning id`.execute(db);
  const outcome = await payoutAddressRows.outcomeOf(db, row.id, rows);
  if (outcome !== "overtaken") return outcome;
  const present = await readPayoutAddressRow(db, row.id);
  return present?.partner_ref === null ? "foreign" : "overtaken";
}

/**
 * Writes down whether coins are still accepted there, with what that does to the orders that pay it. One that was retired is
 * used for new orders again where no other one took its place.
 */
export async function writeStatus(
  db: Db,
  network: Network,
  row: PayoutAddressRow,
  status: "activated" | "deactivated",
): Promise<void> {
  const isActive = sql`${status === "activated"}::boolean`;
  await sql`update rail_payout_address as mine set status = ${status}, was_active = was_active or ${isActive},
      retired_at = case when not ${isActive} or exists (select from rail_payout_address as other
        where (other.environment, other.account_address, other.external_account_id, other.coin, other.rail)
          = (mine.environment, mine.account_address, mine.external_account_id, mine.coin, mine.rail)
          and other.retired_at is null and other.id <> mine.id) then retired_at end,
      updated_at = ${Math.floor(network.clock.now())}::int8
    where id = ${row.id} and status is distinct from ${status}`.execute(db);
}

/** Why nothing may be sent to these addresses now, of those to which nothing may. */
export async function findHolds(db: DbOrTrx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; why: string }>`select id, why from (
      select id, payout_hold(id) as why from unnest(${[...new Set(ids)]}::text[]) as asked (id)) as held
    where why is not null`.execute(db);
  return new Map(rows.map(({ id, why }) => [id, why]));
}

/** Has these refreshed soon: something was paid there. */
export async function wakePayoutAddresses(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update rail_payout_address set look_at = 0, active_since = null, wakes = wakes + 1
    where id in (select id from rail_payout_address where id = any(${[...new Set(ids)]}::text[])
      order by id for update)`.execute(db);
}
