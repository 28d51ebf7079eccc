import { Buffer } from "node:buffer";
import { TrellisError } from "@trellis/kernel/errors.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { Db, PaymentIntentTable, RailTransferTable, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type RawBuilder, sql } from "kysely";
import { endedStates } from "../rails/transfer-states.js";
import {
  cancelIfOverdue,
  overdueSince,
  type PaymentIntentState,
  paymentIntentStates,
  waitingStates,
} from "../submissions/intent-states.js";
import { recordForgotten } from "../submissions/record-forgotten.js";

/** An intent with the submission of its transaction, once there is one. */
export interface FoundIntent {
  readonly intent: PaymentIntentTable;
  readonly submission: Pick<SubmissionTable, "signature" | "block_time" | "failure"> | undefined;
  /** Of one that is canceled or in error: why, as its event says it. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** Of one with a bank: what its partner reported. */
  readonly transfer: FoundTransfer | undefined;
}

export type FoundTransfer = Pick<
  RailTransferTable,
  | "id"
  | "to_address"
  | "instructions"
  | "receipt"
  | "sealed_receipt"
  | "sealed_reference"
  | "return_reason"
  | "sealed_return_reason"
  | "signature"
  | "credited_at"
  | "amount"
  | "customer_ref"
  | "reference"
  | "rail"
  | "coin"
  | "answer"
  | "given_up_at"
  | "created_at"
>;

/** Whose intents. */
export interface IntentOwner {
  readonly tenantId: string;
  readonly accountAddress: string;
}

/** A place in the list: everything older than this intent. */
export interface IntentPlace {
  readonly createdAt: bigint;
  readonly id: string;
}

/** Which intents of a list, newest first: of these states (all, if none is named), at most `limit`. */
interface IntentListing {
  readonly states: readonly PaymentIntentState[];
  readonly before?: IntentPlace;
  readonly limit: number;
}

/** Columns that are base64 when they are read from JSON. */
const bytes = ["instructions", "sealed_receipt", "sealed_reference", "sealed_return_reason"] as const;

type Row = PaymentIntentTable & {
  readonly signature: string | null;
  readonly block_time: bigint | null;
  readonly failure: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly transfer:
    | (Omit<FoundTransfer, (typeof bytes)[number] | "credited_at" | "given_up_at" | "created_at"> & {
        readonly [name in (typeof bytes)[number]]: string | null;
      } & { readonly credited_at: string | null; readonly given_up_at: string | null; readonly created_at: string })
    | null;
};

/**
 * The account's intent of this id, as it stands: one that has run out is canceled before any response has it. Undefined
 * where there is none, or it is another account's.
 */
export async function findIntent(
  db: Db,
  network: Network,
  { tenantId, accountAddress }: IntentOwner,
  id: string,
): Promise<FoundIntent | undefined> {
  const read = () =>
    readIntents(
      db,
      sql`select * from payment_intent where id = ${id} and tenant_id = ${tenantId} and environment = ${network.name}
        and account_address = ${accountAddress}`,
    );
  const [found] = await settled(db, network, read);
  return found;
}

/**
 * Intents of the account, newest first, in these states (all, if none is named), at most `limit`. One that has run out
 * counts as canceled, whether or not the pass was here, unless it can land without the service's key.
 */
export async function findIntents(
  db: Db,
  network: Network,
  { tenantId, accountAddress }: IntentOwner,
  listing: IntentListing,
): Promise<readonly FoundIntent[]> {
  const states = statesOf(listing);
  const { before, limit } = listing;
  const overdue = overdueSince(network.clock.now());
  // Every part is a range of the index, which gives it newest first.
  const part = (state: PaymentIntentState, and: RawBuilder<unknown> = sql``) => sql`
    (select * from payment_intent
      where environment = ${network.name} and account_address = ${accountAddress} and state = ${state}
        and tenant_id = ${tenantId} ${and} ${isBehind(before)}
      order by created_at desc, id desc limit ${limit})`;
  const parts = states.flatMap((state) => {
    // A bank takes its time, and so does the proof about what can land without the service.
    const isOverdue = sql`created_at <= ${overdue} and rail is null and open_until_height is null`;
    if (state === "awaiting_funds") return [part(state, sql`and not (${isOverdue})`)];
    if (state === "canceled") return [part(state), part("awaiting_funds", sql`and ${isOverdue}`)];
    return [part(state)];
  });
  return settled(db, network, () => readIntents(db, newestOf(parts, limit)));
}

