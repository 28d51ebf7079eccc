import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type RawBuilder, sql } from "kysely";
import Type, { type Static } from "typebox";
import { movingStates } from "../rails/transfer-states.js";
import { orderStates } from "../standing-orders/order-states.js";
import { waitingStates } from "../submissions/intent-states.js";
import { submissionStates } from "../submissions/submission-states.js";

/** Something of an account that has to end before the account is released: what its tenant could neither see nor end afterwards. */
export const Obstacle = Type.Object({
  type: Type.Enum([
    "transaction",
    "payment_intent",
    "standing_order",
    "wallet_export",
    "kyc",
    "external_account",
    "virtual_account",
    "bank_payment",
    "payout_address",
  ]),
  id: Type.String({ description: "Of a transaction its signature." }),
});

export type Obstacle = Static<typeof Obstacle>;

/** Whose account. */
export interface ReleasedAccount {
  readonly tenantId: string;
  readonly environment: string;
  readonly address: string;
}

/** How many of each type are named. */
const namedMax = 20;

/**
 * What is in the way of a release. In the transaction that releases, once it holds the account's row, this is
 * the last word. `now`: environment time, Unix milliseconds.
 */
export async function findObstacles(db: DbOrTrx, account: ReleasedAccount, now: number): Promise<readonly Obstacle[]> {
  const parts = obstaclesOf(account, now).map(
    ([type, rows]) =>
      sql`(select ${type}::text as type, id from (${rows}) as found order by id limit ${namedMax}::int4)`,
  );
  const { rows } = await sql<Obstacle>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}

function obstaclesOf(
  account: ReleasedAccount,
  now: number,
): readonly (readonly [Obstacle["type"], RawBuilder<unknown>])[] {
  const { tenantId, environment, address } = account;
  const mine = sql`environment = ${environment} and account_address = ${address} and tenant_id = ${tenantId}`;
  return [
    [
      "transaction",
      sql`select signature as id from submission where ${mine} and state in ${anyOf(submissionStates.open)}`,
    ],
    [
      "payment_intent",
      sql`select id from payment_intent where ${mine} and state in ${anyOf([...waitingStates, ...movingStates])}`,
    ],
    [
      // Its limit, or a renewal, may be on chain when it has ended.
      "standing_order",
      sql`select id from standing_order where ${mine} and (status in ${anyOf(orderStates.open)}
        or mandate <> 'revoked' or renewal_limit_address is not null)`,
    ],
    [
      "wallet_export",
      sql`select wallet_export.id from account_signer as signer join wallet_export on wallet_export.wallet_id = signer.wallet_id
        where signer.environment = ${environment} and signer.account_address = ${address} and wallet_export.state = 'waiting'
          and wallet_export.expires_at > ${now}::int8`,
    ],
    ["kyc", sql`select id from rail_verification where ${mine}`],
    ["external_account", sql`select id from rail_external_account where ${mine}`],
    ["virtual_account", sql`select id from rail_virtual_account where ${mine}`],
    ["bank_payment", sql`select id from rail_transfer where ${mine}`],
    ["payout_address", sql`select id from rail_payout_address where ${mine}`],
  ];
}
