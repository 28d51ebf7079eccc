import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { formatUnits } from "@trellis/kernel/money.js";
import type { Db, RailTransferTable } from "@trellis/kernel/ports/database.js";
import { type RawBuilder, sql } from "kysely";
import { openReceipt, openReturnReason } from "../rails/transfer-store.js";
import type { TransferListing } from "./history-lists.js";
import type { Movement } from "./rail-movement.js";

type Found = Pick<
  RailTransferTable,
  | "id"
  | "direction"
  | "user_id"
  | "amount"
  | "coin"
  | "decimals"
  | "fiat"
  | "rail"
  | "external_account_id"
  | "receipt"
  | "sealed_receipt"
  | "return_reason"
  | "sealed_return_reason"
  | "signature"
  | "received"
  | "credited_at"
  | "created_at"
  | "updated_at"
> & {
  /** That of the payment: its transfer is cancelled at the partner a moment after it has ended. */
  readonly shown_state: Movement["bridge"]["state"];
  /** Of its transaction, once that landed. */
  readonly paid_by: string | null;
  /** Unix seconds: the block, once that is final. */
  readonly paid_at: bigint | null;
};

/**
 * Payments to banks and from banks, newest first: from the moment a caller got one in a response, whatever became of it.
 * `filters` is SQL about the row `d`.
 */
export async function findPayments(
  { db, keyring }: { readonly db: Db; readonly keyring: Keyring },
  listing: TransferListing,
  filters: readonly RawBuilder<unknown>[],
): Promise<readonly Movement[]> {
  const { direction, status, signature, limit } = listing;
  const directions =
    direction === undefined ? ["in", "out"] : direction === "inflow" ? ["in"] : direction === "outflow" ? ["out"] : [];
  const submission = sql`payment_intent i join submission s on s.id = i.prepared_id where i.id = d.id`;
  const conditions = [
    sql`d.direction = wanted.direction`,
    sql`d.answer is not null`,
    ...filters,
    ...(status === "finalized"
      ? [
          sql`case d.direction when 'in' then d.credited_at is not null else exists (
            select from ${submission} and exists (select from history_transaction h
              where h.environment = d.environment and h.account_address = d.account_address and h.signature = s.signature
                and h.finalized and not h.failed)) end`,
        ]
      : []),
    // Two indexes, and few rows of each.
    ...(signature === undefined
      ? []
      : [
          sql`d.id = any(array(
            select id from rail_transfer t where t.environment = d.environment and t.account_address = d.account_address
              and t.signature = ${signature}::text
            union all
            select i.id from submission s join payment_intent i on i.prepared_id = s.id
            where s.signature = ${signature}::text and s.environment = d.environment))`,
        ]),
  ];
  const { rows } = await sql<Found>`
    select d.*, coalesce(i.state, d.state) as shown_state, s.signature as paid_by, h.confirmed_at as paid_at
    from unnest(${directions}::text[]) as wanted (direction) cross join lateral (
      select d.id, d.environment, d.account_address, d.direction, d.user_id, d.state, d.amount, d.coin, d.decimals, d.fiat,
        d.rail, d.external_account_id, d.receipt, d.sealed_receipt, d.return_reason, d.sealed_return_reason, d.signature, d.received,
        d.credited_at, d.created_at, d.updated_at
      from rail_transfer d where ${sql.join(conditions, sql` and `)}
      order by d.created_at desc, d.id desc limit ${limit}::int4
    ) as d
    left join payment_intent i on i.id = d.id and d.direction = 'out'
    left join submission s on s.id = i.prepared_id and s.state = 'landed'
    left join history_transaction h on h.environment = d.environment and h.account_address = d.account_address
      and h.signature = s.signature and h.finalized and not h.failed
    order by d.created_at desc, d.id desc limit ${limit}::int4`.execute(db);
  return rows.map((row) => show(listing, row, keyring));
}

const receiptFields = [
  "developer_fee",
  "exchange_fee",
  "gas_fee",
  "exchange_rate",
  "subtotal_amount",
  "final_amount",
  "source_tx_hash",
  "destination_tx_hash",
  "url",
] as const;

function show(listing: TransferListing, row: Found, keyring: Keyring): Movement {
  const reported: Readonly<Record<string, string>> = openReceipt(keyring, row) ?? {};
  const reason = openReturnReason(keyring, row);
  const isOut = row.direction === "out";
  const account = listing.accountAddress;
  const chain = { currency: row.coin, payment_rail: "solana" };
  const bank = { currency: row.fiat, payment_rail: row.rail };
  const { external_account_id } = row;
  const isCredited = isOut ? row.paid_at !== null : row.credited_at !== null;
  const confirmedMs = isOut ? (row.paid_at ?? 0n) * 1000n : (row.credited_at ?? 0n);
  // What the chain shows counts for more than what the partner reports of it.
  const seen = {
    ...(row.paid_by === null ? {} : { source_tx_hash: row.paid_by }),
    ...(isOut || row.credited_at === null || row.signature === null ? {} : { destination_tx_hash: row.signature }),
    ...(row.received === null ? {} : { final_amount: formatUnits(BigInt(row.received), row.decimals) }),
  };
  const receipt = Object.fromEntries(
    receiptFields.flatMap((name) => (reported[name] === undefined ? [] : [[name, reported[name]]])),
  );
  return {
    createdAt: row.created_at,
    bridge: {
      id: row.id,
      kind: isOut ? "pay_out" : "pay_in",
      grid_user_id: row.user_id,
      main_account_address: account,
      direction: isOut ? "outflow" : "inflow",
      state: row.shown_state,
      amount: row.amount,
      currency: isOut ? row.coin : row.fiat,
      source: isOut ? { ...chain, from_address: account } : bank,
      destination: isOut
        ? { ...bank, ...(external_account_id === null ? {} : { external_account_id }) }
        : { ...chain, to_address: account },
      receipt: { initial_amount: reported.initial_amount ?? row.amount, ...receipt, ...seen },
      ...(reason === null ? {} : { return_details: { reason } }),
      credited: isCredited,
      ...(isCredited ? { confirmed_at: new Date(Number(confirmedMs)).toISOString() } : {}),
      environment: listing.environment,
      created_at: new Date(Number(row.created_at)).toISOString(),
      updated_at: new Date(Number(row.updated_at)).toISOString(),
    },
  };
}
