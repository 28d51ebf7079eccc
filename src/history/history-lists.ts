import { limits } from "@trellis/kernel/limits.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { type RawBuilder, sql } from "kysely";
import type { Bounds, FoundPage, Place } from "./history-page.js";

/** Whose list, and which part of it. */
export interface Listing {
  readonly environment: EnvironmentName;
  readonly tenantId: string;
  readonly accountAddress: string;
  readonly bounds: Bounds;
  /** The signature of the only transaction that is asked for. */
  readonly signature?: string | undefined;
  /** The system program's address is SOL. */
  readonly mint?: string | undefined;
  readonly limit: number;
}

/** A movement of money as the index has it. */
export interface TransferRow extends Place {
  readonly userId: string;
  readonly instructionIndex: number;
  readonly direction: "inflow" | "outflow";
  readonly mint: string;
  readonly isToken2022: boolean;
  readonly decimals: number;
  /** The smart account, or the token account it owns, that gained or lost. */
  readonly ownAddress: string;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly finalized: boolean;
}

/** A transaction as the index has it. */
export interface TransactionRow extends Place {
  readonly kind: string;
  readonly finalized: boolean;
  readonly failed: boolean;
  readonly error: string | null;
}

export interface TransferListing extends Listing {
  readonly direction?: "inflow" | "outflow" | undefined;
  readonly status?: "confirmed" | "finalized" | undefined;
}

export interface TransactionListing extends Listing {
  readonly kind?: string | undefined;
  readonly status?: "confirmed" | "finalized" | "failed" | undefined;
}

/**
 * Lists what moved, newest first. Undefined when the tenant has no such account. Every combination of filters uses
 * an index, or reads a bounded number of rows and says where it stopped.
 */
export async function listTransfers(db: Db, listing: TransferListing): Promise<FoundPage<TransferRow> | undefined> {
  const { bounds, mint, direction, status, signature, limit } = listing;
  const directions = direction === undefined ? ["inflow", "outflow"] : [direction];
  const conditions = sql`${within(sql`t`, bounds)}
    and ${isBefore(transferPlace(bounds.before))}
    ${mint === undefined ? sql`` : sql`and t.mint = ${mint}::text`}`;
  const order = sql`t.confirmed_at desc, t.slot desc, t.signature desc, t.position desc`;
  // Those that are not final are few, and have an index of their own; so has a single transaction.
  const chosen =
    signature !== undefined
      ? sql`select t.* from history_transfer t where ${ofAccount(sql`t`)} and t.signature = ${signature}::text
          and t.direction = any(${directions}::text[]) and ${conditions} order by ${order}`
      : status === "confirmed"
        ? sql`select t.* from history_transaction h
            join history_transfer t using (environment, account_address, signature)
            where ${ofAccount(sql`h`)} and not h.finalized
              and t.direction = any(${directions}::text[]) and ${conditions} order by ${order}`
        : sql`select t.* from unnest(${directions}::text[]) as wanted (direction) cross join lateral (
              select t.* from history_transfer t
              where ${ofAccount(sql`t`)} and t.direction = wanted.direction and ${conditions}
              order by ${order} limit ${scanOf(status === "finalized", limit)}
            ) as t order by ${order}`;
  return find<TransferRow>(db, listing, {
    isScan: status === "finalized",
    chosen: sql`${chosen} limit ${scanOf(status === "finalized", limit)}`,
    filter: statusFilter(status),
    order,
    columns: sql`t.position, t.instruction_index as "instructionIndex", t.direction, t.mint,
      t.is_token_2022 as "isToken2022", t.decimals, t.own_address as "ownAddress", t.from_address as "from", t.to_address as "to", t.amount, h.finalized`,
    from: sql`chosen t join history_transaction h using (environment, account_address, signature)`,
    alias: sql`t`,
    lastPosition: sql`position`,
  });
}

/** The same for whole transactions. */
export async function listTransactions(
  db: Db,
  listing: TransactionListing,
): Promise<FoundPage<TransactionRow> | undefined> {
  const { bounds, mint, kind, status, signature, limit } = listing;
  const { before } = bounds;
  const conditions = (t: "h" | "t") =>
    sql`${within(sql.ref(t), bounds)} and ${isBefore({
      [`${t}.confirmed_at`]: before.confirmedAt,
      [`${t}.slot`]: before.slot,
      [`${t}.signature`]: before.signature,
    })}`;
  const ofKind = kind === undefined ? sql`` : sql`and h.kind = ${kind}::text`;
  const orderOf = (t: RawBuilder<unknown>) => sql`${t}.confirmed_at desc, ${t}.slot desc, ${t}.signature desc`;
  const order = orderOf(sql`h`);
  const failed = status === undefined ? [false, true] : [status === "failed"];
  const isScan = signature === undefined && (mint !== undefined || status === "finalized");
  const movedMint =
    mint === undefined
      ? sql``
      : sql`and exists (select from history_transfer t where ${ofAccount(sql`t`)} and t.signature = h.signature
          and t.mint = ${mint}::text)`;
  const chosen =
    signature !== undefined
      ? sql`select h.* from history_transaction h where ${ofAccount(sql`h`)} and h.signature = ${signature}::text
          and h.failed = any(${failed}::boolean[]) and ${conditions("h")} ${ofKind} ${movedMint} order by ${order}`
      : status === "confirmed"
        ? sql`select h.* from history_transaction h where ${ofAccount(sql`h`)} and not h.finalized and not h.failed
            and ${conditions("h")} ${ofKind} ${movedMint} order by ${order}`
        : mint !== undefined
          ? sql`select h.* from (
                select t.environment, t.account_address, t.signature from history_transfer t
                where ${ofAccount(sql`t`)} and t.is_first_of_mint and t.mint = ${mint}::text and ${conditions("t")}
                order by ${orderOf(sql`t`)} limit ${limits.historyScanMax}
              ) as t join history_transaction h using (environment, account_address, signature) order by ${order}`
          : sql`select h.* from unnest(${failed}::boolean[]) as wanted (failed) cross join lateral (
                select h.* from history_transaction h
                where ${ofAccount(sql`h`)} ${ofKind} and h.failed = wanted.failed and ${conditions("h")}
                order by ${order} limit ${scanOf(isScan, limit)}
              ) as h order by ${order}`;
  const filters = [
    statusFilter(status),
    ...(kind === undefined ? [] : [sql`h.kind = ${kind}::text`]),
    ...(status === undefined ? [] : [sql`h.failed = ${status === "failed"}::boolean`]),
  ];
  return find<TransactionRow>(db, listing, {
    isScan,
    chosen: sql`${chosen} limit ${scanOf(isScan, limit)}`,
    filter: sql.join(filters, sql` and `),
    order,
    columns: sql`0 as position, h.kind, h.finalized, h.failed, h.error`,
    from: sql`chosen h`,
    alias: sql`h`,
    lastPosition: sql`0`,
  });
}

