import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { formatUnits } from "@trellis/kernel/money.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { type RawBuilder, sql } from "kysely";
import type { Static } from "typebox";
import type { TransferListing } from "./history-lists.js";
import type { Place } from "./history-page.js";
import type { Movement, RailMovement } from "./rail-movement.js";
import { findPayments } from "./rail-payments.js";

/** One as it is listed: its place is where it began, so that it stays where it is while it moves on. */
export interface RailRow extends Place {
  readonly bridge: Static<typeof RailMovement>;
}

/**
 * What partners moved for an account, newest first, strictly behind a place. In a list with what the chain moved they stand
 * right behind that of the same second.
 */
export async function listRailMovements(
  { db, keyring }: { readonly db: Db; readonly keyring: Keyring },
  listing: TransferListing,
): Promise<readonly RailRow[]> {
  if (listing.status === "confirmed" || listing.limit === 0) return [];
  const found = await Promise.all([
    listing.direction === "outflow" ? [] : findDeposits(db, listing),
    findPayments({ db, keyring }, listing, filtersOf(listing)),
  ]);
  // Ids are of one length, and their signs stand in one order everywhere.
  const isBefore = (a: Movement, b: Movement) =>
    a.createdAt === b.createdAt ? a.bridge.id > b.bridge.id : a.createdAt > b.createdAt;
  return found
    .flat()
    .sort((a, b) => (isBefore(a, b) ? -1 : 1))
    .slice(0, listing.limit)
    .map(({ createdAt, bridge }) => ({
      confirmedAt: createdAt / 1000n,
      // Everything here has slot 0, and nothing on chain has.
      slot: 0n,
      // What orders those of one second.
      signature: `${(createdAt % 1000n).toString().padStart(3, "0")}${bridge.id}`,
      position: 0,
      bridge,
    }));
}

/** What holds of every row, as `d`. */
function filtersOf({ bounds, mint, ...listing }: TransferListing): readonly RawBuilder<unknown>[] {
  const { before, from } = bounds;
  const wholeSecond = (seconds: bigint) => seconds * 1000n;
  const latest = before.confirmedAt > 9_007_199_254_740n ? 9_007_199_254_740_000n : wholeSecond(before.confirmedAt);
  return [
    sql`d.environment = ${listing.environment}::text`,
    sql`d.account_address = ${listing.accountAddress}::text`,
    sql`d.tenant_id = ${listing.tenantId}::text`,
    sql`d.created_at >= ${from > 9_007_199_254_740n ? 9_007_199_254_740_000n : wholeSecond(from)}::int8`,
    behind(before, latest),
    ...(mint === undefined ? [] : [sql`d.mint = ${mint}::text`]),
  ];
}

async function findDeposits(db: Db, listing: TransferListing): Promise<readonly Movement[]> {
  const { limit, status, signature } = listing;
  const filters: RawBuilder<unknown>[] = [
    ...filtersOf(listing),
    sql`d.state <> 'not_credited'`,
    ...(status === "finalized" ? [sql`d.confirmed_at is not null`] : []),
    ...(signature === undefined ? [] : [sql`d.signature = ${signature}::text`]),
  ];
  const { rows } = await sql<FoundDeposit>`
    select d.id, d.virtual_account_id, v.user_id, d.state, d.amount, d.currency, d.coin, d.decimals, d.fees, d.rail,
      d.signature, d.received, d.confirmed_at, d.created_at, d.updated_at
    from rail_deposit d join rail_virtual_account v on v.id = d.virtual_account_id
    where ${sql.join(filters, sql` and `)}
    order by d.created_at desc, d.id desc limit ${limit}::int4`.execute(db);
  return rows.map((row) => show(listing, row));
}

/** Places have whole seconds, rows have milliseconds: of those of one second the id decides. */
function behind(before: Place, latest: bigint): RawBuilder<unknown> {
  if (before.slot !== 0n) {
    // Of the same second everything here is behind what is on chain, except behind what nothing is behind of.
    const includesSecond = before.slot > 0n;
    return sql`d.created_at < ${latest + (includesSecond ? 1000n : 0n)}::int8`;
  }
  const [at = "", id = ""] = [before.signature.slice(0, 3), before.signature.slice(3)];
  return isBefore({ "d.created_at": latest + BigInt(at), "d.id": id });
}

interface FoundDeposit {
  readonly id: string;
  readonly virtual_account_id: string;
  readonly user_id: string;
  readonly state: string;
  readonly amount: string;
  readonly currency: string;
  readonly coin: string;
  readonly decimals: number;
  readonly fees: string | null;
  readonly rail: string | null;
  readonly signature: string | null;
  readonly received: string | null;
  readonly confirmed_at: bigint | null;
  readonly created_at: bigint;
  readonly updated_at: bigint;
}

const states: Readonly<Record<string, Static<typeof RailMovement>["state"]>> = {
  scheduled: "awaiting_funds",
  received: "funds_received",
  in_review: "in_review",
  submitted: "payment_submitted",
  processed: "payment_processed",
  refunded: "refunded",
};

function show(listing: TransferListing, row: FoundDeposit): Movement {
  const fees = row.fees === null ? {} : (JSON.parse(row.fees) as Record<string, string>);
  const { developer_fee, exchange_fee, gas_fee } = fees;
  return {
    createdAt: row.created_at,
    bridge: {
      id: row.id,
      kind: "deposit",
      virtual_account_id: row.virtual_account_id,
      grid_user_id: row.user_id,
      main_account_address: listing.accountAddress,
      direction: "inflow",
      state: states[row.state] ?? "in_review",
      amount: row.amount,
      currency: row.currency,
      source: { currency: row.currency, ...(row.rail === null ? {} : { payment_rail: row.rail }) },
      destination: { currency: row.coin, payment_rail: "solana", to_address: listing.accountAddress },
      receipt: {
        initial_amount: row.amount,
        ...(developer_fee === undefined ? {} : { developer_fee }),
        ...(exchange_fee === undefined ? {} : { exchange_fee }),
        ...(gas_fee === undefined ? {} : { gas_fee }),
        ...(row.received === null ? {} : { final_amount: formatUnits(BigInt(row.received), row.decimals) }),
        ...(row.signature === null ? {} : { destination_tx_hash: row.signature }),
      },
      credited: row.confirmed_at !== null,
      ...(row.confirmed_at === null ? {} : { confirmed_at: new Date(Number(row.confirmed_at) * 1000).toISOString() }),
      environment: listing.environment,
      created_at: new Date(Number(row.created_at)).toISOString(),
      updated_at: new Date(Number(row.updated_at)).toISOString(),
    },
  };
}
