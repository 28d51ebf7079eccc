import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { Db, DbOrTrx, RailDepositTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Deposit } from "@trellis/kernel/ports/rails.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type Selectable, sql } from "kysely";
import { unpaidStates } from "./deposit-states.js";
import type { RailNeeds } from "./rail-needs.js";
import type { OpenedVirtualAccount } from "./virtual-account-store.js";

export type DepositRow = Selectable<RailDepositTable>;

/** What the sealed column of a row is bound to. */
export const senderContext = (virtualAccountId: string, partnerRef: string): string =>
  `rail_deposit/${virtualAccountId}/${partnerRef}/sender`;

/** Who sent it, as the partner says. */
export function openSender(
  keyring: Keyring,
  row: Pick<DepositRow, "virtual_account_id" | "partner_ref" | "sender">,
): string | null {
  if (row.sender === null) return null;
  return Buffer.from(keyring.unwrap(row.sender, senderContext(row.virtual_account_id, row.partner_ref))).toString(
    "utf8",
  );
}

const listOf = (deposits: readonly Deposit[]) =>
  JSON.stringify(deposits.map(({ ref, state, signature }) => ({ ref, state, signature })));

/** One that the partner calls so. */
export async function findDepositByRef(
  db: DbOrTrx,
  virtualAccountId: string,
  partnerRef: string,
): Promise<DepositRow | undefined> {
  return db
    .selectFrom("rail_deposit")
    .selectAll()
    .where("virtual_account_id", "=", virtualAccountId)
    .where("partner_ref", "=", partnerRef)
    .executeTakeFirst();
}

/** How many of these report something that is not known. */
export async function findNewsOf(db: Db, virtualAccountId: string, deposits: readonly Deposit[]): Promise<number> {
  if (deposits.length === 0) return 0;
  const { rows } = await sql<{ news: number }>`select count(*)::int4 as news
    from json_to_recordset(${listOf(deposits)}::json) as reported (ref text, state text, signature text)
    left join rail_deposit known on known.virtual_account_id = ${virtualAccountId} and known.partner_ref = reported.ref
    where known.id is null or deposit_rank(reported.state) > deposit_rank(known.state)
      or (deposit_rank(reported.state) = deposit_rank(known.state) and known.confirmed_at is null
        and reported.signature is not null and reported.signature is distinct from known.signature)`.execute(db);
  return rows[0]?.news ?? 0;
}

/**
 * Writes down what a partner reported about deposits, with their events; says how many that changed. A state only rises. What a
 * lower one brings along counts as little; at the same one another payment is believed as long as the chain has reported none.
 */