const within = (t: RawBuilder<unknown>, { from }: Bounds) => sql`${t}.confirmed_at >= ${from}::int8`;
const transferPlace = ({ confirmedAt, slot, signature, position }: Place) => ({
  "t.confirmed_at": confirmedAt,
  "t.slot": slot,
  "t.signature": signature,
  "t.position": position,
});
const ofAccount = (t: RawBuilder<unknown>) =>
  sql`${t}.environment = (select environment from owned) and ${t}.account_address = (select address from owned)`;
const scanOf = (isScan: boolean, limit: number) => sql`${isScan ? limits.historyScanMax : limit}::int4`;
const statusFilter = (status: "confirmed" | "finalized" | "failed" | undefined) =>
  status === "confirmed" || status === "finalized" ? sql`h.finalized = ${status === "finalized"}::boolean` : sql`true`;

interface Found {
  readonly settings_address: string;
  readonly number: bigint;
  readonly looked_at: bigint | null;
  readonly complete_at: bigint | null;
  readonly page: readonly (Record<string, unknown> & WirePlace)[];
  readonly scanned: number;
  readonly last: WirePlace | null;
}

interface WirePlace {
  readonly confirmedAt: string;
  readonly slot: string;
  readonly signature: string;
  readonly position: number;
}

// A page leaves the database as one JSON text: taking 50 rows apart costs more than finding them.
async function find<Row extends Place>(
  db: Db,
  listing: Listing,
  parts: {
    readonly isScan: boolean;
    readonly chosen: RawBuilder<unknown>;
    readonly filter: RawBuilder<unknown>;
    readonly order: RawBuilder<unknown>;
    readonly columns: RawBuilder<unknown>;
    readonly from: RawBuilder<unknown>;
    readonly alias: RawBuilder<unknown>;
    readonly lastPosition: RawBuilder<unknown>;
  },
): Promise<FoundPage<Row> | undefined> {
  const { isScan, chosen, filter, columns, from, alias, order, lastPosition } = parts;
  const last = isScan
    ? sql`(select row_to_json(last) from (select confirmed_at::text as "confirmedAt", slot::text as slot, signature,
          ${lastPosition} as position, confirmed_at as at, slot as slot_number from chosen
        order by at, slot_number, signature, position limit 1) as last)`
    : sql`null::json`;
  const { rows } = await sql<Found>`with owned as (
      select environment, address, settings_address, user_id, number from account
      where environment = ${listing.environment}::text and address = ${listing.accountAddress}::text
        and tenant_id = ${listing.tenantId}::text
    ), chosen as materialized (${chosen})
    select owned.settings_address, owned.number,
      (select looked_at from history_watch where history_watch.environment = owned.environment
        and history_watch.account_address = owned.address) as looked_at,
      (select complete_at from history_watch where history_watch.environment = owned.environment
        and history_watch.account_address = owned.address) as complete_at,
      coalesce((select json_agg(page) from (
        select owned.user_id as "userId", ${alias}.signature, ${alias}.confirmed_at::text as "confirmedAt",
          ${alias}.slot::text as slot, ${columns}
        from ${from} where ${filter}
        order by ${order} limit ${listing.limit}::int4
      ) as page), '[]'::json) as page,
      ${isScan ? sql`(select count(*)::int4 from chosen)` : sql`0`} as scanned, ${last} as last
    from owned`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  const isCut = isScan && found.page.length < listing.limit && found.scanned >= limits.historyScanMax;
  return {
    settingsAddress: found.settings_address,
    number: found.number,
    refreshedAt: found.looked_at === null ? null : Number(found.looked_at),
    completeAt: found.complete_at === null ? null : Number(found.complete_at),
    rows: found.page.map((row) => ({ ...row, ...placeOfWire(row) }) as unknown as Row),
    searchedTo: isCut && found.last !== null ? placeOfWire(found.last) : null,
  };
}

const placeOfWire = ({ confirmedAt, slot, signature, position }: WirePlace): Place => ({
  confirmedAt: BigInt(confirmedAt),
  slot: BigInt(slot),
  signature,
  position,
});