/**
 * The same of all accounts of a tenant, as they are stored: one that has run out is listed as it was until the pass cancels it. What became of
 * each is the chain's to say for each account apart, and a page would ask it for as many as it has rows.
 */
export async function findTenantIntents(
  db: Db,
  { tenantId, environment }: { readonly tenantId: string; readonly environment: string },
  listing: IntentListing,
): Promise<readonly FoundIntent[]> {
  const { before, limit } = listing;
  const parts = statesOf(listing).map(
    (state) => sql`
    (select * from payment_intent
      where environment = ${environment} and tenant_id = ${tenantId} and state = ${state} ${isBehind(before)}
      order by created_at desc, id desc limit ${limit})`,
  );
  return readIntents(db, newestOf(parts, limit));
}

const statesOf = ({ states }: IntentListing): readonly PaymentIntentState[] =>
  states.length === 0 ? paymentIntentStates : [...new Set(states)];

const isBehind = (before: IntentPlace | undefined): RawBuilder<unknown> =>
  before === undefined ? sql`` : sql`and ${isBefore({ created_at: before.createdAt, id: before.id })}`;

/** The newest of what are ranges of an index each. */
const newestOf = (parts: readonly RawBuilder<unknown>[], limit: number): RawBuilder<unknown> =>
  sql`select * from (${sql.join(parts, sql` union all `)}) as part order by created_at desc, id desc limit ${limit}`;

/**
 * What was read, once nothing in it waits any more that has run out; but for what is being submitted in this very moment,
 * which waits until it is.
 */
async function settled(
  db: Db,
  network: Network,
  read: () => Promise<readonly FoundIntent[]>,
): Promise<readonly FoundIntent[]> {
  const found = await read();
  const now = network.clock.now();
  const overdue = found.flatMap(({ intent, submission }) =>
    waitingStates.some((waiting) => waiting === intent.state) &&
    Number(intent.created_at) <= overdueSince(now) &&
    intent.open_until_height === null &&
    (intent.rail === null || (intent.rail === "out" && submission === undefined))
      ? [intent]
      : [],
  );
  const [first] = overdue;
  if (first === undefined) return found;
  const since = Math.min(...overdue.map(({ created_at }) => Number(created_at)));
  try {
    // All of them are of one account.
    await recordForgotten({ db }, network, { account: first.account_address, since });
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    // No response says that nothing was paid while the chain does not answer.
    return found;
  }
  await cancelIfOverdue(db, overdue, now);
  return read();
}

async function readIntents(db: Db, intents: RawBuilder<unknown>): Promise<readonly FoundIntent[]> {
  const { rows } = await sql<Row>`
    select intent.*, submission.signature, submission.block_time, submission.failure,
      case when intent.state in ${anyOf(endedStates)} then
        payment_intent_error(intent.id, intent.state, intent.rail, intent.prepared_id, intent.ended_by) end as error,
      (select row_to_json(reported) from (select id, to_address, encode(instructions, 'base64') as instructions, receipt,
          encode(sealed_receipt, 'base64') as sealed_receipt, encode(sealed_reference, 'base64') as sealed_reference,
          return_reason, encode(sealed_return_reason, 'base64') as sealed_return_reason, signature, credited_at::text as credited_at, given_up_at::text as given_up_at,
          created_at::text as created_at, amount, customer_ref,
          reference, rail, coin, answer
        from rail_transfer where rail_transfer.id = intent.id and intent.rail is not null) as reported) as transfer
    from (${intents}) as intent left join submission on submission.id = intent.prepared_id
    order by intent.created_at desc, intent.id desc`.execute(db);
  return rows.map(({ signature, block_time, failure, error, transfer, ...intent }) => ({
    intent,
    error: error ?? undefined,
    submission: signature === null ? undefined : { signature, block_time, failure },
    transfer:
      transfer === null
        ? undefined
        : {
            ...transfer,
            ...(Object.fromEntries(bytes.map((name) => [name, bytesOf(transfer[name])])) as Pick<
              FoundTransfer,
              (typeof bytes)[number]
            >),
            credited_at: transfer.credited_at === null ? null : BigInt(transfer.credited_at),
            given_up_at: transfer.given_up_at === null ? null : BigInt(transfer.given_up_at),
            created_at: BigInt(transfer.created_at),
          },
  }));
}

const bytesOf = (text: string | null) => (text === null ? null : new Uint8Array(Buffer.from(text, "base64")));