export async function foldDeposits(
  needs: RailNeeds,
  network: Network,
  row: OpenedVirtualAccount,
  deposits: readonly Deposit[],
): Promise<number> {
  if (deposits.length === 0) return 0;
  const { keyring, random } = needs;
  const now = Math.floor(network.clock.now());
  const currency = network.currencies.find(({ symbol }) => symbol === row.coin);
  assertOurs(currency, "an account is opened for a coin of the environment");
  const list = deposits.map((deposit, nr) => ({
    nr,
    id: random.uuid(),
    ref: deposit.ref,
    state: deposit.state,
    amount: deposit.amount,
    fees:
      deposit.fees === null
        ? null
        : JSON.stringify({
            developer_fee: deposit.fees.developer,
            exchange_fee: deposit.fees.exchange,
            gas_fee: deposit.fees.gas,
          }),
    sender:
      deposit.senderName === null
        ? null
        : Buffer.from(keyring.wrap(Buffer.from(deposit.senderName), senderContext(row.id, deposit.ref))).toString(
            "hex",
          ),
    rail: deposit.rail,
    signature: deposit.signature,
    at: Math.floor(deposit.at),
  }));
  const { rows } = await sql`
    with reported as (
      select distinct on (ref) * from json_to_recordset(${JSON.stringify(list)}::json) as reported (nr int4, id text, ref text,
        state text, amount text, fees text, sender text, rail text, signature text, at int8)
      order by ref, deposit_rank(state) desc, nr
    )
    insert into rail_deposit as known (id, virtual_account_id, tenant_id, environment, account_address, partner_ref, state,
      amount, currency, coin, mint, decimals, fees, sender, rail, signature, happened_at, created_at, updated_at)
    select id, ${row.id}, ${row.tenant_id}, ${row.environment}, ${row.account_address}, ref, state, amount,
      ${row.currency}, ${row.coin}, ${row.mint}, ${currency.decimals}::int4, fees, decode(sender, 'hex'), rail, signature,
      at, ${now}::int8, ${now}::int8
    from reported order by nr desc
    on conflict (virtual_account_id, partner_ref) do update set
      state = excluded.state, amount = excluded.amount, happened_at = excluded.happened_at, updated_at = excluded.updated_at,
      fees = coalesce(excluded.fees, known.fees), sender = coalesce(known.sender, excluded.sender),
      rail = coalesce(excluded.rail, known.rail),
      signature = case when known.confirmed_at is not null then known.signature
        else coalesce(excluded.signature, known.signature) end
    where deposit_rank(excluded.state) > deposit_rank(known.state)
      or (excluded.state = known.state and known.confirmed_at is null and excluded.signature is not null
        and excluded.signature is distinct from known.signature)
    returning id`.execute(needs.db);
  return rows.length;
}

/**
 * Joins payments that the chain has reported before the partner reported them: see the triggers of the history. Of a transaction
 * that pays several deposits each has its part, and none has more than it was to bring.
 */
export async function creditDeposits(db: Db, network: Network, virtualAccountId: string): Promise<void> {
  const now = Math.floor(network.clock.now());
  await sql`update rail_deposit set received = found.received, confirmed_at = found.confirmed_at, updated_at = ${now}::int8
    from (
      select d.id, paid.received, paid.confirmed_at
      from rail_deposit d
      cross join lateral payment_of_deposit(d.environment, d.account_address, d.signature, d.mint) paid
      where d.virtual_account_id = ${virtualAccountId} and d.confirmed_at is null and d.signature is not null
        and d.state <> 'not_credited'
      order by d.created_at, d.id
    ) found
    where rail_deposit.id = found.id and rail_deposit.confirmed_at is null`.execute(db);
}

/** What is left to wait for. `unseen`: paid, as the partner says, before `unseenBefore`, and not seen on chain. */
export async function readStanding(
  db: Db,
  virtualAccountId: string,
  unseenBefore: number,
): Promise<{ readonly isOpen: boolean; readonly awaitsChain: boolean; readonly unseen: number }> {
  const { rows } = await sql<{ open: number; awaited: number; unseen: number }>`
    select count(*)::int4 as open, count(*) filter (where signature is not null and confirmed_at is null)::int4 as awaited,
      count(*) filter (where state = 'processed' and updated_at < ${Math.floor(unseenBefore)}::int8)::int4 as unseen
    from rail_deposit where virtual_account_id = ${virtualAccountId}
      and (state in ${anyOf(unpaidStates)} or (state = 'processed' and confirmed_at is null))`.execute(db);
  const [found] = rows;
  return {
    isOpen: (found?.open ?? 0) > 0,
    awaitsChain: (found?.awaited ?? 0) > 0,
    unseen: found?.unseen ?? 0,
  };
}

/** Deposits of a virtual account, newest first, strictly behind a place; one more than `limit` says that there are others. */
export async function listDeposits(
  db: DbOrTrx,
  virtualAccountId: string,
  page: {
    readonly before: { readonly createdAt: bigint; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly DepositRow[]> {
  let query = db.selectFrom("rail_deposit").selectAll().where("virtual_account_id", "=", virtualAccountId);
  const { before } = page;
  if (before !== undefined) query = query.where(isBefore({ created_at: before.createdAt, id: before.id }));
  return query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1)
    .execute();
}
